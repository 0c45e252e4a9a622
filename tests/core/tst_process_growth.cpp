// SPDX-License-Identifier: GPL-3.0-or-later
// How the communication among processes grows with their number: messages and bytes of the first process and of the
// busiest other, counted among threads (support/thread_wires.h), compared with the table of core/process/README.md.
// With STRATEGYLAB_GROWTH_PROCESSES=1024 in the environment, as many threads are counted as well; the table notes this.
#include <QTest>

#include <algorithm>
#include <bit>
#include <cstdlib>
#include <functional>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "core/process/peers.h"
#include "tests/support/thread_wires.h"

using namespace lab;
using namespace lab::test;
using process::Content;
using process::Peers;

namespace {

struct Counts {
  std::int64_t sent = 0, received = 0, bytes = 0;  // bytes: both ways
};

// Counts the messages that pass, except heartbeats.
class CountingWire final : public process::Wire {
 public:
  explicit CountingWire(std::shared_ptr<process::Wire> wire) : wire_(std::move(wire)) {}

  int rank() const override { return wire_->rank(); }
  int size() const override { return wire_->size(); }
  std::string library() const override { return wire_->library(); }
  process::Request send(int to, process::Channel channel, const void* bytes, std::size_t count) override {
    if (channel != process::Channel::Heartbeats) ++counts.sent, counts.bytes += static_cast<std::int64_t>(count);
    return wire_->send(to, channel, bytes, count);
  }
  process::Request receive(int from, process::Channel channel, void* bytes, std::size_t count) override {
    if (channel != process::Channel::Heartbeats) ++counts.received, counts.bytes += static_cast<std::int64_t>(count);
    return wire_->receive(from, channel, bytes, count);
  }
  bool test(process::Request& request) override { return wire_->test(request); }
  void cancel(process::Request& request) override { wire_->cancel(request); }
  void sumOverAll(float* values, std::int64_t count) override { wire_->sumOverAll(values, count); }
  void abort(int exitCode) noexcept override { wire_->abort(exitCode); }

  Counts counts;  // used only by this rank's thread

 private:
  std::shared_ptr<process::Wire> wire_;
};

struct Step {
  const char* name;
  std::function<void(Peers&)> body;
};

// The cost of each step: for the first process, then for the busiest other.
std::vector<std::pair<Counts, Counts>> counted(int processes, const std::vector<Step>& steps) {
  std::vector<std::vector<Counts>> all(steps.size() + 1, std::vector<Counts>(static_cast<std::size_t>(processes)));
  const auto failures = amongWires(processes, [&](const std::shared_ptr<process::Wire>& wire) {
    const auto counting = std::make_shared<CountingWire>(wire);
    Peers peers(counting, {.deadlineSeconds = 600, .startUpSeconds = 600});
    const auto rank = static_cast<std::size_t>(peers.rank());
    all[0][rank] = std::exchange(counting->counts, {});  // the rendezvous, where each learns the places of all
    for (std::size_t i = 0; i < steps.size(); ++i) {
      steps[i].body(peers);
      all[i + 1][rank] = std::exchange(counting->counts, {});
    }
  });
  for (const std::exception_ptr& failure : failures)
    if (failure) std::rethrow_exception(failure);
  std::vector<std::pair<Counts, Counts>> result;
  for (const std::vector<Counts>& each : all) {
    Counts most;
    for (const Counts& other : std::span(each).subspan(1)) {
      most.sent = std::max(most.sent, other.sent);
      most.received = std::max(most.received, other.received);
      most.bytes = std::max(most.bytes, other.bytes);
    }
    result.emplace_back(each.front(), most);
  }
  return result;
}

constexpr int kExchanges = 8;

const std::vector<Step> kSteps = {
    {"broadcast of 1000 bytes",
     [](Peers& peers) {
       Content bytes(1000);
       peers.broadcast(bytes.data(), bytes.size());
     }},
    {"losses and digests, 24 bytes each",
     [](Peers& peers) {
       Content mine(24), all(mine.size() * static_cast<std::size_t>(peers.size()));
       peers.allGather(mine.data(), all.data(), mine.size());
     }},
    {"clocks", [](Peers& peers) { peers.alignClocks(kExchanges); }},
    {"spans, 1000 bytes each", [](Peers& peers) { (void)peers.gather(Content(1000)); }},
};

}  // namespace

class TestProcessGrowth : public QObject {
  Q_OBJECT

 private slots:
  void growth_data() {
    QTest::addColumn<int>("processes");
    for (const int n : {2, 3, 4, 7, 16, 33, 64, 256}) QTest::addRow("%d", n) << n;
    if (const char* more = std::getenv("STRATEGYLAB_GROWTH_PROCESSES")) QTest::addRow("%s", more) << std::atoi(more);
  }
  void growth() {
    QFETCH(int, processes);
    const auto counts = counted(processes, kSteps);
    const std::int64_t n = processes, rounds = std::bit_width(static_cast<unsigned>(n - 1));
    for (std::size_t i = 0; i < counts.size(); ++i) {
      const auto& [chief, other] = counts[i];
      qInfo("%-34s %5d: worker 0 %4lld out %4lld in %9lld bytes; another at most %4lld out %4lld in %9lld bytes",
            i == 0 ? "rendezvous" : kSteps[i - 1].name, processes, static_cast<long long>(chief.sent),
            static_cast<long long>(chief.received), static_cast<long long>(chief.bytes),
            static_cast<long long>(other.sent), static_cast<long long>(other.received),
            static_cast<long long>(other.bytes));
    }
    const auto& rendezvous = counts[0].first;
    QCOMPARE(rendezvous.sent, 2 * rounds);  // sizes, then contents
    QCOMPARE(rendezvous.received, 2 * rounds);
    const auto& broadcast = counts[1];
    QCOMPARE(broadcast.first.sent, rounds);
    QCOMPARE(broadcast.first.received, 0);
    QCOMPARE(broadcast.second.received, 1);
    QVERIFY(broadcast.second.sent < rounds || rounds == 0);
    const auto& losses = counts[2];
    QCOMPARE(losses.first.sent, rounds);
    QCOMPARE(losses.first.bytes, 2 * 24 * (n - 1));
    const auto& clocks = counts[3];
    QCOMPARE(clocks.first.sent, kExchanges * rounds);
    QCOMPARE(clocks.first.received, (kExchanges + 1) * rounds);
    QVERIFY(clocks.second.sent <= (kExchanges + 1) * rounds);
    const auto& spans = counts[4];  // only their bytes grow linearly
    QCOMPARE(spans.first.sent, rounds);
    QCOMPARE(spans.first.received, rounds + n - 1);
    QCOMPARE(spans.second.sent, rounds + 1);
  }

  // Clocks are aligned for any number of processes, each with its own.
  void clocksAreAlignedAlongTheTree() {
    for (const int n : {1, 2, 3, 6, 16, 21}) {
      std::vector<Peers::Offset> offsets;
      const auto failures = amongThreads(n, [&](Peers& peers) {
        peers.alignClocks(kExchanges);
        if (peers.isChief()) offsets = peers.offsets();
      });
      for (const std::exception_ptr& failure : failures) QVERIFY(!failure);
      QCOMPARE(std::ssize(offsets), n);
      QCOMPARE(offsets.front().errorNs, 0);
      for (const Peers::Offset& each : std::span(offsets).subspan(1)) {
        QVERIFY(each.errorNs > 0);
        QVERIFY(std::abs(each.ns) <= each.errorNs);  // threads share one clock
      }
    }
  }
};

QTEST_GUILESS_MAIN(TestProcessGrowth)
#include "tst_process_growth.moc"

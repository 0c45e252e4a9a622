// SPDX-License-Identifier: GPL-3.0-or-later
// Carrying out schedules: exact sums of integers, the same bits on every rank, with any number of threads, and whether
// run block by block or, measured, round by round.
#include <QTest>

#include <algorithm>
#include <cstring>
#include <limits>
#include <numeric>
#include <stdexcept>
#include <string>
#include <vector>

#include "core/base/error.h"
#include "core/base/rng.h"
#include "core/comm/execute.h"
#include "core/comm/needed_transfers.h"

using namespace lab;

namespace {

// The three operations that schedules need; the rest of a backend is not used here.
class PlainBackend final : public Backend {
 public:
  std::string_view name() const override { return "plain"; }
  void add(std::int64_t size, const float* source, float* destination) override {
    for (std::int64_t i = 0; i < size; ++i) destination[i] += source[i];
  }
  void copy(std::int64_t size, const float* source, float* destination) override {
    std::copy_n(source, size, destination);
  }
  bool identical(std::int64_t size, const float* a, const float* b) override {
    return std::memcmp(a, b, static_cast<std::size_t>(size) * sizeof(float)) == 0;
  }

  void convReluPool(std::int64_t, const float*, const float*, const float*, float*, std::uint8_t*) override { no(); }
  void convReluPoolBackward(std::int64_t, const float*, const std::uint8_t*, const float*, const float*, float*,
                            float*) override {
    no();
  }
  void dense(std::int64_t, std::int64_t, std::int64_t, const float*, const float*, const float*, bool,
             float*) override {
    no();
  }
  void denseWeightGradient(std::int64_t, std::int64_t, std::int64_t, const float*, const float*, float*) override {
    no();
  }
  void denseBiasGradient(std::int64_t, std::int64_t, const float*, float*) override { no(); }
  void denseInputGradient(std::int64_t, std::int64_t, std::int64_t, const float*, const float*, float*) override {
    no();
  }
  void reluBackward(std::int64_t, const float*, float*) override { no(); }
  void softmaxCrossEntropy(std::int64_t, const float*, const std::uint8_t*, float, float*, std::uint8_t*,
                           float*) override {
    no();
  }
  void adam(std::int64_t, const AdamStep&, const float*, float*, float*, float*) override { no(); }
  void sgd(std::int64_t, float, float, const float*, float*, float*) override { no(); }
  void roundToBfloat16(std::int64_t, const float*, float*) override { no(); }

 private:
  [[noreturn]] static void no() { throw std::logic_error("a schedule only adds and copies"); }
};

using Buffers = std::vector<std::vector<float>>;

// `margin` floats on either side that no schedule may touch.
constexpr std::int64_t kMargin = 3;
constexpr float kUntouched = -12345.0F;

Buffers makeBuffers(int ranks, std::int64_t elements, bool integers) {
  Buffers buffers;
  for (int rank = 0; rank < ranks; ++rank) {
    Rng rng(77, static_cast<std::uint64_t>(rank));
    std::vector<float> buffer(static_cast<std::size_t>(elements + 2 * kMargin), kUntouched);
    for (std::int64_t i = 0; i < elements; ++i)
      buffer[static_cast<std::size_t>(i + kMargin)] =
          integers ? static_cast<float>(rng.below(2001)) - 1000.0F : static_cast<float>(rng.uniform()) - 0.5F;
    buffers.push_back(std::move(buffer));
  }
  return buffers;
}

std::vector<float*> pointers(Buffers& buffers) {
  std::vector<float*> result;
  for (std::vector<float>& buffer : buffers) result.push_back(buffer.data());
  return result;
}

bool sameBits(const std::vector<float>& a, const std::vector<float>& b) {
  return a.size() == b.size() && std::memcmp(a.data(), b.data(), a.size() * sizeof(float)) == 0;
}

bool sameBits(const Buffers& a, const Buffers& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [](const auto& x, const auto& y) { return sameBits(x, y); });
}

// Carries out the schedule literally, without blocks or threads.
void runPlainly(const Schedule& schedule, Buffers& buffers) {
  for (const Transfer& t : schedule.transfers)
    for (std::int64_t i = t.offset; i < t.offset + t.count; ++i) {
      const float source = buffers[static_cast<std::size_t>(t.from)][static_cast<std::size_t>(i + kMargin)];
      float& destination = buffers[static_cast<std::size_t>(t.to)][static_cast<std::size_t>(i + kMargin)];
      destination = t.add ? destination + source : source;
    }
}

}  // namespace

class TestExecute : public QObject {
  Q_OBJECT

  void addCases(const std::vector<int>& rankCounts, const std::vector<std::int64_t>& sizes) {
    QTest::addColumn<int>("kind");
    QTest::addColumn<int>("ranks");
    QTest::addColumn<int>("hosts");
    QTest::addColumn<qint64>("elements");
    for (int kind = static_cast<int>(Reducer::Ring); kind <= static_cast<int>(Reducer::OneDevice); ++kind)
      for (const int ranks : rankCounts)
        for (int hosts = 1; hosts <= (kind == static_cast<int>(Reducer::Hierarchical) ? ranks : 1); ++hosts)
          if (ranks % hosts == 0)
            for (const std::int64_t elements : sizes)
              QTest::addRow("%s p=%d m=%d n=%lld", toString(static_cast<Reducer>(kind)).data(), ranks, hosts,
                            static_cast<long long>(elements))
                  << kind << ranks << hosts << static_cast<qint64>(elements);
  }

 private slots:
  void integersSumExactly_data() { addCases({1, 2, 3, 4, 6, 7, 8, 13, 16, 17}, {0, 1, 3, 7, 1000, 9001}); }
  void integersSumExactly() {
    QFETCH(int, kind);
    QFETCH(int, ranks);
    QFETCH(int, hosts);
    QFETCH(qint64, elements);
    const Schedule schedule = makeAllReduce(static_cast<Reducer>(kind), ranks, hosts, elements);
    const Buffers original = makeBuffers(ranks, elements, true);
    std::vector<float> sum = original[0];
    for (std::size_t rank = 1; rank < original.size(); ++rank)
      for (std::int64_t i = kMargin; i < kMargin + elements; ++i)
        sum[static_cast<std::size_t>(i)] += original[rank][static_cast<std::size_t>(i)];
    ThreadPool pool(2);
    Buffers buffers = original;
    execute(schedule, kMargin, pointers(buffers), backend_, pool);
    for (const std::vector<float>& buffer : buffers) QVERIFY(sameBits(buffer, sum));
  }

  void bitsDependOnTheScheduleAlone_data() { addCases({2, 3, 8, 12}, {5, 4096, 30011}); }
  void bitsDependOnTheScheduleAlone() {
    QFETCH(int, kind);
    QFETCH(int, ranks);
    QFETCH(int, hosts);
    QFETCH(qint64, elements);
    const Schedule schedule = makeAllReduce(static_cast<Reducer>(kind), ranks, hosts, elements);
    Buffers expected = makeBuffers(ranks, elements, false);
    const Buffers original = expected;
    runPlainly(schedule, expected);
    for (const std::vector<float>& buffer : expected) QVERIFY(sameBits(buffer, expected[0]));
    for (const int threads : {1, 2, 3, 8}) {
      ThreadPool pool(threads);
      Buffers blocked = original, measured = original;
      execute(schedule, kMargin, pointers(blocked), backend_, pool);
      QVERIFY(sameBits(blocked, expected));
      executeMeasured(schedule, kMargin, pointers(measured), backend_, pool, {});
      QVERIFY(sameBits(measured, expected));
    }
  }

  void oneRanksResultNeedsLess_data() { addCases({1, 2, 3, 7, 8, 12, 16}, {0, 5, 30011}); }
  void oneRanksResultNeedsLess() {
    QFETCH(int, kind);
    QFETCH(int, ranks);
    QFETCH(int, hosts);
    QFETCH(qint64, elements);
    const Schedule whole = makeAllReduce(static_cast<Reducer>(kind), ranks, hosts, elements);
    const Buffers original = makeBuffers(ranks, elements, false);
    Buffers expected = original;
    runPlainly(whole, expected);
    ThreadPool pool(2);
    for (const int rank : {0, ranks / 2, ranks - 1}) {
      const Schedule needed = neededFor(rank, whole);
      Buffers buffers = original;
      execute(needed, kMargin, pointers(buffers), backend_, pool);
      QVERIFY(sameBits(buffers[static_cast<std::size_t>(rank)], expected[0]));
      QVERIFY(std::ranges::is_sorted(needed.transfers, {}, &Transfer::round));
      // All gradients are added once, and ranks that do not need the sum do not get it.
      std::int64_t added = 0;
      for (const Transfer& transfer : needed.transfers) added += transfer.add ? transfer.count : 0;
      QCOMPARE(added, (ranks - 1) * elements);
      if (ranks > 2 && elements > 0) QVERIFY(needed.bytesSent() < whole.bytesSent());
    }
  }

  // What is told of a range happens once for each element, when every rank has its sum.
  void aRangeIsDoneWhenItsSumsAre() {
    for (const Reducer reducer : {Reducer::Ring, Reducer::Tree, Reducer::OneDevice}) {
      const Schedule schedule = makeAllReduce(reducer, 5, 1, 30'011);
      Buffers buffers = makeBuffers(5, schedule.elements, false), seen = buffers;
      Buffers expected = buffers;
      runPlainly(schedule, expected);
      std::vector<int> times(buffers[0].size(), 0);
      ThreadPool pool(3);
      execute(schedule, kMargin, pointers(buffers), backend_, pool, [&](std::int64_t begin, std::int64_t count) {
        for (auto i = static_cast<std::size_t>(begin); i < static_cast<std::size_t>(begin + count); ++i) {
          ++times[i];
          for (std::size_t rank = 0; rank < buffers.size(); ++rank) seen[rank][i] = buffers[rank][i];
        }
      });
      QVERIFY(sameBits(seen, expected));
      QCOMPARE(std::count(times.begin() + kMargin, times.begin() + kMargin + schedule.elements, 1), schedule.elements);
      QCOMPARE(std::count(times.begin(), times.end(), 0), std::ssize(times) - schedule.elements);
    }
  }

  void centralStorageReducesAndBroadcasts() {
    const std::vector<int> replicas{0, 1, 2};
    Buffers buffers = makeBuffers(4, 9001, true);
    std::fill_n(buffers[3].begin() + kMargin, 9001, 0.0F);
    const Buffers original = buffers;
    ThreadPool pool(2);
    execute(reduceTo(replicas, 3, 9001), kMargin, pointers(buffers), backend_, pool);
    for (std::size_t i = kMargin; i < kMargin + 9001; ++i)
      QCOMPARE(buffers[3][i], original[0][i] + original[1][i] + original[2][i]);
    for (std::size_t rank = 0; rank < 3; ++rank) QVERIFY(sameBits(buffers[rank], original[rank]));
    execute(broadcastFrom(3, replicas, 9001), kMargin, pointers(buffers), backend_, pool);
    for (std::size_t rank = 0; rank < 3; ++rank) QVERIFY(sameBits(buffers[rank], buffers[3]));
  }

  void measuredTransfersComeInOrderWithTheirTimes() {
    const Schedule schedule = makeAllReduce(Reducer::Ring, 4, 1, 100'000);
    Buffers buffers = makeBuffers(4, schedule.elements, true);
    ThreadPool pool(3);
    std::size_t count = 0;
    std::vector<std::int64_t> roundBegin(6, std::numeric_limits<std::int64_t>::max()), roundEnd(6, 0);
    executeMeasured(schedule, kMargin, pointers(buffers), backend_, pool,
                    [&](const Transfer& transfer, std::int64_t beginNs, std::int64_t endNs) {
                      QVERIFY(&transfer == &schedule.transfers[count]);
                      ++count;
                      QVERIFY(beginNs > 0 && beginNs <= endNs);
                      const auto round = static_cast<std::size_t>(transfer.round);
                      roundBegin[round] = std::min(roundBegin[round], beginNs);
                      roundEnd[round] = std::max(roundEnd[round], endNs);
                    });
    QCOMPARE(count, schedule.transfers.size());
    for (std::size_t round = 1; round < 6; ++round) QVERIFY(roundBegin[round] >= roundEnd[round - 1]);
  }

  void runsInsideATask() {
    const Schedule schedule = makeAllReduce(Reducer::Tree, 5, 1, 9001);
    ThreadPool pool(2);
    std::vector<Buffers> several(3, makeBuffers(5, schedule.elements, false));
    Buffers expected = several[0];
    runPlainly(schedule, expected);
    pool.forEach(3, [&](std::int64_t i) {
      execute(schedule, kMargin, pointers(several[static_cast<std::size_t>(i)]), backend_, pool);
    });
    for (const Buffers& buffers : several) QVERIFY(sameBits(buffers, expected));
  }

  void tooFewBuffersAreNoticed() {
    ThreadPool pool(1);
    Buffers buffers = makeBuffers(3, 10, true);
    QVERIFY_THROWS_EXCEPTION(
        BrokenInvariant, execute(makeAllReduce(Reducer::Ring, 4, 1, 10), kMargin, pointers(buffers), backend_, pool));
  }

 private:
  PlainBackend backend_;
};

QTEST_GUILESS_MAIN(TestExecute)
#include "tst_execute.moc"

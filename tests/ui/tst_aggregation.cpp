// SPDX-License-Identifier: GPL-3.0-or-later
// Whose gradients are in which part of a buffer, compared with plain sets that each transfer of a schedule is applied
// to; forwards, backwards, and where times are out of order. A part takes a few bytes, and a moment later only what has
// arrived since.
#include <QTest>

#include <algorithm>
#include <vector>

#include "core/base/rng.h"
#include "core/comm/schedule.h"
#include "core/replicas/labels.h"
#include "ui/playback/aggregation.h"

using namespace lab;

namespace {

constexpr std::int64_t kRoundNs = 10;

struct Made {
  TraceLegend legend;
  StepRecord record;
};

Made madeOf(int ranks, std::int64_t elements) {
  Made made;
  made.legend.endpoints.resize(static_cast<std::size_t>(ranks));
  made.record.metric.step = 1;
  made.record.replicas.resize(static_cast<std::size_t>(ranks));
  made.record.gradients.resize(static_cast<std::size_t>(elements));
  return made;
}

Span spanOf(const Transfer& transfer, std::int64_t startNs, std::int64_t durationNs) {
  Span span;
  span.kind = SpanKind::Transfer;
  span.label = labelOf(Label::AllReduce);
  span.step = 1;
  span.startNs = startNs;
  span.durationNs = durationNs;
  span.bytes = transfer.bytes();
  span.offset = transfer.offset;
  span.count = transfer.count;
  span.track = 0;
  span.from = transfer.from;
  span.to = transfer.to;
  span.round = transfer.round;
  span.add = transfer.add;
  return span;
}

// The transfers of a round end one after the other, and before the next round begins.
Made madeOf(Reducer reducer, int ranks, int hosts, std::int64_t elements) {
  Made made = madeOf(ranks, elements);
  for (const Transfer& transfer : makeAllReduce(reducer, ranks, hosts, elements).transfers)
    made.record.spans.push_back(spanOf(transfer, kRoundNs * transfer.round, 7 + transfer.from % 3));
  return made;
}

// The plain sets: [endpoint][cell].
using Plain = std::vector<std::vector<Contributions::Bits>>;

Plain plainAt(const Aggregation& aggregation, const StepRecord& record, std::int64_t ns) {
  const std::size_t cells = aggregation.cells().size();
  Plain all(record.replicas.size(), std::vector<Contributions::Bits>(cells));
  for (std::size_t r = 0; r < all.size(); ++r)
    for (Contributions::Bits& cell : all[r]) cell.set(r);
  for (const Span& span : record.spans) {
    if (span.startNs + span.durationNs > ns) continue;
    for (std::size_t c = 0; c < cells; ++c) {
      const std::int64_t offset = aggregation.cells()[c].offset;
      if (offset < span.offset || offset >= span.offset + span.count) continue;
      const Contributions::Bits& from = all[static_cast<std::size_t>(span.from)][c];
      Contributions::Bits& to = all[static_cast<std::size_t>(span.to)][c];
      to = span.add ? to | from : from;
    }
  }
  return all;
}

bool isSame(const Aggregation::State& state, const Plain& plain) {
  Contributions::Bits thirds;
  for (std::size_t r = 0; r < thirds.size(); r += 3) thirds.set(r);
  const MarkedReplicas some(thirds);
  for (std::size_t r = 0; r < plain.size(); ++r)
    for (std::size_t c = 0; c < plain[r].size(); ++c) {
      const Contributions& holds = state.at(static_cast<int>(r), c);
      if (holds.bits() != plain[r][c] || holds.count() != plain[r][c].count()) return false;
      std::size_t marked = 0;
      for (std::size_t replica = 0; replica < plain.size(); ++replica) {
        if (holds.test(replica) != plain[r][c].test(replica)) return false;
        marked += plain[r][c].test(replica) && some.test(replica) ? 1 : 0;
      }
      if (some.in(holds) != marked) return false;
    }
  return true;
}

}  // namespace

class TestAggregation : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void setsAreThoseOfTheTransfers_data() {
    QTest::addColumn<int>("reducer");
    QTest::addColumn<int>("ranks");
    QTest::addColumn<int>("hosts");
    const auto row = [](const char* name, Reducer reducer, int ranks, int hosts = 1) {
      QTest::addRow("%s %d", name, ranks) << static_cast<int>(reducer) << ranks << hosts;
    };
    row("ring", Reducer::Ring, 13);
    row("tree", Reducer::Tree, 11);
    row("halving-doubling", Reducer::HalvingDoubling, 16);
    row("halving-doubling", Reducer::HalvingDoubling, 11);
    row("hierarchical", Reducer::Hierarchical, 12, 3);
    row("torus", Reducer::Torus, 12);
    row("one device", Reducer::OneDevice, 7);
  }
  void setsAreThoseOfTheTransfers() {
    QFETCH(int, reducer);
    QFETCH(int, ranks);
    QFETCH(int, hosts);
    const Made made = madeOf(static_cast<Reducer>(reducer), ranks, hosts, 100);
    const Aggregation aggregation(made.legend, made.record);
    const std::int64_t end = made.record.spans.back().startNs + kRoundNs;
    // Forwards in small steps, and back again in large ones.
    std::vector<std::int64_t> moments;
    for (std::int64_t ns = 0; ns <= end; ++ns) moments.push_back(ns);
    for (std::int64_t ns = end; ns >= 0; ns -= 7) moments.push_back(ns);
    for (const std::int64_t ns : moments) {
      const Plain plain = plainAt(aggregation, made.record, ns);
      Aggregation::State state = aggregation.takeState(ns);
      QVERIFY2(isSame(state, plain), qPrintable(QString::number(ns)));
      aggregation.giveBack(std::move(state));
    }
    const Plain plain = plainAt(aggregation, made.record, end);
    QVERIFY(isSame(aggregation.stateAt(end), plain));
    QCOMPARE(plain.back().back().count(), static_cast<std::size_t>(ranks));
    for (std::size_t cell = 0; cell < aggregation.cells().size(); ++cell) {
      const std::int64_t ns = end / 2;
      const Plain there = plainAt(aggregation, made.record, ns);
      const Aggregation::State one = aggregation.stateAt(ns, cell);
      for (int r = 0; r < ranks; ++r) QVERIFY(one.at(r, cell).bits() == there[static_cast<std::size_t>(r)][cell]);
    }
  }

  // A transfer that ends late changes what an earlier end has already taken from its destination: the order of the
  // transfers decides, not that of their ends.
  void lateTransfersAreAppliedInTheirOrder() {
    Made made = madeOf(3, 8);
    const Transfer first{.round = 0, .from = 0, .to = 1, .add = true, .offset = 0, .count = 8},
        second{.round = 1, .from = 1, .to = 2, .add = true, .offset = 0, .count = 8};
    made.record.spans = {spanOf(first, 0, 20), spanOf(second, 0, 10)};
    const Aggregation aggregation(made.legend, made.record);
    for (const std::int64_t ns : {5, 10, 20, 30, 10}) {
      Aggregation::State state = aggregation.takeState(ns);
      QCOMPARE(state.at(2, 0).count(), std::size_t(ns < 10 ? 1 : ns < 20 ? 2 : 3));
      QVERIFY(isSame(state, plainAt(aggregation, made.record, ns)));
      aggregation.giveBack(std::move(state));
    }
  }

  // A ring of 256 has 65,536 parts at each moment. With a set of bits each, they took 17 MB for every picture.
  void manyReplicasTakeLittleMemory() {
    constexpr int kRanks = 256;
    const Made made = madeOf(Reducer::Ring, kRanks, 1, 4 * kRanks);
    const Aggregation aggregation(made.legend, made.record);
    QCOMPARE(aggregation.cells().size(), std::size_t{kRanks});
    Aggregation::State state = aggregation.takeState(kRoundNs * kRanks / 2);
    QCOMPARE(state.of.size(), std::size_t{kRanks} * kRanks);
    QVERIFY(state.of.size() * sizeof(state.of.front()) <= (std::size_t{1} << 20));
    // After k rounds replica r has the sum of k + 1 in the part that it got last.
    QCOMPARE(state.at(0, kRanks - 1 - kRanks / 2).count(), std::size_t{kRanks / 2 + 1});
    // The next moment goes on in the same memory.
    const Contributions* memory = state.of.data();
    aggregation.giveBack(std::move(state));
    state = aggregation.takeState(kRoundNs * (kRanks / 2 + 3));
    QVERIFY(state.of.data() == memory);
    QCOMPARE(state.at(0, kRanks - 1 - (kRanks / 2 + 3)).count(), std::size_t{kRanks / 2 + 4});
  }

  // Found by blocks: the same as by looking at each.
  void transfersAreFoundByTime() {
    Rng rng(3);
    const auto below = [&rng](std::uint64_t count) { return static_cast<std::int64_t>(rng.below(count)); };
    std::vector<Span> spans(3000);
    std::vector<std::size_t> transfers;
    for (std::size_t i = 0; i < spans.size(); ++i) {
      spans[i].startNs = static_cast<std::int64_t>(i) + below(40);
      spans[i].durationNs = i % 500 == 0 ? 1000 : below(30);
      if (i % 3 != 0) transfers.push_back(i);
    }
    const TransferTimes times(spans, transfers);
    const auto endOf = [&](std::size_t i) { return spans[transfers[i]].startNs + spans[transfers[i]].durationNs; };
    for (int k = 0; k < 300; ++k) {
      const std::int64_t from = below(3200), to = from + below(k % 2 == 0 ? 20 : 2000);
      std::vector<std::size_t> ended, underWay;
      for (std::size_t i = 0; i < transfers.size(); ++i) {
        if (endOf(i) > from && endOf(i) <= to) ended.push_back(i);
        if (spans[transfers[i]].startNs <= to && endOf(i) >= from) underWay.push_back(transfers[i]);
      }
      QVERIFY(times.ended(from, to) == ended);
      QVERIFY(times.underWay(from, to) == underWay);
    }
  }
};

QTEST_GUILESS_MAIN(TestAggregation)
#include "tst_aggregation.moc"

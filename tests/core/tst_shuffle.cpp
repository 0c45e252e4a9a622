// SPDX-License-Identifier: GPL-3.0-or-later
// ctest: label=unsanitized
// The shuffle buffer's exact meaning: which orders can occur, and how often.
#include <QTest>

#include <algorithm>
#include <cstdlib>
#include <limits>
#include <map>
#include <vector>

#include "core/data/input.h"

using namespace lab;

namespace {

using Indices = std::vector<std::int64_t>;

Indices drain(IndexStream& stream) {
  Indices all;
  for (std::int64_t index = 0; stream.next(index);) all.push_back(index);
  return all;
}

Indices shuffled(std::int64_t count, std::int64_t buffer, std::uint64_t seed) {
  ShuffledRange range({{0, count}}, buffer, Rng(seed));
  return drain(range);
}

Indices upTo(std::int64_t count) {
  Indices all;
  for (std::int64_t i = 0; i < count; ++i) all.push_back(i);
  return all;
}

}  // namespace

class TestShuffle : public QObject {
  Q_OBJECT

 private slots:
  void noBufferIsFileOrder() {
    QVERIFY(shuffled(100, 0, 1) == upTo(100));
    QVERIFY(shuffled(100, 1, 1) == upTo(100));
    QVERIFY(shuffled(0, 10, 1).empty());
    ShuffledRange several({{5, 7}, {7, 7}, {1, 3}, {9, 9}}, 0, Rng(1));
    QVERIFY(drain(several) == (Indices{5, 6, 1, 2}));
  }

  void shufflingIsAPermutationWithinTheBuffersReach_data() {
    QTest::addColumn<qint64>("count");
    QTest::addColumn<qint64>("buffer");
    for (const qint64 count : {1, 2, 10, 1000, 60000})
      for (const qint64 buffer :
           {qint64{2}, qint64{7}, qint64{1000}, qint64{10000}, std::numeric_limits<qint64>::max()})
        QTest::addRow("%lld of %lld", static_cast<long long>(buffer), static_cast<long long>(count)) << count << buffer;
  }
  void shufflingIsAPermutationWithinTheBuffersReach() {
    QFETCH(qint64, count);
    QFETCH(qint64, buffer);
    Indices order = shuffled(count, buffer, 3);
    QVERIFY(order == shuffled(count, buffer, 3));
    if (count >= 10) QVERIFY(order != shuffled(count, buffer, 4) && order != upTo(count));
    for (std::size_t i = 0; i < order.size(); ++i)
      // Draw i can only pick what has entered the buffer by then.
      QVERIFY(buffer >= count || order[i] < static_cast<std::int64_t>(i) + buffer);
    std::sort(order.begin(), order.end());
    QVERIFY(order == upTo(count));
  }

  void rangesAreShuffledTogether() {
    ShuffledRange range({{10, 20}, {40, 45}}, 100, Rng(5));
    Indices order = drain(range);
    QVERIFY(order.front() != 10 || order.back() != 44);
    std::sort(order.begin(), order.end());
    QVERIFY(order == (Indices{10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 40, 41, 42, 43, 44}));
  }

  // Three examples: with a buffer of 2 exactly four of the six orders can occur, and equally often; with 3, all six.
  void ordersAreEquallyLikely_data() {
    QTest::addColumn<qint64>("buffer");
    QTest::addColumn<int>("orders");
    QTest::addRow("buffer 2") << qint64{2} << 4;
    QTest::addRow("buffer 3") << qint64{3} << 6;
    QTest::addRow("buffer 4") << qint64{4} << 6;
  }
  void ordersAreEquallyLikely() {
    QFETCH(qint64, buffer);
    QFETCH(int, orders);
    std::map<Indices, int> seen;
    constexpr int kTrials = 12000;
    for (int seed = 0; seed < kTrials; ++seed) ++seen[shuffled(3, buffer, static_cast<std::uint64_t>(seed))];
    QCOMPARE(static_cast<int>(seen.size()), orders);
    for (const auto& [order, count] : seen) {
      if (buffer == 2) QVERIFY(order[0] != 2);
      // Six standard deviations of a binomial count are less than 300; the seeds are fixed.
      QVERIFY(std::abs(count - kTrials / orders) < 300);
    }
  }
};

QTEST_GUILESS_MAIN(TestShuffle)
#include "tst_shuffle.moc"

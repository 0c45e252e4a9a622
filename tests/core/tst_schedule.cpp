// SPDX-License-Identifier: GPL-3.0-or-later
// Every schedule, for 1 to 17 ranks, awkward sizes and all host counts that divide them: the transfers of a round are
// independent, every contribution counts once on every rank, and the bytes are exactly those of the formulas.
#include <QTest>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <numeric>
#include <set>
#include <string>
#include <vector>

#include "core/base/error.h"
#include "core/comm/schedule.h"
#include "tests/support/host_schedule.h"

using namespace lab;

namespace {

struct Case {
  Reducer kind;
  int ranks;
  int hosts;
  std::int64_t elements;

  Schedule make() const { return makeAllReduce(kind, ranks, hosts, elements); }
  std::string name() const {
    return std::string(toString(kind)) + " p=" + std::to_string(ranks) + " m=" + std::to_string(hosts) +
           " n=" + std::to_string(elements);
  }
};

constexpr std::int64_t kSizes[] = {0, 1, 2, 3, 7, 64, 1000, 347146};

std::vector<Case> allCases() {
  std::vector<Case> cases;
  for (const Reducer kind : kSchedules)
    for (int ranks = 1; ranks <= 17; ++ranks)
      for (int hosts = 1; hosts <= (kind == Reducer::Hierarchical ? ranks : 1); ++hosts)
        if (ranks % hosts == 0)
          for (const std::int64_t elements : kSizes) cases.push_back({kind, ranks, hosts, elements});
  return cases;
}

// The contents of an element of a rank's buffer: how often each rank's contribution is in it.
using Contents = std::vector<std::vector<int>>;  // [rank][contributor]

Contents runOnElement(const Schedule& schedule, std::int64_t element) {
  const auto p = static_cast<std::size_t>(schedule.ranks);
  Contents contents(p, std::vector<int>(p, 0));
  for (std::size_t rank = 0; rank < p; ++rank) contents[rank][rank] = 1;
  for (std::size_t first = 0, next = 0; first < schedule.transfers.size(); first = next) {
    const Contents before = contents;  // all transfers of a round read what was there when it began
    for (; next < schedule.transfers.size() && schedule.transfers[next].round == schedule.transfers[first].round;
         ++next) {
      const Transfer& t = schedule.transfers[next];
      if (element < t.offset || element >= t.offset + t.count) continue;
      const auto& source = before[static_cast<std::size_t>(t.from)];
      auto& destination = contents[static_cast<std::size_t>(t.to)];
      for (std::size_t i = 0; i < p; ++i) destination[i] = (t.add ? destination[i] : 0) + source[i];
    }
  }
  return contents;
}

// One element of every stretch that no transfer's border cuts; it represents the whole stretch.
std::vector<std::int64_t> oneOfEachStretch(const Schedule& schedule) {
  std::set<std::int64_t> begins;
  if (schedule.elements > 0) begins.insert(0);
  for (const Transfer& t : schedule.transfers) {
    begins.insert(t.offset);
    if (t.offset + t.count < schedule.elements) begins.insert(t.offset + t.count);
  }
  return {begins.begin(), begins.end()};
}

bool overlap(const Transfer& a, const Transfer& b) {
  return a.offset < b.offset + b.count && b.offset < a.offset + a.count;
}

bool isPowerOfTwo(int n) {
  return (n & (n - 1)) == 0;
}

int ceilLog2(int n) {
  int log = 0;
  while ((1 << log) < n) ++log;
  return log;
}

}  // namespace

class TestSchedule : public QObject {
  Q_OBJECT

 private slots:
  void transfersAreSoundAndInOrder() {
    for (const Case& c : allCases()) {
      const Schedule s = c.make();
      QVERIFY2(s.ranks == c.ranks && s.elements == c.elements, c.name().c_str());
      QVERIFY2((c.ranks == 1 || c.elements == 0) == s.transfers.empty(), c.name().c_str());
      int round = 0;
      for (const Transfer& t : s.transfers) {
        const bool inside = t.from >= 0 && t.from < c.ranks && t.to >= 0 && t.to < c.ranks && t.from != t.to &&
                            t.count > 0 && t.offset >= 0 && t.offset + t.count <= c.elements;
        QVERIFY2(inside, c.name().c_str());
        QVERIFY2(t.round == round || t.round == round + 1, c.name().c_str());  // sorted, and no round is empty
        round = t.round;
      }
    }
  }

  void transfersOfARoundAreIndependent() {
    for (const Case& c : allCases()) {
      const Schedule s = c.make();
      for (std::size_t i = 0; i < s.transfers.size(); ++i)
        for (std::size_t j = i + 1; j < s.transfers.size() && s.transfers[j].round == s.transfers[i].round; ++j) {
          const Transfer &a = s.transfers[i], &b = s.transfers[j];
          const bool conflict = overlap(a, b) && (a.to == b.to || a.from == b.to || b.from == a.to);
          QVERIFY2(!conflict, c.name().c_str());
        }
    }
  }

  void everyContributionArrivesOnceOnEveryRank() {
    for (const Case& c : allCases()) {
      const Schedule s = c.make();
      const std::vector<int> all(static_cast<std::size_t>(c.ranks), 1);
      for (const std::int64_t element : oneOfEachStretch(s))
        for (const std::vector<int>& held : runOnElement(s, element)) QVERIFY2(held == all, c.name().c_str());
    }
  }

  // Also where a sum is not over all ranks: a mean with neighbours, a sum within each host.
  void aScheduleSaysWhoIsInASum() {
    const auto check = [](const Schedule& s, const std::string& name) {
      const std::vector<std::vector<int>> sums = ranksInSums(s);
      QCOMPARE(std::ssize(sums), static_cast<std::ptrdiff_t>(s.ranks));
      for (const std::int64_t element : oneOfEachStretch(s)) {
        const Contents contents = runOnElement(s, element);
        for (std::size_t rank = 0; rank < sums.size(); ++rank) {
          std::vector<int> expected(sums.size(), 0);
          for (const int each : sums[rank]) expected[static_cast<std::size_t>(each)] = 1;
          QVERIFY2(contents[rank] == expected, name.c_str());
        }
      }
    };
    std::vector<Case> cases = allCases();
    for (int ranks = 1; ranks <= 5; ++ranks) cases.push_back({Reducer::Neighbours, ranks, 1, 7});
    for (const Case& c : cases) check(c.make(), c.name());
    for (const int hosts : {1, 2, 3, 6}) check(test::sumWithinHosts(6, hosts, 7), "within " + std::to_string(hosts));
    const std::vector<std::vector<int>> pairs{{0, 1}, {0, 1}, {2, 3}, {2, 3}};
    QVERIFY(ranksInSums(test::sumWithinHosts(4, 2, 7)) == pairs);
    const std::vector<std::vector<int>> beside{{0, 1, 4}, {0, 1, 2}, {1, 2, 3}, {2, 3, 4}, {0, 3, 4}};
    QVERIFY(ranksInSums(makeAllReduce(Reducer::Neighbours, 5, 1, 7)) == beside);
    QVERIFY(areSumsOfHosts(pairs, 2));
    QVERIFY(!areSumsOfHosts(pairs, 1) && !areSumsOfHosts(pairs, 4) && !areSumsOfHosts({}, 1));
    QVERIFY(!areSumsOfHosts(ranksInSums(makeAllReduce(Reducer::Ring, 4, 2, 7)), 2));
    QVERIFY(!areSumsOfHosts(ranksInSums(makeAllReduce(Reducer::Neighbours, 6, 2, 7)), 2));
  }

  void bytesFollowTheFormulas() {
    for (const Case& c : allCases()) {
      const Schedule s = c.make();
      const std::int64_t n = 4 * c.elements, p = c.ranks;
      // Ring, tree, star, sharded and torus all move 2(p−1)·n in all; so does halving-doubling, as each fold costs the
      // 2n that the ranks folded in save.
      QVERIFY2(s.bytesSent() == 2 * (p - 1) * n, c.name().c_str());
      const std::vector<std::int64_t> sent = s.bytesSentPerRank();
      QCOMPARE(static_cast<int>(sent.size()), c.ranks);
      QCOMPARE(std::accumulate(sent.begin(), sent.end(), std::int64_t{0}), s.bytesSent());
    }
  }

  void ringIsEvenToAnElement() {
    for (const std::int64_t elements : kSizes)
      for (int p = 1; p <= 17; ++p) {
        // Each rank sends everything twice except two chunks, and two chunks differ by at most an element.
        const double mean = 2.0 * (p - 1) / p * 4.0 * static_cast<double>(elements);
        for (const std::int64_t sent : makeAllReduce(Reducer::Ring, p, 1, elements).bytesSentPerRank())
          QVERIFY(std::abs(static_cast<double>(sent) - mean) <= 8.0);
      }
  }

  void halvingDoublingIsEvenAtPowersOfTwo() {
    for (const int p : {2, 4, 8, 16}) {
      const Schedule s = makeAllReduce(Reducer::HalvingDoubling, p, 1, 64);
      for (const std::int64_t sent : s.bytesSentPerRank()) QCOMPARE(sent, std::int64_t{2} * (p - 1) * 64 * 4 / p);
    }
  }

  void halvingDoublingFoldsTheExcessFirstAndLast() {
    const Schedule s = makeAllReduce(Reducer::HalvingDoubling, 7, 1, 1000);
    std::vector<Transfer> folded;
    for (const Transfer& t : s.transfers)
      if (t.from >= 4 || t.to >= 4) folded.push_back(t);
    QCOMPARE(folded.size(), std::size_t{6});  // 2n for each folded pair
    for (const Transfer& t : folded) {
      QCOMPARE(t.count, std::int64_t{1000});
      QCOMPARE(t.round, t.from >= 4 ? 0 : s.rounds() - 1);
      QCOMPARE(std::abs(t.from - t.to), 4);
    }
  }

  void hierarchicalStaysInsideTheHostButForItsPieces() {
    // RS_g(n) + AR_m(n/g) + AG_g(n): only 2(m−1)·n bytes in all cross between hosts.
    for (const int ranks : {4, 6, 8, 12, 16})
      for (int hosts = 1; hosts <= ranks; ++hosts) {
        if (ranks % hosts != 0) continue;
        const int g = ranks / hosts;
        std::int64_t inside = 0, across = 0;
        for (const Transfer& t : makeAllReduce(Reducer::Hierarchical, ranks, hosts, 1000).transfers)
          (t.from / g == t.to / g ? inside : across) += 4 * t.count;
        QCOMPARE(across, std::int64_t{2} * (hosts - 1) * 4000);
        QCOMPARE(inside, std::int64_t{2} * hosts * (g - 1) * 4000);
      }
  }

  void torusMovesAlongRowsAndColumns() {
    const Schedule s = makeAllReduce(Reducer::Torus, 12, 1, 1000);  // 3 × 4
    std::int64_t alongX = 0, alongY = 0;
    for (const Transfer& t : s.transfers) {
      const int dx = (t.to % 3 - t.from % 3 + 3) % 3, dy = (t.to / 3 - t.from / 3 + 4) % 4;
      QVERIFY((dx == 1 && dy == 0) || (dx == 0 && dy == 1));
      (dx == 1 ? alongX : alongY) += 4 * t.count;
    }
    QCOMPARE(alongX, std::int64_t{4 * 2 * 2 * 4000});  // 4 rows, RS and AG, X − 1 = 2
    QCOMPARE(alongY, std::int64_t{2 * 3 * 4000});      // 2(Y − 1)·n over the pieces
  }

  void torusIsAsSquareAsItCanBe_data() {
    QTest::addColumn<int>("ranks");
    QTest::addColumn<int>("x");
    const std::map<int, int> expected{{1, 1}, {2, 1},  {3, 1},  {4, 2},  {6, 2},  {7, 1},
                                      {8, 2}, {12, 3}, {16, 4}, {17, 1}, {36, 6}, {2048, 32}};
    for (const auto& [ranks, x] : expected) QTest::addRow("%d", ranks) << ranks << x;
  }
  void torusIsAsSquareAsItCanBe() {
    QFETCH(int, ranks);
    QFETCH(int, x);
    QCOMPARE(torusShape(ranks).x, x);
    QCOMPARE(torusShape(ranks).y, ranks / x);
  }

  void roundsFollowTheFormulas() {
    for (int p = 2; p <= 17; ++p) {
      QCOMPARE(makeAllReduce(Reducer::Ring, p, 1, 1000).rounds(), 2 * (p - 1));
      QCOMPARE(makeAllReduce(Reducer::Tree, p, 1, 1000).rounds(), 2 * ceilLog2(p));
      const int q = isPowerOfTwo(p) ? ceilLog2(p) : ceilLog2(p) - 1;
      QCOMPARE(makeAllReduce(Reducer::HalvingDoubling, p, 1, 1000).rounds(), 2 * q + (isPowerOfTwo(p) ? 0 : 2));
      QCOMPARE(makeAllReduce(Reducer::OneDevice, p, 1, 1000).rounds(), 2 * (p - 1));
      const TorusShape torus = torusShape(p);
      QCOMPARE(makeAllReduce(Reducer::Torus, p, 1, 1000).rounds(), 2 * (torus.x - 1 + torus.y - 1));
      for (int m = 1; m <= p; ++m)
        if (p % m == 0) QCOMPARE(makeAllReduce(Reducer::Hierarchical, p, m, 1000).rounds(), 2 * (p / m - 1 + m - 1));
    }
  }

  void ringReducesThenCopies() {
    for (int p = 2; p <= 17; ++p)
      for (const Transfer& t : makeAllReduce(Reducer::Ring, p, 1, 1000).transfers) {
        QCOMPARE(t.to, (t.from + 1) % p);
        QCOMPARE(t.add, t.round < p - 1);
        QVERIFY(t.count == 1000 / p || t.count == 1000 / p + 1);
      }
  }

  void oneDeviceTakesOneTransferARound() {
    const Schedule s = makeAllReduce(Reducer::OneDevice, 5, 1, 10);
    QCOMPARE(s.transfers.size(), std::size_t{8});
    std::set<int> heard, told;
    for (int i = 0; i < 8; ++i) {
      const Transfer& t = s.transfers[static_cast<std::size_t>(i)];
      QCOMPARE(t.round, i);
      QCOMPARE(t.add, i < 4);
      QCOMPARE(i < 4 ? t.to : t.from, 0);
      (i < 4 ? heard : told).insert(i < 4 ? t.from : t.to);
    }
    QCOMPARE(heard.size(), std::size_t{4});
    QVERIFY(heard == told && heard.count(0) == 0);
  }

  void halvesOfCentralStorage() {
    const std::vector<int> replicas{2, 0, 1};
    const Schedule up = reduceTo(replicas, 3, 7), down = broadcastFrom(3, replicas, 7);
    QCOMPARE(up.ranks, 4);
    QCOMPARE(down.ranks, 4);
    for (std::size_t i = 0; i < 3; ++i) {
      const Transfer &u = up.transfers.at(i), &d = down.transfers.at(i);
      QVERIFY(u.round == int(i) && u.from == replicas[i] && u.to == 3 && u.add && u.offset == 0 && u.count == 7);
      QVERIFY(d.round == int(i) && d.from == 3 && d.to == replicas[i] && !d.add && d.offset == 0 && d.count == 7);
    }
    QVERIFY(reduceTo(replicas, 3, 0).transfers.empty());
    QVERIFY(reduceTo({}, 0, 7).transfers.empty());
    QVERIFY_THROWS_EXCEPTION(BrokenInvariant, reduceTo(replicas, 1, 7));
    QVERIFY_THROWS_EXCEPTION(BrokenInvariant, broadcastFrom(1, replicas, 7));
  }

  void aTreeBroadcastReachesEveryRankOnce() {
    const Schedule four = treeBroadcast(4, 6);
    std::set<int> have{0};  // rank 0's values
    int round = 0;
    for (const Transfer& t : four.transfers) {
      QVERIFY(!t.add && t.round >= round && have.count(t.from) == 1);
      round = t.round;
      QVERIFY(have.insert(t.to).second);
    }
    QCOMPARE(four.transfers.front().round, 0);
    QCOMPARE(have.size(), std::size_t{4});
    QVERIFY(treeBroadcast(1, 6).transfers.empty());
  }

  void whatCannotBeIsSaid() {
    QVERIFY_THROWS_EXCEPTION(UserError, makeAllReduce(Reducer::Hierarchical, 6, 4, 10));
    QVERIFY_THROWS_EXCEPTION(UserError, makeAllReduce(Reducer::Hierarchical, 6, 0, 10));
    QVERIFY_THROWS_EXCEPTION(UserError, makeAllReduce(Reducer::Ring, kMaxReplicas + 1, 1, 10));
    QVERIFY_THROWS_EXCEPTION(UserError, makeAllReduce(Reducer::Ring, 2, 1, kMaxElements + 1));
    QVERIFY_THROWS_EXCEPTION(BrokenInvariant, makeAllReduce(Reducer::Ring, 0, 1, 10));
    QVERIFY_THROWS_EXCEPTION(BrokenInvariant, makeAllReduce(Reducer::Ring, 2, 1, -1));
  }

  // The course network's variables in memory order; the packs are the worked examples of core/comm/README.md.
  void packsFollowTensorFlow_data() {
    using Bytes = QList<qint64>;
    QTest::addColumn<qint64>("bytesPerPack");
    QTest::addColumn<QList<QList<qint64>>>("packs");
    const QList<Bytes> all{{40, 2560, 256, 1384448, 128, 1152}};
    const QList<Bytes> each{{40}, {2560}, {256}, {1384448}, {128}, {1152}};
    QTest::addRow("0") << qint64{0} << all;
    QTest::addRow("1 MiB") << qint64{1048576} << QList<Bytes>{{40, 2560, 256, 1384448}, {128, 1152}};
    QTest::addRow("1024") << qint64{1024} << QList<Bytes>{{40, 2560}, {256, 1384448}, {128, 1152}};
    QTest::addRow("1") << qint64{1} << each;
    QTest::addRow("exactly full is not more") << qint64{2600} << QList<Bytes>{{40, 2560, 256}, {1384448}, {128, 1152}};
    QTest::addRow("one byte less") << qint64{2599} << QList<Bytes>{{40, 2560}, {256, 1384448}, {128, 1152}};
    QTest::addRow("huge") << std::numeric_limits<qint64>::max() << all;
  }
  void packsFollowTensorFlow() {
    QFETCH(qint64, bytesPerPack);
    QFETCH(QList<QList<qint64>>, packs);
    const std::vector<std::int64_t> sizes{10, 640, 64, 346112, 32, 288};
    const std::vector<Pack> got = packGradients(sizes, bytesPerPack);
    QCOMPARE(static_cast<qsizetype>(got.size()), packs.size());
    std::int64_t offset = 0;
    for (std::size_t i = 0; i < got.size(); ++i) {
      QCOMPARE(got[i].offset, offset);
      const QList<qint64>& bytes = packs[static_cast<qsizetype>(i)];
      QCOMPARE(got[i].count * 4, std::accumulate(bytes.begin(), bytes.end(), qint64{0}));
      offset += got[i].count;
    }
    QCOMPARE(offset * 4, std::int64_t{1388584});
  }

  void eachVariableAlone() {
    const std::vector<std::int64_t> sizes{10, 640, 64};
    const std::vector<Pack> packs = packEachVariable(sizes);
    QCOMPARE(packs.size(), std::size_t{3});
    QCOMPARE(packs[2].offset, std::int64_t{650});
    QCOMPARE(packs[2].count, std::int64_t{64});
    QVERIFY(packGradients({}, 0).empty());
  }

  void namesAreTheCommandLines() {
    std::vector<std::string> names;
    for (const Reducer kind : kSchedules) names.emplace_back(toString(kind));
    const std::vector<std::string> expected{"ring", "tree", "halving-doubling", "hierarchical", "torus", "one-device"};
    QVERIFY(names == expected);
  }
};

QTEST_GUILESS_MAIN(TestSchedule)
#include "tst_schedule.moc"

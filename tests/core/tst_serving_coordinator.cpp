// SPDX-License-Identifier: GPL-3.0-or-later
// The coordinator of a class, on a clock set by the tests: which worker gets or loses which closure, and when an update
// is due. In every run each closure is done exactly once, whatever happens to the workers.
#include <QTest>

#include <algorithm>
#include <map>
#include <numeric>
#include <optional>
#include <set>
#include <vector>

#include "core/base/rng.h"
#include "core/serving/coordinator.h"
#include "core/serving/entry_turns.h"
#include "core/serving/link_turns.h"

using namespace lab;
using namespace lab::serving;

namespace {

constexpr std::int64_t kSecond = 1'000'000'000;

// Examples 0, 1, 2, … without an end.
Coordinator::Draw counting() {
  return [next = std::int64_t{0}](std::int64_t most) mutable {
    std::vector<std::int64_t> examples(static_cast<std::size_t>(most));
    std::iota(examples.begin(), examples.end(), next);
    next += most;
    return examples;
  };
}

Coordinator coordinator(const ClosureRules& rules) {
  return Coordinator(rules, {}, counting());
}

std::vector<std::pair<int, std::uint64_t>> pairsOf(const std::vector<Coordinator::Assignment>& given) {
  std::vector<std::pair<int, std::uint64_t>> pairs;
  for (const auto& each : given) pairs.emplace_back(each.worker, each.work.number);
  return pairs;
}

void join(Coordinator& it, int worker, std::int64_t ns) {
  it.join(worker, ns);
  it.ask(worker);
}

// Pushes, and asks for the next closure.
std::optional<Coordinator::Update> push(Coordinator& it, int worker) {
  it.ask(worker);
  return it.pushed(worker);
}

using Pairs = std::vector<std::pair<int, std::uint64_t>>;

}  // namespace

class TestServingCoordinator : public QObject {
  Q_OBJECT

 private slots:
  // Four at a time, in the order in which they asked; one that takes far longer than the others is not waited for.
  void theLinkHasTurns() {
    LinkTurns turns;
    constexpr std::int64_t kMs = 1'000'000;
    for (int each = 0; each < 6; ++each) {
      QCOMPARE(turns.free(0), std::max(0, 4 - each));
      QCOMPARE(turns.begin(each, 0), each < 4);
      QCOMPARE(turns.has(each), each < 4);
    }
    QVERIFY(turns.begin(2, kMs) && !turns.begin(4, kMs) && !turns.next(kMs));
    turns.end(1, 100 * kMs);
    QCOMPARE(turns.free(100 * kMs), 0);                                 // others wait for it
    QVERIFY(!turns.begin(5, 100 * kMs) && turns.next(100 * kMs) == 4);  // not before 4
    QVERIFY(turns.begin(4, 100 * kMs) && !turns.next(100 * kMs));
    turns.end(5, 110 * kMs);  // gone while it waited
    QVERIFY(!turns.begin(6, 120 * kMs) && !turns.begin(1, 120 * kMs));
    for (const int each : {2, 3, 4}) turns.end(each, 200 * kMs);
    QVERIFY(turns.begin(6, 200 * kMs) && turns.begin(1, 200 * kMs) && turns.begin(7, 200 * kMs) &&
            !turns.begin(8, 200 * kMs));
    // Worker 0 has not finished: after three usual turns it no longer counts.
    QVERIFY(!turns.next(240 * kMs));
    QVERIFY(turns.next(400 * kMs) == 8 && turns.begin(8, 400 * kMs) && turns.begin(0, 400 * kMs));
  }

  // Four that never read are gone after a minute; four more must not stop the link for as long.
  void turnsThatNobodyEndedDoNotLengthenOthers() {
    LinkTurns turns;
    std::int64_t ns = 0;
    for (int each = 0; each < 10; ++each) {
      QVERIFY(turns.begin(each, ns));
      turns.end(each, ns += kSecond / 20);
    }
    for (int each = 10; each < 14; ++each) QVERIFY(turns.begin(each, ns));
    ns += 60 * kSecond;
    for (int each = 10; each < 14; ++each) turns.end(each, ns);
    for (int each = 14; each < 18; ++each) QVERIFY(turns.begin(each, ns));
    QCOMPARE(turns.free(ns), 0);
    QCOMPARE(turns.free(ns + kSecond), 4);
  }

  void whoComesInHasATurn() {
    EntryTurns turns;
    constexpr std::int64_t kBetween = EntryTurns::kBetweenNs, kWait = EntryTurns::kSecondTryNs;
    for (const int each : {0, 1, 2}) QCOMPARE(turns.turn("10.0.0.1", 0), each * kBetween);
    QCOMPARE(turns.turn("10.0.0.2", kBetween), 3 * kBetween);
    QCOMPARE(turns.turn("10.0.0.2", kSecond), kSecond);
    turns.wasOfNoUse("10.0.0.1", 2 * kSecond);
    QCOMPARE(turns.turn("10.0.0.2", 2 * kSecond), 2 * kSecond);
    // A class behind one router: all of them when the wait is over, whose length is the same.
    for (int each = 0; each < 40; ++each) QCOMPARE(turns.turn("10.0.0.1", 2 * kSecond), 2 * kSecond + kWait);
    QCOMPARE(turns.turn("10.0.0.1", 2 * kSecond + kWait), 2 * kSecond + kWait);
    for (int each = 0; each < 10'000; ++each)
      turns.wasOfNoUse("10.1.1." + std::to_string(each), 9 * kSecond + each * kBetween);
    QCOMPARE(turns.remembered(), static_cast<std::size_t>(kWait / kBetween));
  }

  // A stranger who joins, gets a closure and leaves cannot take many closures; working members are not delayed by it.
  void theNewGetAClosureNowAndThen() {
    constexpr std::int64_t kEvery = Coordinator::kNewEveryNs;
    Coordinator it = coordinator({.updates = 500});
    for (int worker = 0; worker < 66; ++worker) join(it, worker, 0);
    QCOMPARE(it.assign(0).size(), std::size_t{64});
    (void)push(it, 0);
    QCOMPARE(pairsOf(it.assign(0)), (Pairs{{0, 65}}));
    it.leave(1);
    join(it, 1, 0);
    QVERIFY(it.assign(kEvery - 1).empty());
    QCOMPARE(pairsOf(it.assign(kEvery)), (Pairs{{64, 2}}));  // the lost one, to whom asked first
    QCOMPARE(pairsOf(it.assign(3 * kEvery)), (Pairs{{65, 66}, {1, 67}}));
    for (int worker = 0; worker < 66; ++worker) it.leave(worker);
    for (int worker = 0; worker < 66; ++worker) join(it, worker, 0);
    QVERIFY(it.assign(3 * kEvery).empty());
    QCOMPARE(it.assign(1000 * kEvery).size(), std::size_t{64});
    Coordinator inStep = coordinator({.synchronous = true, .updates = 20});
    for (int worker = 0; worker < 66; ++worker) join(inStep, worker, 0);
    QCOMPARE(inStep.assign(0).size(), std::size_t{66});
  }

  void eachWorkerHasOneClosureAtATime() {
    Coordinator it = coordinator({.updates = 5, .batch = 4});
    QVERIFY(it.assign(0).empty());
    join(it, 0, 0);
    join(it, 1, 0);
    QCOMPARE(pairsOf(it.assign(0)), (Pairs{{0, 1}, {1, 2}}));
    QVERIFY(it.assign(0).empty());
    QCOMPARE(it.workOf(1)->examples, (std::vector<std::int64_t>{4, 5, 6, 7}));
    const auto update = push(it, 1);
    QVERIFY(update && update->used.size() == 1 && update->used[0].work.number == 2);
    QCOMPARE(it.updates(), 1);
    QVERIFY(it.workOf(1) == nullptr);
    QCOMPARE(pairsOf(it.assign(0)), (Pairs{{1, 3}}));
    join(it, 2, 0);  // at any time
    QCOMPARE(pairsOf(it.assign(0)), (Pairs{{2, 4}}));
  }

  // If not all can have a closure now, those that have waited longest get one; in synchronous mode all do.
  void whoWaitsLongestIsNext() {
    Coordinator it = coordinator({.updates = 20});
    for (const int worker : {3, 1, 2, 0}) join(it, worker, 0);
    QVERIFY(it.assign(0, 0).empty());
    QCOMPARE(pairsOf(it.assign(0, 2)), (Pairs{{3, 1}, {1, 2}}));
    QVERIFY(!it.standingOf(3).asks && it.standingOf(0).asks);
    it.ask(2);  // asking again keeps its place
    (void)push(it, 3);
    QCOMPARE(pairsOf(it.assign(0, 1)), (Pairs{{2, 3}}));
    it.setAsleep(0, true, 0);
    QCOMPARE(pairsOf(it.assign(0, 1)), (Pairs{{3, 4}}));
    it.setAsleep(0, false, 0);
    (void)push(it, 1);
    QCOMPARE(pairsOf(it.assign(0)), (Pairs{{0, 5}, {1, 6}}));
    for (const int worker : {0, 1, 2}) (void)push(it, worker);
    QCOMPARE(pairsOf(it.assign(0, 1, [](int worker) { return worker == 2; })), (Pairs{{0, 7}, {2, 8}}));
    Coordinator inStep = coordinator({.synchronous = true, .updates = 20});
    for (const int worker : {2, 1, 0}) join(inStep, worker, 0);
    QCOMPARE(pairsOf(inStep.assign(0, 1)), (Pairs{{0, 1}, {1, 2}, {2, 3}}));
  }

  void whoDoesNotAskGetsNone() {
    Coordinator it = coordinator({.updates = 9});
    it.join(0, 0);
    QVERIFY(it.assign(0).empty());
    it.ask(0);
    QCOMPARE(it.assign(0).size(), std::size_t{1});
    (void)it.pushed(0);
    QVERIFY(it.assign(0).empty());
    it.ask(0);
    it.ask(0);
    QCOMPARE(it.assign(0).size(), std::size_t{1});
    (void)it.pushed(0);
    QVERIFY(it.assign(0).empty());
  }

  void asManyClosuresAsUpdates() {
    Coordinator it = coordinator({.updates = 2, .batch = 1});
    for (int worker : {0, 1, 2}) join(it, worker, 0);
    QCOMPARE(it.assign(0).size(), std::size_t{2});
    (void)push(it, 0);
    QVERIFY(it.assign(0).empty());
    (void)push(it, 1);
    QVERIFY(it.isOver());
  }

  void waitsForTheFirstWorkers() {
    Coordinator it = coordinator({.updates = 9, .firstWorkers = 2});
    join(it, 0, 0);
    QVERIFY(it.assign(0).empty());
    join(it, 1, 0);
    QCOMPARE(it.assign(0).size(), std::size_t{2});
    it.leave(1);
    (void)push(it, 0);
    QCOMPARE(pairsOf(it.assign(0)), (Pairs{{0, 2}}));  // begun is begun
  }

  void whoLeavesLosesItsClosureToAnother() {
    Coordinator it = coordinator({.updates = 9});
    join(it, 0, 0);
    join(it, 1, 0);
    (void)it.assign(0);
    const std::vector<std::int64_t> examples = it.workOf(0)->examples;
    it.leave(0);
    (void)push(it, 1);
    const auto given = it.assign(0);
    QCOMPARE(pairsOf(given), (Pairs{{1, 1}}));
    QCOMPARE(given[0].work.examples, examples);
  }

  void whoIsSilentLosesItAndGoesOnWhenHeard() {
    Coordinator it = coordinator({.updates = 9});
    join(it, 0, 0);
    join(it, 1, 0);
    (void)it.assign(0);
    it.heard(1, 5 * kSecond);
    QVERIFY(it.expire(5 * kSecond - 1).lost.empty());
    QCOMPARE(it.expire(5 * kSecond).lost, std::vector<int>{0});
    QVERIFY(it.workOf(0) == nullptr);
    QVERIFY(it.assign(5 * kSecond).empty());  // the other is busy, and this one silent
    (void)push(it, 1);
    QCOMPARE(pairsOf(it.assign(5 * kSecond)), (Pairs{{1, 1}}));
    it.heard(0, 6 * kSecond);
    QCOMPARE(pairsOf(it.assign(6 * kSecond)), (Pairs{{0, 3}}));
  }

  void whoIsSilentForLongIsGone() {
    Coordinator it = coordinator({.updates = 9});
    join(it, 0, 0);
    QVERIFY(it.expire(59 * kSecond).gone.empty());
    QCOMPARE(it.expire(60 * kSecond).gone, std::vector<int>{0});
  }

  void aSleepingTabHasThirtySeconds() {
    Coordinator it = coordinator({.updates = 9});
    join(it, 0, 0);
    (void)it.assign(0);
    it.setAsleep(0, true, kSecond);
    it.heard(0, 30 * kSecond);  // its browser answers pings
    QVERIFY(it.expire(31 * kSecond - 1).lost.empty());
    QCOMPARE(it.expire(31 * kSecond).lost, std::vector<int>{0});
    QVERIFY(it.assign(31 * kSecond).empty());
    it.setAsleep(0, false, 40 * kSecond);
    QCOMPARE(pairsOf(it.assign(40 * kSecond)), (Pairs{{0, 1}}));
  }

  void whoSleptBrieflyKeepsIt() {
    Coordinator it = coordinator({.updates = 9});
    join(it, 0, 0);
    (void)it.assign(0);
    it.setAsleep(0, true, 50 * kSecond);
    it.setAsleep(0, false, 70 * kSecond);
    it.heard(0, 70 * kSecond);
    QVERIFY(it.expire(70 * kSecond).lost.empty());
    QVERIFY(it.workOf(0) != nullptr);
  }

  void pingsAloneAreNoWork() {
    Coordinator it = coordinator({.updates = 9});
    join(it, 0, 0);
    (void)it.assign(0);
    it.heard(0, 60 * kSecond);
    QCOMPARE(it.expire(60 * kSecond).lost, std::vector<int>{0});
  }

  // A part of a step is what everybody waits for: a hung worker may cost the class that once or twice, not each time.
  void whoIsTooLateTwiceInStepMustLeave() {
    Coordinator it = coordinator({.synchronous = true, .updates = 9});
    join(it, 0, 0);
    join(it, 1, 0);
    const auto afterAMinute = [&](std::int64_t minute) {  // worker 1 answers pings, and worker 0 has pushed
      (void)it.assign((minute - 1) * 60 * kSecond);
      (void)push(it, 0);
      for (const int worker : {0, 1}) it.heard(worker, minute * 60 * kSecond);
      const Coordinator::Overdue overdue = it.expire(minute * 60 * kSecond);
      (void)it.assign(minute * 60 * kSecond);
      (void)push(it, 0);  // the lost part
      return overdue;
    };
    const Coordinator::Overdue first = afterAMinute(1);
    QVERIFY(first.lost == std::vector<int>{1} && first.slow.empty());
    (void)it.assign(60 * kSecond);
    (void)push(it, 0);
    (void)push(it, 1);  // in time once: it starts anew
    QCOMPARE(it.updates(), 2);
    QVERIFY(afterAMinute(2).slow.empty());
    const Coordinator::Overdue last = afterAMinute(3);
    QVERIFY(last.lost == std::vector<int>{1} && last.slow == std::vector<int>{1});
    it.leave(1);
    QCOMPARE(it.assign(180 * kSecond).size(), std::size_t{1});
    QVERIFY(push(it, 0).has_value());
    // As each gradient comes, nobody waits for it.
    Coordinator free = coordinator({.updates = 9});
    join(free, 0, 0);
    for (std::int64_t minute = 1; minute <= 3; ++minute) {
      (void)free.assign((minute - 1) * 60 * kSecond);
      free.heard(0, minute * 60 * kSecond);
      const Coordinator::Overdue overdue = free.expire(minute * 60 * kSecond);
      QVERIFY(overdue.lost == std::vector<int>{0} && overdue.slow.empty());
    }
  }

  void shortSleepsAreAddedUp() {
    Coordinator it = coordinator({.updates = 9});
    join(it, 0, 0);
    (void)it.assign(0);
    std::int64_t ns = 0;
    for (; ns < 500 * kSecond && it.workOf(0) != nullptr; ns += 10 * kSecond) {
      it.setAsleep(0, true, ns + kSecond);
      it.setAsleep(0, false, ns + 10 * kSecond);
      it.heard(0, ns + 10 * kSecond);
      (void)it.expire(ns + 10 * kSecond);
    }
    QCOMPARE(ns, 40 * kSecond);  // four sleeps of 9 s
  }

  void pausedNothingIsGivenOut() {
    Coordinator it = coordinator({.updates = 9});
    join(it, 0, 0);
    it.pause(true);
    QVERIFY(it.assign(0).empty());
    it.pause(false);
    QCOMPARE(it.assign(0).size(), std::size_t{1});
  }

  void aSynchronousStepWaitsForAllInTheWorkersOrder() {
    Coordinator it = coordinator({.synchronous = true, .updates = 9, .batch = 2});
    for (int worker : {3, 1, 2}) join(it, worker, 0);
    QCOMPARE(pairsOf(it.assign(0)), (Pairs{{1, 1}, {2, 2}, {3, 3}}));
    QCOMPARE(it.workOf(2)->scale, 1.0F / 6);
    QCOMPARE(it.workOf(2)->globalOffset, 2);
    join(it, 0, 0);
    QVERIFY(it.assign(0).empty());  // the worker is no part of this step
    QVERIFY(!push(it, 3));
    QVERIFY(!push(it, 1));
    QVERIFY(it.assign(0).empty());
    const auto update = push(it, 2);
    QVERIFY(update.has_value());
    std::vector<int> order;
    for (const auto& each : update->used) order.push_back(each.worker);
    QCOMPARE(order, (std::vector<int>{1, 2, 3}));
    QVERIFY(update->leftOut.empty());
    QCOMPARE(it.assign(0).size(), std::size_t{4});  // it is part of the next step
    QCOMPARE(it.workOf(0)->scale, 1.0F / 8);
  }

  void aLostPartOfAStepIsDoneByWhoIsThrough() {
    Coordinator it = coordinator({.synchronous = true, .updates = 9, .batch = 2});
    join(it, 0, 0);
    join(it, 1, 0);
    (void)it.assign(0);
    QVERIFY(!push(it, 1));
    it.leave(0);
    QCOMPARE(pairsOf(it.assign(0)), (Pairs{{1, 1}}));
    const auto update = push(it, 1);
    QVERIFY(update && update->used.size() == 2);
    QCOMPARE(update->used[0].work.number, std::uint64_t{1});
  }

  void backupsAreLeftOut() {
    Coordinator it = coordinator({.synchronous = true, .updates = 9, .batch = 2, .backups = 1});
    for (int worker : {0, 1, 2}) join(it, worker, 0);
    (void)it.assign(0);
    QCOMPARE(it.workOf(0)->scale, 1.0F / 4);  // of the two that count
    QVERIFY(!push(it, 2));
    const auto update = push(it, 0);
    QVERIFY(update && update->used.size() == 2 && update->leftOut.size() == 1);
    QCOMPARE(update->leftOut[0].worker, 1);
    QVERIFY(it.workOf(1) == nullptr);
    QCOMPARE(it.assign(0).size(), std::size_t{3});
  }

  void aShortBatchGoesToFewer() {
    Coordinator it({.synchronous = true, .updates = 9, .batch = 4}, {}, [](std::int64_t) {
      return std::vector<std::int64_t>{7, 8};
    });
    for (int worker : {0, 1, 2}) join(it, worker, 0);
    QCOMPARE(it.assign(0).size(), std::size_t{2});
    (void)push(it, 0);
    QVERIFY(push(it, 1).has_value());
  }

  void eachClosureIsDoneOnceWhateverHappens_data() {
    QTest::addColumn<bool>("synchronous");
    QTest::newRow("asynchronous") << false;
    QTest::newRow("synchronous") << true;
  }
  void eachClosureIsDoneOnceWhateverHappens() {
    QFETCH(bool, synchronous);
    for (std::uint64_t seed = 1; seed <= 200; ++seed) {
      Rng rng(seed);
      Coordinator it = coordinator({.synchronous = synchronous, .updates = 60, .batch = 2});
      std::set<int> here, mute;
      std::map<std::uint64_t, int> done;
      std::set<std::int64_t> trained;
      int next = 0;
      std::int64_t ns = 0;
      for (int event = 0; event < 5000 && !it.isOver(); ++event) {
        ns += kSecond / 2;
        const int what = static_cast<int>(rng.below(10));
        const auto any = [&] {
          auto at = here.begin();
          std::advance(at, static_cast<std::ptrdiff_t>(rng.below(here.size())));
          return *at;
        };
        if (here.size() < 2 || (what == 0 && here.size() < 8)) {
          join(it, next, ns);
          here.insert(next++);
        } else if (what == 1) {
          const int worker = any();
          it.leave(worker);
          here.erase(worker);
          mute.erase(worker);
        } else if (what == 2) {
          mute.insert(any());
        } else if (what == 3) {
          mute.clear();
        } else if (what == 4) {
          it.setAsleep(any(), rng.below(2) == 0, ns);
        } else if (const int worker = any(); it.workOf(worker) != nullptr && mute.count(worker) == 0) {
          if (const auto update = push(it, worker))
            for (const auto& each : update->used) {
              ++done[each.work.number];
              trained.insert(each.work.examples.begin(), each.work.examples.end());
            }
        }
        for (const int worker : here)
          if (mute.count(worker) == 0) it.heard(worker, ns);
        for (const int worker : it.expire(ns).gone) {
          it.leave(worker);
          here.erase(worker);
          mute.erase(worker);
        }
        (void)it.assign(ns);
      }
      QVERIFY2(it.isOver(), std::to_string(seed).c_str());
      for (const auto& [number, times] : done) QCOMPARE(times, 1);
      QCOMPARE(done.rbegin()->first, done.size());  // none is missing
      QCOMPARE(*trained.rbegin() + 1, static_cast<std::int64_t>(trained.size()));
    }
  }
};

QTEST_GUILESS_MAIN(TestServingCoordinator)
#include "tst_serving_coordinator.moc"

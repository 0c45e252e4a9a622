// SPDX-License-Identifier: GPL-3.0-or-later
// Lanes that branch from the window's run: an unchanged branch equals its parent to the bit; with another setting it
// differs from the fork on; and a value of one replica, changed by hand, shows at once in copies, sums and distance.
#include <QLabel>
#include <QMenu>
#include <QTest>
#include <QToolButton>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <memory>
#include <set>

#include "core/strategy/strategy.h"
#include "tests/support/patience.h"
#include "tests/support/records.h"
#include "tests/support/training.h"
#include "tests/ui/compare_desk.h"
#include "tests/ui/small_config.h"
#include "ui/branches/branches.h"
#include "ui/branches/difference_search.h"
#include "ui/compare/branch_menus.h"
#include "ui/compare/compare_view.h"
#include "ui/compare/lane_view.h"
#include "ui/lanes/lane_figures.h"
#include "ui/lanes/unequal.h"
#include "ui/runs/run_library.h"
#include "ui/setup/experiment.h"

using namespace lab;

namespace {

constexpr std::int64_t kFork = 4;
using Of = BranchOffer::Of;
using test::difference;
using test::sameBits;

RunSettings parentConfig() {
  RunSettings config = test::smallConfig();
  config.replicas = 3;
  config.globalBatch = 12;
  config.evalEvery = 0;
  config.devices = DeviceChoice::Simulated;
  config.reducer = Reducer::Ring;
  return config;
}

// The window's run and its lanes; nothing plays unless a test asks for it.
struct Fixture {
  RunController controller;
  Playback playback{controller};
  Selection selection;
  Lanes lanes{controller, playback, selection};

  explicit Fixture(const RunSettings& config = parentConfig()) {
    lanes.lockstep().setActive(true);
    controller.start(config, true);
  }
  bool settle() {
    return QTest::qWaitFor([this] { return lanes.lockstep().isSettled(); }, kPatienceMs);
  }
  bool goTo(std::int64_t step) {
    if (!settle()) return false;
    playback.goTo(step);
    return settle() && playback.step() == step;
  }
  Lane& last() { return lanes.at(lanes.count() - 1); }
  // Adds the lane of the `nth` offer of this kind. Returns false if the core refused the offer.
  bool add(const std::vector<BranchOffer>& offers, Of of, std::size_t nth = 0) {
    for (const BranchOffer& offer : offers)
      if (offer.of == of && nth-- == 0) {
        if (!offer.refusal.isEmpty()) return false;
        lanes.add(offer.wish);
        return settle();
      }
    return false;
  }
  bool branch(Of of, std::size_t nth = 0) { return add(branchOffers(lanes.at(0), QStringLiteral("base")), of, nth); }
  bool breakIt(Object::Kind kind, int replica, std::size_t nth = 0) {
    return add(editOffers(lanes.at(0), {kind, replica, -1}, QStringLiteral("base")), Of::Edit, nth);
  }
};

std::size_t differing(const std::vector<float>& a, const std::vector<float>& b) {
  std::size_t count = 0;
  for (std::size_t i = 0; i < a.size(); ++i)
    if (std::memcmp(&a[i], &b[i], sizeof(float)) != 0) ++count;
  return count;
}

}  // namespace

class TestBranchLanes : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void withoutAChangeItIsItsParent_data() {
    QTest::addColumn<int>("kind");
    for (const StrategyInfo& info : strategies()) QTest::newRow(info.key.c_str()) << static_cast<int>(info.kind);
  }
  void withoutAChangeItIsItsParent() {
    QFETCH(int, kind);
    RunSettings config = test::runOf(strategyInfo(static_cast<StrategyKind>(kind)).key.c_str());
    config.evalEvery = 0;
    config.batchPerReplica = 4;  // enough steps for every strategy
    Fixture f(config);
    QVERIFY(f.goTo(kFork));
    QVERIFY(f.branch(Of::Nothing));
    const Lane& lane = f.last();
    for (const std::int64_t step : {kFork, kFork + 1, kFork + 4, kFork + 2}) {
      QVERIFY(f.goTo(step));
      QCOMPARE(lane.playback().step(), step);
      QCOMPARE(difference(*f.playback.record(), *lane.playback().record()), QString());
    }
    // The steps before the fork are the parent's: charts, images and clocks begin where the parent's begin.
    const auto& steps = lane.controller().steps();
    QCOMPARE(steps.front().step, f.controller.steps().front().step);
    for (std::size_t i = 0; i < steps.size(); ++i) QCOMPARE(steps[i].loss, f.controller.steps()[i].loss);
    QCOMPARE(lane.distance.apart(), Apart::Same);
    QCOMPARE(unequalWords(lane, f.lanes.at(0)), QStringList{QStringLiteral("Branch of 'base' from step 4.")});
    // Before its first step, the lane shows the beginning of that step.
    QVERIFY(f.goTo(2));
    QCOMPARE(lane.playback().step(), kFork);
    QCOMPARE(lane.playback().seconds(), 0.0);
    for (const InStepBy by : {InStepBy::Images, InStepBy::ModelledTime}) {
      f.lanes.setBy(by);
      QVERIFY(f.goTo(kFork + 3));
      QCOMPARE(lane.playback().step(), kFork + 3);
    }
  }

  void anotherRateDiffersFromThereOn() {
    Fixture f;
    QVERIFY(f.goTo(kFork));
    QVERIFY(f.branch(Of::LearningRate, 3));  // ten times as high
    const Lane& lane = f.last();
    QCOMPARE(lane.resolved().learningRate, 10 * f.controller.info()->config.learningRate);
    const StepRecord &was = *f.playback.record(), &is = *lane.playback().record();
    QVERIFY(sameBits(was.weightsBefore, is.weightsBefore) && sameBits(was.gradients, is.gradients));
    QVERIFY(!sameBits(was.weightsAfter, is.weightsAfter));
    QVERIFY(f.goTo(kFork + 5));
    for (std::size_t i = 0; i + 1 < kFork; ++i)
      QCOMPARE(lane.controller().steps()[i].loss, f.controller.steps()[i].loss);
    QVERIFY(lane.controller().steps()[kFork].loss != f.controller.steps()[kFork].loss);
    QCOMPARE(lane.distance.apart(), Apart::Growing);
    QVERIFY(!lane.name().contains(QStringLiteral("edited")));
    DifferenceSearch search(f.lanes);
    search.search();
    QVERIFY(QTest::qWaitFor([&] { return !search.isSearching(); }, kPatienceMs));
    QCOMPARE(lane.distance.firstDifference(), kFork);
    QVERIFY2(search.words().contains(QLatin1Char('4')), qPrintable(search.words()));
  }

  // With two branches, the search finds both places in either direction and names the cause of each.
  void nextAndPreviousDifference() {
    constexpr std::int64_t kLater = 9;
    Fixture f;
    QVERIFY(f.goTo(kFork));
    QVERIFY(f.branch(Of::LearningRate, 3));
    QVERIFY(f.goTo(kLater));
    QVERIFY(f.breakIt(Object::Kind::Gradient, 1));
    QVERIFY(f.goTo(kLater + 3));
    QVERIFY(f.goTo(1));
    using Which = DifferenceSearch::Which;
    DifferenceSearch search(f.lanes);
    const auto find = [&](Which which) {
      search.search(which);
      return QTest::qWaitFor([&] { return !search.isSearching(); }, kPatienceMs) && f.settle();
    };
    const auto isAt = [&](std::int64_t step, std::size_t lane) {
      return f.playback.step() == step && f.lanes.focus() == lane && f.lanes.at(lane).playback().step() == step;
    };
    QVERIFY(find(Which::Next));
    QVERIFY2(isAt(kFork, 1), qPrintable(search.words()));
    QVERIFY2(search.words().contains(QStringLiteral("the update differs")), qPrintable(search.words()));
    // The search goes to the end of the update, in this lane and in all others.
    const Beat* update = f.playback.story().find(BeatKind::Update);
    QVERIFY(update != nullptr);
    QVERIFY(std::abs(f.playback.seconds() - update->endS) < 0.01);
    QVERIFY(find(Which::Next));
    QVERIFY2(isAt(kLater, 2), qPrintable(search.words()));
    QVERIFY2(search.words().contains(QStringLiteral("of replica 1 was changed by hand")), qPrintable(search.words()));
    QVERIFY(find(Which::Next));
    QVERIFY2(search.words().contains(QStringLiteral("from here up to step 12")), qPrintable(search.words()));
    QVERIFY(isAt(kLater, 2));
    QVERIFY(find(Which::Previous));
    QVERIFY2(isAt(kFork, 1), qPrintable(search.words()));
    QVERIFY(find(Which::Previous));
    QVERIFY2(search.words().contains(QStringLiteral("before step 4")), qPrintable(search.words()));
    QVERIFY(f.goTo(kLater + 2));
    QVERIFY(find(Which::Previous));
    QVERIFY2(isAt(kLater, 2), qPrintable(search.words()));
  }

  // The lanes play, so that the search pauses them; the place that an earlier search found is no longer one.
  void aSearchDoesNotGoOnWithAnEarlierOne() {
    Fixture f;
    QVERIFY(f.goTo(kFork));
    QVERIFY(f.branch(Of::LearningRate, 3));
    QVERIFY(f.goTo(kFork + 3));
    DifferenceSearch search(f.lanes);
    search.search();
    QVERIFY(QTest::qWaitFor([&] { return !search.isSearching(); }, kPatienceMs) && f.settle());
    QCOMPARE(f.playback.step(), kFork);
    f.lanes.setBaseline(1);
    QVERIFY(f.settle());
    f.playback.play();
    search.search(DifferenceSearch::Which::Previous);
    QVERIFY(QTest::qWaitFor([&] { return !search.isSearching(); }, kPatienceMs));
    QVERIFY2(search.words().contains(QStringLiteral("before step 4")), qPrintable(search.words()));
  }

  void aSearchThatIsLeftEnds() {
    Fixture f;
    QVERIFY(f.goTo(kFork));
    QVERIFY(f.branch(Of::LearningRate, 3));
    QVERIFY(f.goTo(40));
    DifferenceSearch search(f.lanes);
    search.search();
    QVERIFY(search.isSearching());
    f.playback.seek(39, 0);
    QVERIFY(QTest::qWaitFor([&] { return !search.isSearching(); }, kPatienceMs));
    QVERIFY(f.settle());
    QCOMPARE(f.playback.step(), 39);
  }

  void whatCannotChangeIsSaid() {
    Fixture f(test::runOf("parameter-server"));
    QVERIFY(f.goTo(kFork));
    bool rate = false, refused = false;
    for (const BranchOffer& offer : branchOffers(f.lanes.at(0), {})) {
      rate = rate || (offer.of == Of::LearningRate && offer.refusal.isEmpty());
      if (offer.of != Of::Strategy) continue;
      QVERIFY(!offer.refusal.isEmpty());
      refused = true;
    }
    QVERIFY(rate && refused);
  }

  // One weight of one copy is changed: from this step on, the copies differ.
  void aBrokenWeightIsSeenAtOnce_data() {
    QTest::addColumn<int>("nth");
    for (int nth = 0; nth < 5; ++nth) QTest::addRow("%d", nth) << nth;
  }
  void aBrokenWeightIsSeenAtOnce() {
    QFETCH(int, nth);
    Fixture f;
    QVERIFY(f.goTo(kFork));
    QVERIFY(f.breakIt(Object::Kind::Weights, 1, static_cast<std::size_t>(nth)));
    const Lane& lane = f.last();
    QVERIFY(f.goTo(kFork));
    for (const std::int64_t step : {kFork, kFork + 1, kFork + 6}) {
      QVERIFY(f.goTo(step));
      QCOMPARE(lane.playback().record()->metric.mirrorsIdentical, std::optional(false));
      QCOMPARE(f.playback.record()->metric.mirrorsIdentical, std::optional(true));
      QCOMPARE(figuresOf(lane, f.lanes.at(0), {}).of(LaneFigure::Identical), std::optional(0.0));
      QCOMPARE(figuresOf(f.lanes.at(0), f.lanes.at(0), {}).of(LaneFigure::Identical), std::optional(1.0));
    }
    for (std::size_t i = 0; i + 1 < kFork; ++i)
      QCOMPARE(lane.controller().steps()[i].mirrorsIdentical, std::optional(true));
    const auto& replicas = lane.playback().record()->replicas;
    // The lane's own caption of the update names the copy that differs; in the parent the copies are equal.
    const auto atUpdate = [](const Lane& one) {
      const Story& story = one.playback().story();
      QStringList said;
      for (const Beat& beat : story.beats)
        for (const Beat::TimedCaption& saying : beat.sayings)
          if (beat.kind == BeatKind::Update) said << saying.text;
      return said.join(QLatin1Char(' '));
    };
    QVERIFY2(atUpdate(lane).contains(QStringLiteral("R1 ≠ R0")), qPrintable(atUpdate(lane)));
    QVERIFY2(!atUpdate(f.lanes.at(0)).contains(QStringLiteral("≠")), qPrintable(atUpdate(f.lanes.at(0))));
    QVERIFY(!lane.wish().change.contains(QLatin1Char('-')));
    const QString since = distanceWords(lane, f.lanes.at(0));
    QVERIFY2(!since.contains(QStringLiteral("or before")), qPrintable(since));
    QVERIFY(replicas[1].weightsDigest != replicas[0].weightsDigest);
    QCOMPARE(replicas[2].weightsDigest, replicas[0].weightsDigest);
    QVERIFY(replicas[1].weightsDistance > 0);
    // The lane is called edited wherever it is named, and its words say what was changed.
    QVERIFY(lane.name().endsWith(QStringLiteral("(edited)")));
    QVERIFY(isEdited(headerOf(*lane.controller().info()).lineage));
    const QString said = unequalWords(lane, f.lanes.at(0)).join(QLatin1Char(' '));
    QVERIFY2(said.contains(QStringLiteral("of replica 1 changed by hand in step 4: ")) &&
                 said.contains(QStringLiteral(" → ")),
             qPrintable(said));
    // A lane with one line for its notes says so in that line, and its stage keeps its room.
    LaneView view(f.last(), f.lanes.at(0));
    view.setTight(true);
    view.resize(view.leastWithStage(true));
    view.show();
    view.refresh(0, 0);
    QCoreApplication::processEvents();
    const auto& note = *view.findChild<QLabel*>(QStringLiteral("laneNote"));
    QVERIFY2(note.text().contains(QStringLiteral("changed by hand")), qPrintable(note.text()));
    QVERIFY2(note.heightForWidth(note.width()) <= note.fontMetrics().lineSpacing() + 2, qPrintable(note.text()));
  }

  // A value that was changed in the ancestor of both lanes is no reason for a difference between them.
  void aCommonAncestorsEditIsNoReason() {
    Fixture f;
    QVERIFY(f.goTo(kFork));
    QVERIFY(f.breakIt(Object::Kind::Gradient, 1, 3));
    QVERIFY(f.goTo(kFork + 2));
    QVERIFY(f.add(branchOffers(f.lanes.at(1), QStringLiteral("edited")), Of::LearningRate, 3));
    f.lanes.setBaseline(1);
    QVERIFY(f.goTo(kFork + 5));
    QVERIFY(isEdited(f.last().lineage()) && isEdited(f.lanes.at(1).lineage()));
    const QString words = distanceWords(f.last(), f.lanes.at(1));
    QVERIFY2(!words.contains(QStringLiteral("by hand")), qPrintable(words));
    QVERIFY2(words.contains(QStringLiteral("optimizer settings")), qPrintable(words));
    // The window's own run has no such edit, and another learning rate as well.
    const QString both = distanceWords(f.last(), f.lanes.at(0));
    QVERIFY2(both.contains(QStringLiteral("by hand")) && both.contains(QStringLiteral("optimizer settings")),
             qPrintable(both));
  }

  // One changed value of one gradient goes into the sum, so the copies stay alike, all with the same wrong value.
  void aBrokenGradientIsEverybodys() {
    Fixture f;
    QVERIFY(f.goTo(kFork));
    QVERIFY(f.breakIt(Object::Kind::Gradient, 1, 3));  // the fourth offer: add 1
    const Lane& lane = f.last();
    QVERIFY(f.goTo(kFork));
    const StepRecord &was = *f.playback.record(), &is = *lane.playback().record();
    QCOMPARE(differing(was.replicas[1].gradients, is.replicas[1].gradients), std::size_t{1});
    QVERIFY(sameBits(was.replicas[0].gradients, is.replicas[0].gradients));
    QVERIFY(!sameBits(was.weightsAfter, is.weightsAfter));
    for (const std::int64_t step : {kFork + 1, kFork + 2, kFork + 6}) {
      QVERIFY(f.goTo(step));
      QCOMPARE(lane.playback().record()->metric.mirrorsIdentical, std::optional(true));
    }
    const auto& points = lane.distance.points();
    QCOMPARE(points.size(), std::size_t{4});
    QVERIFY(points.front().distance > 0 && points.back().distance > points.front().distance);
    const QString why = distanceWords(lane.distance, ApartBecause::Nothing, QStringLiteral("base"), true);
    QVERIFY2(why.contains(QStringLiteral("by hand")), qPrintable(why));
  }

  // "One wrong gradient bit."
  void oneBitIsSeen() {
    Fixture f;
    QVERIFY(f.goTo(kFork));
    QVERIFY(f.breakIt(Object::Kind::Gradient, 1, 1));  // a bit of the exponent
    QCOMPARE(f.last().distance.firstDifference(), kFork);
  }

  void itIsTheLargestOfWhatIsSelected() {
    Fixture f;
    QVERIFY(f.goTo(kFork));
    const auto offers = editOffers(f.lanes.at(0), {Object::Kind::Gradient, 2, -1}, {});
    QCOMPARE(offers.size(), std::size_t{5});
    const RunEdit& edit = *offers[0].wish.from.origin.lineage.back().edit;
    const auto& values = f.playback.record()->replicas[2].gradients;
    QCOMPARE(edit.replica, 2);
    for (const float value : values) QVERIFY(std::abs(value) <= std::abs(values[static_cast<std::size_t>(edit.index)]));
    // Each cell of the buffer offers a place of its own.
    std::set<std::int64_t> places;
    for (int cell = 0; cell < 3; ++cell)
      places.insert(editOffers(f.lanes.at(0), {Object::Kind::Gradient, 2, cell}, {})[0]
                        .wish.from.origin.lineage.back()
                        .edit->index);
    QCOMPARE(places.size(), std::size_t{3});
    // For objects that belong to no replica, edits are refused.
    for (const Object& object : {Object{}, Object{Object::Kind::Link, -1, 0}, Object{Object::Kind::Weights, 3, -1}}) {
      QVERIFY(!editRefusal(f.controller, f.playback, object).isEmpty());
      QVERIFY(editOffers(f.lanes.at(0), object, {}).empty());
    }
  }

  // For asynchronous workers, no text claims a value that is unknown.
  void aWorkersValueIsNotClaimed() {
    Fixture f(test::runOf("parameter-server"));
    QVERIFY(f.goTo(kFork));
    for (const auto kind : {Object::Kind::Weights, Object::Kind::Gradient}) {
      const auto offers = editOffers(f.lanes.at(0), {kind, 0, -1}, {});
      QCOMPARE(offers.size(), std::size_t{3});
      for (const BranchOffer& offer : offers) QVERIFY(!offer.words.contains(QStringLiteral("→")));
    }
    QVERIFY(f.breakIt(Object::Kind::Gradient, 0));
    QVERIFY(f.goTo(kFork + 12));
    QCOMPARE(f.last().distance.apart(), Apart::Growing);
  }

  // After another experiment begins in the window, the branch still belongs to the run it was taken from.
  void itOutlivesItsParent() {
    Fixture f;
    QVERIFY(f.goTo(kFork));
    QVERIFY(f.breakIt(Object::Kind::Weights, 1));
    QVERIFY(f.goTo(kFork + 1));
    const auto before = f.last().playback().record();
    RunSettings other = parentConfig();
    other.seed = 7;
    f.controller.start(other, true);
    QVERIFY(f.goTo(kFork + 1));
    QCOMPARE(difference(*before, *f.last().playback().record()), QString());
  }

  // No text says that a branch is in step before it has begun.
  void beforeItsForkABranchIsNotInStep() {
    test::CompareDesk desk;
    auto& [controller, playback, selection, experiment, library, view] = desk;
    experiment.begin(parentConfig());
    view.resize(1280, 560);
    view.show();
    QVERIFY(QTest::qWaitForWindowExposed(&view, kPatienceMs));
    QVERIFY(QTest::qWaitFor([&] { return playback.record() != nullptr; }, kPatienceMs));
    const auto* state = view.findChild<QLabel*>(QStringLiteral("compareState"));
    const auto says = [&](std::int64_t step, const char* words) {
      playback.goTo(step);
      return QTest::qWaitFor([&] { return playback.step() == step && state->text() == QLatin1String(words); },
                             kPatienceMs);
    };
    QVERIFY(says(kFork, "One lane."));
    QMenu branches;
    view.branchMenus().fillBranches(branches);
    branches.findChild<QAction*>(QStringLiteral("offer-1"))->trigger();
    QVERIFY(says(kFork, "Aligned."));
    QVERIFY2(says(1, "Not all."), qPrintable(state->text()));
    QVERIFY2(state->toolTip().contains(QStringLiteral("begins with step 4")), qPrintable(state->toolTip()));
    QVERIFY(says(kFork + 1, "Aligned."));
  }

  void theButtonsAddLanes() {
    test::CompareDesk desk;
    auto& [controller, playback, selection, experiment, library, view] = desk;
    experiment.begin(parentConfig());
    view.resize(1280, 560);
    view.show();
    QVERIFY(QTest::qWaitForWindowExposed(&view, kPatienceMs));
    QVERIFY(QTest::qWaitFor([&] { return playback.record() != nullptr; }, kPatienceMs));
    auto* edit = view.findChild<QToolButton*>(QStringLiteral("breakIt"));
    auto* branch = view.findChild<QToolButton*>(QStringLiteral("branchHere"));
    QTRY_VERIFY_WITH_TIMEOUT(branch->isEnabled() && !edit->isEnabled(),
                             kPatienceMs);  // the bar follows once all lanes have moved
    QVERIFY2(edit->toolTip().contains(QStringLiteral("Click a replica's weights")), qPrintable(edit->toolTip()));
    selection.pin({Object::Kind::Weights, 1, -1});
    QVERIFY(edit->isEnabled());
    QMenu breaks, branches;
    view.branchMenus().fillBreaks(breaks);
    breaks.findChild<QAction*>(QStringLiteral("offer-0"))->trigger();
    QCOMPARE(view.lanes().count(), std::size_t{2});
    const Lane& lane = view.lanes().at(1);
    QVERIFY(QTest::qWaitFor(
        [&] {
          const auto& record = lane.playback().record();
          return record && record->metric.mirrorsIdentical == std::optional(false);
        },
        kPatienceMs));
    view.branchMenus().fillBranches(branches);
    for (int i = 0; i < 2; ++i) branches.findChild<QAction*>(QStringLiteral("offer-1"))->trigger();
    QCOMPARE(view.lanes().count(), std::size_t{4});
    QTRY_VERIFY_WITH_TIMEOUT(!branch->isEnabled() && !edit->isEnabled(), kPatienceMs);
    QVERIFY(!branch->toolTip().isEmpty());
    QMenu full;
    view.branchMenus().fillBranches(full);
    for (const QAction* action : full.actions()) QVERIFY(action->isSeparator() || !action->isEnabled());
  }
};

QTEST_MAIN(TestBranchLanes)
#include "tst_branch_lanes.moc"

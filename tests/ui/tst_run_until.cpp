// SPDX-License-Identifier: GPL-3.0-or-later
// Run until: the step at which it stops is the first that meets the condition, in one run and in lanes, and its message
// is true; if no step meets the condition, the message says so.
#include <QComboBox>
#include <QLabel>
#include <QPushButton>
#include <QSignalSpy>
#include <QSpinBox>
#include <QTest>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>
#include <memory>
#include <optional>
#include <vector>

#include "core/options/config_field.h"
#include "core/options/resolve.h"
#include "core/strategy/strategy.h"
#include "core/trace/divergence.h"
#include "tests/support/patience.h"
#include "tests/ui/small_config.h"
#include "ui/branches/run_until.h"
#include "ui/branches/run_until_dialog.h"

using namespace lab;

namespace {

using Until = UntilWish::What;

RunSettings untilConfig() {
  RunSettings config = test::smallConfig();
  config.replicas = 4;
  config.globalBatch = 8;
  config.evalEvery = 3;
  config.devices = DeviceChoice::Simulated;
  return config;
}

// The window's run, alone or with lanes beside it.
struct Fixture {
  RunController controller;
  Playback playback{controller};
  Selection selection;
  Lanes lanes{controller, playback, selection};
  RunUntil until{controller, playback, [this] { return &lanes; }};

  explicit Fixture(const RunSettings& config = untilConfig(), const std::vector<StrategyKind>& others = {},
                   const RunController::Start& from = {}) {
    lanes.lockstep().setActive(true);
    controller.start(config, true, from);
    for (const StrategyKind kind : others) lanes.add({&strategyInfo(kind), std::nullopt, {}});
  }
  bool ready() {
    return QTest::qWaitFor([this] { return lanes.lockstep().isSettled(); }, kPatienceMs);
  }
  // Returns true if `until` has ended and all lanes are at rest.
  bool run(Until what, double value = 0, bool inAll = false) {
    if (!ready()) return false;
    until.start({what, value, inAll});
    return QTest::qWaitFor([this] { return !until.isRunning(); }, kPatienceMs) && ready();
  }
  bool says(const QString& words) const { return until.words().contains(words); }
};

}  // namespace

class TestRunUntil : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void aStep() {
    Fixture f;
    QVERIFY(f.run(Until::Step, 37));
    QCOMPARE(f.playback.step(), 37);
    QCOMPARE(f.controller.liveStep(), 37);  // nothing is trained beyond it
    QCOMPARE(f.until.words(), QStringLiteral("Reached: step 37."));
    QVERIFY(std::abs(f.playback.seconds() - f.playback.story().seconds) < 1e-6);
    // If the step has been trained already, playback goes back to it.
    QVERIFY(f.run(Until::Step, 5));
    QCOMPARE(f.playback.step(), 5);
    QCOMPARE(f.controller.liveStep(), 37);
    f.controller.start(untilConfig(), true);  // of which nothing can be said yet
    QCOMPARE(f.until.words(), QString());
  }

  void anEpoch() {
    Fixture f;
    QVERIFY(f.run(Until::Epoch, 3));
    const std::int64_t perEpoch = f.controller.info()->stepsPerEpoch;
    QCOMPARE(f.playback.step(), 3 * perEpoch);
    QCOMPARE(f.controller.liveStep(), 3 * perEpoch);
    QVERIFY2(f.says(QStringLiteral("epoch 3")), qPrintable(f.until.words()));
  }

  // The images of a replica that comes too late are over with their epoch, too.
  void anEpochWithBackupWorkers() {
    RunSettings config = untilConfig();
    configField("strategy").set(config, "backup-workers");
    Fixture f(config);
    QVERIFY(f.run(Until::Epoch, 1));
    const std::int64_t perEpoch = f.controller.info()->stepsPerEpoch;
    QVERIFY(!f.controller.steps().back().leftOut.empty());
    QCOMPARE(f.playback.step(), perEpoch);
    QCOMPARE(f.controller.steps().back().epoch, 1.0);
    QVERIFY2(f.says(QStringLiteral("epoch 1")), qPrintable(f.until.words()));
  }

  void anAccuracy() {
    Fixture f;
    QVERIFY(f.run(Until::Accuracy, 0.3));
    const std::vector<EvalMetric>& evaluations = f.controller.metrics()->evaluations;
    QVERIFY(!evaluations.empty());
    for (const EvalMetric& evaluation : evaluations)
      QCOMPARE(evaluation.testAccuracy >= 0.3, evaluation.step >= f.playback.step());
    QCOMPARE(evaluations.back().step, f.playback.step());
    QVERIFY2(f.says(QStringLiteral("accuracy")) && f.says(QString::number(f.playback.step())),
             qPrintable(f.until.words()));
    // A run without evaluations cannot meet the condition.
    RunSettings never = untilConfig();
    never.evalEvery = 0;
    Fixture g(never);
    QVERIFY(g.run(Until::Accuracy, 0.3));
    QVERIFY2(g.says(QStringLiteral("never measures its test accuracy")), qPrintable(g.until.words()));
    QCOMPARE(g.controller.liveStep(), 1);
  }

  void trainingEndsBefore() {
    RunSettings config = untilConfig();
    config.steps = 12;
    Fixture f(config);
    QVERIFY(f.run(Until::Accuracy, 1.1));
    QCOMPARE(f.until.words(), QStringLiteral("Not reached: training ended after step 12."));
    QCOMPARE(f.playback.step(), 12);
    QVERIFY(f.run(Until::Step, 100));
    QVERIFY2(f.says(QStringLiteral("Not reached")), qPrintable(f.until.words()));
  }

  void aLossThatIsLost() {
    RunSettings config = untilConfig();
    config.optimizer = OptimizerKind::Sgd;
    config.learningRate = 1e12;
    Fixture f(config);
    QVERIFY(f.run(Until::LossLost));
    Divergence divergence;
    divergence.follow(f.controller.steps());
    QVERIFY(divergence.index().has_value());
    QCOMPARE(f.playback.step(), f.controller.steps()[*divergence.index()].step);
    QVERIFY2(f.says(QStringLiteral("Diverged")), qPrintable(f.until.words()));
  }

  void copiesThatDiffer() {
    const RunSettings config = untilConfig();
    RunController::Start from;
    RunEdit edit;
    edit.step = 6;
    edit.replica = 1;
    edit.index = 1000;
    from.origin.lineage = {{.parent = "base", .config = resolve(config).asked(), .step = 6, .edit = edit}};
    Fixture f(config, {}, from);
    QVERIFY(f.run(Until::CopiesDiffer));
    QCOMPARE(f.playback.step(), 6);
    QVERIFY2(f.says(QStringLiteral("differ after step 6")), qPrintable(f.until.words()));
    // With one copy of the variables, nothing can differ.
    RunSettings central = untilConfig();
    central.strategy = StrategyKind::CentralStorage;
    Fixture g(central);
    QVERIFY(g.run(Until::CopiesDiffer));
    QVERIFY2(g.says(QStringLiteral("one copy")), qPrintable(g.until.words()));
  }

  void allLanesTogether() {
    for (const bool inAll : {false, true}) {
      Fixture f(untilConfig(), {StrategyKind::Tpu, StrategyKind::ParameterServer});
      f.lanes.setBy(InStepBy::Steps);
      QVERIFY(f.run(Until::Accuracy, 0.25, inAll));
      const auto firstOf = [&](std::size_t lane) {
        for (const EvalMetric& evaluation : f.lanes.at(lane).controller().metrics()->evaluations)
          if (evaluation.testAccuracy >= 0.25) return evaluation.step;
        return std::numeric_limits<std::int64_t>::max();
      };
      std::int64_t first = firstOf(0), last = firstOf(0);
      for (const std::size_t lane : {1, 2}) {
        first = std::min(first, firstOf(lane));
        last = std::max(last, firstOf(lane));
      }
      QCOMPARE(f.playback.step(), inAll ? last : first);
      for (std::size_t i = 0; i < 3; ++i) QCOMPARE(f.lanes.at(i).playback().step(), f.playback.step());
      if (inAll) QVERIFY2(f.says(QStringLiteral("All lanes")), qPrintable(f.until.words()));
    }
  }

  // By images, four steps of the server's workers stand beside one of the stage, which goes where the lane got there.
  void aLaneOfWorkersStopsTheStageAtItsOwnStep() {
    for (const bool inAll : {false, true}) {
      Fixture f(untilConfig(), {StrategyKind::ParameterServer});
      QCOMPARE(f.lanes.by(), InStepBy::Images);
      QVERIFY(f.run(Until::Accuracy, 0.25, inAll));
      const auto hitOf = [&](std::size_t lane) {
        const auto& evaluations = f.lanes.at(lane).controller().metrics()->evaluations;
        const auto hit =
            std::ranges::find_if(evaluations, [](const EvalMetric& one) { return one.testAccuracy >= 0.25; });
        return hit == evaluations.end() ? std::int64_t{0} : hit->step;
      };
      const auto imagesUpTo = [&](std::size_t lane, std::int64_t last) {
        std::int64_t images = 0;
        for (const StepMetric& step : f.lanes.at(lane).controller().steps())
          if (step.step <= last) images += step.examples;
        return images;
      };
      const std::int64_t stage = f.playback.step(), own = hitOf(0), workers = hitOf(1);
      QVERIFY(inAll ? own > 0 && workers > 0 : own > 0 || workers > 0);
      // The stage stands at the first step by whose end the lane, or it itself, has got there.
      const auto isBy = [&](std::int64_t step) {
        const bool first = own > 0 && own <= step, other = workers > 0 && imagesUpTo(1, workers) <= imagesUpTo(0, step);
        return inAll ? first && other : first || other;
      };
      QVERIFY2(isBy(stage) && !isBy(stage - 1), qPrintable(f.until.words()));
    }
  }

  void weightsThatAreApart() {
    constexpr double kApart = 0.2;
    Fixture alone;
    QVERIFY(alone.run(Until::LanesApart, kApart));
    QVERIFY2(alone.says(QStringLiteral("two lanes")), qPrintable(alone.until.words()));
    Fixture f(untilConfig(), {StrategyKind::ParameterServer});
    QVERIFY(f.run(Until::LanesApart, kApart));  // refused, because lanes beside a parameter server go by images
    QVERIFY2(f.says(QStringLiteral("step by step")), qPrintable(f.until.words()));
    f.lanes.setBy(InStepBy::Steps);
    QVERIFY(f.run(Until::LanesApart, kApart));
    const auto& points = f.lanes.at(1).distance.points();
    const auto at = std::ranges::find(points, f.playback.step(), &DistanceCurve::Point::step);
    QVERIFY(at != points.end() && at->distance > kApart);
    // The step before was measured too, and its weights were not that far apart.
    if (f.playback.step() > 1) QVERIFY(at != points.begin() && std::prev(at)->step == at->step - 1);
    if (f.playback.step() > 1) QVERIFY(std::prev(at)->distance <= kApart);
    QVERIFY2(f.says(QStringLiteral("from")), qPrintable(f.until.words()));
  }

  void aPersonStopsIt() {
    RunSettings config = untilConfig();
    config.steps = 1'000'000;
    Fixture f(config);
    QVERIFY(f.ready());
    f.until.start({Until::Step, 900'000});
    QVERIFY(QTest::qWaitFor([&] { return f.playback.step() > 3; }, kPatienceMs));
    f.until.stop();
    QVERIFY(!f.until.isRunning());
    QVERIFY2(f.says(QStringLiteral("Stopped")), qPrintable(f.until.words()));
    QVERIFY(f.ready());
    // Space on the stage stops the run too.
    f.until.start({Until::Step, 900'000});
    QVERIFY(QTest::qWaitFor([&] { return f.playback.isTraining(); }, kPatienceMs));
    f.playback.toggle();
    QVERIFY(QTest::qWaitFor([&] { return !f.until.isRunning(); }, kPatienceMs));
    QVERIFY2(f.says(QStringLiteral("Stopped")), qPrintable(f.until.words()));
    // Starting another run ends the wait too.
    f.until.start({Until::Step, 900'000});
    f.controller.start(untilConfig(), true);
    QVERIFY(!f.until.isRunning());
  }

  void theDialogDoesIt() {
    Fixture f;
    QVERIFY(f.ready());
    RunUntilDialog dialog(f.until, f.playback.step(), nullptr);
    dialog.setAttribute(Qt::WA_DeleteOnClose, false);
    dialog.show();
    QVERIFY(QTest::qWaitForWindowExposed(&dialog, kPatienceMs));
    auto* step = dialog.findChild<QSpinBox*>(QStringLiteral("untilStep"));
    auto* what = dialog.findChild<QComboBox*>(QStringLiteral("untilWhat"));
    auto* words = dialog.findChild<QLabel*>(QStringLiteral("untilWords"));
    step->setFocus();
    step->selectAll();
    QTest::keyClicks(step, QStringLiteral("12"));
    QTest::mouseClick(dialog.findChild<QPushButton*>(QStringLiteral("untilRun")), Qt::LeftButton);
    QVERIFY(QTest::qWaitFor([&] { return !f.until.isRunning(); }, kPatienceMs));
    QCOMPARE(f.playback.step(), 12);
    QCOMPARE(words->text(), QStringLiteral("Reached: step 12."));
    // The dialog shows the fields of the chosen condition, and says why a condition is impossible.
    what->setCurrentIndex(5);
    QVERIFY(!step->isVisible());
    QVERIFY(!dialog.findChild<QPushButton*>(QStringLiteral("untilRun"))->isEnabled());
    QVERIFY2(words->text().contains(QStringLiteral("two lanes")), qPrintable(words->text()));
    what->setCurrentIndex(3);
    QVERIFY(dialog.findChild<QPushButton*>(QStringLiteral("untilRun"))->isEnabled());
  }
};

QTEST_MAIN(TestRunUntil)
#include "tst_run_until.moc"

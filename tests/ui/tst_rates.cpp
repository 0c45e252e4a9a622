// SPDX-License-Identifier: GPL-3.0-or-later
// A run's rate is the same number everywhere in the window; a time names its step, and the number of images if that is
// not a full batch.
#include <QLabel>
#include <QTest>

#include <algorithm>
#include <memory>
#include <vector>

#include "core/classruns/class_info.h"
#include "core/options/resolve.h"
#include "core/protocol/class_settings.h"
#include "core/strategy/strategy.h"
#include "core/training/trainer.h"
#include "tests/support/patience.h"
#include "tests/ui/small_config.h"
#include "tests/ui/stage_fixture.h"
#include "ui/compare/breakdown_bar.h"
#include "ui/compare/lane_table.h"
#include "ui/frame/status_line.h"
#include "ui/i18n/words.h"
#include "ui/lanes/lanes.h"
#include "ui/runview/known_steady.h"
#include "ui/runview/run_summary.h"
#include "ui/serving/served_class.h"

using namespace lab;

namespace {

// 20 images, 8 a step: the third step has four.
RunSettings shortEpoch(const char* strategy) {
  RunSettings config = test::runOf(strategy);
  config.trainExamples = 20;
  config.replicas = 4;
  config.batchPerReplica = strategyInfo(config.strategy).synchronous ? 2 : 8;
  config.evalEvery = 0;
  return config;
}

QString rateOf(const RunSettings& config) {
  return countText(std::llround(steadyStep(resolve(config))->imagesPerSecond));
}

}  // namespace

class TestRates : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  // The parts of a step stand in the same order everywhere: that of the stages in a trace.
  void partsOfAStepStandInTheOrderOfATrace() {
    const auto parts = partsOf({});
    QVERIFY(std::ranges::is_sorted(parts, {}, &StepPart::stage));
    QVERIFY(std::ranges::adjacent_find(parts, {}, &StepPart::stage) == parts.end());
  }

  void tableStatusAndInspectorSayTheSame_data() {
    QTest::addColumn<QString>("strategy");
    for (const char* name : {"mirrored", "tpu", "parameter-server"}) QTest::newRow(name) << name;
  }
  void tableStatusAndInspectorSayTheSame() {
    QFETCH(QString, strategy);
    const RunSettings config = shortEpoch(strategy.toUtf8());
    RunController controller;
    Playback playback{controller};
    Selection selection;
    Lanes lanes{controller, playback, selection};
    LaneTable table(lanes);
    ServedClass nobody;
    StatusLine status(controller, playback, nobody);
    controller.start(config, true);
    const auto& steps = controller.steps();
    // Looks at the first step and at the one that ends the epoch.
    for (const int step : {1, 3}) {
      QVERIFY(QTest::qWaitFor([&] { return playback.record() && !playback.isMoving(); }, kPatienceMs));
      playback.goTo(step);
      QVERIFY(QTest::qWaitFor([&] { return playback.record() && playback.step() == step && !playback.isMoving(); },
                              kPatienceMs));
      table.refresh();
      status.refresh();
      const auto cell = [&](LaneFigure figure) {
        return table.index(0, 1 + static_cast<int>(figure)).data().toString();
      };
      QCOMPARE(cell(LaneFigure::Rate), rateOf(config));
      const QString said = status.findChild<QLabel*>(QStringLiteral("rate"))->text();
      QVERIFY2(said.startsWith(rateOf(config) + QStringLiteral(" images/s modelled, steady")), qPrintable(said));
      const auto figures = runFigures(controller.info(), steps, {}, steadyStep(controller.info()->config));
      const auto rate = std::ranges::find(figures, QStringLiteral("Images/s, modelled"), &Figure::name);
      QCOMPARE(rate->value, rateOf(config) + QStringLiteral(", steady"));
      // The status line shows the latest step and the table the shown one: compares them only if these are the same.
      const StepMetric& shown = playback.record()->metric;
      if (steps.back().step != shown.step) continue;
      const QString time = durationText(shown.stepNs),
                    images = shown.examples < 8 ? QStringLiteral("4 of 8 images") : QString();
      QVERIFY2(cell(LaneFigure::ModelledStep).startsWith(time) && cell(LaneFigure::ModelledStep).endsWith(images),
               qPrintable(cell(LaneFigure::ModelledStep)));
      const QString clock = status.findChild<QLabel*>(QStringLiteral("clock"))->text();
      QVERIFY2(clock.startsWith(time + QStringLiteral(" this ")) && clock.endsWith(images), qPrintable(clock));
    }
  }

  void aBarSaysOfHowManyImages() {
    StepMetric step;
    step.step = 16;
    step.examples = 160;
    step.stepNs = step.computeNs = 73'800;
    BreakdownBar bar;
    bar.show(step, 90'700, 100, 256);
    QVERIFY2(bar.words().contains(QStringLiteral("160 of 256 images")), qPrintable(bar.words()));
    step.step = 15;
    step.examples = 256;
    bar.show(step, 90'700, 100, 256);
    QVERIFY2(!bar.words().contains(QStringLiteral("images")), qPrintable(bar.words()));
  }

  // Bars in lanes of different widths have one scale: they are as long as their times.
  void barsAreAsLongAsTheirTimes() {
    BreakdownBar narrow, wide;
    narrow.resize(280, narrow.sizeHint().height());
    wide.resize(560, wide.sizeHint().height());
    const double room = std::min(narrow.room(), wide.room());
    StepMetric step;
    step.examples = 256;
    step.stepNs = step.computeNs = 80'000;
    wide.show(step, 80'000, room, 256);
    step.stepNs = step.computeNs = 40'000;
    narrow.show(step, 80'000, room, 256);
    const auto lengthOf = [](BreakdownBar& bar) {
      QPixmap picture(bar.size());
      picture.fill(Qt::white);
      bar.render(&picture, {}, {}, {});
      const QImage image = picture.toImage();
      int length = 0;
      for (int x = 0; x < image.width() / 2; ++x)
        length += image.pixelColor(x, image.height() / 2) != Qt::white ? 1 : 0;
      return length;
    };
    const int whole = lengthOf(wide), half = lengthOf(narrow);
    QVERIFY2(whole > 40 && std::abs(whole - 2 * half) <= 4, qPrintable(QStringLiteral("%1, %2").arg(whole).arg(half)));
  }

  // A class computes on real processors, also with a strategy that is only simulated elsewhere.
  void aClassHasNoModelledRate() {
    for (const char* strategy : {"backup-workers", "mirrored"}) {
      const ResolvedSettings config = serving::classSettings(test::runOf(strategy));
      const auto info = serving::classInfo(config, openDataset(config), std::vector<ClassMember>(3));
      KnownSteady steady;
      QVERIFY2(!steady.of(info), strategy);
      auto simulated = std::make_shared<RunInfo>();
      simulated->config = resolve(test::runOf(strategy));
      QVERIFY(steady.of(simulated));
      QVERIFY2(!steady.of(info), strategy);
    }
  }

  void aDifferenceThatRoundsToZeroHasNoSign() {
    QCOMPARE(differenceText(LaneFigure::Loss, 1.00001, 1.00002), QStringLiteral("0.0000"));
    QCOMPARE(differenceText(LaneFigure::Loss, std::nan(""), 2), QString());
    QCOMPARE(differenceText(LaneFigure::Loss, 1.5, 2), QStringLiteral("\u22120.5000"));
    QCOMPARE(differenceText(LaneFigure::Accuracy, 0.5, 0.5), QStringLiteral("0.0 points"));
    QCOMPARE(differenceText(LaneFigure::Accuracy, 0.5, 0.25), QStringLiteral("+25.0 points"));
  }

  // A small ratio is not nothing.
  void aSmallRatioHasTwoDigits() {
    QCOMPARE(differenceText(LaneFigure::ModelledStep, 1e5, 3e7), QStringLiteral("×0.0033"));
    QCOMPARE(differenceText(LaneFigure::ModelledStep, 3e7, 1e5), QStringLiteral("×300.00"));
    QCOMPARE(ratioText(0.25), QStringLiteral("0.25"));
    QCOMPARE(ratioText(0), QStringLiteral("0.00"));
  }

  // The time between two updates of all workers is not the time of one worker's cycle: the clock says what it counts.
  void aWorkersClockSaysWhatItCounts() {
    const test::Recorded run =
        test::recordSteps(test::stageConfig(QStringLiteral("strategy=parameter-server replicas=4")), 2);
    const char* const since[] = {" after the start · ", " after step 1 · "};
    for (std::size_t i = 0; i < 2; ++i) {
      const StepRecord& record = *run.steps[i];
      const QString wanted = durationText(record.endNs - record.beginNs) + QString::fromUtf8(since[i]);
      const Scene scene = test::Picture(run.info, run.steps[i]).atNs(record.endNs);
      QVERIFY2(std::ranges::any_of(scene.items, [&](const Item& item) { return item.text.contains(wanted); }),
               qPrintable(wanted));
    }
    const test::Recorded together =
        test::recordSteps(test::stageConfig(QStringLiteral("strategy=mirrored replicas=2")), 1);
    const StepRecord& step = *together.steps[0];
    QCOMPARE(step.endNs - step.beginNs, step.metric.stepNs);
  }
};

QTEST_MAIN(TestRates)
#include "tst_rates.moc"

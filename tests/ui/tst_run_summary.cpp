// SPDX-License-Identifier: GPL-3.0-or-later
// The window's figures match the metrics, and measured and modelled values are never confused.
#include <QTest>

#include <limits>
#include <memory>
#include <optional>

#include "core/options/config_field.h"
#include "core/options/resolve.h"
#include "tests/ui/small_config.h"
#include "ui/i18n/core_words.h"
#include "ui/runview/known_steady.h"
#include "ui/runview/run_summary.h"

using namespace lab;

namespace {

RunInfo mirroredInfo(TimeSource clock) {
  RunInfo info;
  info.config.strategy = StrategyKind::Mirrored;
  info.config.replicas = 2;
  info.config.hosts = 1;
  info.config.deviceModel = "v100";
  info.dataset = "digits";
  info.datasetSource = "embedded";
  info.trainExamples = 4000;
  info.testExamples = 1000;
  info.totalSteps = 1250;
  info.clock = clock;
  return info;
}

// Returns `count` steps of 100 images: 20 ms of wall time and `stepMs` on the clock.
std::vector<StepMetric> makeSteps(int count, TimeSource clock, int stepMs) {
  std::vector<StepMetric> steps;
  for (int i = 1; i <= count; ++i) {
    StepMetric step;
    step.step = i;
    step.examples = 100;
    step.loss = 2.0 / i;
    step.clock = clock;
    step.wallNs = 20'000'000;
    step.stepNs = std::int64_t{stepMs} * 1'000'000;
    steps.push_back(step);
  }
  return steps;
}

QString valueOf(const std::vector<Figure>& figures, const char* name) {
  for (const Figure& figure : figures) {
    if (figure.name == QLatin1String(name)) return figure.value;
  }
  return QStringLiteral("no such figure");
}

}  // namespace

class TestRunSummary : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void modelledDevicesHaveBothRates() {
    const RunInfo info = mirroredInfo(TimeSource::Modelled);
    const auto figures =
        runFigures(&info, makeSteps(3, TimeSource::Modelled, 2), {}, SteadyStep{100, 2'000'000, 50'000});
    QCOMPARE(valueOf(figures, "Images/s, measured"), QStringLiteral("5,000, mean of 3 steps"));  // 100 images in 20 ms
    QCOMPARE(valueOf(figures, "Images/s, modelled"), QStringLiteral("50,000, steady"));          // 100 images in 2 ms
  }

  void realDevicesHaveNoModelledRate() {
    const RunInfo info = mirroredInfo(TimeSource::Measured);
    const auto figures = runFigures(&info, makeSteps(3, TimeSource::Measured, 10), {}, {});
    QCOMPARE(valueOf(figures, "Images/s, measured"), QStringLiteral("10,000, mean of 3 steps"));
    QCOMPARE(valueOf(figures, "Images/s, modelled"), QStringLiteral("–"));
  }

  void overlappingWorkersAreNotAddedUp() {
    auto steps = makeSteps(3, TimeSource::Modelled, 2);
    for (StepMetric& step : steps) {
      step.worker = 1;
      step.imagesPerSecond = 180'000;  // the rate of all workers together
    }
    QCOMPARE(recentThroughput(steps).modelled.value(), 180'000.0);
    QCOMPARE(recentThroughput(steps).measured.value(), 5'000.0);
    // The cycle of one worker is not presented as the time of a step beside the rate of all workers.
    QCOMPARE(rateWords(steps, SteadyStep{100, 2'000'000, 190'000}),
             QStringLiteral("190,000 images/s modelled, steady, all workers"));
    QCOMPARE(rateWords(steps, {}), QStringLiteral("180,000 images/s modelled, mean of the run"));
    QCOMPARE(clockWords(nullptr, steps), QStringLiteral("2.00 ms this cycle of one worker, modelled"));
  }

  // Four workers of a class: each cycle takes 80 ms, and every 20 ms one of them ends.
  void overlappingMeasuredWorkersAreNotAddedUp() {
    auto steps = makeSteps(100, TimeSource::Measured, 80);
    for (StepMetric& step : steps) {
      step.worker = static_cast<int>(step.step % 4);
      step.imagesPerSecond = 1'250;  // in a recording of before, of one worker
    }
    QCOMPARE(meanThroughput(steps).measured.value(), 5'000.0);
    QCOMPARE(recentThroughput(steps).measured.value(), 5'000.0);
    QVERIFY(!meanThroughput(steps).modelled);
    QCOMPARE(rateWords(steps, {}), QStringLiteral("5,000 images/s measured, mean of 50 steps"));
  }

  // The figures have the time of the last step and each of its parts, which add up to this time.
  void theTimeHasItsParts() {
    RunInfo info = mirroredInfo(TimeSource::Modelled);
    auto steps = makeSteps(1, TimeSource::Modelled, 21);
    StepMetric& step = steps.back();
    step.computeNs = 1'000'000;
    step.launchNs = 2'000'000;
    step.communicationNs = 3'000'000;
    step.queueNs = 4'000'000;
    step.stragglerNs = 5'000'000;
    step.inputNs = 6'000'000;
    auto figures = runFigures(&info, steps, {}, {});
    QCOMPARE(valueOf(figures, "This step"), QStringLiteral("21.0 ms, modelled"));
    const char* const parts[] = {"  compute", "  launch", "  communication", "  queue", "  stragglers", "  input"};
    for (int i = 0; i < 6; ++i) QCOMPARE(valueOf(figures, parts[i]), QStringLiteral("%1.00 ms").arg(i + 1));
    step.queueNs = 0;  // a part that does not occur has no line
    step.worker = 0;
    figures = runFigures(&info, steps, {}, {});
    QCOMPARE(valueOf(figures, "  queue"), QStringLiteral("no such figure"));
    QCOMPARE(valueOf(figures, "This cycle of a worker"), QStringLiteral("21.0 ms, modelled"));
  }

  void rateIsOfTheLastSteps() {
    auto steps = makeSteps(200, TimeSource::Modelled, 2);
    for (std::size_t i = 0; i < 150; ++i) steps[i].stepNs = 1'000'000'000;
    QCOMPARE(recentThroughput(steps).modelled.value(), 50'000.0);
    QVERIFY(!recentThroughput({}).measured);
  }

  // An epoch ends with fewer images: the steady rate does not change, and the step's time names the number of its
  // images.
  void aRemainderIsNamed() {
    auto steps = makeSteps(3, TimeSource::Modelled, 2);
    steps[2].examples = 40;
    const SteadyStep steady{100, 2'000'000, 50'000};
    QCOMPARE(rateWords(steps, steady), QStringLiteral("50,000 images/s modelled, steady"));
    // The steady rate is unknown, as in a recording of an older model.
    QCOMPARE(rateWords(steps, {}), QStringLiteral("40,000 images/s modelled, mean of 3 steps"));
    RunInfo info = mirroredInfo(TimeSource::Modelled);
    info.config.globalBatch = 100;
    QCOMPARE(clockWords(&info, steps), QStringLiteral("2.00 ms this step, modelled, 40 of 100 images"));
    QCOMPARE(valueOf(runFigures(&info, steps, {}, steady), "This step"),
             QStringLiteral("2.00 ms, modelled, 40 of 100 images"));
    steps.pop_back();
    QCOMPARE(clockWords(&info, steps), QStringLiteral("2.00 ms this step, modelled"));
    QCOMPARE(meanThroughput(steps).modelled.value(), 50'000.0);
  }

  void stepLossAndAccuracy() {
    const RunInfo info = mirroredInfo(TimeSource::Modelled);
    const std::vector<EvalMetric> evaluations{{3, 0.2, 0.9375}};
    const auto figures = runFigures(&info, makeSteps(8, TimeSource::Modelled, 2), evaluations, {});
    QCOMPARE(valueOf(figures, "Step"), QStringLiteral("8 of 1,250"));
    QCOMPARE(valueOf(figures, "Training loss"), QStringLiteral("0.2500"));
    QCOMPARE(valueOf(figures, "Test accuracy"), QStringLiteral("93.8 %, at step 3"));
  }

  void copiesAreIdenticalUntilTheyAreNot() {
    RunInfo info = mirroredInfo(TimeSource::Modelled);
    auto steps = makeSteps(5, TimeSource::Modelled, 2);
    const char* name = "Copies of the variables";
    QCOMPARE(valueOf(runFigures(&info, {}, {}, {}), name), QStringLiteral("–"));
    for (StepMetric& step : steps) step.mirrorsIdentical = true;
    QCOMPARE(valueOf(runFigures(&info, steps, {}, {}), name), QStringLiteral("identical"));
    steps[3].mirrorsIdentical = false;
    QCOMPARE(valueOf(runFigures(&info, steps, {}, {}), name), QStringLiteral("differ since step 4"));
    info.config.strategy = StrategyKind::CentralStorage;
    QCOMPARE(valueOf(runFigures(&info, steps, {}, {}), name), QStringLiteral("one"));
  }

  // What nobody compared is not called identical.
  void copiesThatWereNotComparedAreNotIdentical() {
    RunInfo info = mirroredInfo(TimeSource::Modelled);
    auto steps = makeSteps(1, TimeSource::Modelled, 2);
    RunSettings asked;
    const auto said = [&] { return valueOf(runFigures(&info, steps, {}, {}), "Copies of the variables"); };
    QCOMPARE(said(), QStringLiteral("not compared"));
    steps[0].copiesShared = true;  // as with many simulated replicas
    QCOMPARE(said(), QStringLiteral("one, shared by all replicas"));
    steps[0].copiesShared = false;
    steps[0].aborted = true;
    QCOMPARE(said(), QStringLiteral("not compared: the step was given up"));
    steps[0].aborted = false;
    configField("strategy").set(asked, "sharded");
    info.config.strategy = asked.strategy;
    info.config.strategySettings = {{"shard-stage", 3}};
    QCOMPARE(said(), QStringLiteral("in parts, one on each replica"));
    info.config.strategySettings = {{"shard-stage", 2}};
    steps[0].mirrorsIdentical = true;
    QCOMPARE(said(), QStringLiteral("identical"));
  }

  // After a task has died, no rate is called that of all workers: the mean of the run is said.
  void aDeadWorkerIsNotInTheRate() {
    const auto info = std::make_shared<RunInfo>();
    info->config = resolve(test::runOf("parameter-server"));
    auto steps = makeSteps(3, TimeSource::Modelled, 2);
    for (StepMetric& step : steps) {
      step.worker = 0;
      step.imagesPerSecond = 180'000;
    }
    KnownSteady whole, branch;
    QVERIFY2(rateWords(steps, whole.of(info)).contains(QStringLiteral("steady, all workers")),
             qPrintable(rateWords(steps, whole.of(info))));
    const auto killed = std::make_shared<RunInfo>(*info);
    killed->lineage.push_back({"base", info->config.asked(), 2, std::nullopt, RunFault{.step = 2, .index = 1}});
    QCOMPARE(rateWords(steps, branch.of(killed)), QStringLiteral("180,000 images/s modelled, mean of the run"));
  }

  // People read names, not the ids of files and of the command line.
  void hardwareHasItsName() {
    RunInfo info = mirroredInfo(TimeSource::Modelled);
    info.devices = {{.hardware = "NVIDIA V100 SXM2", .simulated = true}};
    QVERIFY2(runDevices(&info).contains(QStringLiteral("on simulated NVIDIA V100 SXM2")),
             qPrintable(runDevices(&info)));
    QCOMPARE(settingText(configField("device-model"), "a100"), QStringLiteral("NVIDIA A100 SXM"));
    QCOMPARE(settingText(configField("device-model"), "my-own"), QStringLiteral("my-own"));
    QVERIFY(settingText(configField("host-link"), resolve({}).hostLink).contains(QStringLiteral("10 Gb Ethernet")));
  }

  // Processes on other computers are not on this one.
  void realDevicesAreOnTheirComputers() {
    RunInfo info = mirroredInfo(TimeSource::Measured);
    QVERIFY2(runDevices(&info).contains(QStringLiteral("on real devices of this computer")),
             qPrintable(runDevices(&info)));
    info.processes = {{"left", 1}, {"right", 2}, {"right", 3}};
    QVERIFY2(runDevices(&info).contains(QStringLiteral("on real devices of 2 computers")),
             qPrintable(runDevices(&info)));
  }

  void dataSayWhereTheyComeFrom() {
    RunInfo info = mirroredInfo(TimeSource::Modelled);
    QCOMPARE(runData(&info), QStringLiteral("Data: digits, inside this program, 4,000 training and 1,000 test images"));
    info.dataset = "mnist";
    info.datasetSource = "/home/a/mnist 100%";
    QVERIFY(runData(&info).startsWith(QStringLiteral("Data: mnist from /home/a/mnist 100%, 4,000")));
    QVERIFY(runData(nullptr).isEmpty());
  }

  void divergenceIsSaid() {
    auto steps = makeSteps(5, TimeSource::Modelled, 2);
    const auto warning = [&] {
      Divergence divergence;
      divergence.follow(steps);
      return runWarning(steps, divergence);
    };
    QVERIFY(warning().isEmpty());
    for (std::size_t i = 2; i < steps.size(); ++i) steps[i].loss = std::numeric_limits<double>::quiet_NaN();
    QVERIFY(warning().startsWith(QStringLiteral("Diverged at step 3: the loss is no longer a finite number")));
    for (std::size_t i = 2; i < steps.size(); ++i) steps[i].loss = 3e10;
    QVERIFY2(warning().startsWith(QStringLiteral("Diverged at step 3: the loss went from 1 to 3e+10.")),
             qPrintable(warning()));
    QVERIFY(warning().contains(QStringLiteral("lower learning rate")));
  }
};

QTEST_GUILESS_MAIN(TestRunSummary)
#include "tst_run_summary.moc"

// SPDX-License-Identifier: GPL-3.0-or-later
// ctest: label=unsanitized
// The times of steps and the spans they are made of, under every strategy.
#include <QTest>

#include <algorithm>
#include <cmath>
#include <map>

#include "core/options/resolve.h"
#include "core/prediction/modelled_timeline.h"
#include "core/prediction/run_bound.h"
#include "core/prediction/step_timeline.h"
#include "core/prediction/what_if.h"
#include "core/strategy/strategy.h"
#include "tests/support/records.h"
#include "tests/support/training.h"

using namespace lab;
using namespace lab::test;

class TestStepTimes : public QObject {
  Q_OBJECT

  std::shared_ptr<const Dataset> digits_ = fewDigits(230, 50);

 private slots:
  void stepsAreMadeOfComputationAndCommunication() {
    const Outcome outcome = train(configOf(with(kShortRun, {{"strategy", "mirrored"}, {"replicas", "4"}})), digits_);
    std::int64_t total = 0;
    for (const StepMetric& step : outcome.steps) {
      QCOMPARE(step.clock, TimeSource::Modelled);
      QCOMPARE(step.computeNs + step.launchNs + step.communicationNs + step.stragglerNs + step.inputNs, step.stepNs);
      QVERIFY(step.computeNs > 0 && step.communicationNs > 0 && step.launchNs > 0);
      QCOMPARE(step.bytesSent, 2 * 3 * 1388584);
      total += step.stepNs;
    }
    QVERIFY(std::abs(static_cast<double>(total) / 1e9 - *outcome.end.modelledSeconds) < 1e-9);
    for (const Span& span : outcome.spans) QVERIFY(span.clock == TimeSource::Modelled && span.durationNs >= 0);
  }

  // A measured worker's step is this processor's work for that worker alone: computation and copies.
  void measuredStepsAreMadeOfComputationAndCommunicationToo_data() { addStrategyRows(); }
  void measuredStepsAreMadeOfComputationAndCommunicationToo() {
    QFETCH(QString, name);
    RunSettings config = rowConfig(name);
    if (!canBeMeasured(config)) return;
    config.devices = DeviceChoice::Cpu;
    const Outcome outcome = train(config, digits_);
    std::int64_t stepNs = 0, wallNs = 0;
    for (const StepMetric& step : outcome.steps) {
      QCOMPARE(step.clock, TimeSource::Measured);
      QCOMPARE(step.computeNs + step.communicationNs, step.stepNs);
      QVERIFY(step.computeNs > 0 && step.communicationNs >= 0 && step.wallNs > 0);
      QCOMPARE(step.communicationNs > 0, step.bytesSent > 0);
      stepNs += step.stepNs;
      wallNs += step.wallNs;
    }
    QVERIFY(stepNs <= wallNs);
  }

  // A worker computes in an earlier step than its update, so the time is reported for the worker that used it;
  // otherwise 64 examples could take less than one.
  void aMeasuredWorkersTimeIsItsOwn() {
    RunSettings config = configOf({{"strategy", "parameter-server"},
                                   {"replicas", "2"},
                                   {"devices", "cpu"},
                                   {"batch-per-replica", "64"},
                                   {"steps", "40"},
                                   {"eval-every", "0"}});
    const Outcome outcome = train(config, firstExamples(digits_, 65, 50));
    // A pass of a worker is a batch of 64 examples and a batch of one.
    std::vector<std::int64_t> large, small;
    for (const StepMetric& step : outcome.steps) {
      QVERIFY(step.examples == 64 || step.examples == 1);
      QCOMPARE(step.computeNs + step.communicationNs, step.stepNs);
      QVERIFY(step.communicationNs > 0);
      (step.examples == 64 ? large : small).push_back(step.computeNs);
    }
    const auto median = [](std::vector<std::int64_t> values) {
      std::ranges::nth_element(values, values.begin() + std::ssize(values) / 2);
      return values[values.size() / 2];
    };
    QVERIFY(!large.empty() && !small.empty() && median(large) > median(small));
  }

  // A step of a run, a recorded one, what-if without changes, and timing without training give the same number for the
  // same settings, and so do their parts.
  void oneQuestionOneAnswer_data() {
    QTest::addColumn<QString>("strategy");
    QTest::addColumn<QString>("more");
    const auto row = [](const char* strategy, const char* more) {
      QTest::addRow("%s %s", strategy, more) << strategy << more;
    };
    for (const StrategyInfo& info : strategies()) {
      row(info.key.c_str(), "");
      if (info.singleReplica) continue;
      row(info.key.c_str(), "--replicas 4 --slow 2:3");
      row(info.key.c_str(), "--replicas 4 --batch-per-replica 7");
      row(info.key.c_str(), "--replicas 8 --matmul bfloat16 --optimizer sgd");
      if (info.goesWithout.empty()) {
        row(info.key.c_str(), "--replicas 1");
        continue;
      }
      for (const char* late : {"--replicas 4 --bytes-per-pack 1024 --slow 0:1.4 --%1 2", "--replicas 1 --%1 0"})
        row(info.key.c_str(), qPrintable(QString(late).arg(info.goesWithout.c_str())));
    }
    row("one-device", "--slow 0:2.5 --batch-per-replica 100");
    for (const Reducer reducer : strategyInfo(StrategyKind::MultiWorkerMirrored).reducers) {
      const auto name = QString::fromStdString(std::string(toString(reducer)));
      QTest::addRow("reducer %s", qPrintable(name))
          << "multi-worker-mirrored" << QString("--replicas 6 --hosts 2 --reducer %1").arg(name);
    }
    row("mirrored", "--replicas 8 --bytes-per-pack 100000");
    for (const char* strategy : {"tpu", "central-storage", "parameter-server"})  // none of them packs gradients
      row(strategy, "--replicas 8 --bytes-per-pack 100000");
    row("mirrored", "--replicas 3 --bytes-per-pack 2000 --reducer tree --link pcie3_x16");
    row("multi-worker-mirrored", "--replicas 4 --hosts 4 --host-link ib_edr --device-model a100");
    row("mirrored", "--replicas 5 --device-model cpu_laptop_core --link cpu_shm");
    row("parameter-server", "--replicas 5 --parameter-servers 2 --partitioner fixed:2");
    row("parameter-server", "--replicas 3 --parameter-servers 3 --slow 1:4");
    row("parameter-server", "--replicas 3 --parameter-servers 2 --slow-link 1:10 --slow-link 2:100");
  }
  void oneQuestionOneAnswer() {
    QFETCH(QString, strategy);
    QFETCH(QString, more);
    Settings settings{{"strategy", strategy.toStdString()}, {"steps", "8"}, {"eval-every", "0"}};
    const QStringList words = more.split(' ', Qt::SkipEmptyParts);
    for (qsizetype i = 0; i + 1 < words.size(); i += 2)
      settings.emplace_back(words[i].mid(2).toStdString(), words[i + 1].toStdString());
    if (!more.contains("batch")) settings.emplace_back("batch-per-replica", "10");
    settings.emplace_back("devices", "simulated");
    const RunSettings config = configOf(settings);
    const RecordedRun run = recordAll(config, digits_);
    const TimingRun timing(run.info.config.asked(), {}, Catalogue::builtIn(), TimingConstants::builtIn());
    const WhatIfModel whatIf(Catalogue::builtIn(), TimingConstants::builtIn());
    for (const RecordPointer& record : run.records) {
      const StepMetric& metric = record->metric;
      const bool worker = metric.worker.has_value();
      // A worker's batch may be the short one at the end of an epoch; then what follows is no longer that question.
      if (worker && metric.examples != run.info.config.batchPerReplica) break;
      // If steps differ, this one is compared.
      const std::int64_t index = strategyInfo(config.strategy).repeatsEvery.empty() ? 0 : metric.step;
      const StepTiming modelled =
          worker ? timing.step(metric.examples, metric.step) : timing.step(metric.shards, index);
      QCOMPARE(metric.stepNs, modelled.stepNs);
      QCOMPARE(metric.leftOut, modelled.leftOut);
      const StageNs parts = modelled.meanStages();
      QCOMPARE(metric.computeNs, parts.compute + parts.overlapped);
      QCOMPARE(metric.communicationNs, parts.exposed);
      QCOMPARE(metric.launchNs, parts.launch);
      QCOMPARE(metric.stragglerNs, parts.straggler);
      QCOMPARE(metric.queueNs, parts.queue);
      QCOMPARE(metric.inputNs, parts.input);
      QCOMPARE(metric.overlappedNs, parts.overlapped);
      // The same error band as the model itself and What if choose.
      QCOMPARE(boundBy(run.info.config, metric),
               boundBy(modelled, timing.request().method, timing.network().hosts() > 1));
      QCOMPARE(metric.computeNs + metric.communicationNs + metric.launchNs + metric.stragglerNs + metric.queueNs +
                   metric.inputNs,
               metric.stepNs);
      const Timeline timeline = timelineOf(run.info, *record);
      const RecordedStep step = anchorOf(run.info, *record, timeline);
      // What if begins with the step that the run tells of, which for a worker is its own cycle, and with its parts.
      QCOMPARE(step.stepNs, metric.stepNs);
      for (const StageBreakdown& breakdown : step.breakdowns) QCOMPARE(sumOf(breakdown), metric.stepNs);
      const Anchor anchor = whatIf.anchor(whatIfOf(run.info), step);
      const WhatIfAnswer answer = whatIf.answer(anchor.base, anchor);
      QCOMPARE(answer.timing.leftOut, metric.leftOut);
      QCOMPARE(answer.ratio, 1.0);
      QVERIFY(answer.less == 0 && answer.more == 0);
      if (worker) {
        QCOMPARE(modelled.worker, *metric.worker);
        QCOMPARE(modelled.meanStaleness, static_cast<double>(*metric.staleness));
        QCOMPARE(modelled.imagesPerSecond, metric.imagesPerSecond);
        continue;
      }
      QCOMPARE(record->endNs - record->beginNs, modelled.stepNs);
      QCOMPARE(answer.stepNs, metric.stepNs);
      QVERIFY(std::abs(modelled.imagesPerSecond / metric.imagesPerSecond - 1) < 1e-12);
      QCOMPARE(anchor.gap(), 1.0);
      for (int r = 0; r < run.info.replicas; ++r)
        QCOMPARE(timeline.breakdown(r, record->beginNs, record->endNs),
                 breakdownOf(modelled.stages[static_cast<std::size_t>(r)]));
    }
    // The settings as they were given, which name no hosts and no links, ask the same.
    const std::int64_t batch = run.info.config.batchPerReplica;
    const TimingRun given(config, {}, Catalogue::builtIn(), TimingConstants::builtIn());
    QCOMPARE(given.step(batch).stepNs, timing.step(batch).stepNs);
  }

  // What is sent while replicas compute counts for the error band like what they wait for.
  void theBandIsOfAllSending() {
    const ResolvedSettings config = resolve(configOf({{"strategy", "mirrored"}, {"replicas", "2"}}));
    StepMetric step;
    step.stepNs = 1000;
    step.computeNs = 950;
    step.communicationNs = 50;
    QCOMPARE(boundBy(config, step), BoundBy::Compute);
    step.overlappedNs = 50;  // of the time of computing; a tenth of the step in all
    QCOMPARE(boundBy(config, step), BoundBy::OneHost);
  }

  // The mean of a worker's successive updates equals the reported mean cycle.
  void aWorkersMeanCycleIsThatOfItsUpdates() {
    const RunSettings config =
        configOf({{"strategy", "parameter-server"}, {"replicas", "4"}, {"batch-per-replica", "8"}});
    const TimingRun timing(config, {}, Catalogue::builtIn(), TimingConstants::builtIn());
    std::int64_t sum = 0;
    for (int update = 9; update <= 40; ++update) sum += timing.step(8, update).stepNs;
    QVERIFY(std::abs(static_cast<double>(sum) / 32 - static_cast<double>(timing.step(8).stepNs)) <
            0.01 * static_cast<double>(timing.step(8).stepNs));
  }

  void aLoneReplicaCommunicatesNothing() {
    for (const char* strategy :
         {"default", "one-device", "mirrored", "multi-worker-mirrored", "tpu", "central-storage"}) {
      Settings settings = with(kShortRun, {{"strategy", strategy}});
      if (std::string(strategy) != "default" && std::string(strategy) != "one-device")
        settings = with(settings, {{"replicas", "1"}});
      for (const StepMetric& step : train(configOf(settings), digits_).steps) {
        QCOMPARE(step.bytesSent, std::int64_t{0});
        QCOMPARE(step.communicationNs, std::int64_t{0});
        QCOMPARE(step.computeNs + step.launchNs + step.inputNs, step.stepNs);
      }
    }
  }

  void aStragglerMakesTheOthersWait() {
    const Settings settings = with(kShortRun, {{"strategy", "mirrored"}, {"replicas", "4"}});
    const Outcome even = train(configOf(settings), digits_);
    const Outcome slow = train(configOf(with(settings, {{"slow", "2:3"}})), digits_);
    QVERIFY(sameBits(even.weights, slow.weights));
    QVERIFY(slow.steps[1].stepNs > even.steps[1].stepNs * 3 / 2);
    std::map<int, std::int64_t> waited;
    for (const Span& span : slow.spans)
      if (span.kind == SpanKind::Wait && span.track < 4) waited[span.track] += span.durationNs;
    QVERIFY(waited[0] > 5 * waited[2] && waited[1] > 5 * waited[2]);
  }

  void spansOfATrackDoNotOverlap_data() { addStrategyRows(); }
  void spansOfATrackDoNotOverlap() {
    QFETCH(QString, name);
    for (const char* devices : {"simulated", "cpu"}) {
      RunSettings config = rowConfig(name);
      if (std::string(devices) == "cpu") {
        if (!canBeMeasured(config)) continue;
        config.devices = DeviceChoice::Cpu;
      }
      const Outcome outcome = train(config, digits_);
      std::map<int, std::vector<Span>> tracks;
      for (const Span& span : outcome.spans) {
        QVERIFY(span.track >= 0 && span.track < std::ssize(outcome.info.legend.tracks));
        tracks[span.track].push_back(span);
      }
      for (auto& [track, spans] : tracks) {
        std::ranges::stable_sort(spans, {}, &Span::startNs);
        for (std::size_t i = 1; i < spans.size(); ++i)
          QVERIFY2(spans[i].startNs >= spans[i - 1].startNs + spans[i - 1].durationNs,
                   qPrintable(QString("%1: %2 and %3")
                                  .arg(format(outcome.info.legend.tracks[static_cast<std::size_t>(track)].name).c_str())
                                  .arg(format(outcome.info.legend.labels[spans[i - 1].label]).c_str())
                                  .arg(format(outcome.info.legend.labels[spans[i].label]).c_str())));
      }
    }
  }
};

QTEST_GUILESS_MAIN(TestStepTimes)
#include "tst_step_times.moc"

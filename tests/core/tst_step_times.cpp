// SPDX-License-Identifier: GPL-3.0-or-later
// The times of steps and the spans they are made of, under every strategy.
#include <QTest>

#include <algorithm>
#include <cmath>
#include <map>

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
      QCOMPARE(step.clock, Clock::Modelled);
      QCOMPARE(step.computeNs + step.communicationNs, step.stepNs);
      QVERIFY(step.computeNs > 0 && step.communicationNs > 0);
      QCOMPARE(step.bytesSent, 2 * 3 * 1388584);
      total += step.stepNs;
    }
    QVERIFY(std::abs(static_cast<double>(total) / 1e9 - *outcome.end.modelledSeconds) < 1e-9);
    // The ring over NVLink: 2·3·α + (6/4)·n·β + (3/4)·n·γ, within the nanoseconds that rounding chunks costs.
    for (const Span& span : outcome.spans) QVERIFY(span.clock == Clock::Modelled && span.durationNs >= 0);
  }

  // A measured worker's step is what this processor did for that worker: computation and copies, nobody else's.
  void measuredStepsAreMadeOfComputationAndCommunicationToo_data() { addStrategyRows(); }
  void measuredStepsAreMadeOfComputationAndCommunicationToo() {
    QFETCH(QString, name);
    RunConfig config = rowConfig(name);
    if (config.strategy == StrategyKind::Tpu || config.reducer == Reducer::Nccl) return;  // never on the processor
    config.devices = DeviceChoice::Cpu;
    const Outcome outcome = train(config, digits_);
    std::int64_t stepNs = 0, wallNs = 0;
    for (const StepMetric& step : outcome.steps) {
      QCOMPARE(step.clock, Clock::Measured);
      QCOMPARE(step.computeNs + step.communicationNs, step.stepNs);
      QVERIFY(step.computeNs > 0 && step.communicationNs >= 0 && step.wallNs > 0);
      QCOMPARE(step.communicationNs > 0, step.bytesSent > 0);
      stepNs += step.stepNs;
      wallNs += step.wallNs;
    }
    QVERIFY(stepNs <= wallNs);
  }

  // A worker's computation falls into an earlier step than its update: what a step took is told of the worker that it
  // was taken for, or 64 examples would take less than one.
  void aMeasuredWorkersTimeIsItsOwn() {
    RunConfig config = configOf({{"strategy", "parameter-server"},
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

  void aStragglerMakesTheOthersWait() {
    const Settings settings = with(kShortRun, {{"strategy", "mirrored"}, {"replicas", "4"}});
    const Outcome even = train(configOf(settings), digits_);
    const Outcome slow = train(configOf(with(settings, {{"slow", "2:3"}})), digits_);
    QVERIFY(sameBits(even.weights, slow.weights));
    QVERIFY(slow.steps[1].stepNs > even.steps[1].stepNs * 3 / 2);
    std::map<int, std::int64_t> waited;
    for (const Span& span : slow.spans)
      if (span.kind == SpanKind::Wait && span.lane < 4) waited[span.lane] += span.durationNs;
    QVERIFY(waited[0] > 5 * waited[2] && waited[1] > 5 * waited[2]);
  }

  void spansOfALaneDoNotOverlap_data() { addStrategyRows(); }
  void spansOfALaneDoNotOverlap() {
    QFETCH(QString, name);
    for (const char* devices : {"simulated", "cpu"}) {
      RunConfig config = rowConfig(name);
      if (std::string(devices) == "cpu") {
        if (config.strategy == StrategyKind::Tpu || config.reducer == Reducer::Nccl) continue;
        config.devices = DeviceChoice::Cpu;
      }
      const Outcome outcome = train(config, digits_);
      std::map<int, std::vector<Span>> lanes;
      for (const Span& span : outcome.spans) {
        QVERIFY(span.lane >= 0 && span.lane < std::ssize(outcome.info.legend.lanes));
        lanes[span.lane].push_back(span);
      }
      for (auto& [lane, spans] : lanes) {
        std::ranges::stable_sort(spans, {}, &Span::startNs);
        for (std::size_t i = 1; i < spans.size(); ++i)
          QVERIFY2(spans[i].startNs >= spans[i - 1].startNs + spans[i - 1].durationNs,
                   qPrintable(QString("%1: %2 and %3")
                                  .arg(outcome.info.legend.lanes[static_cast<std::size_t>(lane)].name.c_str())
                                  .arg(outcome.info.legend.labels[spans[i - 1].label].c_str())
                                  .arg(outcome.info.legend.labels[spans[i].label].c_str())));
      }
    }
  }
};

QTEST_GUILESS_MAIN(TestStepTimes)
#include "tst_step_times.moc"

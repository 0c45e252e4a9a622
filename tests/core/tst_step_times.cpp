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

// SPDX-License-Identifier: GPL-3.0-or-later
// ctest: label=unsanitized
// The gradient noise scale: the published test vector, a synthetic problem with a known answer, and a training run.
#include <QTest>

#include <cmath>

#include "core/base/rng.h"
#include "core/timing/noise_scale.h"
#include "core/timing/stragglers.h"
#include "tests/support/training.h"

using namespace lab;
using namespace lab::test;

namespace {

double gaussian(Rng& rng) {
  return normalQuantile(std::max(rng.uniform(), 0x1.0p-54));
}

}  // namespace

class TestNoiseScale : public QObject {
  Q_OBJECT

 private slots:
  void referenceVector() {
    // core/timing/README.md: W = 4, b = 32, m = 2.0, |gbar|² = 1.1.
    const std::vector<LocalGradient> local(4, {32, 2.0});
    const auto sample = noiseSample(local, 1.1);
    QVERIFY(sample.has_value());
    QVERIFY(std::abs(sample->gradientSquared - 0.8) < 1e-12);
    QVERIFY(std::abs(sample->trace - 38.4) < 1e-12);
    NoiseScale scale;
    scale.add(*sample);
    QVERIFY(std::abs(*scale.examples() - 48) < 1e-9);
  }

  void needsTwoReplicas() {
    QVERIFY(!noiseSample(std::vector<LocalGradient>{{64, 1.0}}, 1.0).has_value());
    QVERIFY(!noiseSample(std::vector<LocalGradient>{{64, 1.0}, {0, 0.0}}, 1.0).has_value());
    QVERIFY(!NoiseScale().examples().has_value());
    NoiseScale negative;
    negative.add({-1, 5});
    QVERIFY(!negative.examples().has_value());
  }

  // The examples' gradients are G + noise of covariance diag(v), so tr Σ = Σ v and |G|² are known.
  void syntheticProblem_data() {
    QTest::addColumn<QList<int>>("batches");
    QTest::newRow("equal") << QList<int>{8, 8, 8, 8};
    QTest::newRow("unequal") << QList<int>{4, 8, 16};
  }
  void syntheticProblem() {
    QFETCH(QList<int>, batches);
    constexpr int kDimensions = 20, kSteps = 3000;
    Rng rng(7);
    std::vector<double> gradient, variance;
    double squared = 0, trace = 0;
    for (int d = 0; d < kDimensions; ++d) {
      gradient.push_back(gaussian(rng));
      variance.push_back(1 + 30 * rng.uniform());
      squared += gradient.back() * gradient.back();
      trace += variance.back();
    }
    NoiseScale scale(0.9995);
    for (int step = 0; step < kSteps; ++step) {
      std::vector<LocalGradient> local;
      std::vector<double> mean(kDimensions, 0);
      double all = 0;
      for (const int batch : batches) all += batch;
      for (const int batch : batches) {
        LocalGradient own{static_cast<double>(batch), 0};
        for (int d = 0; d < kDimensions; ++d) {
          // The mean of `batch` draws.
          const auto i = static_cast<std::size_t>(d);
          const double value = gradient[i] + std::sqrt(variance[i] / batch) * gaussian(rng);
          own.squaredNorm += value * value;
          mean[i] += batch / all * value;
        }
        local.push_back(own);
      }
      double norm = 0;
      for (const double value : mean) norm += value * value;
      scale.add(*noiseSample(local, norm));
    }
    QVERIFY(scale.examples().has_value());
    const double error = *scale.examples() / (trace / squared) - 1;
    QVERIFY2(std::abs(error) < 0.10, qPrintable(QString::number(error)));
  }

  void tradeOffCurve() {
    const auto fit = [](std::vector<StepsAtBatch> runs) { return fitTradeOff(runs); };
    const auto fitted = fit({{32, 1000 * (1 + 200.0 / 32)}, {512, 1000 * (1 + 200.0 / 512)}});
    QVERIFY(fitted.has_value());
    QVERIFY(std::abs(fitted->criticalBatch - 200) < 1e-6 && std::abs(fitted->minimumSteps - 1000) < 1e-6);
    // Twice the minimum of both at the critical batch.
    QVERIFY(std::abs(fitted->steps(200) - 2000) < 1e-6);
    QVERIFY(std::abs(fitted->examples(200) - 2 * 1000 * 200) < 1e-3);
    // Every run counts by the relative error of its steps: 10 % more and 10 % less at neighbouring batches.
    std::vector<StepsAtBatch> runs;
    for (const double batch : {16.0, 32.0, 64.0, 128.0, 256.0, 512.0}) runs.push_back({batch, fitted->steps(batch)});
    QVERIFY(std::abs(fit(runs)->criticalBatch - 200) < 1e-6 && std::abs(fit(runs)->minimumSteps - 1000) < 1e-6);
    runs[2].steps *= 1.1;
    runs[3].steps *= 0.9;
    QVERIFY(std::abs(fit(runs)->criticalBatch / 200 - 1) < 0.2 && std::abs(fit(runs)->minimumSteps / 1000 - 1) < 0.2);
    QVERIFY(fit(runs)->criticalBatch != fitted->criticalBatch);
    QVERIFY(!fit({{32, 100}, {64, 200}}).has_value());  // more steps with a larger batch
    QVERIFY(!fit({}).has_value() && !fit({{32, 100}}).has_value() && !fit({{32, 100}, {32, 90}}).has_value());
  }

  // Measuring changes nothing, gives the same with every reducer, and the scale grows as the loss falls.
  void trainingMeasuresIt() {
    const std::shared_ptr<const Dataset> digits = fewDigits(1024, 50);
    const Settings settings{{"strategy", "mirrored"}, {"replicas", "4"},   {"batch-per-replica", "16"},
                            {"steps", "80"},          {"eval-every", "0"}, {"seed", "3"}};
    const Outcome without = train(configOf(settings), digits);
    const Outcome with_ = train(configOf(with(settings, {{"noise-scale", "true"}})), digits);
    QVERIFY(sameBits(without.weights, with_.weights));
    QVERIFY(!without.steps.back().gradientTrace.has_value());
    double early = 0, late = 0;
    for (const StepMetric& step : with_.steps) {
      QVERIFY(step.gradientTrace.has_value() && *step.gradientTrace > 0);
      if (step.step == 15) early = step.noiseScale.value_or(0);
    }
    late = with_.steps.back().noiseScale.value_or(0);
    QVERIFY2(early > 0 && late > 2 * early, qPrintable(QString("%1 then %2").arg(early).arg(late)));

    const Outcome loop = train(configOf(with(settings, {{"noise-scale", "true"}, {"loss-scaling", "loop"}})), digits);
    QVERIFY(std::abs(*loop.steps[5].gradientTrace / *with_.steps[5].gradientTrace - 1) < 1e-3);
    const Outcome central =
        train(configOf(with(settings, {{"noise-scale", "true"}, {"strategy", "central-storage"}})), digits);
    QVERIFY(std::abs(*central.steps[5].gradientTrace / *with_.steps[5].gradientTrace - 1) < 1e-3);
  }

  // Keras's scaling needs equal shares, but only of the replicas that are in the sum.
  void aShareThatIsLeftOutMayDiffer() {
    const Settings settings{{"strategy", "backup-workers"},
                            {"replicas", "3"},
                            {"global-batch", "97"},
                            {"split", "file"},
                            {"slow", "0:3"},
                            {"devices", "simulated"},
                            {"steps", "2"},
                            {"eval-every", "0"},
                            {"noise-scale", "true"}};
    for (const StepMetric& step : train(configOf(settings), fewDigits(291, 50)).steps) {
      QCOMPARE(step.shards, (std::vector<std::int64_t>{33, 32, 32}));
      QCOMPARE(step.leftOut, std::vector<int>{0});
      QVERIFY(step.gradientTrace.has_value());
    }
    for (const StepMetric& step : train(configOf(with(settings, {{"backups", "0"}})), fewDigits(291, 50)).steps)
      QVERIFY(!step.gradientTrace.has_value());
  }
};

QTEST_GUILESS_MAIN(TestNoiseScale)
#include "tst_noise_scale.moc"

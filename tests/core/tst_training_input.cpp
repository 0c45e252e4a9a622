// SPDX-License-Identifier: GPL-3.0-or-later
// Prefetched batches equal those made on time: the same batches, pixels and labels, wherever a state is saved or loaded
// in between. Also worth running under -DSTRATEGYLAB_SANITIZE=thread.
#include <QTest>

#include <algorithm>

#include "core/options/resolve.h"
#include "core/training/trainer.h"
#include "core/training/training_input.h"
#include "tests/support/training.h"

using namespace lab;
using namespace lab::test;

namespace {

constexpr int kReplicas = 4, kBatchPerReplica = 64, kSteps = 12;

// Three passes and a bit over 230 examples; on parameter servers each worker makes as many.
RunSettings configOf(StrategyKind strategy, std::int64_t threads) {
  RunSettings config;
  config.strategy = strategy;
  if (strategy != StrategyKind::OneDevice && strategy != StrategyKind::Default) config.replicas = kReplicas;
  config.batchPerReplica = kBatchPerReplica;
  config.devices = DeviceChoice::Simulated;
  config.dataset = "digits";
  config.steps = kSteps;
  config.evalEvery = 5;  // in its own batches, in between
  config.threads = threads;
  return config;
}

struct Recorded {
  std::vector<std::vector<std::int64_t>> shards;  // their sizes
  std::vector<double> losses;
  std::vector<float> weights;
};

void stepTo(Trainer& trainer, Telemetry& telemetry, std::int64_t step, Recorded& recorded) {
  while (trainer.stepsDone() < step) trainer.step();
  for (const Metric& metric : telemetry.takeMetrics()) {
    const auto* one = std::get_if<StepMetric>(&metric);
    if (one == nullptr) continue;
    recorded.shards.push_back(one->shards);
    recorded.losses.push_back(one->loss);
  }
  recorded.weights = trainer.weights();
}

}  // namespace

class TestTrainingInput : public QObject {
  Q_OBJECT

  std::shared_ptr<const Dataset> digits_ = fewDigits(230, 50);

 private Q_SLOTS:
  void prefetchChangesNothing_data() {
    QTest::addColumn<StrategyKind>("strategy");
    QTest::newRow("one device") << StrategyKind::OneDevice;
    QTest::newRow("mirrored") << StrategyKind::Mirrored;
    QTest::newRow("central storage") << StrategyKind::CentralStorage;
    QTest::newRow("parameter servers") << StrategyKind::ParameterServer;
    QTest::newRow("tpu") << StrategyKind::Tpu;
  }
  void prefetchChangesNothing() {
    QFETCH(StrategyKind, strategy);
    Telemetry telemetry;
    Recorded plain;
    {
      Trainer trainer(resolve(configOf(strategy, 1)), digits_, telemetry);
      QVERIFY(!TrainingInput::prefetches(trainer.info().config, trainer.cluster()));
      stepTo(trainer, telemetry, kSteps, plain);
    }
    Trainer trainer(resolve(configOf(strategy, 2)), digits_, telemetry);
    QVERIFY(TrainingInput::prefetches(trainer.info().config, trainer.cluster()));
    Recorded recorded;
    stepTo(trainer, telemetry, 5, recorded);
    const Checkpoint saved = trainer.saveState();
    Recorded forgotten;
    stepTo(trainer, telemetry, 8, forgotten);
    trainer.loadState(saved);  // while the ninth step's batches are on their way
    stepTo(trainer, telemetry, kSteps, recorded);
    QCOMPARE(recorded.shards, plain.shards);
    QCOMPARE(recorded.losses, plain.losses);
    QCOMPARE(recorded.weights, plain.weights);
  }

  // Nothing that it has begun holds the images afterwards.
  void aTrainerMayGoWhileABatchIsOnItsWay() {
    const long holders = digits_.use_count();
    for (int i = 0; i < 20; ++i) {
      {
        Telemetry telemetry;
        Trainer trainer(resolve(configOf(StrategyKind::Mirrored, 2)), digits_, telemetry);
        if (i % 2 == 0) trainer.step();
        QVERIFY(digits_.use_count() > holders);
      }
      QCOMPARE(digits_.use_count(), holders);
    }
  }

  void anotherShardThanWasMadeIsRefused() {
    PrefetchedBatch prefetched;
    Activations activations;
    activations.reserve(3, Precision::Float32);
    const std::vector<std::int64_t> made{5, 0, 7}, other{5, 0, 8};
    QVERIFY(!prefetched.take(made, activations));  // nothing was promised
    prefetched.promise();
    prefetched.make(digits_->train, made);
    QVERIFY(!prefetched.take(other, activations));
    QVERIFY(!prefetched.take(made, activations));  // forgotten
    for (int round = 0; round < 3; ++round) {
      prefetched.promise();
      prefetched.make(digits_->train, made);
      QVERIFY(prefetched.take(made, activations));
      for (std::int64_t i = 0; i < 3; ++i) {
        const std::int64_t index = made[static_cast<std::size_t>(i)];
        QCOMPARE(activations.labels[i], digits_->train.labels[static_cast<std::size_t>(index)]);
        for (std::int64_t j = 0; j < kImageSize; ++j)
          QCOMPARE(activations.images[i * kImageSize + j], static_cast<float>(digits_->train.image(index)[j]) / 255.0F);
      }
    }
    prefetched.close();
    prefetched.promise();  // waits for nobody
    prefetched.make(digits_->train, made);
    prefetched.open();
    QVERIFY(!prefetched.take(made, activations));
  }

  // As without memory for it: the replica then gathers the examples itself.
  void aBatchThatCannotBeMadeIsNoLongerPromised() {
    PrefetchedBatch prefetched;
    Activations activations;
    activations.reserve(3, Precision::Float32);
    const std::vector<std::int64_t> impossible{5, 0, digits_->train.count}, made{5, 0, 7};
    prefetched.promise();
    prefetched.make(digits_->train, impossible);
    QVERIFY(!prefetched.take(impossible, activations));
    prefetched.promise();
    prefetched.make(digits_->train, made);
    QVERIFY(prefetched.take(made, activations));
  }
};

QTEST_APPLESS_MAIN(TestTrainingInput)
#include "tst_training_input.moc"

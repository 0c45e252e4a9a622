// SPDX-License-Identifier: GPL-3.0-or-later
// ctest: cost=15
// What each strategy promises: where variables live, that every replica works in its own buffers, that mirrored copies
// have the same bits, that threads and interruptions change nothing, and what parameter-server staleness means.
#include <QTemporaryDir>
#include <QTest>

#include <cmath>
#include <cstring>
#include <deque>
#include <map>
#include <string>

#include "core/base/error.h"
#include "core/cluster/cluster.h"
#include "core/experiments/weight_distance.h"
#include "core/model/safetensors.h"
#include "core/options/resolve.h"
#include "core/strategy/placement.h"
#include "core/strategy/strategy.h"
#include "core/training/build.h"
#include "core/training/evaluation.h"
#include "tests/support/cpu_path.h"
#include "tests/support/prepared_strategy.h"
#include "tests/support/reference_network.h"
#include "tests/support/training.h"

using namespace lab;
using namespace lab::test;

namespace {

void flipBit(float& value) {
  std::uint32_t bits = 0;
  std::memcpy(&bits, &value, sizeof bits);
  bits ^= 1U << 20;  // a bit of the mantissa
  std::memcpy(&value, &bits, sizeof bits);
}

}  // namespace

class TestStrategies : public QObject {
  Q_OBJECT

  std::shared_ptr<const Dataset> digits_ = fewDigits(230, 50);

 private slots:
  void initTestCase() { LAB_SKIP_WITHOUT_FORCED_CPU_PATH(); }

  // StrategyKind's names follow the table, whatever rows come after them.
  void namedKindsAreTheirRows() {
    const std::map<StrategyKind, std::string> named{{StrategyKind::Default, "default"},
                                                    {StrategyKind::OneDevice, "one-device"},
                                                    {StrategyKind::Mirrored, "mirrored"},
                                                    {StrategyKind::MultiWorkerMirrored, "multi-worker-mirrored"},
                                                    {StrategyKind::Tpu, "tpu"},
                                                    {StrategyKind::CentralStorage, "central-storage"},
                                                    {StrategyKind::ParameterServer, "parameter-server"}};
    for (const auto& [kind, key] : named) QCOMPARE(strategyInfo(kind).key, key);
    for (const StrategyInfo& info : strategies()) QVERIFY(&strategyInfo(info.kind) == &info);
  }

  // What is sent and what a replica has of its own are two facts: copies stay equal where only buffers differ.
  void whatIsSentDoesNotMakeCopiesDiffer() {
    const ResolvedSettings config = resolve(configOf({{"strategy", "mirrored"}, {"replicas", "4"}}));
    StrategyInfo row = strategyInfo(StrategyKind::Mirrored);
    row.exchange = [](const SettingsBase&, std::int64_t step) {
      return Exchange{step % 2 == 0 ? Exchange::What::Gradients : Exchange::What::Nothing};
    };
    row.own = StrategyInfo::Own::Buffers;
    QVERIFY(row.mustAgree(config, 1) && row.mustAgree(config, 2));
    row.own = StrategyInfo::Own::Weights;
    QVERIFY(!row.mustAgree(config, 1) && row.mustAgree(config, 2));
    for (const StrategyInfo& info : strategies()) {
      if (info.own == StrategyInfo::Own::Weights) QVERIFY2(info.exchange, info.key.c_str());
      if (info.own == StrategyInfo::Own::Buffers) QVERIFY2(info.besideSlots, info.key.c_str());
    }
  }

  void mirroredCopiesKeepTheSameBits_data() { addStrategyRows(); }
  void mirroredCopiesKeepTheSameBits() {
    QFETCH(QString, name);
    const RunSettings config = rowConfig(name);
    const StrategyInfo& info = strategyInfo(config.strategy);
    // tst_sharded has what lies in parts.
    if (!info.hasCopies || info.own != StrategyInfo::Own::Nothing || !info.shards.empty()) return;
    const Outcome outcome = train(config, digits_, [](Trainer& trainer) {
      Cluster& cluster = trainer.cluster();
      const auto& first = cluster.replica(0).variables;
      for (int r = 1; r < cluster.replicas(); ++r) {
        const auto& other = cluster.replica(r).variables;
        QVERIFY(first.weights.data() != other.weights.data());
        QCOMPARE(std::memcmp(first.weights.data(), other.weights.data(), 347146 * 4), 0);
        for (std::size_t s = 0; s < first.slotValues.size(); ++s)
          QCOMPARE(std::memcmp(first.slotValues[s].data(), other.slotValues[s].data(), 347146 * 4), 0);
      }
    });
    QCOMPARE(outcome.end.mirrorsIdentical, std::optional<bool>(true));
    for (const StepMetric& step : outcome.steps) QVERIFY(step.mirrorsIdentical == true);
  }

  // With plain SGD and equal shares (the fifth step's 38 examples have none), only what applies something else than the
  // mean of all gradients is further from one device's weights than rounding takes it.
  void aStepIsThePlainMeanWhereItsRowSaysSo() {
    const Settings plain =
        with(kShortRun, {{"steps", "4"}, {"optimizer", "sgd"}, {"learning-rate", "0.1"}, {"matmul", "float32"}});
    const std::vector<float> one = train(configOf(with(plain, {{"strategy", "one-device"}})), digits_).weights;
    for (const StrategyInfo& info : strategies()) {
      if (!info.synchronous) continue;
      Settings settings = with(plain, {{"strategy", info.key}});
      if (!info.singleReplica) settings.emplace_back("replicas", "4");
      const ResolvedSettings config = resolve(configOf(settings));
      const double distance = relativeDistance(train(configOf(settings), digits_).weights, one);
      QVERIFY2((distance <= kRoundingDistance) == (!info.isPlainMean || info.isPlainMean(config)),
               (info.key + ": " + std::to_string(distance)).c_str());
    }
  }

  void oneFlippedWeightBitIsFound() {
    RunSettings config = configOf(with(kShortRun, {{"strategy", "mirrored"}, {"replicas", "4"}}));
    for (const int replica : {0, 2, 3}) {
      const Outcome outcome = train(config, digits_, [&](Trainer& trainer) {
        if (trainer.stepsDone() == 3) flipBit(trainer.cluster().replica(replica).variables.weights[123456]);
      });
      QVERIFY(outcome.steps[2].mirrorsIdentical == true);
      QVERIFY(outcome.steps[3].mirrorsIdentical == false);
      QCOMPARE(outcome.end.mirrorsIdentical, std::optional<bool>(false));
    }
  }

  // Every replica receives replica 2's gradient through the all-reduce and does not compute it again.
  void oneFlippedGradientBitChangesEverybodyAlike_data() {
    QTest::addColumn<int>("reducer");
    for (const Reducer reducer : strategyInfo(StrategyKind::Mirrored).reducers)
      QTest::addRow("%s", std::string(toString(reducer)).c_str()) << static_cast<int>(reducer);
  }
  void oneFlippedGradientBitChangesEverybodyAlike() {
    QFETCH(int, reducer);
    const auto run = [&](bool flip) {
      ResolvedSettings config = resolve(configOf(with(kShortRun, {{"strategy", "mirrored"}, {"replicas", "4"}})));
      config.reducer = static_cast<Reducer>(reducer);
      Telemetry telemetry;
      Cluster cluster(clusterSettings(config), digits_, telemetry);
      const auto strategy = strategyInfo(config.strategy).make(config);
      strategy->prepare(cluster, initialWeights(config));
      const ReductionPlan plan = makeReductionPlan(static_cast<Reducer>(reducer), 4, 1, cluster.layout(), 0);
      DistributedBatch batch;
      for (std::int64_t r = 0; r < 4; ++r) batch.shards.push_back({4 * r, 4 * r + 1, 4 * r + 2, 4 * r + 3});
      cluster.beginStep(1, 0.01);
      cluster.distribute(batch);
      cluster.forEachReplica([&](Replica& replica) { replica.forwardBackward(cluster.lossScale(4)); });
      // The largest gradient, so that the flip cannot vanish in a sum.
      std::int64_t at = 0;
      auto& gradients = cluster.replica(2).variables.gradients;
      for (std::int64_t i = 0; i < gradients.size(); ++i)
        if (std::abs(gradients[i]) > std::abs(gradients[at])) at = i;
      if (flip) flipBit(gradients[at]);
      cluster.allReduce(plan);
      cluster.forEachReplica([&](Replica& replica) { replica.update(0.01, 1); });
      std::vector<std::vector<float>> weights;
      for (int r = 0; r < 4; ++r) {
        const auto span = cluster.replica(r).variables.weights.span();
        weights.emplace_back(span.begin(), span.end());
      }
      return weights;
    };
    const auto plain = run(false), flipped = run(true);
    for (int r = 0; r < 4; ++r) {
      QVERIFY(sameBits(plain[0], plain[static_cast<std::size_t>(r)]));
      QVERIFY(sameBits(flipped[0], flipped[static_cast<std::size_t>(r)]));
    }
    // Adam's first step hides a gradient's size but not entirely its change; the bits differ.
    QVERIFY(!sameBits(plain[0], flipped[0]));
  }

  // Whatever algorithm adds them, all replicas have the same bits, equal to the mean except for rounding; and a record
  // has the weights as they were before.
  void weightsAreAveraged() {
    for (const Reducer reducer : strategyInfo(StrategyKind::Mirrored).reducers)
      for (const int replicas : {2, 3, 8}) {
        ResolvedSettings config =
            resolve(configOf(with(kShortRun, {{"strategy", "mirrored"}, {"replicas", std::to_string(replicas)}})));
        config.reducer = reducer;
        Telemetry telemetry;
        Cluster cluster(clusterSettings(config), digits_, telemetry);
        const auto strategy = strategyInfo(config.strategy).make(config);
        strategy->prepare(cluster, initialWeights(config));
        telemetry.requestRecord();
        cluster.beginStep(1, 0.01);
        DistributedBatch batch;
        for (std::int64_t r = 0; r < replicas; ++r) batch.shards.push_back({r});
        cluster.distribute(batch);
        cluster.forEachReplica([&](Replica& replica) {
          replica.forwardBackward(cluster.lossScale(1));
          replica.update(0.01, 1);
        });
        std::vector<std::vector<float>> before;
        for (int r = 0; r < replicas; ++r) {
          const auto span = cluster.replica(r).variables.weights.span();
          before.emplace_back(span.begin(), span.end());
        }
        QVERIFY(!sameBits(before[0], before[1]));
        const ReductionPlan plan = makeReductionPlan(reducer, replicas, 1, cluster.layout(), 0);
        cluster.allReduce(plan, ReduceTarget::Weights, ReduceOp::Mean);
        QVERIFY(*cluster.copies().areIdentical());
        const auto after = cluster.replica(0).variables.weights.span();
        for (std::size_t i = 0; i < after.size(); i += 97) {
          double mean = 0;
          for (const auto& each : before) mean += static_cast<double>(each[i]) / replicas;
          QVERIFY(std::abs(static_cast<double>(after[i]) - mean) < 1e-6);
        }
        const FinishedStep step = cluster.endStep();
        QVERIFY(step.record != nullptr);
        for (std::size_t r = 0; r < before.size(); ++r)
          QVERIFY(sameBits(step.record->replicas[r].ownWeights, before[r]));
      }
  }

  // A plan whose messages have a hundredth of their ranges' elements, each with its place: the sum has the same bits,
  // and the clock, the record and the count of bytes have what is sent.
  void messagesMayCarryLess() {
    const ResolvedSettings config =
        resolve(configOf(with(kShortRun, {{"strategy", "mirrored"}, {"replicas", "4"}, {"reducer", "ring"}})));
    const std::shared_ptr<const StepModel> timing = clusterSettings(config).timing;
    std::vector<std::vector<float>> sums;
    for (const Carried& carried : {Carried{}, Carried{.share = 0.01, .bytesPerElement = 8}}) {
      Telemetry telemetry;
      Cluster cluster(clusterSettings(config), digits_, telemetry);
      const auto strategy = test::preparedStrategy(cluster, config);
      ReductionPlan plan = makeReductionPlan(Reducer::Ring, 4, 1, cluster.layout(), 0);
      plan.carry(carried);
      telemetry.requestRecord();
      cluster.beginStep(1, 0.01);
      DistributedBatch batch;
      for (std::int64_t r = 0; r < 4; ++r) batch.shards.push_back({4 * r, 4 * r + 1, 4 * r + 2, 4 * r + 3});
      cluster.distribute(batch);
      cluster.computeGradients();
      cluster.allReduce(plan);
      const auto sum = cluster.replica(0).variables.gradients.span();
      sums.emplace_back(sum.begin(), sum.end());
      const FinishedStep step = cluster.endStep();
      StepRequest request = timing->asked();
      request.batches.assign(4, 4);
      request.carried = carried;
      QCOMPARE(step.outcome.get().times.stepNs, simulateStep(request).stepNs);
      // Each of the ring's 24 messages has a quarter of 347,146 elements, rounded down or up: 6,943 bytes of 0.08 each.
      QCOMPARE(step.bytesSent, std::int64_t{carried == Carried{} ? 6 * 1388584 : 24 * 6943});
      std::int64_t recorded = 0;
      for (const Span& span : step.record->spans)
        if (span.kind == SpanKind::Transfer && span.label == labelOf(Label::AllReduce)) recorded += span.bytes;
      QCOMPARE(recorded, step.bytesSent);
    }
    QVERIFY(sameBits(sums[0], sums[1]));
  }

  void eachReplicaComputesItsOwnShard() {
    ResolvedSettings config = resolve(configOf(with(kShortRun, {{"strategy", "mirrored"}, {"replicas", "3"}})));
    config.reducer = Reducer::Ring;
    Telemetry telemetry;
    Cluster cluster(clusterSettings(config), digits_, telemetry);
    const auto strategy = strategyInfo(config.strategy).make(config);
    strategy->prepare(cluster, initialWeights(config));
    cluster.beginStep(1, 0.01);
    const auto gradientsOf = [&](const DistributedBatch& batch) {
      cluster.distribute(batch);
      cluster.forEachReplica([&](Replica& replica) { replica.forwardBackward(0.1F); });
      std::vector<std::vector<float>> all;
      for (int r = 0; r < 3; ++r) {
        const auto span = cluster.replica(r).variables.gradients.span();
        all.emplace_back(span.begin(), span.end());
      }
      return all;
    };
    const auto before = gradientsOf({{{0, 1}, {2, 3}, {4}}}), after = gradientsOf({{{0, 1}, {2, 9}, {4}}});
    QVERIFY(sameBits(before[0], after[0]));
    QVERIFY(!sameBits(before[1], after[1]));
    QVERIFY(sameBits(before[2], after[2]));
    QVERIFY(!sameBits(before[0], before[1]));
  }

  void threadsChangeNothing_data() { addStrategyRows(); }
  void threadsChangeNothing() {
    QFETCH(QString, name);
    const Outcome one = train(rowConfig(name, {{"threads", "1"}}), digits_);
    for (const std::string threads : {"2"}) {
      const Outcome more = train(rowConfig(name, {{"threads", threads}}), digits_);
      QVERIFY(sameBits(one.weights, more.weights));
      QCOMPARE(one.steps.size(), more.steps.size());
      for (std::size_t i = 0; i < one.steps.size(); ++i) {
        QCOMPARE(one.steps[i].loss, more.steps[i].loss);
        QCOMPARE(one.steps[i].stepNs, more.steps[i].stepNs);  // the modelled clock too
      }
      QCOMPARE(one.spans.size(), more.spans.size());
      for (std::size_t i = 0; i < one.spans.size(); ++i) {
        QCOMPARE(one.spans[i].startNs, more.spans[i].startNs);
        QCOMPARE(one.spans[i].track, more.spans[i].track);
      }
    }
  }

  void threadsChangeNothingOnTheProcessor_data() { addStrategyRows(); }
  void threadsChangeNothingOnTheProcessor() {
    QFETCH(QString, name);
    RunSettings config = rowConfig(name);
    if (!canBeMeasured(config)) return;
    config.devices = DeviceChoice::Cpu;
    config.threads = 1;
    const Outcome one = train(config, digits_);
    config.threads = 2;
    const Outcome two = train(config, digits_);
    QVERIFY(sameBits(one.weights, two.weights));
    // Measured or modelled, the arithmetic is the same; asynchronous order is not, for it follows the clock.
    if (config.strategy == StrategyKind::ParameterServer || config.reducer == Reducer::Auto) return;
    QVERIFY(sameBits(one.weights, train(rowConfig(name), digits_).weights));
  }

  void aResumedRunEqualsOneThatNeverStopped_data() { addStrategyRows(); }
  void aResumedRunEqualsOneThatNeverStopped() {
    QFETCH(QString, name);
    const RunSettings whole = rowConfig(name);
    const Outcome expected = train(whole, digits_);
    for (const std::int64_t stopAt : {std::int64_t{1}, std::int64_t{4}}) {
      const QTemporaryDir folder;
      RunSettings config = whole;
      config.checkpointDir = folder.path().toStdString() + "/checkpoints";
      config.steps = stopAt;
      (void)train(config, digits_);
      config.steps = whole.steps;
      config.resume = true;
      const Outcome resumed = train(config, digits_);
      QCOMPARE(std::ssize(resumed.steps), *whole.steps - stopAt);
      for (std::size_t i = 0; i < resumed.steps.size(); ++i) {
        const StepMetric &a = resumed.steps[i], &b = expected.steps[i + static_cast<std::size_t>(stopAt)];
        QCOMPARE(a.step, b.step);
        QCOMPARE(a.epoch, b.epoch);
        QCOMPARE(a.loss, b.loss);
        QCOMPARE(a.shards, b.shards);
        QCOMPARE(a.stepNs, b.stepNs);
        QCOMPARE(a.worker, b.worker);
        QCOMPARE(a.staleness, b.staleness);
      }
      QVERIFY(sameBits(resumed.weights, expected.weights));
      QCOMPARE(resumed.end.modelledSeconds, expected.end.modelledSeconds);
    }
  }

  void resumingAnotherRunIsRefused() {
    const QTemporaryDir folder;
    RunSettings config = configOf(with(kShortRun, {{"strategy", "mirrored"}}));
    config.checkpointDir = folder.path().toStdString();
    config.steps = 2;
    (void)train(config, digits_);
    config.resume = true;
    config.learningRate = 0.5;
    QVERIFY_THROWS_EXCEPTION(UserError, train(config, digits_));
    config.learningRate = 0.001;
    QVERIFY_THROWS_EXCEPTION(UserError, train(config, fewDigits(100, 50)));
    config.steps = 3;
    QCOMPARE(train(config, digits_).steps.size(), std::size_t{1});
  }

  void defaultAndOneDeviceGiveIdenticalNumbers() {
    const Outcome a = train(configOf(with(kShortRun, {{"strategy", "default"}})), digits_);
    const Outcome b = train(configOf(with(kShortRun, {{"strategy", "one-device"}})), digits_);
    QVERIFY(sameBits(a.weights, b.weights));
    for (std::size_t i = 0; i < a.steps.size(); ++i) QCOMPARE(a.steps[i].loss, b.steps[i].loss);
    QCOMPARE(a.steps[0].bytesSent, 0);
    QCOMPARE(a.end.mirrorsIdentical, std::nullopt);
  }

  void evaluationIsExactlyOneDevices_data() { addStrategyRows(); }
  void evaluationIsExactlyOneDevices() {
    QFETCH(QString, name);
    RunSettings config = rowConfig(name);
    Telemetry telemetry;
    Trainer trainer(resolve(config), digits_, telemetry);
    for (int i = 0; i < 3; ++i) trainer.step();
    const EvalMetric distributed = trainer.evaluate();

    const QTemporaryDir folder;
    const std::string file = folder.path().toStdString() + "/weights.safetensors";
    writeSafetensors(file, weightsToTensors(courseNetwork().layout(), trainer.weights()));
    RunSettings single = configOf(with(kShortRun, {{"strategy", "one-device"}, {"init", file}}));
    single.matmul = strategyInfo(config.strategy).matmul;
    Trainer alone(resolve(single), digits_, telemetry);
    const EvalMetric one = alone.evaluate();
    QCOMPARE(distributed.testAccuracy, one.testAccuracy);
    QCOMPARE(distributed.testLoss, one.testLoss);
    QVERIFY(one.testAccuracy > 0);
  }

  void tpuIsCloseToFloat32AndNotEqual() {
    const Settings settings = with(kShortRun, {{"strategy", "tpu"}});
    const Outcome bfloat16 = train(configOf(settings), digits_);
    const Outcome float32 = train(configOf(with(settings, {{"matmul", "float32"}})), digits_);
    for (std::size_t i = 0; i < bfloat16.steps.size(); ++i) {
      QVERIFY(bfloat16.steps[i].loss != float32.steps[i].loss);
      QVERIFY(std::abs(bfloat16.steps[i].loss / float32.steps[i].loss - 1) < 0.02);
    }
  }

  void tpuStartsInOrder() {
    Telemetry telemetry;
    const Trainer trainer(resolve(configOf(with(kShortRun, {{"strategy", "tpu"}}))), digits_, telemetry);
    std::vector<Span> spans;
    telemetry.drainSpans(spans);
    std::vector<std::string> startup;
    for (const Span& span : spans)
      if (span.kind == SpanKind::Startup) startup.push_back(format(trainer.info().legend.labels[span.label]));
    QCOMPARE(startup, (std::vector<std::string>{"resolve cluster", "connect to cluster", "initialise TPU system",
                                                "construct strategy", "create variables"}));
  }

  // ---- where variables live

  void centralStorageKeepsOneCopy() {
    Telemetry telemetry;
    Trainer several(resolve(configOf(with(kShortRun, {{"strategy", "central-storage"}, {"replicas", "3"}}))), digits_,
                    telemetry);
    QCOMPARE(several.cluster().parameterDevices(), 1);
    QCOMPARE(several.cluster().parameterDevice(0).variables.slotValues.size(), std::size_t{2});
    for (int r = 0; r < 3; ++r) QVERIFY(several.cluster().replica(r).variables.slotValues.empty());
    several.step();
    // Weights down to three devices and gradients up from them, through the host.
    for (const Metric& metric : telemetry.takeMetrics())
      if (const auto* step = std::get_if<StepMetric>(&metric)) QCOMPARE(step->bytesSent, 6 * 1388584);

    Trainer one(resolve(configOf(with(kShortRun, {{"strategy", "central-storage"}, {"replicas", "1"}}))), digits_,
                telemetry);
    QCOMPARE(one.cluster().parameterDevices(), 0);
    QCOMPARE(one.cluster().replica(0).variables.slotValues.size(), std::size_t{2});
    one.step();
    for (const Metric& metric : telemetry.takeMetrics())
      if (const auto* step = std::get_if<StepMetric>(&metric)) QCOMPARE(step->bytesSent, 0);
  }
};

QTEST_GUILESS_MAIN(TestStrategies)
#include "tst_strategies.moc"

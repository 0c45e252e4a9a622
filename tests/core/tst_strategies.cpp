// SPDX-License-Identifier: GPL-3.0-or-later
// What each strategy promises: where variables live, that every replica works in its own buffers, that mirrored copies
// keep the same bits, that threads and interruptions change nothing, and what parameter-server staleness means.
#include <QTemporaryDir>
#include <QTest>

#include <cmath>
#include <cstring>
#include <deque>
#include <map>

#include "core/base/error.h"
#include "core/cluster/cluster.h"
#include "core/model/safetensors.h"
#include "core/run/build.h"
#include "core/run/evaluation.h"
#include "core/strategy/placement.h"
#include "tests/support/reference_network.h"
#include "tests/support/training.h"

using namespace lab;
using namespace lab::test;

namespace {

const Settings kShort{{"steps", "6"}, {"global-batch", "48"}, {"eval-every", "0"}, {"devices", "simulated"}};

Settings with(Settings settings, const Settings& more) {
  settings.insert(settings.end(), more.begin(), more.end());
  return settings;
}

// All seven, with several replicas where there can be, and every reducer where one can be chosen.
std::map<std::string, Settings> everyStrategyAndReducer() {
  std::map<std::string, Settings> all;
  for (const StrategyInfo& info : strategies()) {
    Settings settings{{"strategy", info.key}};
    if (!info.singleReplica) settings.emplace_back("replicas", info.kind == StrategyKind::Tpu ? "8" : "4");
    settings.emplace_back("steps", info.kind == StrategyKind::ParameterServer ? "13" : "6");
    if (info.kind == StrategyKind::ParameterServer)
      settings.emplace_back("batch-per-replica", "12");
    else
      settings.emplace_back("global-batch", "50");  // does not divide: short and uneven shares take part
    all[info.key] = settings;
    for (const Reducer reducer : info.reducers)
      all[info.key + ", " + std::string(toString(reducer))] =
          with(settings, {{"reducer", std::string(toString(reducer))}});
  }
  all["mirrored, packs"] = with(all["mirrored"], {{"bytes-per-pack", "1024"}});
  all["parameter-server, 2 servers, cut"] =
      with(all["parameter-server"], {{"parameter-servers", "2"}, {"partitioner", "fixed:2"}});
  all["mirrored, file"] = with(all["mirrored"], {{"split", "file"}});
  all["multi-worker-mirrored, off"] = with(all["multi-worker-mirrored"], {{"auto-shard", "off"}});
  return all;
}

void addRows() {
  QTest::addColumn<QString>("name");
  for (const auto& [name, settings] : everyStrategyAndReducer())
    QTest::addRow("%s", name.c_str()) << QString::fromStdString(name);
}

RunConfig rowConfig(const QString& name, const Settings& more = {}) {
  return configOf(with(everyStrategyAndReducer().at(name.toStdString()), more));
}

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
  void mirroredCopiesKeepTheSameBits_data() { addRows(); }
  void mirroredCopiesKeepTheSameBits() {
    QFETCH(QString, name);
    const RunConfig config = rowConfig(name);
    if (!strategyInfo(config.strategy).mirrored) return;
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
    for (const StepMetric& step : outcome.steps) QVERIFY(step.mirrorsIdentical);
  }

  void oneFlippedWeightBitIsFound() {
    RunConfig config = configOf(with(kShort, {{"strategy", "mirrored"}, {"replicas", "4"}}));
    for (const int replica : {0, 2, 3}) {
      const Outcome outcome = train(config, digits_, [&](Trainer& trainer) {
        if (trainer.stepsDone() == 3) flipBit(trainer.cluster().replica(replica).variables.weights[123456]);
      });
      QVERIFY(outcome.steps[2].mirrorsIdentical);
      QVERIFY(!outcome.steps[3].mirrorsIdentical);
      QCOMPARE(outcome.end.mirrorsIdentical, std::optional<bool>(false));
    }
  }

  // Everybody gets replica 2's gradient through the all-reduce, and nobody computes it again.
  void oneFlippedGradientBitChangesEverybodyAlike_data() {
    QTest::addColumn<int>("reducer");
    for (const Reducer reducer : strategyInfo(StrategyKind::Mirrored).reducers)
      QTest::addRow("%s", std::string(toString(reducer)).c_str()) << static_cast<int>(reducer);
  }
  void oneFlippedGradientBitChangesEverybodyAlike() {
    QFETCH(int, reducer);
    const auto run = [&](bool flip) {
      const RunConfig config = resolveConfig(configOf(with(kShort, {{"strategy", "mirrored"}, {"replicas", "4"}})));
      Telemetry telemetry;
      Cluster cluster(clusterSettings(config), digits_, telemetry);
      const auto strategy = strategyInfo(config.strategy).make({static_cast<Reducer>(reducer), 0, {}});
      strategy->prepare(cluster, initialWeights(config));
      const ReductionPlan plan = makeReductionPlan(static_cast<Reducer>(reducer), 4, 1, cluster.layout(), 0);
      Deal deal;
      for (std::int64_t r = 0; r < 4; ++r) deal.shards.push_back({4 * r, 4 * r + 1, 4 * r + 2, 4 * r + 3});
      cluster.beginStep(1, 0.01);
      cluster.deal(deal);
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

  void eachReplicaComputesItsOwnShard() {
    const RunConfig config = resolveConfig(configOf(with(kShort, {{"strategy", "mirrored"}, {"replicas", "3"}})));
    Telemetry telemetry;
    Cluster cluster(clusterSettings(config), digits_, telemetry);
    const auto strategy = strategyInfo(config.strategy).make({Reducer::Ring, 0, {}});
    strategy->prepare(cluster, initialWeights(config));
    cluster.beginStep(1, 0.01);
    const auto gradientsOf = [&](const Deal& deal) {
      cluster.deal(deal);
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

  void threadsChangeNothing_data() { addRows(); }
  void threadsChangeNothing() {
    QFETCH(QString, name);
    const Outcome one = train(rowConfig(name, {{"threads", "1"}}), digits_);
    for (const std::string threads : {"2", "3"}) {
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
        QCOMPARE(one.spans[i].lane, more.spans[i].lane);
      }
    }
  }

  void threadsChangeNothingOnTheProcessor_data() { addRows(); }
  void threadsChangeNothingOnTheProcessor() {
    QFETCH(QString, name);
    RunConfig config = rowConfig(name);
    if (config.strategy == StrategyKind::Tpu || config.reducer == Reducer::Nccl) return;
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

  void aResumedRunEqualsOneThatNeverStopped_data() { addRows(); }
  void aResumedRunEqualsOneThatNeverStopped() {
    QFETCH(QString, name);
    const RunConfig whole = rowConfig(name);
    const Outcome expected = train(whole, digits_);
    for (const std::int64_t stopAt : {std::int64_t{1}, std::int64_t{4}, std::int64_t{5}}) {
      const QTemporaryDir folder;
      RunConfig config = whole;
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
    RunConfig config = configOf(with(kShort, {{"strategy", "mirrored"}}));
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
    const Outcome a = train(configOf(with(kShort, {{"strategy", "default"}})), digits_);
    const Outcome b = train(configOf(with(kShort, {{"strategy", "one-device"}})), digits_);
    QVERIFY(sameBits(a.weights, b.weights));
    for (std::size_t i = 0; i < a.steps.size(); ++i) QCOMPARE(a.steps[i].loss, b.steps[i].loss);
    QCOMPARE(a.steps[0].bytesSent, 0);
    QCOMPARE(a.end.mirrorsIdentical, std::nullopt);
  }

  void evaluationIsExactlyOneDevices_data() { addRows(); }
  void evaluationIsExactlyOneDevices() {
    QFETCH(QString, name);
    RunConfig config = rowConfig(name);
    Telemetry telemetry;
    Trainer trainer(config, digits_, telemetry);
    for (int i = 0; i < 3; ++i) trainer.step();
    const EvalMetric distributed = trainer.evaluate();

    const QTemporaryDir folder;
    const std::string file = folder.path().toStdString() + "/weights.safetensors";
    writeSafetensors(file, weightsToTensors(cnnLayout(), trainer.weights()));
    RunConfig single = configOf(with(kShort, {{"strategy", "one-device"}, {"init", file}}));
    if (config.strategy == StrategyKind::Tpu) single.matmul = MatmulChoice::Bfloat16;
    Trainer alone(single, digits_, telemetry);
    const EvalMetric one = alone.evaluate();
    QCOMPARE(distributed.testAccuracy, one.testAccuracy);
    QCOMPARE(distributed.testLoss, one.testLoss);
    QVERIFY(one.testAccuracy > 0);
  }

  void tpuIsCloseToFloat32AndNotEqual() {
    const Settings settings = with(kShort, {{"strategy", "tpu"}});
    const Outcome bfloat16 = train(configOf(settings), digits_);
    const Outcome float32 = train(configOf(with(settings, {{"matmul", "float32"}})), digits_);
    for (std::size_t i = 0; i < bfloat16.steps.size(); ++i) {
      QVERIFY(bfloat16.steps[i].loss != float32.steps[i].loss);
      QVERIFY(std::abs(bfloat16.steps[i].loss / float32.steps[i].loss - 1) < 0.02);
    }
  }

  void tpuStartsInOrder() {
    Telemetry telemetry;
    const Trainer trainer(configOf(with(kShort, {{"strategy", "tpu"}})), digits_, telemetry);
    std::vector<Span> spans;
    telemetry.drainSpans(spans);
    std::vector<std::string> startup;
    for (const Span& span : spans)
      if (span.kind == SpanKind::Startup) startup.push_back(trainer.info().legend.labels[span.label]);
    QCOMPARE(startup, (std::vector<std::string>{"resolve cluster", "connect to cluster", "initialise TPU system",
                                                "construct strategy", "create variables"}));
  }

  // ---- where variables live

  void centralStorageKeepsOneCopy() {
    Telemetry telemetry;
    Trainer several(configOf(with(kShort, {{"strategy", "central-storage"}, {"replicas", "3"}})), digits_, telemetry);
    QCOMPARE(several.cluster().parameterDevices(), 1);
    QCOMPARE(several.cluster().parameterDevice(0).variables.slotValues.size(), std::size_t{2});
    for (int r = 0; r < 3; ++r) QVERIFY(several.cluster().replica(r).variables.slotValues.empty());
    several.step();
    // Weights down to three devices and gradients up from them, through the host.
    for (const Metric& metric : telemetry.takeMetrics())
      if (const auto* step = std::get_if<StepMetric>(&metric)) QCOMPARE(step->bytesSent, 6 * 1388584);

    Trainer one(configOf(with(kShort, {{"strategy", "central-storage"}, {"replicas", "1"}})), digits_, telemetry);
    QCOMPARE(one.cluster().parameterDevices(), 0);
    QCOMPARE(one.cluster().replica(0).variables.slotValues.size(), std::size_t{2});
    one.step();
    for (const Metric& metric : telemetry.takeMetrics())
      if (const auto* step = std::get_if<StepMetric>(&metric)) QCOMPARE(step->bytesSent, 0);
  }

  void serversHoldVariablesRoundRobin() {
    const auto names = [](const std::vector<VariablePart>& parts) {
      std::vector<std::string> all;
      for (const VariablePart& part : parts) all.push_back(part.name);
      return all;
    };
    // The reference's §4.5: with two servers and no partitioner ps0 holds the three kernels.
    const auto plain = placeVariables(cnnLayout(), {}, 2);
    QCOMPARE(names(plain[0]), (std::vector<std::string>{"conv2d/kernel", "dense/kernel", "dense_1/kernel"}));
    QCOMPARE(names(plain[1]), (std::vector<std::string>{"conv2d/bias", "dense/bias", "dense_1/bias"}));
    const auto cut = placeVariables(cnnLayout(), parsePartitioner("fixed:2"), 2);
    std::int64_t first = 0, second = 0;
    for (const VariablePart& part : cut[0]) first += part.count;
    for (const VariablePart& part : cut[1]) second += part.count;
    QCOMPARE(first + second, 347146);
    QVERIFY(std::abs(first - second) < 1000);

    using Rows = std::vector<std::int64_t>;
    QCOMPARE(shardRows(parsePartitioner("fixed:4"), 10, 4, 1), (Rows{3, 3, 2, 2}));
    QCOMPARE(shardRows(parsePartitioner("fixed:5"), 13, 4, 1), (Rows{3, 3, 3, 2, 2}));
    QCOMPARE(shardRows(parsePartitioner("fixed:5"), 2, 4, 1), (Rows{1, 1}));
    QCOMPARE(shardRows(parsePartitioner("max-size:100"), 10, 40, 1), (Rows{2, 2, 2, 2, 2}));
    QCOMPARE(shardRows(parsePartitioner("max-size:1"), 3, 40, 1), (Rows{1, 1, 1}));
    QCOMPARE(shardRows(parsePartitioner("min-size:100"), 10, 40, 8), (Rows{3, 3, 2, 2}));
    QCOMPARE(shardRows(parsePartitioner("min-size:100"), 10, 40, 3), (Rows{4, 3, 3}));
    for (const char* bad : {"fixed", "fixed:", "fixed:0", "fixed:-1", "fixed:x", "none:3", "", "max-size:1e3"})
      QVERIFY_THROWS_EXCEPTION(UserError, parsePartitioner(bad));

    Telemetry telemetry;
    Trainer trainer(configOf({{"strategy", "parameter-server"}, {"parameter-servers", "2"}}), digits_, telemetry);
    QCOMPARE(trainer.cluster().parameterDevice(0).size(), 347146 - 106);
    QCOMPARE(trainer.cluster().parameterDevice(1).size(), 106);
    QVERIFY(trainer.cluster().replica(0).variables.slotValues.empty());
  }

  // ---- parameter server

  void oneWorkerEqualsOneDevice() {
    for (const std::string servers : {"1", "3"}) {
      const Outcome server = train(configOf({{"strategy", "parameter-server"},
                                             {"replicas", "1"},
                                             {"parameter-servers", servers},
                                             {"batch-per-replica", "48"},
                                             {"steps", "12"}}),
                                   digits_);
      const Outcome one =
          train(configOf({{"strategy", "one-device"}, {"global-batch", "48"}, {"steps", "12"}}), digits_);
      QVERIFY(sameBits(server.weights, one.weights));
      for (std::size_t i = 0; i < one.steps.size(); ++i) {
        QCOMPARE(server.steps[i].loss, one.steps[i].loss);
        QCOMPARE(*server.steps[i].staleness, 0);
      }
    }
  }

  void equalWorkersSeeTheOthersUpdates_data() {
    QTest::addColumn<int>("workers");
    QTest::addColumn<QString>("devices");
    for (const int workers : {2, 4, 7})
      for (const char* devices : {"simulated", "cpu"})
        QTest::addRow("%d workers, %s", workers, devices) << workers << QString(devices);
  }
  void equalWorkersSeeTheOthersUpdates() {
    QFETCH(int, workers);
    QFETCH(QString, devices);
    const Outcome outcome = train(configOf({{"strategy", "parameter-server"},
                                            {"replicas", std::to_string(workers)},
                                            {"devices", devices.toStdString()},
                                            {"batch-per-replica", "8"},
                                            {"steps", "100"},
                                            {"eval-every", "0"}}),
                                  digits_);
    double sum = 0;
    std::map<int, int> turns;
    for (const StepMetric& step : outcome.steps) {
      sum += static_cast<double>(*step.staleness);
      ++turns[*step.worker];
    }
    QVERIFY(std::abs(sum / 100 - (workers - 1)) < 0.2);
    for (int w = 0; w < workers; ++w) QVERIFY(std::abs(turns[w] - 100 / workers) <= 1);
  }

  void aSlowWorkerUpdatesLessAndSeesMore() {
    const Outcome outcome = train(configOf({{"strategy", "parameter-server"},
                                            {"replicas", "4"},
                                            {"host-link", "ib_ndr"},
                                            {"slow", "2:8"},
                                            {"batch-per-replica", "64"},
                                            {"steps", "120"},
                                            {"eval-every", "0"}}),
                                  digits_);
    std::map<int, double> turns, staleness;
    for (const StepMetric& step : outcome.steps) {
      ++turns[*step.worker];
      staleness[*step.worker] += static_cast<double>(*step.staleness);
    }
    QVERIFY(turns[2] > 0 && turns[2] * 2 < turns[0]);
    QVERIFY(staleness[2] / turns[2] > 2 * staleness[0] / turns[0]);
  }

  // The recorded pulls and pushes, replayed in float64: every pull copies a server's share as it then is, every push
  // applies the gradients of what the worker had pulled.
  void replayingPullsAndPushesGivesTheWeights_data() {
    QTest::addColumn<int>("servers");
    QTest::addColumn<QString>("partitioner");
    QTest::newRow("one server") << 1 << "none";
    QTest::newRow("two servers") << 2 << "none";
    QTest::newRow("two servers, cut") << 2 << "fixed:2";
  }
  void replayingPullsAndPushesGivesTheWeights() {
    QFETCH(int, servers);
    QFETCH(QString, partitioner);
    RunConfig config = configOf({{"strategy", "parameter-server"},
                                 {"replicas", "3"},
                                 {"parameter-servers", std::to_string(servers)},
                                 {"partitioner", partitioner.toStdString()},
                                 {"batch-per-replica", "10"},
                                 {"steps", "14"},
                                 {"slow", "1:2.5"},
                                 {"eval-every", "0"}});
    std::vector<std::vector<std::int64_t>> batchesOfStep;
    Telemetry telemetry(std::size_t{1} << 20);
    Trainer trainer(config, digits_, telemetry);
    std::vector<Span> spans;
    telemetry.requestSnapshot();
    while (!trainer.finished()) {
      trainer.step();
      batchesOfStep.push_back(telemetry.takeSnapshot()->shards[0]);
      telemetry.requestSnapshot();
    }
    telemetry.drainSpans(spans);

    const auto initial = initialWeights(resolveConfig(config));
    const auto tensorsOf = [](std::span<const float> weights) {
      NamedTensors named;
      for (const auto& [name, tensor] : weightsToTensors(cnnLayout(), weights).tensors) named[name] = tensor.values;
      return toDouble(named);
    };
    // Flat float64 state per server share, moved by the spans in the order in which they were recorded.
    const auto parts = placeVariables(cnnLayout(), parsePartitioner(config.partitioner), servers);
    DoubleTensors central = tensorsOf(initial);
    std::vector<DoubleTensors> pulled(3, central), gradients(3);
    std::vector<int> pullsLeft(3, servers), pushesLeft(3, 0);
    std::vector<DoubleOptimizer> optimizers(static_cast<std::size_t>(servers), {"adam", 0.001, 0, {}, {}});
    std::vector<std::int64_t> versions(static_cast<std::size_t>(servers), 0);
    // Which batch a worker computes next: the order of its own updates.
    std::vector<std::deque<std::vector<std::int64_t>>> batches(3);
    std::vector<StepMetric> steps;
    for (const Metric& metric : telemetry.takeMetrics())
      if (const auto* step = std::get_if<StepMetric>(&metric)) steps.push_back(*step);
    for (std::size_t i = 0; i < steps.size(); ++i)
      batches[static_cast<std::size_t>(*steps[i].worker)].push_back(batchesOfStep[i]);

    const auto forPart = [](const VariablePart& part, const auto& body) {
      for (const Variable& variable : cnnLayout().variables())
        if (part.offset >= variable.offset && part.offset < variable.offset + variable.size)
          body(variable.name, part.offset - variable.offset, part.count);
    };
    std::size_t updates = 0;
    for (const Span& span : spans) {
      if (span.kind != SpanKind::Transfer || updates == steps.size()) continue;
      const bool pull = span.from >= 3;
      const auto server = static_cast<std::size_t>((pull ? span.from : span.to) - 3);
      const auto worker = static_cast<std::size_t>(pull ? span.to : span.from);
      if (pull) {
        for (const VariablePart& part : parts[server])
          forPart(part, [&](const std::string& name, std::int64_t at, std::int64_t count) {
            std::copy_n(central[name].begin() + at, count, pulled[worker][name].begin() + at);
          });
        if (--pullsLeft[worker] > 0) continue;
        pullsLeft[worker] = servers;
        if (batches[worker].empty()) continue;  // its push comes after the last recorded update
        const std::vector<std::int64_t> batch = batches[worker].front();
        batches[worker].pop_front();
        std::vector<double> images;
        std::vector<std::uint8_t> labels;
        for (const std::int64_t example : batch) {
          for (int i = 0; i < 784; ++i) images.push_back(digits_->train.image(example)[i] / 255.0);
          labels.push_back(digits_->train.labels[static_cast<std::size_t>(example)]);
        }
        DoubleTensors& gradient = gradients[worker];
        gradient = pulled[worker];
        for (auto& [name, values] : gradient) std::ranges::fill(values, 0.0);
        const auto n = std::ssize(batch);
        (void)runNetwork(pulled[worker], n, images.data(), labels.data(), 1.0 / static_cast<double>(n), &gradient);
        pushesLeft[worker] = servers;
      } else {
        // A server knows only its own parts.
        DoubleTensors weights, gradient;
        for (const VariablePart& part : parts[server])
          forPart(part, [&](const std::string& name, std::int64_t at, std::int64_t count) {
            auto& from = gradients[worker][name];
            gradient[part.name].assign(from.begin() + at, from.begin() + at + count);
            weights[part.name].assign(central[name].begin() + at, central[name].begin() + at + count);
          });
        optimizers[server].apply(++versions[server], gradient, weights);
        for (const VariablePart& part : parts[server])
          forPart(part, [&](const std::string& name, std::int64_t at, std::int64_t count) {
            std::copy_n(weights[part.name].begin(), count, central[name].begin() + at);
          });
        if (--pushesLeft[worker] == 0) {
          QCOMPARE(static_cast<int>(worker), *steps[updates].worker);
          ++updates;
        }
      }
    }
    QCOMPARE(updates, steps.size());
    const std::vector<float> final = trainer.weights();
    double worst = 0;
    for (const Variable& variable : cnnLayout().variables())
      for (std::int64_t i = 0; i < variable.size; ++i)
        worst = std::max(worst, std::abs(central[variable.name][static_cast<std::size_t>(i)] -
                                         final[static_cast<std::size_t>(variable.offset + i)]));
    // Adam moves a weight by up to 0.001 an update; float32 rounding shows only where a gradient is nearly zero.
    QVERIFY2(worst < 2e-4, qPrintable(QString("largest difference %1").arg(worst)));
  }

  // ---- time

  void stepsAreMadeOfComputationAndCommunication() {
    const Outcome outcome = train(configOf(with(kShort, {{"strategy", "mirrored"}, {"replicas", "4"}})), digits_);
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
    const Settings settings = with(kShort, {{"strategy", "mirrored"}, {"replicas", "4"}});
    const Outcome even = train(configOf(settings), digits_);
    const Outcome slow = train(configOf(with(settings, {{"slow", "2:3"}})), digits_);
    QVERIFY(sameBits(even.weights, slow.weights));
    QVERIFY(slow.steps[1].stepNs > even.steps[1].stepNs * 3 / 2);
    std::map<int, std::int64_t> waited;
    for (const Span& span : slow.spans)
      if (span.kind == SpanKind::Wait && span.lane < 4) waited[span.lane] += span.durationNs;
    QVERIFY(waited[0] > 5 * waited[2] && waited[1] > 5 * waited[2]);
  }

  void spansOfALaneDoNotOverlap_data() { addRows(); }
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

QTEST_GUILESS_MAIN(TestStrategies)
#include "tst_strategies.moc"

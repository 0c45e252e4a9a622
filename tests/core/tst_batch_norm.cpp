// SPDX-License-Identifier: GPL-3.0-or-later
// Batch normalisation under strategies: replicas' own statistics differ, synchronised ones equal one device's. Which
// statistics are mirrored, saved, resumed and refused. Dropout of the global batch, whatever the number of replicas.
#include <QTemporaryDir>
#include <QTest>

#include <cmath>
#include <filesystem>
#include <fstream>

#include "core/base/error.h"
#include "core/cluster/cluster.h"
#include "core/keras/keras_json.h"
#include "core/model/safetensors.h"
#include "core/options/network_of.h"
#include "core/options/resolve.h"
#include "core/replay/recompute.h"
#include "tests/support/patience.h"
#include "tests/support/records.h"
#include "tests/support/training.h"

using namespace lab;
using namespace lab::test;

namespace {

using Kind = NetworkLayer::Kind;
namespace fs = std::filesystem;

NeuralNetwork normed(bool synchronized) {
  return {"normed",
          {28, 28, 1},
          {{.kind = Kind::Conv2D, .name = "conv2d", .units = 6, .side = 3, .strideY = 2, .strideX = 2, .bias = false},
           {.kind = Kind::BatchNorm, .name = "batch_normalization", .momentum = 0.9, .synchronized = synchronized},
           {.kind = Kind::Activation, .name = "re_lu", .relu = true},
           {.kind = Kind::AveragePool2D, .name = "average_pooling2d", .side = 2},
           {.kind = Kind::Flatten, .name = "flatten"},
           {.kind = Kind::Dense, .name = "dense", .units = 10}}};
}

NeuralNetwork dropping() {
  return {"dropping",
          {28, 28, 1},
          {{.kind = Kind::Flatten, .name = "flatten"},
           {.kind = Kind::Dense, .name = "dense", .units = 24, .relu = true},
           {.kind = Kind::Dropout, .name = "dropout", .rate = 0.5},
           {.kind = Kind::Dense, .name = "dense_1", .units = 10}}};
}

const Settings kFew{{"dataset", "digits"}, {"train-examples", "256"}, {"test-examples", "64"}, {"global-batch", "32"},
                    {"steps", "6"},        {"learning-rate", "0.05"}, {"optimizer", "sgd"},    {"shuffle-buffer", "0"},
                    {"eval-every", "0"},   {"threads", "2"}};

}  // namespace

class TestBatchNorm : public QObject {
  Q_OBJECT

  QTemporaryDir folder_;

  RunSettings config(const NeuralNetwork& network, const Settings& more) const {
    const fs::path file = fs::path(folder_.path().toStdString()) / (network.key() + ".json");
    std::ofstream(file) << kerasJson(network);
    return configOf(with(with(kFew, {{"network", file.string()}}), more));
  }

  struct Run {
    Outcome outcome;
    std::vector<std::vector<float>> statistics;  // per replica
  };
  Run run(const RunSettings& config) const {
    Run result;
    result.outcome = train(config, openDataset(config), [&](Trainer& trainer) {
      result.statistics.clear();
      for (int r = 0; r < trainer.cluster().replicas(); ++r) {
        const auto values = trainer.cluster().replica(r).variables.statistics.span();
        result.statistics.emplace_back(values.begin(), values.end());
      }
    });
    return result;
  }

 private slots:
  void ownStatisticsDifferAndSynchronisedOnesAreOneDevices() {
    const Settings two{{"strategy", "mirrored"}, {"replicas", "2"}, {"devices", "cpu"}};
    const Run one = run(config(normed(false), {{"strategy", "one-device"}, {"devices", "cpu"}}));
    const Run own = run(config(normed(false), two)), together = run(config(normed(true), two));
    QVERIFY(relativeDistance(one.outcome.weights, together.outcome.weights) < 1e-5);
    QVERIFY(relativeDistance(one.outcome.weights, own.outcome.weights) > 1e-4);
    QVERIFY(own.statistics[0] != own.statistics[1]);
    QVERIFY(together.statistics[0] == together.statistics[1]);
    QVERIFY(relativeDistance(one.statistics[0], together.statistics[0]) < 1e-5);
    // The trained variables are mirrored in both cases.
    QVERIFY(own.outcome.end.mirrorsIdentical.value() && together.outcome.end.mirrorsIdentical.value());
    // With equal shares, the mean of two replicas' own moving means is the moving mean over all examples.
    QVERIFY(std::abs(own.statistics[0][6] - one.statistics[0][6]) < 0.1F);
  }

  // Simulated devices give the same bits, and the exchange takes time: two of them in each step, on the links.
  void whatTheExchangeTakesIsModelled() {
    for (const char* strategy : {"mirrored", "multi-worker-mirrored", "tpu", "central-storage"}) {
      const Settings four{{"strategy", strategy}, {"replicas", "4"}, {"matmul", "float32"}};
      const Run own = run(config(normed(false), four)), together = run(config(normed(true), four));
      const Run one = run(config(normed(false), {{"strategy", "one-device"}}));
      QVERIFY2(relativeDistance(one.outcome.weights, together.outcome.weights) < 1e-5, strategy);
      QVERIFY(together.statistics[0] == together.statistics[3]);
      // Central storage has one variable for all replicas.
      QCOMPARE(own.statistics[0] == own.statistics[3], strategy == std::string("central-storage"));
      const StepMetric &without = own.outcome.steps.back(), &with = together.outcome.steps.back();
      QVERIFY2(with.stepNs > without.stepNs && with.communicationNs > without.communicationNs, strategy);
    }
  }

  void aRecordHasTheSumsOnTheirWayAndEachReplicasStatistics() {
    const RunSettings settings = config(normed(true), {{"strategy", "mirrored"}, {"replicas", "3"}});
    Telemetry telemetry;
    Trainer trainer(resolve(settings), openDataset(settings), telemetry);
    trainer.step();
    const auto record = recordedStep(trainer, telemetry);
    int parts = 0;
    std::int64_t carried = 0;
    for (const Span& span : record->spans) {
      QVERIFY(isValid(span, trainer.info().legend));
      if (span.label != labelOf(Label::ExchangeSums)) continue;
      if (span.kind == SpanKind::Reduce) ++parts;
      if (span.kind == SpanKind::Transfer) carried += span.bytes;
    }
    QCOMPARE(parts, 2 * 3);
    QCOMPARE(carried, std::int64_t{2 * 4 * (3 - 1) * 2 * 13});  // ring: each element 2 (n − 1) times; 2 exchanges
    for (int r = 0; r < 3; ++r) {
      const auto values = trainer.cluster().replica(r).variables.statistics.span();
      QVERIFY(std::ranges::equal(record->replicas[static_cast<std::size_t>(r)].statistics, values));
    }
  }

  // Recomputed from the beginning of the run; on the way, all replicas share one copy of the weights.
  void stepsAreRecomputedWithEachReplicasStatistics() {
    for (const bool synchronized : {false, true}) {
      const RunSettings settings = config(normed(synchronized), {{"strategy", "mirrored"}, {"replicas", "3"}});
      Telemetry telemetry;
      Trainer trainer(resolve(settings), openDataset(settings), telemetry);
      const auto info = std::make_shared<const RunInfo>(trainer.info());
      const auto history = std::make_shared<StateHistory>(std::int64_t{1} << 30);
      history->keep(std::make_shared<const Checkpoint>(trainer.saveState()));
      std::vector<RecordPointer> records;
      while (!trainer.finished()) records.push_back(recordedStep(trainer, telemetry));
      Recomputer recomputer(info, history);
      for (const std::size_t step : {5U, 2U}) {
        recomputer.request(static_cast<std::int64_t>(step));
        QTRY_VERIFY_WITH_TIMEOUT(!recomputer.busy(), kPatienceMs);
        const auto record = recomputer.take();
        QVERIFY(record != nullptr);
        const QString different = difference(*record, *records[step - 1]);
        QVERIFY2(different.isEmpty(), qPrintable(different));
      }
    }
  }

  // There is one moving mean for all; its new value is the mean of the values that the replicas would give it.
  void centralStorageHasOneOfEach() {
    const Settings one{{"replicas", "3"}, {"steps", "1"}};
    const Run mirrored = run(config(normed(false), with(one, {{"strategy", "mirrored"}})));
    const Run central = run(config(normed(false), with(one, {{"strategy", "central-storage"}})));
    for (std::size_t i = 0; i < central.statistics[0].size(); ++i) {
      double sum = 0;
      for (const auto& own : mirrored.statistics) sum += static_cast<double>(own[i]);
      for (const auto& each : central.statistics) QCOMPARE(each[i], static_cast<float>(sum / 3));
    }
    // With one device the moving mean is that device's, and nothing is averaged.
    const Run alone = run(config(normed(false), {{"strategy", "central-storage"}, {"replicas", "1"}}));
    const Run device = run(config(normed(false), {{"strategy", "one-device"}}));
    QVERIFY(alone.statistics == device.statistics && sameBits(alone.outcome.weights, device.outcome.weights));
  }

  RunSettings serversConfig(const Settings& more) const {
    RunSettings settings = config(normed(false), with({{"strategy", "parameter-server"}}, more));
    settings.globalBatch.reset();
    settings.batchPerReplica = 32;
    return settings;
  }

  // Placed in turn with all other variables, in the order in which Keras creates them: gamma, beta, moving mean, moving
  // variance.
  void serversHoldMovingStatistics() {
    const RunSettings settings = serversConfig({{"replicas", "2"}, {"parameter-servers", "3"}});
    Telemetry telemetry;
    Trainer trainer(resolve(settings), openDataset(settings), telemetry);
    const auto held = [&](int server) {
      QStringList names;
      for (const auto* parts :
           {&trainer.cluster().parameterDevice(server).parts(), &trainer.cluster().parameterDevice(server).moving()})
        for (const VariablePart& part : *parts) names << QString::fromStdString(part.name);
      return names.join(' ');
    };
    QCOMPARE(held(0), QStringLiteral("conv2d/kernel dense/bias batch_normalization/moving_mean"));
    QCOMPARE(held(1), QStringLiteral("batch_normalization/gamma batch_normalization/moving_variance"));
    QCOMPARE(held(2), QStringLiteral("batch_normalization/beta dense/kernel"));
    QCOMPARE(trainer.info().movingShards[0].front().count, std::int64_t{6});
    // The statistics travel both ways, together with the trained variables.
    telemetry.requestRecord();
    trainer.step();
    trainer.step();
    const RecordPointer record = telemetry.takeRecord();
    const std::int64_t all = 4 * (trainer.cluster().layout().size() + 12);
    std::int64_t pulled = 0;
    for (const Span& span : record->spans)
      if (span.kind == SpanKind::Transfer && span.label == labelOf(Label::PullWeights) && span.to == 0 &&
          span.step == 1)
        pulled += span.bytes;
    QCOMPARE(pulled, all);
    QVERIFY(record->statistics == trainer.cluster().movingStatistics().values() || record->metric.step == 1);
  }

  // One worker equals one device; with two, the last one's values stay, and what was written in between is lost.
  void theLastWorkersValuesStand() {
    const Run one = run(serversConfig({{"replicas", "1"}}));
    const Run device = run(config(normed(false), {{"strategy", "one-device"}}));
    QVERIFY(sameBits(one.outcome.weights, device.outcome.weights));
    QVERIFY(one.statistics == device.statistics);

    const RunSettings settings = serversConfig({{"replicas", "2"}, {"steps", "3"}});
    Telemetry telemetry;
    Trainer trainer(resolve(settings), openDataset(settings), telemetry);
    std::vector<float> initial = trainer.cluster().movingStatistics().values(), first;
    for (int step = 0; step < 2; ++step) {
      trainer.step();
      const std::vector<float> now = trainer.cluster().movingStatistics().values();
      if (step == 0) first = now;
      std::optional<int> worker;
      for (const Metric& metric : telemetry.takeMetrics())
        if (const auto* of = std::get_if<StepMetric>(&metric)) worker = of->worker;
      const auto own = trainer.cluster().replica(worker.value()).variables.statistics.span();
      QVERIFY(std::ranges::equal(now, own));
      QVERIFY(now != initial);
    }
    // Both pulled the initial values and had the same batch, so the second does not see what the first has written.
    QVERIFY(trainer.cluster().movingStatistics().values() == first);
    trainer.step();
    QVERIFY(trainer.cluster().movingStatistics().values() != first);
  }

  void serversStatisticsAreResumedEvaluatedAndRecomputed() {
    const RunSettings settings = serversConfig({{"replicas", "3"}, {"parameter-servers", "2"}});
    const auto data = openDataset(settings);
    Telemetry telemetry;
    Trainer whole(resolve(settings), data, telemetry), half(resolve(settings), data, telemetry),
        rest(resolve(settings), data, telemetry);
    const auto info = std::make_shared<const RunInfo>(whole.info());
    const auto history = std::make_shared<StateHistory>(std::int64_t{1} << 30);
    history->keep(std::make_shared<const Checkpoint>(whole.saveState()));
    for (int i = 0; i < 3; ++i) half.step();
    rest.loadState(half.saveState());
    std::vector<RecordPointer> records;
    for (int i = 0; i < 6; ++i) records.push_back(recordedStep(whole, telemetry));
    for (int i = 0; i < 3; ++i) rest.step();
    QVERIFY(sameBits(whole.weights(), rest.weights()));
    QVERIFY(whole.cluster().movingStatistics().values() == rest.cluster().movingStatistics().values());
    const double loss = whole.evaluate().testLoss;
    QCOMPARE(loss, rest.evaluate().testLoss);
    // The evaluation uses the servers' statistics, not a worker's.
    rest.cluster().movingStatistics().set(std::vector<float>(12, 1.0F));
    QVERIFY(loss != rest.evaluate().testLoss);
    Recomputer recomputer(info, history);
    for (const std::size_t step : {5U, 2U}) {
      recomputer.request(static_cast<std::int64_t>(step));
      QTRY_VERIFY_WITH_TIMEOUT(!recomputer.busy(), kPatienceMs);
      const auto record = recomputer.take();
      QVERIFY(record != nullptr);
      const QString different = difference(*record, *records[step - 1]);
      QVERIFY2(different.isEmpty(), qPrintable(different));
    }
  }

  // A branch of a mirrored run starts with replica 0's statistics, which a checkpoint of TensorFlow contains.
  void aBranchUnderCentralStorageBeginsWithTheFirstReplicas() {
    const RunSettings settings = config(normed(false), {{"strategy", "mirrored"}, {"replicas", "2"}});
    const auto data = openDataset(settings);
    Telemetry telemetry;
    Trainer parent(resolve(settings), data, telemetry);
    for (int i = 0; i < 3; ++i) parent.step();
    const Checkpoint state = parent.saveState();
    RunSettings other = settings;
    other.strategy = StrategyKind::CentralStorage;
    other.reducer = Reducer::Auto;
    Trainer branch(resolve(other), data, telemetry,
                   {{.parent = {}, .config = parent.info().config.asked(), .step = 4}});
    branch.startFrom(state);
    for (int r = 0; r < 2; ++r) {
      const auto values = branch.cluster().replica(r).variables.statistics.span();
      QVERIFY(std::ranges::equal(values, parent.cluster().replica(0).variables.statistics.span()));
    }
    branch.step();
    QVERIFY(branch.cluster().movingStatistics().values() != parent.cluster().movingStatistics().values());
  }

  void synchronisedCopiesKeepTheSameBitsOnAnyThreads() {
    const Settings three{{"strategy", "mirrored"}, {"replicas", "3"}, {"devices", "cpu"}};
    const Run one = run(config(normed(true), with(three, {{"threads", "1"}})));
    const Run two = run(config(normed(true), with(three, {{"threads", "2"}})));
    QVERIFY(sameBits(one.outcome.weights, two.outcome.weights));
    QVERIFY(one.statistics == two.statistics);
  }

  void everyReplicasStatisticsAreResumed_data() {
    QTest::addColumn<QString>("strategy");
    for (const char* strategy : {"central-storage", "gossip"}) QTest::addRow("%s", strategy) << strategy;
  }
  void everyReplicasStatisticsAreResumed() {
    QFETCH(QString, strategy);
    const RunSettings settings =
        config(normed(false), {{"strategy", strategy.toStdString()}, {"replicas", "2"}, {"devices", "simulated"}});
    const auto data = openDataset(settings);
    Telemetry telemetry;
    Trainer whole(resolve(settings), data, telemetry), half(resolve(settings), data, telemetry),
        rest(resolve(settings), data, telemetry);
    for (int i = 0; i < 3; ++i) half.step();
    rest.loadState(half.saveState());
    for (int i = 0; i < 6; ++i) whole.step();
    for (int i = 0; i < 3; ++i) rest.step();
    QVERIFY(sameBits(whole.weights(), rest.weights()));
    for (int r = 0; r < 2; ++r) {
      const auto a = whole.cluster().replica(r).variables.statistics.span();
      const auto b = rest.cluster().replica(r).variables.statistics.span();
      QVERIFY(std::ranges::equal(a, b));
    }
    // If each replica keeps its own statistics, the first replica's are evaluated.
    const auto first = whole.cluster().replica(0).variables.statistics.span(),
               second = whole.cluster().replica(1).variables.statistics.span();
    if (strategy == QLatin1String("gossip")) {
      QVERIFY(!std::ranges::equal(first, second));
      QVERIFY(std::ranges::equal(first, whole.cluster().movingStatistics().values()));
    }
    QCOMPARE(whole.evaluate().testLoss, rest.evaluate().testLoss);
  }

  void savedStatisticsAreTakenUp() {
    const std::string file = (fs::path(folder_.path().toStdString()) / "weights.safetensors").string();
    const Run first = run(config(normed(false), {{"save", file}, {"devices", "cpu"}}));
    const TensorFile saved = readSafetensors(file);
    QVERIFY(saved.tensors.contains("batch_normalization/moving_variance"));
    QVERIFY(saved.tensors.contains("batch_normalization/gamma"));
    const RunSettings again = config(normed(false), {{"init", file}});
    Telemetry telemetry;
    Trainer trainer(resolve(again), openDataset(again), telemetry);
    const auto values = trainer.cluster().replica(1).variables.statistics.span();
    QVERIFY(std::ranges::equal(values, first.statistics[0]));
    QVERIFY(sameBits(trainer.weights(), first.outcome.weights));
  }

  void dropoutIsTheSameForAnyNumberOfReplicas() {
    const Run one = run(config(dropping(), {{"strategy", "one-device"}}));
    for (const char* replicas : {"2", "4"}) {
      const Run more = run(config(dropping(), {{"strategy", "mirrored"}, {"replicas", replicas}}));
      QVERIFY(relativeDistance(one.outcome.weights, more.outcome.weights) < 1e-6);
    }
    const Run other = run(config(dropping(), {{"strategy", "one-device"}, {"seed", "2"}}));
    QVERIFY(relativeDistance(one.outcome.weights, other.outcome.weights) > 1e-3);
    const Run servers =
        run(configOf(with({{"strategy", "parameter-server"}, {"replicas", "2"}},
                          {{"network", (fs::path(folder_.path().toStdString()) / "dropping.json").string()},
                           {"dataset", "digits"},
                           {"steps", "6"},
                           {"test-examples", "64"}})));
    QCOMPARE(servers.outcome.steps.size(), std::size_t{6});
  }

  void whatIsNotComputedIsRefused() {
    const auto refused = [&](const RunSettings& settings, const char* what) {
      try {
        (void)resolve(settings);
      } catch (const UserError& error) {
        return QString::fromUtf8(error.what()).contains(what);
      }
      return false;
    };
    QVERIFY(refused(config(normed(true), {{"strategy", "gossip"}}), "hears only from its neighbours"));
    QVERIFY(refused(configOf({{"strategy", "parameter-server"}, {"network", config(normed(true), {}).network}}),
                    "synchronized=False"));
    // Settings that are only modelled, never resolved, are refused too.
    const RunSettings gossip = config(normed(true), {{"strategy", "gossip"}});
    QVERIFY_EXCEPTION_THROWN(checkNetwork(gossip, false), UserError);
    QVERIFY_EXCEPTION_THROWN(checkNetwork(configOf({{"network", "cifar10"}, {"dataset", "mnist"}}), true), UserError);
    checkNetwork(configOf({{"network", "cifar10"}, {"dataset", "mnist"}}), false);
  }

  // The settings contain what the file held, so the file may be deleted.
  void aRunNeedsItsFileNoMore() {
    const ResolvedSettings resolved = resolve(config(dropping(), {}));
    fs::remove(resolved.network);
    QVERIFY(*networkOf(resolved) == dropping());
  }
};

QTEST_GUILESS_MAIN(TestBatchNorm)
#include "tst_batch_norm.moc"

// SPDX-License-Identifier: GPL-3.0-or-later
// Parameter server: where the variables are placed, who sees whose updates, and a whole run replayed in float64 from
// its recorded pulls and pushes.
#include <QTest>

#include <algorithm>
#include <bit>
#include <cmath>
#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <vector>

#include "core/base/error.h"
#include "core/cluster/cluster.h"
#include "core/cluster/dead_tasks.h"
#include "core/model/safetensors.h"
#include "core/options/resolve.h"
#include "core/strategy/placement.h"
#include "core/training/build.h"
#include "tests/support/cpu_path.h"
#include "tests/support/prepared_strategy.h"
#include "tests/support/reference_network.h"
#include "tests/support/training.h"

using namespace lab;
using namespace lab::test;

namespace {

// Eight examples for each step of a worker.
class AlwaysTheSame final : public StepInput {
 public:
  DistributedBatch next() override { return {}; }
  std::vector<std::int64_t> nextFor(int worker) override { return std::vector<std::int64_t>(8, worker); }
};

}  // namespace

class TestParameterServer : public QObject {
  Q_OBJECT

  std::shared_ptr<const Dataset> digits_ = fewDigits(230, 50);

  // Returns the cluster of four workers under a bound that no strategy has; below 0: none.
  static ClusterSettings boundedCluster(const ResolvedSettings& config, int bound) {
    ClusterSettings settings = clusterSettings(config);
    if (bound < 0) return settings;
    settings.turns.clocksAhead = bound;
    if (!settings.timing) return settings;
    const auto timing = std::make_shared<StepModel>(*settings.timing);
    timing->request.turns = settings.turns;
    settings.timing = timing;
    return settings;
  }
  static ResolvedSettings fourWorkers(const Settings& more) {
    return resolve(
        configOf(with({{"strategy", "parameter-server"}, {"replicas", "4"}, {"batch-per-replica", "8"}}, more)));
  }
  std::vector<StepResult> stepsOf(const ResolvedSettings& config, const ClusterSettings& settings, int count,
                                  const std::optional<RunFault>& fault = {}) const {
    Telemetry telemetry;
    Cluster cluster(settings, digits_, telemetry);
    const auto strategy = test::preparedStrategy(cluster, config);
    if (fault) cluster.setFault(*fault);
    AlwaysTheSame input;
    std::vector<StepResult> steps;
    for (std::int64_t step = 1; step <= count; ++step) {
      cluster.beginStep(step, 0.01);
      steps.push_back(strategy->step(cluster, input));
      (void)cluster.endStep();
    }
    return steps;
  }

 private slots:
  void initTestCase() { LAB_SKIP_WITHOUT_FORCED_CPU_PATH(); }

  void serversHoldVariablesRoundRobin() {
    const auto names = [](const std::vector<VariablePart>& parts) {
      std::vector<std::string> all;
      for (const VariablePart& part : parts) all.push_back(part.name);
      return all;
    };
    // core/strategy/README.md: with two servers and no partitioner, ps0 holds the three kernels.
    const auto plain = placeVariables(courseNetwork(), {}, 2);
    QCOMPARE(names(plain[0].trained), (std::vector<std::string>{"conv2d/kernel", "dense/kernel", "dense_1/kernel"}));
    QCOMPARE(names(plain[1].trained), (std::vector<std::string>{"conv2d/bias", "dense/bias", "dense_1/bias"}));
    const auto cut = placeVariables(courseNetwork(), parsePartitioner("fixed:2"), 2);
    std::int64_t first = 0, second = 0;
    for (const VariablePart& part : cut[0].trained) first += part.count;
    for (const VariablePart& part : cut[1].trained) second += part.count;
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
    Trainer trainer(resolve(configOf({{"strategy", "parameter-server"}, {"parameter-servers", "2"}})), digits_,
                    telemetry);
    QCOMPARE(trainer.cluster().parameterDevice(0).size(), 347146 - 106);
    QCOMPARE(trainer.cluster().parameterDevice(1).size(), 106);
    QVERIFY(trainer.cluster().replica(0).variables.slotValues.empty());
  }

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
                                            {"steps", "200"},
                                            {"eval-every", "0"}}),
                                  digits_);
    // The first closures begin together and so see fewer updates, which counts too.
    double sum = 0;
    std::map<int, int> turns;
    for (const StepMetric& step : outcome.steps) {
      sum += static_cast<double>(*step.staleness);
      ++turns[*step.worker];
    }
    QVERIFY(std::abs(sum / 200 - (workers - 1)) < 0.2);
    for (int w = 0; w < workers; ++w) QVERIFY(std::abs(turns[w] - 200 / workers) <= 1);
  }

  // Turns hold where time is measured too. Equal workers are at most one cycle apart: only a bound of 0 makes them
  // wait. All four then pull at once, and the last of them to push has missed the others' three updates.
  void measuredWorkersKeepTheirTurns() {
    for (const int bound : {-1, 0, 1}) {
      const ResolvedSettings config = fourWorkers({{"devices", "cpu"}});
      const std::vector<StepResult> steps = stepsOf(config, boundedCluster(config, bound), 24);
      for (std::size_t i = 4; i < steps.size(); ++i) {
        QCOMPARE(*steps[i].worker, static_cast<int>(i % 4));
        QCOMPARE(*steps[i].staleness, bound == 0 ? static_cast<std::int64_t>(i % 4) : 3);
      }
    }
  }

  // Under a bound, too, a run and the model of its steps agree on whose update comes when, and how stale.
  void aBoundedRunIsAsModelled() {
    std::set<std::vector<int>> orders;
    for (const int bound : {-1, 0, 1, 2}) {
      const ResolvedSettings config = fourWorkers({{"devices", "simulated"}, {"slow", "2:100"}});
      const ClusterSettings settings = boundedCluster(config, bound);
      StepRequest request = settings.timing->asked();
      request.batchPerReplica = 8;
      std::vector<int> order;
      for (const StepResult& step : stepsOf(config, settings, 30)) {
        order.push_back(*step.worker);
        request.step = std::ssize(order);
        const StepTiming modelled = simulateStep(request);
        QCOMPARE(modelled.worker, order.back());
        QCOMPARE(modelled.meanStaleness, static_cast<double>(*step.staleness));
      }
      orders.insert(order);
    }
    QCOMPARE(orders.size(), std::size_t{4});
  }

  // Under a bound, all wait once for a worker that dies: until its death is noticed.
  void theDeadAreWaitedForUntilTheyAreNoticed() {
    const std::int64_t noticeNs = faultNs("fault.reset_ms");
    for (const int bound : {-1, 0, 2}) {
      const RunFault fault{6, RunFault::Task::Worker, 2, RunFault::What::Kill};
      const ResolvedSettings config = fourWorkers({{"devices", "simulated"}});
      const std::vector<StepResult> steps = stepsOf(config, boundedCluster(config, bound), 60, fault);
      int waits = 0;
      for (std::size_t i = 5; i < steps.size(); ++i) {
        QVERIFY(*steps[i].worker != 2);
        waits += steps[i].doneNs - steps[i - 1].doneNs > noticeNs / 4 ? 1 : 0;
      }
      QCOMPARE(waits, bound >= 0 ? 1 : 0);
    }
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

  // Weights and gradients take half the bytes, and half the time if only the link takes time. A worker has bfloat16
  // values; the servers do not.
  // A single worker on a link ten times as slow takes ten times as long to send and receive; the others do not wait.
  void aWorkerHasALinkOfItsOwn() {
    const auto steps = [this](const Settings& more) {
      return train(configOf(with({{"strategy", "parameter-server"},
                                  {"network", "mlp"},
                                  {"steps", "60"},
                                  {"batch-per-replica", "8"},
                                  {"host-link", "eth_1g"}},
                                 more)),
                   digits_)
          .steps;
    };
    const auto alone = steps({{"replicas", "1"}}), slow = steps({{"replicas", "1"}, {"slow-link", "0:10"}});
    const double ratio =
        static_cast<double>(slow.back().communicationNs) / static_cast<double>(alone.back().communicationNs);
    QVERIFY2(ratio > 9 && ratio <= 10, qPrintable(QString::number(ratio)));
    std::map<int, int> pushes;
    for (const StepMetric& step : steps({{"replicas", "3"}, {"slow-link", "2:10"}})) ++pushes[*step.worker];
    QVERIFY(std::abs(pushes[0] - pushes[1]) <= 1 && pushes[0] > 3 * pushes[2] && pushes[2] > 0);
  }

  void aBfloat16WireHalvesTheBytes() {
    const auto upper = [](float value) { return std::bit_cast<std::uint32_t>(value) & 0xffffU; };
    std::map<std::string, std::int64_t> bytes, ns;
    std::map<std::string, std::vector<float>> weights;
    for (const std::string wire : {"float32", "bfloat16"}) {
      Telemetry telemetry;
      Trainer trainer(resolve(configOf({{"strategy", "parameter-server"},
                                        {"replicas", "2"},
                                        {"parameter-servers", "2"},
                                        {"host-link", "eth_1g"},
                                        {"batch-per-replica", "4"},
                                        {"wire", wire},
                                        {"steps", "6"},
                                        {"eval-every", "0"}})),
                      digits_, telemetry);
      while (!trainer.finished()) trainer.step();
      for (const Metric& metric : telemetry.takeMetrics())
        if (const auto* step = std::get_if<StepMetric>(&metric)) {
          bytes[wire] = step->bytesSent;
          ns[wire] = step->stepNs;
        }
      for (const float value : trainer.cluster().replica(0).variables.weights.span())
        if (wire == "bfloat16") QCOMPARE(upper(value), 0U);
      std::vector<float>& held = weights[wire];
      held.resize(347146);
      for (int s = 0; s < 2; ++s) trainer.cluster().parameterDevice(s).copyWeightsTo(held.data());
    }
    QCOMPARE(2 * bytes["bfloat16"], bytes["float32"]);
    const double share = static_cast<double>(ns["bfloat16"]) / static_cast<double>(ns["float32"]);
    QVERIFY2(share > 0.45 && share < 0.55, std::to_string(share).c_str());
    QVERIFY(std::ranges::count_if(weights["bfloat16"], [&](float value) { return upper(value) != 0; }) > 300'000);
    QVERIFY(!sameBits(weights["bfloat16"], weights["float32"]));
  }

  // The staleness rule only divides the rate of each update; a single worker's gradients are never stale.
  void theRateOverTheStaleness() {
    for (const std::string workers : {"1", "5"}) {
      RunSettings config = configOf({{"strategy", "parameter-server"},
                                     {"replicas", workers},
                                     {"parameter-servers", "2"},
                                     {"batch-per-replica", "8"},
                                     {"steps", "40"},
                                     {"eval-every", "0"}});
      const Outcome kept = train(config, digits_);
      config.lrScaling = LearningRateScaling::Staleness;
      const Outcome divided = train(config, digits_);
      QCOMPARE(sameBits(kept.weights, divided.weights), workers == "1");
      std::int64_t most = 0;
      for (std::size_t i = 0; i < divided.steps.size(); ++i) {
        const StepMetric& step = divided.steps[i];
        QCOMPARE(step.learningRate, 0.001 / static_cast<double>(std::max<std::int64_t>(1, *step.staleness)));
        QCOMPARE(*step.staleness, *kept.steps[i].staleness);
        most = std::max(most, *step.staleness);
      }
      QCOMPARE(most >= 4, workers == "5");
    }
  }

  // Replays the recorded pulls and pushes in float64: a pull copies a server's current share, a push applies the
  // gradients of the weights that the worker had pulled.
  void replayingPullsAndPushesGivesTheWeights_data() {
    QTest::addColumn<int>("servers");
    QTest::addColumn<QString>("partitioner");
    QTest::addColumn<QString>("rule");
    QTest::newRow("one server") << 1 << "none"
                                << "none";
    QTest::newRow("two servers") << 2 << "none"
                                 << "none";
    QTest::newRow("two servers, cut") << 2 << "fixed:2"
                                      << "none";
    QTest::newRow("one server, by staleness") << 1 << "none"
                                              << "staleness";
  }
  void replayingPullsAndPushesGivesTheWeights() {
    QFETCH(int, servers);
    QFETCH(QString, partitioner);
    QFETCH(QString, rule);
    RunSettings config = configOf({{"strategy", "parameter-server"},
                                   {"replicas", "3"},
                                   {"parameter-servers", std::to_string(servers)},
                                   {"partitioner", partitioner.toStdString()},
                                   {"batch-per-replica", "10"},
                                   {"steps", "14"},
                                   {"slow", "1:2.5"},
                                   {"lr-scaling", rule.toStdString()},
                                   {"eval-every", "0"}});
    std::vector<std::vector<std::int64_t>> batchesOfStep;
    Telemetry telemetry(std::size_t{1} << 20);
    Trainer trainer(resolve(config), digits_, telemetry);
    std::vector<Span> spans;
    telemetry.requestRecord();
    while (!trainer.finished()) {
      trainer.step();
      const auto record = telemetry.takeRecord();
      batchesOfStep.push_back(record->replicas[static_cast<std::size_t>(*record->metric.worker)].shard);
      telemetry.requestRecord();
    }
    telemetry.drainSpans(spans);

    const auto initial = initialWeights(resolve(config));
    const auto tensorsOf = [](std::span<const float> weights) {
      NamedTensors named;
      for (const auto& [name, tensor] : weightsToTensors(courseNetwork().layout(), weights).tensors)
        named[name] = tensor.values;
      return toDouble(named);
    };
    // Flat float64 state of each server's share, changed by the spans in the order in which they were recorded.
    const auto parts = placeVariables(courseNetwork(), parsePartitioner(config.partitioner), servers);
    DoubleTensors central = tensorsOf(initial);
    std::vector<DoubleTensors> pulled(3, central), gradients(3);
    std::vector<int> pullsLeft(3, servers), pushesLeft(3, 0);
    std::vector<DoubleOptimizer> optimizers(static_cast<std::size_t>(servers), {"adam", 0.001, 0, {}, {}});
    std::vector<std::int64_t> versions(static_cast<std::size_t>(servers), 0), seen(3, 0);  // seen: of server 0
    // The batch that a worker computes next, in the order of its own updates.
    std::vector<std::deque<std::vector<std::int64_t>>> batches(3);
    std::vector<StepMetric> steps;
    for (const Metric& metric : telemetry.takeMetrics())
      if (const auto* step = std::get_if<StepMetric>(&metric)) steps.push_back(*step);
    for (std::size_t i = 0; i < steps.size(); ++i)
      batches[static_cast<std::size_t>(*steps[i].worker)].push_back(batchesOfStep[i]);

    const auto forPart = [](const VariablePart& part, const auto& body) {
      for (const Variable& variable : courseNetwork().layout().variables())
        if (part.offset >= variable.offset && part.offset < variable.offset + variable.size)
          body(variable.name, part.offset - variable.offset, part.count);
    };
    std::size_t updates = 0;
    for (const Span& span : spans) {
      if (span.kind != SpanKind::Transfer || updates == steps.size()) continue;
      const bool pull = span.from >= 3;
      const auto server = static_cast<std::size_t>((pull ? span.from : span.to) - 3);
      const auto worker = static_cast<std::size_t>(pull ? span.to : span.from);
      // A message lies within the network: all of the server's share, from its lowest element on.
      std::int64_t lowest = courseNetwork().layout().size(), held = 0;
      for (const VariablePart& part : parts[server].trained) {
        lowest = std::min(lowest, part.offset);
        held += part.count;
      }
      QCOMPARE(span.offset, lowest);
      QCOMPARE(span.count, held);
      QVERIFY(span.offset + span.count <= courseNetwork().layout().size());
      if (pull) {
        for (const VariablePart& part : parts[server].trained)
          forPart(part, [&](const std::string& name, std::int64_t at, std::int64_t count) {
            std::copy_n(central[name].begin() + at, count, pulled[worker][name].begin() + at);
          });
        if (server == 0) seen[worker] = versions[0];
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
        for (const VariablePart& part : parts[server].trained)
          forPart(part, [&](const std::string& name, std::int64_t at, std::int64_t count) {
            auto& from = gradients[worker][name];
            gradient[part.name].assign(from.begin() + at, from.begin() + at + count);
            weights[part.name].assign(central[name].begin() + at, central[name].begin() + at + count);
          });
        if (rule == QStringLiteral("staleness"))
          optimizers[server].learningRate =
              0.001 / static_cast<double>(std::max<std::int64_t>(1, versions[server] - seen[worker]));
        optimizers[server].apply(++versions[server], gradient, weights);
        for (const VariablePart& part : parts[server].trained)
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
    for (const Variable& variable : courseNetwork().layout().variables())
      for (std::int64_t i = 0; i < variable.size; ++i)
        worst = std::max(worst, std::abs(central[variable.name][static_cast<std::size_t>(i)] -
                                         final[static_cast<std::size_t>(variable.offset + i)]));
    // Adam moves a weight by up to 0.001 per update; float32 rounding shows only where a gradient is nearly zero.
    QVERIFY2(worst < 2e-4, qPrintable(QString("largest difference %1").arg(worst)));
  }
};

QTEST_GUILESS_MAIN(TestParameterServer)
#include "tst_parameter_server.moc"

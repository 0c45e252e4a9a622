// SPDX-License-Identifier: GPL-3.0-or-later
// Strategies whose replicas average their weights with their neighbours on a ring: compared with a slow and obvious
// computation of every copy and with the theory of the mixing matrix; what is evaluated, saved and resumed.
#include <QTemporaryDir>
#include <QTest>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "core/base/error.h"
#include "core/base/rng.h"
#include "core/cluster/cluster.h"
#include "core/options/derived_settings.h"
#include "core/options/messages.h"
#include "core/options/resolve.h"
#include "core/prediction/rates.h"
#include "core/replicas/labels.h"
#include "core/strategy/messages.h"
#include "core/strategy/strategy.h"
#include "core/training/build.h"
#include "tests/support/records.h"
#include "tests/support/refusal.h"
#include "tests/support/training.h"

using namespace lab;
using namespace lab::test;

namespace {

const StrategyInfo& mixing() {
  return *std::ranges::find(strategies(), Reducer::Neighbours, &StrategyInfo::reducer);
}

Settings among(int replicas, const Settings& more = {}) {
  return with({{"strategy", mixing().key},
               {"replicas", std::to_string(replicas)},
               {"eval-every", "0"},
               {"devices", "simulated"}},
              more);
}

using Copy = std::vector<double>;

std::vector<Copy> copiesOf(Cluster& cluster) {
  std::vector<Copy> copies;
  for (int r = 0; r < cluster.replicas(); ++r) {
    const auto span = cluster.copies().of(r).weights.span();
    copies.emplace_back(span.begin(), span.end());
  }
  return copies;
}

Copy meanOf(const std::vector<Copy>& copies) {
  Copy mean(copies[0].size(), 0);
  for (const Copy& copy : copies)
    for (std::size_t i = 0; i < mean.size(); ++i) mean[i] += copy[i] / static_cast<double>(copies.size());
  return mean;
}

double largestDifference(const Copy& a, const Copy& b) {
  double largest = 0;
  for (std::size_t i = 0; i < a.size(); ++i) largest = std::max(largest, std::abs(a[i] - b[i]));
  return largest;
}

// The Euclidean distance of all copies together from their mean.
double spreadOf(const std::vector<Copy>& copies) {
  const Copy mean = meanOf(copies);
  double squares = 0;
  for (const Copy& copy : copies)
    for (std::size_t i = 0; i < mean.size(); ++i) squares += (copy[i] - mean[i]) * (copy[i] - mean[i]);
  return std::sqrt(squares);
}

// The paper's W, row by row: a third for the replica itself and for each neighbour; with two replicas, a half each.
std::vector<Copy> mixed(const std::vector<Copy>& copies) {
  const std::size_t n = copies.size();
  std::vector<Copy> after(n, Copy(copies[0].size(), 0));
  for (std::size_t r = 0; r < n; ++r)
    for (std::size_t from = 0; from < n; ++from) {
      const bool beside = from == (r + 1) % n || r == (from + 1) % n;
      if (from != r && !beside) continue;
      for (std::size_t i = 0; i < after[r].size(); ++i)
        after[r][i] += copies[from][i] / static_cast<double>(std::min<std::size_t>(n, 3));
    }
  return after;
}

// A cluster whose copies and learning rate are set by a test.
class Ring : public StepInput {
 public:
  Ring(int replicas, const std::shared_ptr<const Dataset>& data)
      : config_(resolve(configOf(among(replicas, {{"optimizer", "sgd"}})))),
        cluster_(clusterSettings(config_), data, telemetry_),
        strategy_(strategyInfo(config_.strategy).make(made())) {
    strategy_->prepare(cluster_, initialWeights(config_));
  }
  Cluster& cluster() { return cluster_; }
  void scatter() {
    Rng rng(7);
    for (int r = 0; r < cluster_.replicas(); ++r)
      for (float& weight : cluster_.replica(r).variables.weights.span())
        weight = static_cast<float>(rng.uniform() - 0.5);
  }
  void stepWithoutRate() {
    cluster_.beginStep(++step_, 0);
    (void)strategy_->step(cluster_, *this);
    (void)cluster_.endStep();
  }
  DistributedBatch next() override {
    DistributedBatch batch;
    for (std::int64_t r = 0; r < cluster_.replicas(); ++r) batch.shards.push_back({r});
    return batch;
  }
  std::vector<std::int64_t> nextFor(int) override { return {}; }

 private:
  ResolvedSettings made() const {
    ResolvedSettings config = config_;
    config.reducer = mixing().reducer;
    return config;
  }
  ResolvedSettings config_;
  Telemetry telemetry_;
  Cluster cluster_;
  std::unique_ptr<Strategy> strategy_;
  std::int64_t step_ = 0;
};

void addSizes() {
  QTest::addColumn<int>("replicas");
  for (const int replicas : {2, 3, 4, 5, 8}) QTest::addRow("%d replicas", replicas) << replicas;
}

}  // namespace

class TestGossip : public QObject {
  Q_OBJECT

  std::shared_ptr<const Dataset> digits_ = fewDigits(230, 50);

 private slots:
  void aloneItIsOneDevice() {
    const Settings more{{"batch-per-replica", "48"}, {"steps", "7"}};
    const Outcome alone = train(configOf(among(1, more)), digits_);
    const Outcome one = train(
        configOf(with({{"strategy", "one-device"}, {"eval-every", "0"}, {"devices", "simulated"}}, more)), digits_);
    QVERIFY(sameBits(alone.weights, one.weights));
    for (std::size_t i = 0; i < one.steps.size(); ++i) {
      QCOMPARE(alone.steps[i].loss, one.steps[i].loss);
      QCOMPARE(alone.steps[i].stepNs, one.steps[i].stepNs);
      QCOMPARE(alone.steps[i].bytesSent, 0);
    }
  }

  // After every step, every copy is W times the old copies minus the replica's own step along its recorded gradient.
  // The last batch of a pass is short, and its shares differ.
  void itIsTheSlowAndObviousComputation_data() { addSizes(); }
  void itIsTheSlowAndObviousComputation() {
    QFETCH(int, replicas);
    constexpr double kRate = 0.1, kMomentum = 0.9;
    Telemetry telemetry;
    Trainer trainer(resolve(configOf(among(replicas, {{"global-batch", "51"},
                                                      {"steps", "8"},
                                                      {"optimizer", "sgd"},
                                                      {"momentum", "0.9"},
                                                      {"learning-rate", "0.1"}}))),
                    digits_, telemetry);
    std::vector<Copy> expected = copiesOf(trainer.cluster());
    std::vector<Copy> velocity(expected.size(), Copy(expected[0].size(), 0));
    bool uneven = false, differ = false;
    while (!trainer.finished()) {
      const std::vector<Copy> before = copiesOf(trainer.cluster());
      const RecordPointer record = recordedStep(trainer, telemetry);
      const std::vector<Copy> after = copiesOf(trainer.cluster());
      expected = mixed(expected);
      Copy meanUpdate(expected[0].size(), 0);
      for (std::size_t r = 0; r < expected.size(); ++r) {
        const ReplicaStep& own = record->replicas[r];
        QVERIFY(std::ranges::equal(own.ownWeights, before[r], [](float a, double b) { return a == float(b); }));
        uneven = uneven || own.shard.size() != record->replicas[0].shard.size();
        for (std::size_t i = 0; i < expected[r].size(); ++i) {
          velocity[r][i] = kMomentum * velocity[r][i] - kRate * static_cast<double>(own.gradients[i]);
          expected[r][i] += velocity[r][i];
          meanUpdate[i] += velocity[r][i] / replicas;
        }
        const double apart = largestDifference(after[r], expected[r]);
        QVERIFY2(apart < 3e-6, qPrintable(QString("step %1: %2").arg(record->metric.step).arg(apart)));
      }
      // W is doubly stochastic, so the mean of the copies moves by the mean of their updates, whichever are neighbours.
      Copy moved = meanOf(before);
      for (std::size_t i = 0; i < moved.size(); ++i) moved[i] += meanUpdate[i];
      const double apart = largestDifference(moved, meanOf(after));
      QVERIFY2(apart < 2e-7, qPrintable(QString::number(apart)));
      differ = differ || largestDifference(after[0], after[1]) > 1e-4;
      QVERIFY(record->averagesWeights());
    }
    QVERIFY(differ);
    QVERIFY(uneven);
  }

  // A replica's gradient is the mean over its own examples at its own weights; one device computes the same.
  void aGradientIsOfItsOwnWeights() {
    const RecordedRun run =
        recordAll(configOf(among(4, {{"global-batch", "50"}, {"steps", "3"}, {"learning-rate", "0.05"}})), digits_);
    ResolvedSettings config =
        resolve(configOf({{"strategy", "one-device"}, {"devices", "simulated"}, {"optimizer", "sgd"}}));
    Telemetry telemetry;
    Cluster device(clusterSettings(config), digits_, telemetry);
    config.reducer = reducerInForce(config);
    const auto strategy = strategyInfo(config.strategy).make(config);
    strategy->prepare(device, initialWeights(config));
    std::int64_t step = 0;
    for (const RecordPointer& record : run.records)
      for (const ReplicaStep& own : record->replicas) {
        std::ranges::copy(own.ownWeights, device.replica(0).variables.weights.data());
        device.beginStep(++step, 0);
        device.distribute({.shards = {own.shard}});
        device.replica(0).forwardBackward(1.0F / static_cast<float>(own.shard.size()));
        (void)device.endStep();
        const auto gradient = device.replica(0).variables.gradients.span();
        QVERIFY(sameBits({gradient.begin(), gradient.end()}, own.gradients));
      }
  }

  // With a learning rate of zero, only averaging moves the copies: in each step their distance from their mean shrinks
  // by at least the second eigenvalue of the ring's matrix, and the mean stays. With three, each hears all.
  void copiesDrawTogether_data() { addSizes(); }
  void copiesDrawTogether() {
    QFETCH(int, replicas);
    Ring ring(replicas, digits_);
    ring.scatter();
    const Copy mean = meanOf(copiesOf(ring.cluster()));
    const double second = replicas == 2
                              ? 0
                              : std::max(std::abs(1 + 2 * std::cos(2 * std::numbers::pi / replicas)),
                                         std::abs(1 + 2 * std::cos(2 * std::numbers::pi * (replicas / 2) / replicas))) /
                                    3;
    double before = spreadOf(copiesOf(ring.cluster())), slowest = 0;
    QVERIFY(before > 10);
    for (int step = 0; step < 30; ++step) {
      ring.stepWithoutRate();
      const double after = spreadOf(copiesOf(ring.cluster()));
      QVERIFY2(after <= second * before + 1e-3, qPrintable(QString("%1 after %2").arg(after).arg(before)));
      if (step == 14) slowest = after / before;
      before = after;
      const double moved = largestDifference(meanOf(copiesOf(ring.cluster())), mean);
      QVERIFY2(moved < 1e-6, qPrintable(QString::number(moved)));
    }
    // After a while, only the slowest component is left.
    if (replicas == 8) QVERIFY2(slowest > second - 0.01, qPrintable(QString::number(slowest)));
  }

  void equalCopiesStayWhatTheyAre_data() { addSizes(); }
  void equalCopiesStayWhatTheyAre() {
    QFETCH(int, replicas);
    Ring ring(replicas, digits_);
    const std::vector<Copy> before = copiesOf(ring.cluster());
    for (int step = 0; step < 5; ++step) ring.stepWithoutRate();
    QVERIFY(copiesOf(ring.cluster()) == before);
  }

  // Each replica exchanges its weights with two neighbours, however many replicas there are; with two replicas, with
  // one.
  void aStepSendsTheSameForAnyNumber() {
    const auto run = [&](int replicas, const Settings& more = {}) {
      return train(
          configOf(among(replicas, with({{"batch-per-replica", "8"}, {"steps", "3"}, {"link", "pcie3_x16"}}, more))),
          digits_);
    };
    constexpr std::int64_t kWeights = 1388584;
    std::int64_t ns = 0;
    for (const int replicas : {2, 3, 4, 8}) {
      const Outcome outcome = run(replicas);
      for (const StepMetric& step : outcome.steps) {
        QCOMPARE(step.bytesSent, replicas * (replicas == 2 ? 1 : 2) * kWeights);
        QCOMPARE(step.mirrorsIdentical, std::nullopt);
        if (replicas == 2) QVERIFY(step.communicationNs > 0);
        if (replicas == 3) ns = step.communicationNs;
        if (replicas > 3) QCOMPARE(step.communicationNs, ns);
      }
      QCOMPARE(outcome.end.mirrorsIdentical, std::nullopt);
      const std::optional<SteadyStep> steady = steadyStep(outcome.info.config);
      QVERIFY(steady);
      QCOMPARE(steady->stepNs, outcome.steps.back().stepNs);
    }
    // Across hosts too: only two replicas of each host send out of it, wherever they are.
    const Settings network{{"host-link", "eth_10g"}, {"hosts", "2"}};
    const std::int64_t two = run(4, network).steps.back().communicationNs;
    QVERIFY(two > ns);
    QCOMPARE(run(8, with(network, {{"hosts", "4"}})).steps.back().communicationNs, two);
  }

  // The record contains what was sent: whole weights to the two neighbours, at the same time.
  void theRecordHasTheTransfers() {
    const RecordedRun run = recordAll(configOf(among(5, {{"batch-per-replica", "4"}, {"steps", "1"}})), digits_);
    std::int64_t bytes = 0;
    std::vector<std::pair<int, int>> ways;
    for (const Span& span : run.records.front()->spans) {
      if (span.kind != SpanKind::Transfer || span.step != 1) continue;
      QCOMPARE(span.label, labelOf(Label::ShareWeights));
      QCOMPARE(span.count, run.info.parameters);
      ways.emplace_back(span.from, span.to);
      bytes += span.bytes;
    }
    QCOMPARE(bytes, run.records.front()->metric.bytesSent);
    std::vector<std::pair<int, int>> expected;
    for (int r = 0; r < 5; ++r)
      for (const int to : {(r + 1) % 5, (r + 4) % 5}) expected.emplace_back(r, to);
    std::ranges::sort(ways);
    std::ranges::sort(expected);
    QVERIFY(ways == expected);
  }

  // On this processor, where time is measured, the bits and the transfers are the same.
  void measuredItHasTheSameBits() {
    const Settings more{{"global-batch", "50"}, {"steps", "6"}, {"bytes-per-pack", "1024"}};
    const RecordedRun modelled = recordAll(configOf(among(4, more)), digits_);
    const RecordedRun measured = recordAll(configOf(among(4, with(more, {{"devices", "cpu"}}))), digits_);
    QVERIFY(sameBits(modelled.weights, measured.weights));
    const auto sent = [](const RecordedRun& run) {
      return std::ranges::count_if(run.spans,
                                   [](const Span& span) { return span.label == labelOf(Label::ShareWeights); });
    };
    QVERIFY(sent(measured) >= 6 * 4 * 2 * 3);
    for (const RecordPointer& record : measured.records) QVERIFY(record->metric.communicationNs > 0);
  }

  void theMeanIsEvaluatedAndSaved() {
    Telemetry telemetry;
    Trainer trainer(resolve(configOf(among(4, {{"global-batch", "50"}, {"steps", "5"}}))), digits_, telemetry);
    while (!trainer.finished()) trainer.step();
    const auto copies = copiesOf(trainer.cluster());
    const std::vector<float> weights = trainer.weights();
    const Copy mean = meanOf(copies);
    QVERIFY(largestDifference({weights.begin(), weights.end()}, mean) < 1e-7);
    QVERIFY(largestDifference(copies[0], mean) > 1e-5);
    (void)trainer.evaluate();
    QVERIFY(copiesOf(trainer.cluster()) == copies);  // the copies themselves do not change
    // Each replica has its own optimizer variables.
    QVERIFY(!std::ranges::equal(trainer.cluster().copies().of(0).slotValues[0].span(),
                                trainer.cluster().copies().of(1).slotValues[0].span()));
  }

  void itIsResumedToTheBit() {
    const RunSettings whole = configOf(among(4, {{"global-batch", "50"}, {"steps", "9"}}));
    const Outcome expected = train(whole, digits_);
    const QTemporaryDir folder;
    RunSettings config = whole;
    config.checkpointDir = folder.path().toStdString();
    config.steps = 6;
    const Outcome first = train(config, digits_);
    config.steps = 9;
    config.resume = true;
    const Outcome rest = train(config, digits_);
    QCOMPARE(rest.steps.size(), std::size_t{3});
    for (std::size_t i = 0; i < 3; ++i) QCOMPARE(rest.steps[i].loss, expected.steps[6 + i].loss);
    QVERIFY(sameBits(rest.weights, expected.weights));
    QVERIFY(!sameBits(first.weights, expected.weights));
    Telemetry telemetry;
    Trainer one(resolve(whole), digits_, telemetry), other(resolve(whole), digits_, telemetry);
    while (one.stepsDone() < 4) one.step();
    other.loadState(one.saveState());
    while (!other.finished()) other.step();
    QVERIFY(sameBits(other.weights(), expected.weights));
  }

  void whatItDoesNotHaveIsRefused() {
    const auto refuses = [](const Settings& more, const Text& with) {
      return isRefused([&] { (void)resolve(configOf(among(4, more))); }, with);
    };
    QVERIFY(refuses({{"noise-scale", "true"}}, say::noiseOfOwnUpdates));
    QVERIFY(refuses({{"reducer", "ring"}}, say::nothingToReduce));
    QVERIFY(refuses({{"devices", "processes"}}, say::neighboursInOneProcess));
    QVERIFY(refuses({{"devices", "processes"}, {"worker-devices", "cuda"}}, say::neighboursInOneProcess));
    for (const auto& [name, value] : {std::pair{"worker-devices", "cuda"}, std::pair{"worker-hosts", "a,b"}})
      QVERIFY(refuses({{name, value}}, say::belongsToStrategy));
    for (const StrategyInfo& other : strategies())
      for (const OwnSetting& own : other.settings)
        QVERIFY(refuses({{own.name, anotherValueOf(own)}}, say::belongsToStrategy));
  }
};

QTEST_GUILESS_MAIN(TestGossip)
#include "tst_gossip.moc"

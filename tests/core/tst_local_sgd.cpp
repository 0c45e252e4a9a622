// SPDX-License-Identifier: GPL-3.0-or-later
// Strategies whose replicas train separately and average their weights now and then: compared with a slow and obvious
// computation, and with Mirrored where both must be equal; what is evaluated, saved and resumed in between.
#include <QTemporaryDir>
#include <QTest>

#include <algorithm>
#include <cmath>

#include "core/base/error.h"
#include "core/cluster/cluster.h"
#include "core/options/derived_settings.h"
#include "core/options/messages.h"
#include "core/options/resolve.h"
#include "core/prediction/rates.h"
#include "core/strategy/strategy.h"
#include "core/training/build.h"
#include "tests/support/host_schedule.h"
#include "tests/support/records.h"
#include "tests/support/refusal.h"
#include "tests/support/training.h"

using namespace lab;
using namespace lab::test;

namespace {

const StrategyInfo& averaging() {
  return *std::ranges::find(strategies(), "local-sgd", &StrategyInfo::key);
}

// The strategy's setting that chooses the outer optimizer.
const OwnSetting& outerSetting() {
  return *std::ranges::find_if(averaging().settings, [](const OwnSetting& each) { return !each.choices.empty(); });
}

Settings every(int steps, const Settings& more = {}) {
  return with({{"strategy", averaging().key},
               {"replicas", "4"},
               {"eval-every", "0"},
               {"devices", "simulated"},
               {averaging().repeatsEvery.front(), std::to_string(steps)}},
              more);
}

double largestDifference(const std::vector<float>& a, const std::vector<float>& b) {
  double largest = 0;
  for (std::size_t i = 0; i < a.size(); ++i)
    largest = std::max(largest, std::abs(static_cast<double>(a[i]) - static_cast<double>(b[i])));
  return largest;
}

std::vector<std::vector<double>> copiesOf(Cluster& cluster) {
  std::vector<std::vector<double>> copies;
  for (int r = 0; r < cluster.replicas(); ++r) {
    const auto span = cluster.copies().of(r).weights.span();
    copies.emplace_back(span.begin(), span.end());
  }
  return copies;
}

// A single device that computes the gradient of any replica.
class OneDevice {
 public:
  explicit OneDevice(const std::shared_ptr<const Dataset>& data)
      : config_(resolve(configOf({{"strategy", "one-device"}, {"devices", "simulated"}, {"optimizer", "sgd"}}))),
        cluster_(clusterSettings(config_), data, telemetry_),
        strategy_(strategyInfo(config_.strategy).make(withReducer(config_))) {
    strategy_->prepare(cluster_, initialWeights(config_));
  }
  std::vector<float> initial() const { return initialWeights(config_); }
  // The mean of the examples' gradients.
  std::vector<float> gradient(const std::vector<float>& weights, const std::vector<std::int64_t>& examples) {
    Replica& replica = cluster_.replica(0);
    std::ranges::copy(weights, replica.variables.weights.data());
    cluster_.beginStep(++step_, 0);
    cluster_.distribute({.shards = {examples}});
    replica.forwardBackward(1.0F / static_cast<float>(examples.size()));
    (void)cluster_.endStep();
    const auto span = replica.variables.gradients.span();
    return {span.begin(), span.end()};
  }

 private:
  static ResolvedSettings withReducer(ResolvedSettings config) {
    config.reducer = reducerInForce(config);
    return config;
  }

  ResolvedSettings config_;
  Telemetry telemetry_;
  Cluster cluster_;
  std::unique_ptr<Strategy> strategy_;
  std::int64_t step_ = 0;
};

}  // namespace

class TestLocalSgd : public QObject {
  Q_OBJECT

  std::shared_ptr<const Dataset> digits_ = fewDigits(230, 50);

 private slots:
  // With one local step and plain SGD, the mean of the updates equals the update by the mean gradient. For Keras's loss
  // this needs equal shares; for the loop's also unequal shares and short batches work, since every image counts 1/G.
  void inEveryStepItIsMirrored_data() {
    QTest::addColumn<QString>("batch");
    QTest::addColumn<QString>("loss");
    QTest::addRow("equal shares, fit") << "48"
                                       << "fit";
    QTest::addRow("equal shares, loop") << "48"
                                        << "loop";
    QTest::addRow("unequal shares, loop") << "50"
                                          << "loop";
  }
  void inEveryStepItIsMirrored() {
    QFETCH(QString, batch);
    QFETCH(QString, loss);
    // A pass over the 230 images ends with a short batch.
    const Settings more{{"global-batch", batch.toStdString()},
                        {"loss-scaling", loss.toStdString()},
                        {"steps", loss == "fit" ? "4" : "8"},
                        {"learning-rate", "0.1"}};
    const Settings sgd = with(more, {{"optimizer", "sgd"}});
    const auto mirrored = [&](const Settings& settings) {
      return train(configOf(with({{"strategy", "mirrored"}, {"replicas", "4"}, {"eval-every", "0"}}, settings)),
                   digits_);
    };
    const Outcome local = train(configOf(every(1, sgd)), digits_), summed = mirrored(sgd);
    const double apart = largestDifference(local.weights, summed.weights);
    QVERIFY2(apart <= 1e-5, qPrintable(QString::number(apart)));
    QVERIFY(largestDifference(local.weights, OneDevice(digits_).initial()) > 1e-3);
    for (std::size_t i = 0; i < local.steps.size(); ++i) {
      QVERIFY(local.steps[i].mirrorsIdentical == true);
      QVERIFY(std::abs(local.steps[i].loss - summed.steps[i].loss) < 1e-5);
    }
    // Adam divides by the size of each replica's own gradient before anything is averaged, so the results differ.
    const Settings adam = with(more, {{"optimizer", "adam"}, {"learning-rate", "0.001"}});
    const double unlike = largestDifference(train(configOf(every(1, adam)), digits_).weights, mirrored(adam).weights);
    QVERIFY2(unlike > 1e-4, qPrintable(QString::number(unlike)));
  }

  // Computes every copy separately in plain loops, the average in doubles, and the outer step as in its paper.
  void itIsTheSlowAndObviousComputation_data() {
    QTest::addColumn<QString>("outer");
    for (const std::string& word : outerSetting().choices) QTest::addRow("%s", word.c_str()) << word.c_str();
  }
  void itIsTheSlowAndObviousComputation() {
    QFETCH(QString, outer);
    constexpr float kRate = 0.05F;
    constexpr int kEvery = 3;
    const RecordedRun run = recordAll(configOf(every(kEvery, {{"global-batch", "50"},
                                                              {"steps", "9"},
                                                              {"optimizer", "sgd"},
                                                              {"learning-rate", "0.05"},
                                                              {outerSetting().name, outer.toStdString()}})),
                                      digits_);
    OneDevice device(digits_);
    std::vector<float> average = device.initial();
    std::vector<std::vector<float>> copies(4, average);
    std::vector<double> velocity(average.size(), 0);
    std::vector<double> trained(4, 0);
    bool uneven = false;
    for (const RecordPointer& record : run.records) {
      for (std::size_t r = 0; r < copies.size(); ++r) {
        const std::vector<std::int64_t>& shard = record->replicas[r].shard;
        trained[r] += static_cast<double>(shard.size());
        uneven = uneven || shard.size() != record->replicas[0].shard.size();
        if (shard.empty()) continue;
        const std::vector<float> gradient = device.gradient(copies[r], shard);
        for (std::size_t i = 0; i < gradient.size(); ++i) copies[r][i] -= kRate * gradient[i];
      }
      const bool averages = record->metric.step % kEvery == 0;
      QCOMPARE(record->averagesWeights(), averages);
      if (averages) {
        const double all = trained[0] + trained[1] + trained[2] + trained[3];
        for (std::size_t i = 0; i < average.size(); ++i) {
          double mean = 0;
          for (std::size_t r = 0; r < copies.size(); ++r) mean += trained[r] / all * static_cast<double>(copies[r][i]);
          const double g = static_cast<double>(average[i]) - mean;
          velocity[i] = 0.9 * velocity[i] + g;
          const double by = outer == "none" ? g : 0.7 * (outer == "nesterov" ? g + 0.9 * velocity[i] : velocity[i]);
          average[i] = static_cast<float>(static_cast<double>(average[i]) - by);
        }
        copies.assign(4, average);
        trained.assign(4, 0);
      }
      const double apart = largestDifference(record->weightsAfter, copies[0]);
      QVERIFY2(apart < 2e-6, qPrintable(QString("step %1: %2").arg(record->metric.step).arg(apart)));
    }
    QVERIFY(uneven);
  }

  // A mean over each host's replicas counts their examples alone, and where these have none it is the plain mean.
  void aMeanWithinEachHostCountsItsOwnExamples() {
    ResolvedSettings config = resolve(configOf(every(4, {{"hosts", "2"}})));
    config.reducer = reducerInForce(config);
    Telemetry telemetry;
    Cluster cluster(clusterSettings(config), digits_, telemetry);
    const std::unique_ptr<Strategy> strategy = averaging().make(config);
    strategy->prepare(cluster, initialWeights(config));
    ReductionPlan plan = makeReductionPlan(Reducer::Ring, 4, 1, cluster.layout(), 0);
    for (PackedSchedule& packed : plan.packs) packed.schedule = sumWithinHosts(4, 2, packed.pack.count);
    cluster.declareLinks(plan);
    cluster.beginStep(1, 0);
    cluster.distribute({.shards = {{0}, {1}, {2}, {3}}});
    cluster.computeGradients(Cluster::GradientOf::OneReplica);
    const std::vector<float> values{1, 5, 2, 6};
    for (int r = 0; r < 4; ++r)
      std::ranges::fill(cluster.replica(r).variables.weights.span(), values[static_cast<std::size_t>(r)]);
    const std::vector<std::int64_t> examples{3, 1, 0, 0};
    cluster.averageWeights(plan, examples);
    (void)cluster.endStep();
    const std::vector<double> means{2, 2, 4, 4};  // (3·1 + 1·5) / 4; (2 + 6) / 2
    const auto copies = copiesOf(cluster);
    for (std::size_t r = 0; r < copies.size(); ++r)
      QVERIFY(std::ranges::all_of(copies[r], [&](double weight) { return weight == means[r]; }));
  }

  void copiesDifferBetweenAveragesAndAgreeAfter() {
    const Outcome outcome =
        train(configOf(every(4, {{"global-batch", "50"}, {"steps", "8"}})), digits_, [](Trainer& trainer) {
          const auto copies = copiesOf(trainer.cluster());
          for (std::size_t r = 1; r < copies.size(); ++r)
            QCOMPARE(copies[r] == copies[0], trainer.stepsDone() % 4 == 0);
          // Each replica has its own optimizer variables.
          Cluster& cluster = trainer.cluster();
          QVERIFY(!std::ranges::equal(cluster.copies().of(0).slotValues[0].span(),
                                      cluster.copies().of(1).slotValues[0].span()));
        });
    for (const StepMetric& step : outcome.steps) {
      QCOMPARE(step.mirrorsIdentical, step.step % 4 == 0 ? std::optional(true) : std::nullopt);
      QCOMPARE(step.bytesSent > 0, step.step % 4 == 0);
      QCOMPARE(step.communicationNs > 0, step.step % 4 == 0);
    }
    QCOMPARE(outcome.end.mirrorsIdentical, std::optional(true));
  }

  // In the middle of a round: the mean of the copies, weighted by the examples of this round alone.
  void theMeanIsEvaluatedAndSaved() {
    Telemetry telemetry;
    Trainer trainer(resolve(configOf(every(3, {{"global-batch", "50"}, {"steps", "8"}}))), digits_, telemetry);
    while (trainer.stepsDone() < 5) trainer.step();
    std::vector<double> trained(4, 0);
    for (const Metric& metric : telemetry.takeMetrics())
      if (const auto* step = std::get_if<StepMetric>(&metric); step != nullptr && step->step > 3)
        for (std::size_t r = 0; r < 4; ++r) trained[r] += static_cast<double>(step->shards[r]);
    QVERIFY(trained[3] < trained[0]);
    const auto copies = copiesOf(trainer.cluster());
    const std::vector<float> weights = trainer.weights();
    double apartFromFirst = 0;
    for (std::size_t i = 0; i < weights.size(); ++i) {
      double mean = 0, all = 0;
      for (std::size_t r = 0; r < 4; ++r) mean += trained[r] * copies[r][i], all += trained[r];
      QVERIFY(std::abs(static_cast<double>(weights[i]) - mean / all) < 1e-7);
      apartFromFirst = std::max(apartFromFirst, std::abs(mean / all - copies[0][i]));
    }
    QVERIFY(apartFromFirst > 1e-4);
    // The copies themselves do not change.
    QVERIFY(copiesOf(trainer.cluster()) == copies);
    (void)trainer.evaluate();
    QVERIFY(copiesOf(trainer.cluster()) == copies);
  }

  // Resumes to the bit from a checkpoint in the middle of a round, with an outer optimizer's variables.
  void aRoundIsResumedInItsMiddle() {
    for (const std::string& outer : outerSetting().choices) {
      const RunSettings whole =
          configOf(every(4, {{"global-batch", "50"}, {"steps", "10"}, {outerSetting().name, outer}}));
      const Outcome expected = train(whole, digits_);
      const QTemporaryDir folder;
      RunSettings config = whole;
      config.checkpointDir = folder.path().toStdString();
      config.steps = 6;
      const Outcome first = train(config, digits_);
      QCOMPARE(first.end.mirrorsIdentical, std::nullopt);
      config.steps = 10;
      config.resume = true;
      const Outcome rest = train(config, digits_);
      QCOMPARE(rest.steps.size(), std::size_t{4});
      for (std::size_t i = 0; i < 4; ++i) QCOMPARE(rest.steps[i].loss, expected.steps[6 + i].loss);
      QVERIFY(sameBits(rest.weights, expected.weights));
      QVERIFY(!sameBits(first.weights, expected.weights));
      // A state between two steps works as well.
      Telemetry telemetry;
      Trainer one(resolve(whole), digits_, telemetry), other(resolve(whole), digits_, telemetry);
      while (one.stepsDone() < 7) one.step();
      other.loadState(one.saveState());
      while (!other.finished()) other.step();
      QVERIFY(sameBits(other.weights(), expected.weights));
    }
  }

  // A round of four steps sends a quarter of what Mirrored sends, and the mean step time matches the model.
  void aRoundSendsOnce() {
    const Settings more{{"global-batch", "48"}, {"steps", "4"}, {"link", "pcie3_x16"}};
    const Outcome summed =
        train(configOf(with({{"strategy", "mirrored"}, {"replicas", "4"}, {"eval-every", "0"}}, more)), digits_);
    const Outcome local = train(configOf(every(4, more)), digits_);
    const auto sum = [](const Outcome& of, std::int64_t StepMetric::*what) {
      std::int64_t all = 0;
      for (const StepMetric& step : of.steps) all += step.*what;
      return all;
    };
    QCOMPARE(4 * sum(local, &StepMetric::bytesSent), sum(summed, &StepMetric::bytesSent));
    QCOMPARE(4 * sum(local, &StepMetric::communicationNs), sum(summed, &StepMetric::communicationNs));
    const std::optional<SteadyStep> steady = steadyStep(local.info.config);
    QVERIFY(steady && std::abs(steady->stepNs - sum(local, &StepMetric::stepNs) / 4) <= 1);
    QVERIFY(std::abs(steady->imagesPerSecond * static_cast<double>(sum(local, &StepMetric::stepNs)) / 1e9 / 192 - 1) <
            1e-9);
    QVERIFY(steady->imagesPerSecond > steadyStep(summed.info.config)->imagesPerSecond);
    // With an outer optimizer a device holds two more copies of the weights.
    const auto neededBytes = [&](const std::string& outer) {
      return steadyStep(resolve(configOf(every(4, with(more, {{outerSetting().name, outer}})))))->memory.neededBytes;
    };
    QCOMPARE(neededBytes(outerSetting().choices.back()) - neededBytes(outerSetting().choices.front()), 2 * 1388584.0);
  }

  void whatItDoesNotHaveIsRefused() {
    QVERIFY(isRefused([] { (void)resolve(configOf(every(4, {{"noise-scale", "true"}}))); }, say::noiseOfOwnUpdates));
    for (const OwnSetting& own : averaging().settings) {
      const std::string other = own.choices.empty() ? "2" : own.choices.back();
      QVERIFY(isRefused(
          [&] {
            (void)resolve(configOf({{"strategy", "mirrored"}, {own.name, other}}));
          },
          say::belongsToStrategy));
      QVERIFY_THROWS_EXCEPTION(UserError, configOf({{own.name, "nothing"}}));
    }
  }
};

QTEST_GUILESS_MAIN(TestLocalSgd)
#include "tst_local_sgd.moc"

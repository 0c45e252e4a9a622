// SPDX-License-Identifier: GPL-3.0-or-later
// Which replica arrives first for a step's sum, as the clock decides before anything is added: the step's time, which
// replicas are left out, what sum, loss and rates are computed from, and that everyone who asks gets the same answer.
#include <QTemporaryDir>
#include <QTest>

#include <algorithm>
#include <set>

#include "core/base/error.h"
#include "core/cluster/cluster.h"
#include "core/options/messages.h"
#include "core/options/resolve.h"
#include "core/prediction/timing_run.h"
#include "core/replicas/labels.h"
#include "core/training/build.h"
#include "core/training/checkpoint.h"
#include "tests/support/normed_network.h"
#include "tests/support/prepared_strategy.h"
#include "tests/support/records.h"
#include "tests/support/training.h"

using namespace lab;
using namespace lab::test;

namespace {

constexpr std::int64_t kBatch = 16;

RunSettings mirrored(std::int64_t replicas, const Settings& more = {}) {
  return configOf(with({{"strategy", "mirrored"},
                        {"replicas", std::to_string(replicas)},
                        {"batch-per-replica", std::to_string(kBatch)},
                        {"devices", "simulated"},
                        {"steps", "5"},
                        {"eval-every", "0"}},
                       more));
}

// Times one step whose sum waits for `waitsFor` replicas.
StepTiming timed(const RunSettings& config, int waitsFor, bool traced = false) {
  const TimingRun run(config, {.traced = traced}, Catalogue::builtIn(), TimingConstants::builtIn());
  StepRequest request = run.shared()->asked();
  request.batchPerReplica = kBatch;
  request.waitsFor = waitsFor;
  return simulateStep(request);
}

// Configurations of each strategy that does not wait for the last arrivals: 4 replicas, `late` of which are left out.
std::vector<RunSettings> goingWithout(int late, const Settings& more = {}) {
  std::vector<RunSettings> all;
  for (const StrategyInfo& info : strategies()) {
    if (info.goesWithout.empty()) continue;
    all.push_back(mirrored(4, with(more, {{"strategy", info.key}, {info.goesWithout, std::to_string(late)}})));
  }
  return all;
}

std::vector<double> sumOf(const StepRecord& record, const std::vector<int>& without) {
  std::vector<double> sum(record.gradients.size());
  for (std::size_t r = 0; r < record.replicas.size(); ++r)
    if (std::ranges::find(without, static_cast<int>(r)) == without.end())
      for (std::size_t i = 0; i < sum.size(); ++i) sum[i] += static_cast<double>(record.replicas[r].gradients[i]);
  return sum;
}

double largestDifference(const std::vector<double>& a, const std::vector<float>& b, double scale = 1) {
  double largest = 0;
  for (std::size_t i = 0; i < a.size(); ++i)
    largest = std::max(largest, std::abs(scale * a[i] - static_cast<double>(b[i])));
  return largest;
}

}  // namespace

class TestArrival : public QObject {
  Q_OBJECT

  std::shared_ptr<const Dataset> digits_ = fewDigits(230, 50);

 private slots:
  // Replicas arrive in the order of time, and of their numbers if several arrive together.
  void replicasArriveInOrder() {
    const StepTiming timing = timed(mirrored(4, {{"slow", "0:3"}, {"slow", "2:1.5"}}), 0);
    std::vector<int> order;
    for (const Arrival& arrival : timing.arrivals) order.push_back(arrival.replica);
    QCOMPARE(order, (std::vector<int>{1, 3, 2, 0}));
    QCOMPARE(timing.arrivals[0].ns, timing.arrivals[1].ns);
    QVERIFY(timing.arrivals[1].ns < timing.arrivals[2].ns && timing.arrivals[2].ns < timing.arrivals[3].ns);
    QVERIFY(timing.leftOut.empty());
    QCOMPARE(timed(mirrored(4), 3).leftOut, std::vector<int>{3});
  }

  // The step takes as long as if the last replicas were as fast as the n-th.
  void theStepsTimeIsThatOfTheNthFastest_data() {
    QTest::addColumn<QString>("more");
    for (const char* more : {"", "bytes-per-pack 1024", "reducer tree", "reducer one-device"})
      QTest::newRow(more) << more;
  }
  void theStepsTimeIsThatOfTheNthFastest() {
    QFETCH(QString, more);
    Settings settings;
    if (!more.isEmpty()) settings = {{more.section(' ', 0, 0).toStdString(), more.section(' ', 1).toStdString()}};
    const RunSettings config = mirrored(4, with(settings, {{"slow", "2:3"}, {"slow", "1:1.5"}}));
    const StepTiming all = timed(config, 0), three = timed(config, 3), two = timed(config, 2);
    QCOMPARE(three.leftOut, std::vector<int>{2});
    QCOMPARE(two.leftOut, (std::vector<int>{1, 2}));
    QCOMPARE(three.stepNs, timed(mirrored(4, with(settings, {{"slow", "2:1.5"}, {"slow", "1:1.5"}})), 0).stepNs);
    QCOMPARE(two.stepNs, timed(mirrored(4, settings), 0).stepNs);
    QVERIFY(two.stepNs < three.stepNs && three.stepNs < all.stepNs);
    for (const StepTiming& timing : {all, three, two}) {
      for (const StageNs& track : timing.stages) QCOMPARE(track.sum(), timing.stepNs);
      const double used = static_cast<double>(kBatch * (4 - std::ssize(timing.leftOut)));
      QCOMPARE(timing.imagesPerSecond, used * 1e9 / static_cast<double>(timing.stepNs));
    }
  }

  // A replica that is left out computes no longer than the sum waits, and its track says so once.
  void whoIsLateIsCancelled() {
    for (const char* slow : {"2:1", "2:1.01", "2:3", "2:100"}) {
      const StepTiming timing = timed(mirrored(4, {{"slow", slow}}), 3, true);
      const int late = timing.leftOut.front();
      const std::int64_t untilNs = timing.arrivals[2].ns;
      int cancelled = 0;
      for (const ModelledSpan& span : timing.spans) {
        if (span.kind == ModelledSpan::Kind::Cancelled) {
          QCOMPARE(span.replica, late);
          QCOMPARE(span.endNs, untilNs);
          ++cancelled;
        } else if (span.replica == late && span.kind != ModelledSpan::Kind::Update) {
          const bool works = span.kind == ModelledSpan::Kind::Forward || span.kind == ModelledSpan::Kind::Backward;
          QVERIFY(!works || span.endNs <= untilNs);
        }
      }
      QCOMPARE(cancelled, 1);
    }
  }

  // With synchronised batch normalisation all replicas wait for each other midway, so none can be left out.
  void replicasThatMeetWaitForAll() {
    const QTemporaryDir folder;
    const RunSettings config =
        mirrored(4, {{"slow", "2:3"}, {"network", normedNetworkFile(folder.path(), true).toStdString()}});
    const ClusterSettings settings = clusterSettings(resolve(config));
    StepRequest request = settings.timing->asked();
    QVERIFY(request.meets());
    request.batchPerReplica = kBatch;
    const StepTiming all = simulateStep(request);
    request.waitsFor = 3;
    QCOMPARE(simulateStep(request).stepNs, all.stepNs);
    QVERIFY(simulateStep(request).leftOut.empty());
    for (RunSettings refused : goingWithout(1)) {
      refused.network = config.network;
      try {
        (void)resolve(refused);
        QFAIL("not refused");
      } catch (const UserError& error) {
        QVERIFY(error.message().is(say::synchronisedNormWaits));
      }
    }
  }

  // If stragglers are drawn again for each step, each step has its own answer, before its sum and at its end.
  void everyStepHasItsOwnDraw() {
    const ResolvedSettings config = resolve(mirrored(4, {{"reducer", "ring"}}));
    const TimingRun jittery(config.asked(), {.jitter = 0.3}, Catalogue::builtIn(), TimingConstants::builtIn());
    ClusterSettings settings = clusterSettings(config);
    settings.timing = jittery.shared();
    Telemetry telemetry;
    Cluster cluster(settings, digits_, telemetry);
    const auto strategy = test::preparedStrategy(cluster, config);
    const ReductionPlan plan = makeReductionPlan(Reducer::Ring, 4, 1, cluster.layout(), 0);
    std::set<std::vector<int>> seen;
    for (std::int64_t step = 1; step <= 12; ++step) {
      StepRequest request = jittery.shared()->asked();
      request.batchPerReplica = 4;
      request.step = step;
      request.waitsFor = 3;
      const StepTiming expected = simulateStep(request);
      cluster.beginStep(step, 0.01);
      DistributedBatch batch;
      for (std::int64_t r = 0; r < 4; ++r) batch.shards.push_back({4 * r, 4 * r + 1, 4 * r + 2, 4 * r + 3});
      cluster.distribute(batch);
      QCOMPARE(cluster.waitFor(3).back().replica, expected.arrivals.back().replica);
      cluster.computeGradients();
      cluster.allReduce(plan);
      const FinishedStep finished = cluster.endStep();
      QCOMPARE(finished.leftOut, expected.leftOut);
      QCOMPARE(finished.outcome.get().times.stepNs, expected.stepNs);
      seen.insert(finished.leftOut);
    }
    QVERIFY(seen.size() > 1);
  }

  // If no replica is left out, the strategy equals Mirrored in every number, every span and every nanosecond.
  void waitingForAllIsMirroredToTheBit() {
    for (const Reducer reducer : strategyInfo(StrategyKind::Mirrored).reducers) {
      const Settings more{{"reducer", std::string(toString(reducer))}, {"slow", "2:3"}};
      const RecordedRun expected = recordAll(mirrored(4, more), digits_);
      for (const RunSettings& config : goingWithout(0, more)) {
        const RecordedRun run = recordAll(config, digits_);
        QCOMPARE(run.records.size(), expected.records.size());
        for (std::size_t i = 0; i < run.records.size(); ++i) {
          QCOMPARE(difference(*run.records[i], *expected.records[i]), QString());
          QVERIFY(run.records[i]->metric.leftOut.empty());
        }
      }
    }
  }

  // The sum contains only the arrived replicas, and is their mean. Tested in the first step, where weights are equal.
  void whatIsLateIsNotInTheSum_data() {
    QTest::addColumn<QString>("reduction");
    QTest::newRow("fit") << "fit";
    QTest::newRow("loop") << "loop";
  }
  void whatIsLateIsNotInTheSum() {
    QFETCH(QString, reduction);
    const Settings more{{"slow", "2:3"}, {"loss-scaling", reduction.toStdString()}};
    const RecordedRun all = recordAll(mirrored(4, more), digits_);
    for (const RunSettings& config : goingWithout(1, more)) {
      const RecordedRun run = recordAll(config, digits_);
      const StepRecord &one = *run.records.front(), &mirroredOne = *all.records.front();
      QCOMPARE(one.metric.leftOut, std::vector<int>{2});
      QVERIFY(std::ranges::all_of(one.replicas[2].gradients, [](float value) { return value == 0; }));
      QVERIFY(std::ranges::any_of(mirroredOne.replicas[2].gradients, [](float value) { return value != 0; }));
      QVERIFY(largestDifference(sumOf(one, {}), one.gradients) < 1e-6);
      // Each of the three counts 4/3 of its share among four.
      QVERIFY(largestDifference(sumOf(mirroredOne, {2}), one.gradients, 4.0 / 3) < 1e-6);
      QVERIFY(largestDifference(sumOf(mirroredOne, {}), one.gradients) > 1e-4);
    }
  }

  void lossesAndRatesCountWhatWasUsed() {
    for (const RunSettings& config : goingWithout(1, {{"slow", "2:3"}, {"steps", "20"}})) {
      const RecordedRun run = recordAll(config, digits_);
      std::int64_t distributed = 0;
      for (const RecordPointer& record : run.records) {
        const StepMetric& metric = record->metric;
        double loss = 0;
        std::int64_t examples = 0;
        for (const int r : {0, 1, 3}) {
          const ReplicaStep& replica = record->replicas[static_cast<std::size_t>(r)];
          examples += std::ssize(replica.shard);
          for (const float each : replica.losses) loss += static_cast<double>(each);
        }
        distributed += metric.distributed();
        QCOMPARE(metric.leftOut, std::vector<int>{2});
        QCOMPARE(metric.examples, examples);
        QCOMPARE(metric.distributed(), examples + metric.shards[2]);
        QVERIFY(std::abs(metric.loss * static_cast<double>(examples) - loss) < 1e-9);
        QCOMPARE(metric.imagesPerSecond, static_cast<double>(examples) * 1e9 / static_cast<double>(metric.stepNs));
        QCOMPARE(metric.epoch, static_cast<double>(distributed) / 230);
        QVERIFY(metric.mirrorsIdentical.value_or(false));
      }
    }
  }

  // At an epoch's end a replica may have no examples. It arrives first, but every step trains on some. 230 examples in
  // one file, 100 a step: the last 30 all go to replica 0.
  void aSumOfNoExamplesIsNotWaitedFor() {
    for (const StrategyInfo& info : strategies()) {
      if (info.goesWithout.empty()) continue;
      const RunSettings config = configOf({{"strategy", info.key},
                                           {"replicas", "2"},
                                           {info.goesWithout, "1"},
                                           {"global-batch", "100"},
                                           {"split", "file"},
                                           {"slow", "0:2"},
                                           {"devices", "simulated"},
                                           {"steps", "3"},
                                           {"eval-every", "0"}});
      const RecordedRun run = recordAll(config, digits_);
      const StepMetric& last = run.records.back()->metric;
      QCOMPARE(last.shards, (std::vector<std::int64_t>{30, 0}));
      QCOMPARE(last.examples, 30);
      QVERIFY(last.loss > 0);
      QCOMPARE(run.records.front()->metric.leftOut, std::vector<int>{0});
      QCOMPARE(last.epoch, 1.0);
    }
  }

  // An epoch's last step says that the epoch is over, also if the run goes on from its state, or from the state of an
  // earlier version, which did not count what was handed out.
  void anEpochEndsAlthoughImagesAreLeftOut() {
    for (const RunSettings& config : goingWithout(1, {{"slow", "2:3"}, {"steps", "20"}})) {
      const RecordedRun run = recordAll(config, digits_);
      const std::int64_t perEpoch = run.info.stepsPerEpoch;
      QVERIFY(perEpoch > 1 && std::ssize(run.records) >= 2 * perEpoch);
      for (const std::int64_t epoch : {1, 2})
        QCOMPARE(run.records[static_cast<std::size_t>(epoch * perEpoch - 1)]->metric.epoch, static_cast<double>(epoch));
      Telemetry telemetry(1);
      Trainer first(resolve(config), digits_, telemetry), second(resolve(config), digits_, telemetry);
      while (first.stepsDone() < perEpoch - 1) first.step();
      Checkpoint saved = first.saveState();
      second.loadState(saved);
      QCOMPARE(recordedStep(second, telemetry)->metric.epoch, 1.0);
      QCOMPARE(saved.state.erase("distributed"), std::size_t{1});
      second.loadState(saved);
      QCOMPARE(second.stepsDone(), perEpoch - 1);
    }
  }

  // A run that stops after any step and goes on from its state leaves out the same replicas, with the same numbers.
  void stepsComputedAgainLeaveTheSameOut() {
    for (const RunSettings& config : goingWithout(2, {{"slow", "0:1.2"}, {"global-batch", "50"}})) {
      RunSettings settings = config;
      settings.batchPerReplica.reset();
      const RecordedRun run = recordAll(settings, digits_);
      for (std::size_t before = 1; before < run.records.size(); ++before) {
        Telemetry telemetry(1);
        Trainer first(resolve(settings), digits_, telemetry), second(resolve(settings), digits_, telemetry);
        while (first.stepsDone() < static_cast<std::int64_t>(before)) first.step();
        second.loadState(first.saveState());
        const RecordPointer again = recordedStep(second, telemetry);
        QCOMPARE(difference(*again, *run.records[before]), QString());
        QCOMPARE(again->metric.leftOut.size(), std::size_t{2});
      }
    }
  }

  void tooFewReplicasAreRefused() {
    for (const RunSettings& config : goingWithout(4)) {
      try {
        (void)resolve(config);
        QFAIL("not refused");
      } catch (const UserError& error) {
        QVERIFY(error.message().is(say::waitsForNobody));
      }
    }
    for (RunSettings config : goingWithout(1)) {
      config.devices = DeviceChoice::Cpu;
      try {
        (void)resolve(config);
        QFAIL("not refused");
      } catch (const UserError& error) {
        QVERIFY(error.message().is(say::arrivalIsModelled));
      }
    }
  }
};

QTEST_GUILESS_MAIN(TestArrival)
#include "tst_arrival.moc"

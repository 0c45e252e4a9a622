// SPDX-License-Identifier: GPL-3.0-or-later
// Runs side by side: what each lane trains is what it would train alone, all show the moment that belongs to the
// leader's, and what their weights are apart is said as it is.
#include <QSignalSpy>
#include <QTest>

#include <cstring>

#include "core/lab/comparison.h"
#include "tests/ui/small_config.h"
#include "ui/compare/lanes.h"
#include "ui/compare/story_match.h"

namespace lab {
namespace {

using Mode = Playback::Mode;
using Unit = Playback::Unit;
constexpr int kPatienceMs = 60'000;

RunConfig leaderConfig() {
  RunConfig config = test::smallConfig();
  config.replicas = 4;
  config.globalBatch = 8;
  config.evalEvery = 0;
  config.devices = DeviceChoice::Simulated;
  config.reducer = Reducer::Ring;
  return config;
}

LaneWish under(StrategyKind kind) {
  return {kind, std::nullopt, {}};
}

// The window's own run and the lanes beside it; time passes by hand.
struct Fixture {
  RunController controller;
  Playback playback{controller};
  Selection selection;
  Lanes lanes{controller, playback, selection};

  explicit Fixture(std::vector<LaneWish> wishes, RunConfig config = leaderConfig()) {
    lanes.lockstep().setActive(true);
    controller.start(config, true);
    for (LaneWish& wish : wishes) lanes.add(std::move(wish));
  }
  Lane& lane(std::size_t i) { return lanes.at(i); }
  bool settle() {
    QTest::qWait(40);  // of two frames: what was asked for is under way
    return QTest::qWaitFor(
        [this] { return playback.record() && !playback.isMoving() && lanes.lockstep().isInStep() && sameStep(); },
        kPatienceMs);
  }
  bool sameStep() {
    for (std::size_t i = 0; i < lanes.count(); ++i)
      if (!lane(i).playback().record()) return false;
    return true;
  }
  bool goTo(std::int64_t step) {
    playback.goTo(step);
    return settle();
  }
};

bool sameBits(const std::vector<float>& a, const std::vector<float>& b) {
  return a.size() == b.size() && std::memcmp(a.data(), b.data(), a.size() * sizeof(float)) == 0;
}

// All that does not come from a clock on the wall.
bool sameRecord(const StepRecord& a, const StepRecord& b) {
  bool same = a.metric.step == b.metric.step && a.metric.loss == b.metric.loss &&
              a.metric.accuracy == b.metric.accuracy && a.metric.stepNs == b.metric.stepNs &&
              a.metric.bytesSent == b.metric.bytesSent && a.beginNs == b.beginNs && a.endNs == b.endNs &&
              a.spans.size() == b.spans.size() && a.replicas.size() == b.replicas.size() &&
              sameBits(a.gradients, b.gradients) && sameBits(a.weightsBefore, b.weightsBefore) &&
              sameBits(a.weightsAfter, b.weightsAfter);
  for (std::size_t r = 0; same && r < a.replicas.size(); ++r)
    same = a.replicas[r].shard == b.replicas[r].shard && a.replicas[r].losses == b.replicas[r].losses &&
           a.replicas[r].weightsDigest == b.replicas[r].weightsDigest;
  return same;
}

// The same run by itself, with a record of each step.
struct Alone {
  Telemetry telemetry;
  Trainer trainer;
  std::vector<std::shared_ptr<const StepRecord>> records;

  explicit Alone(const RunConfig& config, int steps) : trainer(config, openDataset(config), telemetry) {
    for (int i = 0; i < steps; ++i) {
      telemetry.requestRecord();
      trainer.step();
      records.push_back(telemetry.takeRecord());
    }
  }
};

constexpr StrategyKind kFollowers[] = {
    StrategyKind::Default, StrategyKind::OneDevice,      StrategyKind::MultiWorkerMirrored,
    StrategyKind::Tpu,     StrategyKind::CentralStorage, StrategyKind::ParameterServer};

}  // namespace

class TestCompare : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void lanesAreTheSingleRuns_data() {
    QTest::addColumn<int>("kind");
    for (const StrategyInfo& info : strategies()) QTest::newRow(info.key.c_str()) << static_cast<int>(info.kind);
  }
  void lanesAreTheSingleRuns() {
    QFETCH(int, kind);
    Fixture f({under(static_cast<StrategyKind>(kind)), under(StrategyKind::Mirrored)});
    const int steps = 4;
    std::vector<std::vector<std::shared_ptr<const StepRecord>>> shown(f.lanes.count());
    for (int step = 1; step <= steps; ++step) {
      QVERIFY(f.goTo(step));
      for (std::size_t i = 0; i < f.lanes.count(); ++i) {
        QCOMPARE(f.lane(i).playback().step(), step);
        shown[i].push_back(f.lane(i).playback().record());
      }
    }
    for (std::size_t i = 0; i < f.lanes.count(); ++i) {
      const Alone alone(f.lane(i).resolved(), steps);
      for (int step = 0; step < steps; ++step)
        QVERIFY2(sameRecord(*shown[i][static_cast<std::size_t>(step)], *alone.records[static_cast<std::size_t>(step)]),
                 qPrintable(QStringLiteral("lane %1, step %2").arg(i).arg(step + 1)));
    }
  }

  // What the command line's comparison would train.
  void lanesAreFittedAsTheCommandLineDoes() {
    for (const StrategyKind kind : kFollowers) {
      Fixture f({under(kind)});
      QVERIFY(f.settle());
      const Comparison comparison = planComparison(givenOf(leaderConfig()), {StrategyKind::Mirrored, kind});
      QCOMPARE(configToJson(f.lane(1).resolved()).dump(), configToJson(comparison.runs[1]).dump());
      QCOMPARE(configToJson(comparison.runs[0]).dump(), configToJson(resolveConfig(leaderConfig())).dump());
    }
  }

  void weightsOfTheSameRunAreTheSame_data() {
    QTest::addColumn<int>("threads");
    for (const int threads : {1, 2, 4}) QTest::addRow("%d", threads) << threads;
  }
  void weightsOfTheSameRunAreTheSame() {
    QFETCH(int, threads);
    RunConfig other = leaderConfig();
    other.threads = threads;
    Fixture f({under(StrategyKind::Mirrored), {std::nullopt, other, QStringLiteral("again")}});
    for (const int step : {1, 3, 7}) QVERIFY(f.goTo(step));
    for (const std::size_t i : {1U, 2U}) {
      const DistanceCurve& curve = f.lane(i).distance;
      QCOMPARE(curve.points().size(), 3U);
      for (const auto& point : curve.points()) QCOMPARE(point.distance, 0.0);
      QCOMPARE(curve.apart(), Apart::Same);
      QCOMPARE(whyApart(f.lane(0).resolved(), f.lane(i).resolved()), ApartBecause::Nothing);
    }
  }

  void synchronousStrategiesDifferByRoundingAndServersGrow() {
    RunConfig config = leaderConfig();
    config.optimizer = OptimizerKind::Sgd;
    config.learningRate = 0.01;
    Fixture f({under(StrategyKind::CentralStorage), under(StrategyKind::ParameterServer)}, config);
    for (const int step : {1, 4, 16}) QVERIFY(f.goTo(step));
    const DistanceCurve& central = f.lane(1).distance;
    QVERIFY(central.points().size() == 3);
    for (const auto& point : central.points())
      QVERIFY2(point.distance <= kRoundingDistance, qPrintable(QString::number(point.distance)));
    QVERIFY(central.apart() == Apart::Rounding || central.apart() == Apart::Same);
    const DistanceCurve& server = f.lane(2).distance;
    QCOMPARE(server.apart(), Apart::Growing);
    QCOMPARE(server.points().size(), 3U);
    QVERIFY(server.points().back().distance > server.points().front().distance);
    QCOMPARE(whyApart(f.lane(0).resolved(), f.lane(2).resolved()), ApartBecause::StaleWeights);
    // By images the server's workers have done four steps for each of the others'.
    f.lanes.setBy(InStepBy::Images);
    QVERIFY(f.goTo(6));
    f.playback.end();
    QVERIFY(f.settle());
    f.playback.seek(6, f.playback.story().seconds);
    QVERIFY(f.settle());
    QCOMPARE(f.lane(2).playback().seconds(), f.lane(2).playback().story().seconds);
    QCOMPARE(f.lane(2).playback().step(), 24);
    QCOMPARE(f.lane(2).distance.points().size(), 1U);
    QVERIFY(f.lane(2).distance.points()[0].distance > kRoundingDistance);
  }
};

}  // namespace lab

QTEST_MAIN(lab::TestCompare)
#include "tst_compare.moc"

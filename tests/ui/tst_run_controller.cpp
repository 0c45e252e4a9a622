// SPDX-License-Identifier: GPL-3.0-or-later
// Records of small real runs: exactly the requested steps have one, they keep within their budget, and they are the
// same when computed again. Nothing keeps running if no record can come of it.
#include <QFile>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>
#include <QTimer>

#include <algorithm>
#include <thread>

#include "core/base/stopped.h"
#include "core/device/cuda/gpu_module.h"
#include "core/launching/live_run.h"
#include "core/options/resolve.h"
#include "tests/core/data_files.h"
#include "tests/support/bad_disk.h"
#include "tests/support/emulated_gpus.h"
#include "tests/support/patience.h"
#include "tests/support/training.h"
#include "ui/i18n/words.h"
#include "ui/playback/playback.h"
#include "ui/runview/run_controller.h"
#include "ui/runview/run_summary.h"

using namespace lab;
using test::sameBits;

namespace {

constexpr std::int64_t kEndless = 1'000'000;

RunSettings smallRun(std::int64_t steps) {
  RunSettings config;
  config.strategy = StrategyKind::Mirrored;
  config.replicas = 2;
  config.devices = DeviceChoice::Simulated;
  config.dataset = "digits";
  config.trainExamples = 64;
  config.testExamples = 32;
  config.batchPerReplica = 4;
  config.steps = steps;
  config.evalEvery = 0;
  return config;
}

struct Fixture {
  RunController controller;
  std::vector<std::int64_t> arrived;

  Fixture() {
    QObject::connect(&controller, &RunController::recordArrived, &controller,
                     [this](std::int64_t step) { arrived.push_back(step); });
  }
  bool is(RunState state) const { return controller.state() == state; }
  bool startPaused(const RunSettings& config) {
    controller.start(config, true);
    return QTest::qWaitFor([&] { return is(RunState::Paused); }, kPatienceMs);
  }
  bool train(std::int64_t step) {
    controller.requestStep(step);
    return QTest::qWaitFor([&] { return controller.liveStep() >= step; }, kPatienceMs);
  }
};

std::shared_ptr<const StepRecord> recordOfBytes(std::int64_t step, std::int64_t bytes) {
  auto record = std::make_shared<StepRecord>();
  record->metric.step = step;
  record->gradients.resize(static_cast<std::size_t>(bytes) / sizeof(float));
  return record;
}

}  // namespace

class TestRunController : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void recordsOfExactlyTheStepsAskedFor() {
    Fixture fixture;
    QVERIFY(fixture.startPaused(smallRun(30)));
    QCOMPARE(fixture.controller.liveStep(), 0);
    // Records are dropped when there is no room for them, but never the last two.
    const auto isHere = [&](std::int64_t step) {
      const auto record = fixture.controller.recordOf(step);
      return record && record->metric.step == step && record->replicas.size() == 2 &&
             record->metric.loss == fixture.controller.steps()[static_cast<std::size_t>(step - 1)].loss;
    };
    QVERIFY(fixture.train(1));
    QVERIFY(isHere(1));
    QVERIFY(fixture.train(2));
    fixture.controller.requestStep(2);  // the record is there already
    QVERIFY(fixture.train(25));
    QVERIFY(isHere(2) && isHere(25));
    fixture.controller.requestStep(26);
    fixture.controller.requestStep(26);
    QVERIFY(fixture.train(26));
    QTRY_VERIFY_WITH_TIMEOUT(!fixture.controller.findChild<QTimer*>()->isActive(), kPatienceMs);
    QCOMPARE(fixture.controller.liveStep(), 26);
    QCOMPARE(fixture.arrived, (std::vector<std::int64_t>{1, 2, 25, 26}));
    QVERIFY(isHere(25) && isHere(26));
    QCOMPARE(fixture.controller.newestRecord()->metric.step, 26);
    QVERIFY(!fixture.controller.isRecomputing());
    QVERIFY(fixture.is(RunState::Paused));
    QVERIFY(fixture.train(30));
    QTRY_VERIFY_WITH_TIMEOUT(fixture.is(RunState::Finished), kPatienceMs);
    QCOMPARE(fixture.arrived.back(), 30);
    fixture.controller.requestStep(31);
    fixture.controller.play();
    QVERIFY(fixture.is(RunState::Finished));
  }

  void aStepAskedForWhileTrainingFreelyPausesThere() {
    Fixture fixture;
    fixture.controller.start(smallRun(kEndless));
    QTRY_VERIFY_WITH_TIMEOUT(fixture.controller.liveStep() >= 3, kPatienceMs);
    const std::int64_t wanted = fixture.controller.liveStep() + 2000;  // too far to have been trained already
    QVERIFY(fixture.train(wanted));
    QTRY_VERIFY_WITH_TIMEOUT(!fixture.controller.findChild<QTimer*>()->isActive(), kPatienceMs);
    QCOMPARE(fixture.controller.liveStep(), wanted);
    QCOMPARE(fixture.arrived, (std::vector<std::int64_t>{wanted}));
    QVERIFY(fixture.is(RunState::Paused));
  }

  void aWishIsForgottenByPauseAndPlay() {
    Fixture fixture;
    QVERIFY(fixture.startPaused(smallRun(kEndless)));
    fixture.controller.requestStep(5000);
    QTRY_VERIFY_WITH_TIMEOUT(fixture.controller.liveStep() >= 8, kPatienceMs);
    const std::int64_t before = fixture.controller.liveStep();
    fixture.controller.pause();
    QTRY_VERIFY_WITH_TIMEOUT(!fixture.controller.findChild<QTimer*>()->isActive(), kPatienceMs);  // at rest
    const std::int64_t live = fixture.controller.liveStep();
    QVERIFY(live < 5000 && live >= before);
    // Nothing was trained meanwhile, and one more step is only one, not all the steps up to 5000.
    fixture.controller.requestStep(fixture.controller.liveStep() + 1);
    QTRY_VERIFY_WITH_TIMEOUT(fixture.controller.isAtRest(), kPatienceMs);
    QCOMPARE(fixture.controller.liveStep(), live + 1);
    QCOMPARE(fixture.arrived, (std::vector<std::int64_t>{live + 1}));
    fixture.controller.play();
    QTRY_VERIFY_WITH_TIMEOUT(fixture.controller.liveStep() > live + 20, kPatienceMs);
    QCOMPARE(fixture.arrived.size(), std::size_t{1});
  }

  // Far steps are asked for in parts, so that asking ends soon, whatever the number.
  void aFarStepIsReachedAndAFartherOneOnlyAskedFor() {
    Fixture fixture;
    RunSettings config = smallRun(1'000'000'000);
    config.network = "mlp";
    QVERIFY(fixture.startPaused(config));
    QVERIFY(fixture.train(2060));  // more than one part
    QCOMPARE(fixture.controller.liveStep(), std::int64_t{2060});
    QTRY_COMPARE_WITH_TIMEOUT(fixture.arrived, (std::vector<std::int64_t>{2060}), kPatienceMs);
    QTRY_VERIFY_WITH_TIMEOUT(fixture.controller.isAtRest(), kPatienceMs);
    fixture.controller.requestStep(900'000'000);
    fixture.controller.pause();
    QTRY_VERIFY_WITH_TIMEOUT(fixture.controller.isAtRest(), kPatienceMs);
    QVERIFY(fixture.controller.liveStep() < 900'000'000);
  }

  void liveRecordsDoNotPause() {
    Fixture fixture;
    fixture.controller.start(smallRun(kEndless));
    for (std::size_t i = 1; i <= 5; ++i) {
      fixture.controller.requestLiveRecord();
      QTRY_COMPARE_WITH_TIMEOUT(fixture.arrived.size(), i, kPatienceMs);
      QVERIFY(fixture.arrived.back() <= fixture.controller.liveStep());
      QVERIFY(fixture.controller.recordOf(fixture.arrived.back()));
    }
    QVERIFY(std::is_sorted(fixture.arrived.begin(), fixture.arrived.end()));
    QVERIFY(fixture.is(RunState::Running));
  }

  void noTimerRunsWhereNothingCanCome() {
    Fixture fixture;
    const auto* timer = fixture.controller.findChild<QTimer*>();
    QVERIFY(timer && !timer->isActive());
    QVERIFY(fixture.startPaused(smallRun(12)));
    QTRY_VERIFY_WITH_TIMEOUT(!timer->isActive(), kPatienceMs);
    QVERIFY(fixture.train(2));
    QTRY_VERIFY_WITH_TIMEOUT(!timer->isActive(), kPatienceMs);
    fixture.controller.play();
    QVERIFY(timer->isActive());
    QTRY_VERIFY_WITH_TIMEOUT(fixture.is(RunState::Finished), kPatienceMs);
    QVERIFY(!timer->isActive());
    QVERIFY(!fixture.controller.recordOf(5));
    QVERIFY(timer->isActive() && fixture.controller.isRecomputing());
    QTRY_VERIFY_WITH_TIMEOUT(!fixture.controller.isRecomputing(), kPatienceMs);
    QTRY_VERIFY_WITH_TIMEOUT(!timer->isActive(), kPatienceMs);

    fixture.controller.start(smallRun(kEndless), true);
    QTRY_VERIFY_WITH_TIMEOUT(fixture.is(RunState::Paused) && !timer->isActive(), kPatienceMs);
    fixture.controller.stop();
    QTRY_VERIFY_WITH_TIMEOUT(fixture.is(RunState::Stopped), kPatienceMs);
    QVERIFY(!timer->isActive());
  }

  // Wishes come as from a key that is held: each one before the tick that the previous one waits for.
  void wishesFasterThanTicksAreHeard() {
    Fixture fixture;
    QVERIFY(fixture.startPaused(smallRun(4)));
    fixture.controller.setLeisurely(true);
    const auto playAndLook = [&] {
      fixture.controller.play();
      return fixture.is(RunState::Finished);
    };
    QVERIFY(QTest::qWaitFor(playAndLook, kPatienceMs));
  }

  void aStepComputedAgainIsTheSame() {
    Fixture fixture;
    QVERIFY(fixture.startPaused(smallRun(40)));
    QVERIFY(fixture.train(7));
    const auto passed = fixture.controller.recordOf(7);
    QVERIFY(passed);
    QVERIFY(fixture.train(40));
    QVERIFY(!fixture.controller.recordOf(20));
    // Asking again, however often, changes nothing.
    QVERIFY(QTest::qWaitFor(
        [&] {
          for (int i = 0; i < 1000 && fixture.controller.isRecomputing(); ++i) fixture.controller.recordOf(20);
          return !fixture.controller.isRecomputing();
        },
        kPatienceMs));
    QCOMPARE(fixture.arrived, (std::vector<std::int64_t>{7, 40, 20}));

    RunController again;  // the same run, but without a kept record of step 7
    again.start(smallRun(40));
    QTRY_VERIFY_WITH_TIMEOUT(again.state() == RunState::Finished, kPatienceMs);
    QVERIFY(!again.recordOf(7));
    QTRY_VERIFY_WITH_TIMEOUT(!again.isRecomputing(), kPatienceMs);
    const auto computed = again.recordOf(7);
    QVERIFY(computed);
    QVERIFY(sameBits(computed->weightsBefore, passed->weightsBefore));
    QVERIFY(sameBits(computed->weightsAfter, passed->weightsAfter));
    QVERIFY(sameBits(computed->gradients, passed->gradients));
    QCOMPARE(computed->beginNs, passed->beginNs);
    QCOMPARE(computed->endNs, passed->endNs);
    QCOMPARE(computed->metric.loss, passed->metric.loss);
    QCOMPARE(computed->spans.size(), passed->spans.size());
    for (std::size_t i = 0; i < passed->replicas.size(); ++i) {
      QCOMPARE(computed->replicas[i].shard, passed->replicas[i].shard);
      QVERIFY(sameBits(computed->replicas[i].gradients, passed->replicas[i].gradients));
    }
  }

  // As when Play in Compare is clicked and Pause at once after it: the one that warms up is given away, another comes.
  void stepsBackMayBeExpectedAgainAtOnce() {
    Fixture fixture;
    QVERIFY(fixture.startPaused(smallRun(40)));
    QVERIFY(fixture.train(20));
    QTRY_VERIFY_WITH_TIMEOUT(fixture.controller.isAtRest(), kPatienceMs);
    for (const std::int64_t step : {5, 6, 7}) {
      fixture.controller.setStepsBackExpected(false);
      fixture.controller.setStepsBackExpected(true);
      QVERIFY(!fixture.controller.recordOf(step));
      QTRY_VERIFY_WITH_TIMEOUT(fixture.controller.recordOf(step), kPatienceMs);
    }
    QCOMPARE(fixture.arrived, (std::vector<std::int64_t>{20, 5, 6, 7}));
  }

  void onlyTheLatestIsComputedAgain() {
    Fixture fixture;
    fixture.controller.start(smallRun(60));
    QTRY_VERIFY_WITH_TIMEOUT(fixture.is(RunState::Finished), kPatienceMs);
    QVERIFY(!fixture.controller.recordOf(50));
    QVERIFY(!fixture.controller.recordOf(30));
    QVERIFY(!fixture.controller.recordOf(10));
    QTRY_VERIFY_WITH_TIMEOUT(!fixture.controller.isRecomputing(), kPatienceMs);
    QCOMPARE(fixture.arrived, (std::vector<std::int64_t>{10}));
    QVERIFY(!fixture.controller.recordOf(0));
    QVERIFY(!fixture.controller.recordOf(61));
    QVERIFY(!fixture.controller.isRecomputing());
  }

  // The preparation never goes back, tells its total, and ends with the first step.
  void preparingTellsHowFarItIs() {
    std::vector<Preparation> reported;
    Fixture fixture;
    RunSettings config = smallRun(kEndless);
    config.replicas = 64;
    config.trainExamples = 256;
    QObject::connect(&fixture.controller, &RunController::updated, &fixture.controller,
                     [&] { reported.push_back(fixture.controller.reports().preparation()); });
    QVERIFY(fixture.startPaused(config));
    QVERIFY(!reported.empty());
    QCOMPARE(reported.front().part, Preparation::Part::Turn);
    for (std::size_t i = 0; i < reported.size(); ++i) {
      if (reported[i].part == Preparation::Part::Replicas) QCOMPARE(reported[i].total, 64);
      if (i == 0) continue;
      QVERIFY(reported[i].part >= reported[i - 1].part);
      QVERIFY(reported[i].part != reported[i - 1].part || reported[i].done >= reported[i - 1].done);
    }
    QTRY_COMPARE_WITH_TIMEOUT(fixture.controller.reports().preparation().part, Preparation::Part::Step, kPatienceMs);
    QCOMPARE(preparationWords({Preparation::Part::Replicas, 36, 512}), QStringLiteral("Setting up replica 37 of 512"));
    QCOMPARE(preparationWords({Preparation::Part::Data, 12'000'000, 58'400'000}),
             QStringLiteral("Reading the images: %1 of %2").arg(bytesText(12'000'000), bytesText(58'400'000)));
    QCOMPARE(preparationWords({Preparation::Part::Upload, 10000, 70000}),
             QStringLiteral("Copying the images to the GPUs: 10,000 of 70,000"));
  }

  // A person who changes settings quickly does not wait for runs that are still being prepared, whether they read the
  // images, copy them to GPUs or make replicas.
  void everyPartOfThePreparationCanBeStopped() {
    const QTemporaryDir folder;
    const std::filesystem::path files = folder.path().toStdString();
    test::write(files / "train-images-idx3-ubyte.gz", test::gzipped(test::imagesFile(60)));
    test::write(files / "train-labels-idx1-ubyte.gz", test::gzipped(test::labelsFile(60)));
    test::write(files / "t10k-images-idx3-ubyte.gz", test::gzipped(test::imagesFile(20)));
    test::write(files / "t10k-labels-idx1-ubyte.gz", test::gzipped(test::labelsFile(20)));
    RunSettings config = smallRun(kEndless);
    config.dataset = "mnist";
    config.dataDir = folder.path().toStdString();
    config.trainExamples = 60;
    config.testExamples = 20;
    {
      Telemetry telemetry;
      telemetry.stopPreparing();
      QVERIFY_THROWS_EXCEPTION(Stopped, openDataset(config, &telemetry));
    }
    const auto dataset = openDataset(config);
    {
      Telemetry telemetry;
      telemetry.stopPreparing();
      QVERIFY_THROWS_EXCEPTION(Stopped, Trainer(resolve(config), dataset, telemetry));
    }
    // The window's run is stopped in the middle of a part: it never becomes ready.
    const auto stopAt = [](const RunSettings& asked, Preparation::Part part) {
      LiveRun run(resolve(asked), true);
      while (run.telemetry().preparation().part < part && run.state() == RunState::Preparing) std::this_thread::yield();
      run.stopAndWait();
      return run.state() == RunState::Stopped && run.info() == nullptr &&
             run.telemetry().preparation().part < Preparation::Part::Step;
    };
    RunSettings many = smallRun(kEndless);
    many.replicas = 64;
    many.trainExamples = 256;
    QVERIFY(stopAt(many, Preparation::Part::Replicas));
    replaceGpus([] { return test::makeEmulatedGpus({.gpus = 2}); });
    RunSettings onGpus = smallRun(kEndless);
    onGpus.devices = DeviceChoice::Cuda;
    onGpus.trainExamples = 4000;
    const bool uploadStopped = stopAt(onGpus, Preparation::Part::Upload);
    replaceGpus({});
    QVERIFY(uploadStopped);
  }

  void recordsAreKeptWithinTheirBudget() {
    RecordStore store(10'000'000);
    for (std::int64_t step = 1; step <= 20; ++step) {
      store.add(recordOfBytes(step, 1'000'000));
      QVERIFY(store.bytes() <= 10'000'000);
      QVERIFY(store.find(1));  // a record that is used stays
    }
    QVERIFY(store.size() >= 8);
    QVERIFY(!store.find(2));
    QVERIFY(store.find(20) && store.find(19));
    QCOMPARE(store.newest()->metric.step, 20);
    store.add(recordOfBytes(5, 1'000'000));
    QCOMPARE(store.newest()->metric.step, 20);
    const std::size_t size = store.size();
    store.add(recordOfBytes(5, 1'000'000));
    QCOMPARE(store.size(), size);
    store.add(recordOfBytes(21, 50'000'000));
    store.add(recordOfBytes(22, 50'000'000));
    QCOMPARE(store.size(), RecordStore::kFewest);
    QVERIFY(store.find(21) && store.find(22));
    store.clear();
    QVERIFY(!store.newest() && store.bytes() == 0);
  }

  void anotherRunForgetsTheRecords() {
    Fixture fixture;
    QVERIFY(fixture.startPaused(smallRun(kEndless)));
    QVERIFY(fixture.train(3));
    QSignalSpy started(&fixture.controller, &RunController::started);
    RunSettings other = smallRun(kEndless);
    other.replicas = 4;
    fixture.controller.start(other, true);
    QCOMPARE(started.count(), 1);
    QVERIFY(!fixture.controller.newestRecord() && !fixture.controller.info());
    QCOMPARE(fixture.controller.liveStep(), 0);
    QTRY_VERIFY_WITH_TIMEOUT(fixture.is(RunState::Paused), kPatienceMs);
    QVERIFY(!fixture.controller.recordOf(3));
    QVERIFY(!fixture.controller.isRecomputing());
    fixture.arrived.clear();
    QVERIFY(fixture.train(1));
    QCOMPARE(fixture.controller.recordOf(1)->replicas.size(), std::size_t{4});
    // Starts another run in the middle of training, of recomputing and of preparing, one after the other.
    for (int i = 0; i < 20; ++i) {
      fixture.controller.start(smallRun(kEndless));
      if (i % 3 == 1) QTRY_VERIFY_WITH_TIMEOUT(fixture.controller.liveStep() >= 2, kPatienceMs);
      if (i % 3 == 1) fixture.controller.recordOf(1);
    }
    QTRY_VERIFY_WITH_TIMEOUT(fixture.controller.liveStep() >= 2, kPatienceMs);
  }

  // The playback clock asks for the last step as soon as a run is over, also while another run takes its place.
  void aStepAskedForAtTheEndGoesWithItsRun() {
    const QTemporaryDir folder;
    RunSettings written = smallRun(kEndless);  // a run with files ends before the next one begins
    written.metrics = folder.filePath(QStringLiteral("metrics.jsonl")).toStdString();
    bool asked = false;
    Fixture fixture;
    RunController& controller = fixture.controller;
    QObject::connect(&controller, &RunController::updated, &controller, [&] {
      if (!controller.isOver() || !controller.info()) return;
      controller.recordOf(controller.info()->firstStep);
      asked = controller.isRecomputing();
    });
    controller.start(written);
    QTRY_VERIFY_WITH_TIMEOUT(controller.liveStep() >= 5, kPatienceMs);
    QVERIFY(!asked && fixture.arrived.empty());
    controller.start(smallRun(kEndless));
    QVERIFY(asked && !controller.isRecomputing());
    QTRY_VERIFY_WITH_TIMEOUT(controller.liveStep() >= 2, kPatienceMs);
    QVERIFY(fixture.is(RunState::Running) && fixture.arrived.empty());
  }

  // As a lane of Compare is closed.
  void aRunEndsOnItsOwnButItsFilesAreFinishedBefore() {
    const QTemporaryDir folder;
    const QString file = folder.filePath(QStringLiteral("metrics.jsonl"));
    for (const bool writes : {false, true}) {
      RunSettings config = smallRun(kEndless);
      if (writes) config.metrics = file.toStdString();
      RunController controller;
      controller.start(config);
      QTRY_VERIFY_WITH_TIMEOUT(controller.liveStep() >= 2, kPatienceMs);
      controller.endLater();
      QCOMPARE(QFile::exists(file), writes);
      QVERIFY(!controller.findChild<QTimer*>()->isActive());
    }
  }

  void failedRunsKeepTheirSentence() {
    Fixture fixture;
    RunSettings wrong = smallRun(5);
    wrong.replicas = 0;
    QSignalSpy started(&fixture.controller, &RunController::started);
    fixture.controller.start(wrong);
    QVERIFY(fixture.is(RunState::Failed) && !fixture.controller.failure().isEmpty());
    QCOMPARE(started.count(), 1);
    fixture.controller.requestStep(1);
    fixture.controller.requestLiveRecord();
    fixture.controller.play();
    fixture.controller.pause();
    QVERIFY(!fixture.controller.recordOf(1));
    QVERIFY(fixture.is(RunState::Failed));

    const QTemporaryDir folder;
    RunSettings unwritable = smallRun(kEndless);
    unwritable.metrics = folder.filePath(QStringLiteral("no-such-folder/metrics.jsonl")).toStdString();
    fixture.controller.start(unwritable, true);
    QTRY_VERIFY_WITH_TIMEOUT(fixture.is(RunState::Failed), kPatienceMs);
    QVERIFY(fixture.controller.failure().contains(QStringLiteral("no-such-folder")));
    fixture.controller.requestStep(1);
    QVERIFY(fixture.is(RunState::Failed) && fixture.controller.isAtRest());
    QVERIFY(!fixture.controller.findChild<QTimer*>()->isActive());  // so no record can come
  }

  // A disk becomes full while the user looks at older steps, one after the other.
  void aStepThatIsRecomputedWhenTheDiskIsFullFailsWithTheRun() {
    test::BadDisk disk(test::BadDisk::Kind::SizeLimit);
    QVERIFY(disk.whyNot().isEmpty());
    RunSettings written = smallRun(kEndless);
    written.metrics = disk.path("metrics.jsonl").toStdString();
    std::vector<std::int64_t> failed;
    Fixture fixture;
    RunController& controller = fixture.controller;
    QObject::connect(&controller, &RunController::recordFailed, &controller,
                     [&failed](std::int64_t step) { failed.push_back(step); });
    // The next step is asked for as soon as one has arrived, so one is always being recomputed.
    QObject::connect(&controller, &RunController::recordArrived, &controller,
                     [&controller](std::int64_t step) { controller.recordOf(step + 1); });
    controller.start(written);
    QTRY_VERIFY_WITH_TIMEOUT(controller.liveStep() >= 20, kPatienceMs);
    QVERIFY(!controller.recordOf(2) && controller.isRecomputing());
    QVERIFY(disk.breakIt());
    const bool ends = QTest::qWaitFor([&] { return controller.isOver(); }, kPatienceMs);
    disk.mendIt();
    QVERIFY(ends && fixture.is(RunState::Failed));
    QVERIFY2(controller.failure().contains(QStringLiteral("metrics.jsonl")), qPrintable(controller.failure()));
    QVERIFY(!controller.isRecomputing() && controller.isAtRest());
    QCOMPARE(failed.size(), std::size_t{1});
    QCOMPARE(controller.records().failure(), controller.failure());
    QVERIFY(!controller.findChild<QTimer*>()->isActive());  // so nothing waits for a record
  }

  void spansAreLeftOutOnlyWhereNoFileHasThem() {
    const QTemporaryDir folder;
    RunSettings config = smallRun(5);
    config.trace = folder.filePath(QStringLiteral("trace.json")).toStdString();
    Fixture fixture;
    fixture.controller.setLeisurely(true);
    fixture.controller.start(config);
    QTRY_VERIFY_WITH_TIMEOUT(fixture.is(RunState::Finished), kPatienceMs);
    QFile trace(folder.filePath(QStringLiteral("trace.json")));
    QVERIFY(trace.open(QIODevice::ReadOnly));
    QVERIFY(trace.readAll().contains("all-reduce"));
    QVERIFY(fixture.startPaused(smallRun(5)));
    QVERIFY(fixture.train(1));
    QVERIFY(!fixture.controller.recordOf(1)->spans.empty());  // a record has spans of its own
  }

  // ---- together with the playback clock

  void theWindowBeginsWithTheFirstStepAndStands() {
    RunController controller;
    Playback playback(controller);
    controller.start(smallRun(kEndless));
    QTRY_VERIFY_WITH_TIMEOUT(playback.record(), kPatienceMs);
    QCOMPARE(playback.step(), 1);
    QCOMPARE(playback.seconds(), 0.0);
    QVERIFY(!playback.isPlaying());
    for (const QTimer* timer : controller.findChildren<QTimer*>() + playback.findChildren<QTimer*>()) {
      QTRY_VERIFY_WITH_TIMEOUT(!timer->isActive(), kPatienceMs);
    }
    QCOMPARE(controller.liveStep(), 1);
    playback.setReducedMotion(true);
    for (std::int64_t step = 2; step <= 6; ++step) {
      playback.stepForward(Playback::Unit::Step);
      QTRY_VERIFY_WITH_TIMEOUT(!playback.isMoving(), kPatienceMs);
      QCOMPARE(playback.step(), step);
      QCOMPARE(controller.liveStep(), step);
    }
    playback.stepForward(Playback::Unit::Epoch);
    QTRY_VERIFY_WITH_TIMEOUT(!playback.isMoving(), kPatienceMs);
    QCOMPARE(playback.step(), 6 + controller.info()->stepsPerEpoch);
    playback.seek(7, 0);
    QVERIFY(playback.isRecomputing());
    QTRY_VERIFY_WITH_TIMEOUT(!playback.isMoving(), kPatienceMs);
    QCOMPARE(playback.step(), 7);
  }

  void liveRunsToItsEnd() {
    RunController controller;
    Playback playback(controller);
    controller.start(smallRun(40));
    QTRY_VERIFY_WITH_TIMEOUT(playback.record(), kPatienceMs);
    for (const auto mode : {Playback::Mode::Live, Playback::Mode::Fast}) {
      controller.start(smallRun(40));
      playback.setMode(mode);
      playback.setSpeed(16);
      playback.play();
      QTRY_VERIFY_WITH_TIMEOUT(!playback.isPlaying() && playback.record(), kPatienceMs);
      QCOMPARE(playback.step(), 40);
      QCOMPARE(playback.seconds(), playback.story().seconds);
      QVERIFY(controller.isOver());
    }
  }
};

QTEST_GUILESS_MAIN(TestRunController)
#include "tst_run_controller.moc"

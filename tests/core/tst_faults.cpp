// SPDX-License-Identifier: GPL-3.0-or-later
// ctest: cost=20
// Tasks that die and come back: a parameter server's worker dies alone, and another takes its closure; a worker of
// MultiWorkerMirrored stops all others, which go on from a backup to the bits of an undisturbed run; without a server,
// everything stops. Faults are data: the same from a file, and from any state of the run.
#include <QTemporaryDir>
#include <QTest>

#include <nlohmann/json.hpp>

#include "core/base/error.h"
#include "core/cluster/cluster.h"
#include "core/files/lineage_json.h"
#include "core/options/resolve.h"
#include "core/prediction/step_timeline.h"
#include "core/replicas/labels.h"
#include "core/training/branches.h"
#include "core/training/faults.h"
#include "core/training/messages.h"
#include "tests/support/normed_network.h"
#include "tests/support/records.h"
#include "tests/support/training.h"

using namespace lab;
using namespace lab::test;

namespace {

using Task = RunFault::Task;
using What = RunFault::What;

RunSettings settingsOf(const char* strategy, const Settings& more = {}) {
  return resolve(configOf(with({{"strategy", strategy},
                                {"dataset", "digits"},
                                {"devices", "simulated"},
                                {"replicas", "4"},
                                {"optimizer", "adam"},
                                {"batch-per-replica", "8"},
                                {"steps", "16"},
                                {"eval-every", "0"}},
                               more)))
      .asked();
}

// Many steps, each of which is kept whole: so a network with few variables.
RunSettings onServers(const char* steps) {
  return settingsOf("parameter-server", {{"network", "mlp"}, {"parameter-servers", "2"}, {"steps", steps}});
}

struct Run {
  std::vector<RecordPointer> records;
  std::vector<Checkpoint> states;  // before the first step, and after each
  std::vector<float> weights;
  RunInfo info;
  std::int64_t steps = 0;
};

Run run(const RunSettings& config, const std::shared_ptr<const Dataset>& data, const Lineage& lineage = {},
        const Checkpoint* near = nullptr) {
  Telemetry telemetry;
  Trainer trainer(resolve(config), data, telemetry, lineage);
  if (!startBranch(trainer, data, near, [] { return true; })) return {};
  Run run;
  run.states.push_back(trainer.saveState());
  while (!trainer.finished()) {
    run.records.push_back(recordedStep(trainer, telemetry));
    run.states.push_back(trainer.saveState());
  }
  run.steps = trainer.finish().steps;
  run.weights = trainer.weights();
  run.info = trainer.info();
  return run;
}

RunBranch faultOf(const RunSettings& config, const RunFault& fault) {
  return {"", config, fault.step, std::nullopt, fault};
}

bool refuses(const Lineage& lineage, const RunSettings& config, const Text& why) {
  try {
    checkLineage(lineage, resolve(config));
  } catch (const UserError& error) {
    return error.message().is(why);
  }
  return false;
}

void compare(const Run& a, const Run& b) {
  QCOMPARE(a.records.size(), b.records.size());
  for (std::size_t i = 0; i < a.records.size(); ++i) {
    const QString differs = difference(*a.records[i], *b.records[i]);
    QVERIFY2(differs.isEmpty(), qPrintable(differs));
    QVERIFY(a.records[i]->dead == b.records[i]->dead);
  }
  QVERIFY(sameBits(a.weights, b.weights));
}

}  // namespace

class TestFaults : public QObject {
  Q_OBJECT

  const std::shared_ptr<const Dataset> digits_ = fewDigits(230, 50);  // 8 steps of 32 per epoch

 private Q_SLOTS:
  // No worker goes on alone: the step is given up without an update, and the waiting is a stage of its own.
  void aLostWorkerStopsACollective_data() {
    QTest::addColumn<int>("host");
    QTest::addColumn<bool>("frozen");
    QTest::newRow("worker 1") << 1 << false;
    QTest::newRow("the chief") << 0 << false;
    QTest::newRow("its machine") << 1 << true;
  }
  void aLostWorkerStopsACollective() {
    QFETCH(int, host);
    QFETCH(bool, frozen);
    const RunSettings config = settingsOf("multi-worker-mirrored");
    const Run whole = run(config, digits_);
    const RunFault fault{11, Task::Worker, host, frozen ? What::Freeze : What::Kill};
    const Run killed = run(config, digits_, {faultOf(config, fault)});
    QCOMPARE(killed.records.size(), std::size_t{1});
    QCOMPARE(killed.steps, 11);
    const StepRecord& record = *killed.records.front();
    const StepMetric& metric = record.metric;
    QVERIFY(metric.aborted);
    QCOMPARE(metric.step, 11);
    QVERIFY(sameBits(record.weightsBefore, record.weightsAfter));
    QVERIFY(sameBits(killed.weights, whole.records[10]->weightsBefore));
    QCOMPARE(metric.stepNs, metric.computeNs + metric.communicationNs + metric.inputNs + metric.queueNs +
                                metric.stragglerNs + metric.launchNs + metric.faultNs);
    QVERIFY(metric.faultNs > (frozen ? 18'000'000'000 : 700'000'000));
    QCOMPARE(metric.examples, 32);
    QCOMPARE(metric.loss, whole.records[10]->metric.loss);  // the forward pass was the same
    QVERIFY(metric.epoch == whole.records[9]->metric.epoch);
    QCOMPARE(record.dead.size(), std::size_t{1});
    QCOMPARE(record.dead.front().index, host);
    // A dead worker sends no message, and its transfers under way are lost.
    const std::int64_t atNs = record.dead.front().sinceNs;
    int lost = 0;
    for (const Span& span : record.spans) {
      QVERIFY(span.label != labelOf(Label::Update) || span.step != 11);
      if (span.kind != SpanKind::Transfer || span.step != 11) continue;
      if (span.from / 2 == host) QVERIFY(span.startNs + span.durationNs <= atNs);
      lost += span.label == labelOf(Label::MessageLost) ? 1 : 0;
    }
    QVERIFY(lost > 0);
    const Timeline timeline = timelineOf(killed.info, record);
    std::int64_t waited = 0;
    for (int r = 0; r < 4; ++r)
      waited += timeline.breakdown(r, record.beginNs, record.endNs)[static_cast<std::size_t>(StepStage::Fault)];
    QVERIFY(std::abs(waited / 4 - metric.faultNs) < 10);
    QVERIFY(!tensorFlowError(fault, config).empty());
  }

  // The step's update never was, nor did its examples move the statistics of a batch normalisation.
  void anAbortedStepMovesNoStatistics() {
    const QTemporaryDir folder;
    const RunSettings config =
        settingsOf("multi-worker-mirrored", {{"network", normedNetworkFile(folder.path(), false).toStdString()}});
    const Run whole = run(config, digits_);
    const Run killed = run(config, digits_, {faultOf(config, {11, Task::Worker, 1, What::Kill})});
    QVERIFY(killed.records.front()->metric.aborted);
    const auto statisticsOf = [](const Checkpoint& state) {
      std::vector<float> all;
      for (const auto& [name, tensor] : state.tensors.tensors)
        if (name.starts_with("statistics/")) all.insert(all.end(), tensor.values.begin(), tensor.values.end());
      return all;
    };
    QVERIFY(!statisticsOf(whole.states[10]).empty());
    QVERIFY(sameBits(statisticsOf(killed.states.back()), statisticsOf(whole.states[10])));
    QVERIFY(!sameBits(statisticsOf(whole.states[11]), statisticsOf(whole.states[10])));
    for (std::size_t r = 0; r < 4; ++r)
      QVERIFY(sameBits(killed.records.front()->replicas[r].statistics, whole.records[9]->replicas[r].statistics));
  }

  // From the backup on, the lost steps are repeated, bit for bit as in an undisturbed run.
  void theRevivedGoOnFromTheBackup_data() {
    QTest::addColumn<int>("saveEvery");
    QTest::addColumn<int>("backup");
    QTest::newRow("each epoch") << 0 << 8;
    QTest::newRow("every 3 steps") << 3 << 9;
    QTest::newRow("none yet") << 15 << 0;
  }
  void theRevivedGoOnFromTheBackup() {
    QFETCH(int, saveEvery);
    QFETCH(int, backup);
    const RunSettings config = settingsOf("multi-worker-mirrored");
    const Run whole = run(config, digits_);
    const RunFault fault{11, Task::Worker, 1, What::Kill};
    Lineage lineage{faultOf(config, fault)};
    const Run killed = run(config, digits_, lineage);
    QCOMPARE(backupBefore(11, killed.info.stepsPerEpoch, saveEvery), backup);
    const std::int64_t atNs = restartNs(killed.records.front()->endNs);
    lineage.push_back(faultOf(config, {backup + 1, Task::Worker, 1, What::Revive, atNs}));
    const Run revived = run(config, digits_, lineage);
    QCOMPARE(revived.info.firstStep, backup + 1);
    QCOMPARE(revived.records.front()->beginNs >= atNs, true);
    QCOMPARE(revived.records.size() + static_cast<std::size_t>(backup), whole.records.size());
    for (std::size_t i = 0; i < revived.records.size(); ++i) {
      const StepRecord &was = *whole.records[i + static_cast<std::size_t>(backup)], &is = *revived.records[i];
      QCOMPARE(is.metric.step, was.metric.step);
      QCOMPARE(is.metric.loss, was.metric.loss);
      QCOMPARE(is.metric.epoch, was.metric.epoch);
      QVERIFY(sameBits(is.weightsAfter, was.weightsAfter));
      QVERIFY(sameBits(is.gradients, was.gradients));
      QVERIFY(is.dead.empty());
    }
    QVERIFY(sameBits(revived.weights, whole.weights));
  }

  // A worker dies alone. The others' updates go on; its closure returns to the queue once its death is noticed.
  void aLostServersWorkerGoesAlone() {
    const RunSettings config = onServers("260");
    Lineage lineage{faultOf(config, {6, Task::Worker, 1, What::Kill})};
    const Run killed = run(config, digits_, lineage);
    QCOMPARE(killed.records.size(), std::size_t{255});
    std::int64_t noticedIn = 0;
    for (const RecordPointer& record : killed.records) {
      QVERIFY(!record->metric.aborted);
      QVERIFY(record->metric.worker != 1);
      QCOMPARE(record->dead.size(), std::size_t{1});
      const DeadTask& dead = record->dead.front();
      QCOMPARE(dead.index, 1);
      if (dead.takenBy >= 0 && noticedIn == 0) {
        noticedIn = record->metric.step;
        QCOMPARE(dead.takenBy, *record->metric.worker);
        QVERIFY(dead.takenNs >= dead.noticedNs && dead.noticedNs > dead.sinceNs);
      }
      for (const Span& span : record->spans)
        if (span.track == 1 && span.label != labelOf(Label::TaskIsDead))
          QVERIFY(span.startNs + span.durationNs <= dead.sinceNs + 1'000'000);
    }
    QVERIFY(noticedIn > 6);
    lineage.push_back(faultOf(config, {200, Task::Worker, 1, What::Revive}));
    const Run revived = run(config, digits_, lineage);
    QVERIFY(std::ranges::any_of(revived.records, [](const RecordPointer& one) { return one->metric.worker == 1; }));
    for (const RecordPointer& record : revived.records) QVERIFY(record->dead.empty());
    // Starts from any state of the parent, and from a file.
    compare(run(config, digits_, lineage, &killed.states[100]), revived);
    const nlohmann::json file = lineageToJson(lineage);
    QVERIFY(lineageToJson(lineageFromJson(file)) == file);
    compare(run(config, digits_, lineageFromJson(file)), revived);
  }

  // The living share all test images.
  void aDeadWorkerEvaluatesNothing() {
    const RunSettings config = onServers("12");
    Telemetry telemetry;
    Trainer trainer(resolve(config), digits_, telemetry, {faultOf(config, {6, Task::Worker, 1, What::Kill})});
    QVERIFY(startBranch(trainer, digits_, nullptr, [] { return true; }));
    const auto shares = [&trainer] {
      std::vector<std::int64_t> images;
      for (const EvalShare& share : trainer.evaluate().shares) images.push_back(share.examples);
      return images;
    };
    const std::vector<std::int64_t> before = shares();
    QCOMPARE(before.size(), std::size_t{4});
    QVERIFY(before[1] > 0);
    (void)recordedStep(trainer, telemetry);
    const std::vector<std::int64_t> after = shares();
    QCOMPARE(after.size(), std::size_t{4});
    QCOMPARE(after[1], std::int64_t{0});
    QCOMPARE(after[0] + after[2] + after[3], std::int64_t{50});
  }

  void aLostServerEndsTraining() {
    const RunSettings config = onServers("80");
    const Run whole = run(config, digits_);
    const RunFault fault{50, Task::Server, 1, What::Kill};
    Lineage lineage{faultOf(config, fault)};
    const Run killed = run(config, digits_, lineage);
    QCOMPARE(killed.records.size(), std::size_t{1});
    const StepRecord& record = *killed.records.front();
    QVERIFY(record.metric.aborted);
    QCOMPARE(record.endNs - record.beginNs, 80'000'000);
    QVERIFY(sameBits(record.weightsBefore, record.weightsAfter));
    // The worker of the last update waited for weights, and has no gradients any more; others have.
    const StepRecord& before = *whole.records[48];
    const auto last = static_cast<std::size_t>(*before.metric.worker);
    QVERIFY(record.replicas[last].gradients.empty());
    QVERIFY(record.previous[last].shard == before.replicas[last].shard);
    QCOMPARE(record.previous[last].version, before.replicas[last].version);
    QVERIFY(std::ranges::any_of(record.replicas, [](const ReplicaStep& each) { return !each.gradients.empty(); }));
    compare(run(config, digits_, lineage, &whole.states[49]), killed);
    const std::int64_t backup = backupBefore(50, killed.info.stepsPerEpoch);
    lineage.push_back(faultOf(config, {backup + 1, Task::Server, 1, What::Revive, restartNs(record.endNs)}));
    const Run revived = run(config, digits_, lineage);
    QCOMPARE(revived.info.firstStep, backup + 1);
    QVERIFY(sameBits(revived.records.front()->weightsBefore,
                     whole.records[static_cast<std::size_t>(backup)]->weightsBefore));
    QCOMPARE(revived.records.size(), static_cast<std::size_t>(80 - backup));
    compare(run(config, digits_, lineage), revived);
  }

  void theOnlyCoordinatorHasNoNumber() {
    const auto words = [](const RunFault& fault) { return format(describe(fault)); };
    QCOMPARE(words({4, Task::Chief, 0, What::Kill}), "coordinator killed in step 4");
    QCOMPARE(words({3, Task::Chief, 0, What::Revive, 1}),
             "coordinator revived: all start again with step 3 from the backup");
    QCOMPARE(words({1, Task::Chief, 0, What::Revive, 1}),
             "coordinator revived: there was no backup yet, so all start again with step 1");
    QCOMPARE(words({4, Task::Server, 0, What::Kill}), "parameter server 0 killed in step 4");
  }

  void whatCannotBeIsRefused() {
    const RunSettings workers = settingsOf("multi-worker-mirrored"), servers = settingsOf("parameter-server");
    const RunSettings mirrored = settingsOf("mirrored");
    QVERIFY(refuses({faultOf(mirrored, {3, Task::Worker, 0})}, mirrored, say::oneProcess));
    for (const auto& [hosts, why] : {std::pair{"1", &say::oneProcess}, {"2", &say::faultsNotModelled}}) {
      const RunSettings sharded = settingsOf("sharded", {{"hosts", hosts}});
      QVERIFY(refuses({faultOf(sharded, {3, Task::Worker, 0})}, sharded, *why));
    }
    QVERIFY(refuses({faultOf(workers, {3, Task::Worker, 2})}, workers, say::noSuchTask));
    QVERIFY(refuses({faultOf(workers, {3, Task::Server, 0})}, workers, say::noSuchTask));
    QVERIFY(refuses({faultOf(workers, {3, Task::Worker, 0, What::Revive})}, workers, say::badFault));
    QVERIFY(refuses({faultOf(servers, {3, Task::Worker, 0, What::Freeze})}, servers, say::onlyFreezesCollectives));
    const RunSettings real = settingsOf("parameter-server", {{"devices", "cpu"}});
    QVERIFY(refuses({faultOf(real, {3, Task::Worker, 0})}, real, say::faultNeedsSimulated));
    Lineage lineage{faultOf(workers, {3, Task::Worker, 1})};
    lineage.push_back({"", workers, 3, std::nullopt, std::nullopt});
    QVERIFY(refuses(lineage, workers, say::trainingHasEnded));
    lineage.clear();
    for (int w = 0; w < 3; ++w) lineage.push_back(faultOf(servers, {3, Task::Worker, w}));
    checkLineage(lineage, resolve(servers));
    lineage.push_back(faultOf(servers, {3, Task::Worker, 3}));
    QVERIFY(refuses(lineage, servers, say::lastWorker));
  }
};

QTEST_GUILESS_MAIN(TestFaults)
#include "tst_faults.moc"

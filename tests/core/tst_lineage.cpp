// SPDX-License-Identifier: GPL-3.0-or-later
// Branches of runs: a fork without a change equals its parent; a fork with another setting equals a run that had it
// from there on; a value changed by hand has its true effect on copies, central storage and a parameter server; and
// settings and lineage from files give the same run again, bit for bit.
#include <QDeadlineTimer>
#include <QTemporaryDir>
#include <QTest>

#include <algorithm>
#include <cmath>
#include <thread>

#include "core/base/error.h"
#include "core/cluster/cluster.h"
#include "core/files/experiment_file.h"
#include "core/files/lineage_json.h"
#include "core/files/recorder.h"
#include "core/files/run_file.h"
#include "core/launching/live_run.h"
#include "core/options/config_field.h"
#include "core/options/resolve.h"
#include "core/replay/recompute.h"
#include "core/training/branches.h"
#include "core/training/messages.h"
#include "tests/support/records.h"
#include "tests/support/training.h"

using namespace lab;
using namespace lab::test;

namespace {

constexpr std::int64_t kFork = 4;  // the first step of the branches here

bool always() {
  return true;
}

RunSettings base(const Settings& more) {
  return resolve(configOf(with({{"dataset", "digits"},
                                {"devices", "simulated"},
                                {"replicas", "3"},
                                {"optimizer", "sgd"},
                                {"learning-rate", "0.05"},
                                {"batch-per-replica", "8"},
                                {"steps", "9"},
                                {"eval-every", "0"}},
                               more)))
      .asked();
}

RunSettings changed(RunSettings config, const Settings& changes) {
  for (const auto& [name, value] : changes) configField(name).set(config, value);
  return resolve(config).asked();
}

// A run, step by step.
struct Steps {
  std::vector<RecordPointer> records;
  std::vector<float> weights;
  std::vector<Checkpoint> states;  // before the first step, and after each
  RunInfo info;
  std::optional<bool> identical;
};

Steps run(const RunSettings& config, const std::shared_ptr<const Dataset>& data, const Lineage& lineage = {},
          const Checkpoint* near = nullptr) {
  Telemetry telemetry;
  Trainer trainer(resolve(config), data, telemetry, lineage);
  if (!startBranch(trainer, data, near, always)) return {};
  Steps steps;
  steps.states.push_back(trainer.saveState());
  while (!trainer.finished()) {
    steps.records.push_back(recordedStep(trainer, telemetry));
    steps.states.push_back(trainer.saveState());
  }
  steps.weights = trainer.weights();
  steps.info = trainer.info();
  steps.identical = trainer.cluster().copies().areIdentical();
  return steps;
}

// Checks that `branch` equals `whole` from step `from` on.
void compareFrom(const Steps& whole, const Steps& branch, std::int64_t from) {
  QCOMPARE(branch.records.size() + static_cast<std::size_t>(from - 1), whole.records.size());
  for (std::size_t i = 0; i < branch.records.size(); ++i) {
    const QString differs = difference(*whole.records[i + static_cast<std::size_t>(from - 1)], *branch.records[i]);
    QVERIFY2(differs.isEmpty(), qPrintable(differs));
  }
  QVERIFY(sameBits(branch.weights, whole.weights));
}

Lineage broken(const RunSettings& parent, RunEdit::What what, int replica, std::int64_t index, int bit = 28) {
  return {{"", parent, kFork, RunEdit{kFork, what, replica, index, std::nullopt, bit}}};
}

const std::vector<const char*> kStrategies{"mirrored", "multi-worker-mirrored", "tpu", "central-storage",
                                           "parameter-server"};

RunSettings ofStrategy(const char* name) {
  const std::string strategy = name;
  if (strategy == "multi-worker-mirrored") return base({{"strategy", strategy}, {"replicas", "4"}});
  return base({{"strategy", strategy}});
}

}  // namespace

class TestLineage : public QObject {
  Q_OBJECT

  const std::shared_ptr<const Dataset> digits_ = fewDigits(230, 50);

  // The record of step `step` in a run that began with `first`.
  static const StepRecord& recordOf(const Steps& run, std::int64_t step) {
    return *run.records[static_cast<std::size_t>(step - run.info.firstStep)];
  }
  static std::vector<std::size_t> differing(const std::vector<float>& a, const std::vector<float>& b) {
    std::vector<std::size_t> places;
    for (std::size_t i = 0; i < a.size(); ++i)
      if (a[i] != b[i]) places.push_back(i);
    return places;
  }
  static void addStrategies() {
    QTest::addColumn<QString>("name");
    for (const char* name : kStrategies) QTest::newRow(name) << QString(name);
  }

 private Q_SLOTS:
  void withoutAChangeItIsItsParent_data() { addStrategies(); }
  void withoutAChangeItIsItsParent() {
    QFETCH(QString, name);
    const RunSettings config = ofStrategy(qPrintable(name));
    const Steps whole = run(config, digits_);
    const Lineage fork{{"base", config, kFork, std::nullopt}};
    compareFrom(whole, run(config, digits_, fork), kFork);
    compareFrom(whole, run(config, digits_, fork, &whole.states[2]), kFork);
    compareFrom(whole, run(config, digits_, fork, &whole.states[kFork - 1]), kFork);
    compareFrom(whole, run(config, digits_, {{"", config, 1, std::nullopt}}), 1);
    // A branch of a branch.
    compareFrom(whole, run(config, digits_, {{"", config, 3, std::nullopt}, {"", config, 6, std::nullopt}}), 6);
  }

  void anotherRateFromThereOn_data() { addStrategies(); }
  void anotherRateFromThereOn() {
    QFETCH(QString, name);
    const RunSettings config = ofStrategy(qPrintable(name)), faster = changed(config, {{"learning-rate", "0.2"}});
    const Steps whole = run(config, digits_);
    const Steps branch = run(faster, digits_, {{"", config, kFork, std::nullopt}});
    Telemetry telemetry;
    Trainer trainer(resolve(faster), digits_, telemetry);
    trainer.loadState(whole.states[kFork - 1]);
    for (const RecordPointer& record : branch.records) {
      const QString differs = difference(*recordedStep(trainer, telemetry), *record);
      QVERIFY2(differs.isEmpty(), qPrintable(differs));
      QCOMPARE(record->metric.learningRate, 0.2);
    }
    // SGD by hand, in the first step: w - 0.2 g.
    const StepRecord& first = *branch.records.front();
    QVERIFY(sameBits(first.weightsBefore, recordOf(whole, kFork).weightsBefore));
    for (std::size_t i = 0; i < first.weightsBefore.size(); ++i) {
      const double expected = first.weightsBefore[i] - 0.2 * first.gradients[i];
      QVERIFY(std::abs(first.weightsAfter[i] - expected) <= 1e-6 * (1 + std::abs(expected)));
    }
  }

  // Another synchronous strategy continues from the same variables, slots and place in the data.
  void anotherStrategyGoesOn_data() {
    QTest::addColumn<QString>("was");
    QTest::addColumn<Settings>("now");
    QTest::newRow("reducer") << "mirrored" << Settings{{"reducer", "tree"}};
    QTest::newRow("central storage") << "mirrored" << Settings{{"strategy", "central-storage"}, {"reducer", "auto"}};
    QTest::newRow("mirrored") << "central-storage" << Settings{{"strategy", "mirrored"}};
    QTest::newRow("hosts") << "mirrored" << Settings{{"strategy", "multi-worker-mirrored"}, {"hosts", "3"}};
    QTest::newRow("replicas") << "mirrored" << Settings{{"replicas", "6"}, {"batch-per-replica", "4"}};
    QTest::newRow("links") << "mirrored" << Settings{{"link", "pcie3_x16"}, {"slow", "1:3"}};
  }
  void anotherStrategyGoesOn() {
    QFETCH(QString, was);
    QFETCH(Settings, now);
    // Adam's updates depend on their number, so a restarted count would be far off.
    const RunSettings config =
        changed(ofStrategy(qPrintable(was)), {{"optimizer", "adam"}, {"learning-rate", "0.002"}});
    const Steps whole = run(config, digits_);
    const Steps branch = run(changed(config, now), digits_, {{"", config, kFork, std::nullopt}});
    QCOMPARE(branch.info.firstStep, kFork);
    QCOMPARE(branch.records.size(), std::size_t{9 - kFork + 1});
    QVERIFY(sameBits(branch.records.front()->weightsBefore, recordOf(whole, kFork).weightsBefore));
    QCOMPARE(branch.records.front()->beginNs, recordOf(whole, kFork).beginNs);
    for (std::size_t i = 0; i < whole.weights.size(); ++i)
      QVERIFY(std::abs(branch.weights[i] - whole.weights[i]) < 1e-4);
  }

  // Under local SGD each replica counts its examples. A branch with more replicas begins with equal copies.
  void localSgdGoesOnWithMoreReplicas_data() {
    QTest::addColumn<QString>("replicas");
    QTest::addColumn<QString>("localSteps");
    QTest::addColumn<bool>("agree");
    QTest::newRow("one replica, in a round") << "1"
                                             << "4" << true;
    QTest::newRow("after an average") << "2"
                                      << "3" << true;
    QTest::newRow("two replicas, in a round") << "2"
                                              << "4" << false;
  }
  void localSgdGoesOnWithMoreReplicas() {
    QFETCH(QString, replicas);
    QFETCH(QString, localSteps);
    QFETCH(bool, agree);
    const RunSettings config = base({{"strategy", "local-sgd"},
                                     {"replicas", replicas.toStdString()},
                                     {"hosts", "1"},
                                     {"batch-per-replica", std::to_string(24 / replicas.toInt())},
                                     {"local-steps", localSteps.toStdString()},
                                     {"outer-optimizer", "nesterov"}});
    const Steps whole = run(config, digits_);
    const RunSettings more = changed(config, {{"replicas", "4"}, {"batch-per-replica", "6"}});
    try {
      const Steps branch = run(more, digits_, {{"", config, kFork, std::nullopt}});
      QVERIFY(agree);
      QCOMPARE(branch.records.size(), std::size_t{9 - kFork + 1});
      QVERIFY(sameBits(branch.records.front()->weightsBefore, recordOf(whole, kFork).weightsBefore));
      QCOMPARE(branch.records.front()->metric.shards, (std::vector<std::int64_t>{6, 6, 6, 6}));
      for (const RecordPointer& record : branch.records) QVERIFY(std::isfinite(record->metric.loss));
    } catch (const UserError& error) {
      QVERIFY(!agree && error.message().is(say::copiesDiffer));
    }
  }

  void whatCannotChange_data() {
    QTest::addColumn<QString>("strategy");
    QTest::addColumn<Settings>("change");
    QTest::newRow("optimizer") << "mirrored" << Settings{{"optimizer", "adam"}};
    QTest::newRow("momentum") << "mirrored" << Settings{{"momentum", "0.9"}};
    QTest::newRow("seed") << "mirrored" << Settings{{"seed", "2"}};
    QTest::newRow("batch") << "mirrored" << Settings{{"global-batch", "48"}, {"batch-per-replica", "16"}};
    QTest::newRow("buffer") << "central-storage" << Settings{{"shuffle-buffer", "10"}};
    QTest::newRow("from servers") << "parameter-server" << Settings{{"slow", "1:2"}};
    QTest::newRow("more workers") << "parameter-server" << Settings{{"replicas", "2"}};
  }
  void whatCannotChange() {
    QFETCH(QString, strategy);
    QFETCH(Settings, change);
    const RunSettings config = ofStrategy(qPrintable(strategy));
    try {
      checkLineage({{"", config, kFork, std::nullopt}}, resolve(changed(config, change)));
      QFAIL("not refused");
    } catch (const UserError& error) {
      QVERIFY2(error.message().is(say::cannotBranch), error.what());
    }
  }

  // Hosts that read files of their own, or all examples each, would seek the place of other pipelines.
  void hostsWithTheirOwnExamplesCannotChange_data() {
    QTest::addColumn<Settings>("split");
    QTest::addColumn<bool>("refused");
    QTest::newRow("in memory") << Settings{} << false;
    QTest::newRow("files") << Settings{{"split", "file"}, {"files", "2"}} << true;
    QTest::newRow("all examples each") << Settings{{"auto-shard", "off"}} << true;
  }
  void hostsWithTheirOwnExamplesCannotChange() {
    QFETCH(Settings, split);
    QFETCH(bool, refused);
    const RunSettings config =
        base(with(split, {{"strategy", "multi-worker-mirrored"}, {"replicas", "4"}, {"hosts", "2"}}));
    try {
      checkLineage({{"", config, kFork, std::nullopt}}, resolve(changed(config, {{"hosts", "1"}})));
      QVERIFY(!refused);
    } catch (const UserError& error) {
      QVERIFY2(refused && error.message().is(say::cannotBranch), error.what());
    }
  }

  void editsOfWhatIsNotThere() {
    const RunSettings config = ofStrategy("mirrored");
    const auto refused = [&](const std::function<void(RunEdit&)>& spoil) {
      RunEdit edit{.step = kFork, .replica = 1, .index = 5};
      spoil(edit);
      try {
        checkLineage({{"", config, kFork, edit}}, resolve(config));
      } catch (const UserError&) {
        return true;
      }
      return false;
    };
    QVERIFY(!refused([](RunEdit&) {}));
    QVERIFY(refused([](RunEdit& edit) { edit.replica = 3; }) && refused([](RunEdit& edit) { edit.index = 1 << 30; }));
    QVERIFY(refused([](RunEdit& edit) { edit.bit = 32; }) && refused([](RunEdit& edit) { edit.step = kFork + 1; }));
    QVERIFY(refused([](RunEdit& edit) { edit.value = std::nanf(""); }));
  }

  // A changed gradient value of one replica enters the sum: all copies stay alike, but differ from the parent's.
  void aGradientIsEverybodys() {
    for (const char* name : {"mirrored", "multi-worker-mirrored", "tpu", "central-storage"}) {
      const RunSettings config = ofStrategy(name);
      const Steps whole = run(config, digits_),
                  branch = run(config, digits_, broken(config, RunEdit::What::Gradient, 1, 7));
      const StepRecord &was = recordOf(whole, kFork), &is = recordOf(branch, kFork);
      QCOMPARE(differing(was.replicas[1].gradients, is.replicas[1].gradients), std::vector<std::size_t>{7});
      QVERIFY(sameBits(was.replicas[0].gradients, is.replicas[0].gradients));
      QCOMPARE(differing(was.weightsAfter, is.weightsAfter), std::vector<std::size_t>{7});
      QVERIFY(!sameBits(branch.weights, whole.weights));
      QVERIFY(branch.identical.value_or(true) || std::string(name) == "central-storage");
      for (const RecordPointer& record : branch.records) QVERIFY(record->metric.mirrorsIdentical.value_or(true));
    }
  }

  // More than 16 replicas share one copy of the variables. Sums, records and weights equal those of separate copies,
  // which a run with a value changed by hand has: here a gradient value, changed to what it is anyway.
  void manyReplicasShareOneCopy() {
    const RunSettings config =
        base({{"strategy", "mirrored"}, {"replicas", "17"}, {"batch-per-replica", "1"}, {"steps", "5"}});
    const Steps shared = run(config, digits_);
    QVERIFY(!shared.identical);
    for (const RecordPointer& record : shared.records)
      QVERIFY(record->metric.copiesShared && !record->metric.mirrorsIdentical);
    Lineage asItIs = broken(config, RunEdit::What::Gradient, 16, 7);
    asItIs.front().edit->value = recordOf(shared, kFork).replicas[16].gradients[7];
    const Steps own = run(config, digits_, asItIs);
    QVERIFY(own.identical == true);
    for (const RecordPointer& record : own.records) {
      QVERIFY(!record->metric.copiesShared && record->metric.mirrorsIdentical == true);
      const StepRecord& other = recordOf(shared, record->metric.step);
      QVERIFY(sameBits(record->gradients, other.gradients) && sameBits(record->weightsAfter, other.weightsAfter));
      for (std::size_t r = 0; r < 17; ++r)
        QVERIFY(sameBits(record->replicas[r].gradients, other.replicas[r].gradients) &&
                record->replicas[r].weightsDigest == other.replicas[r].weightsDigest);
    }
    QVERIFY(sameBits(own.weights, shared.weights));
    // Also without a watcher, and from a state.
    Telemetry telemetry;
    Trainer unseen(resolve(config), digits_, telemetry);
    unseen.loadState(own.states.front());
    while (!unseen.finished()) unseen.step();
    QVERIFY(sameBits(unseen.weights(), shared.weights));
    QVERIFY(run(config, digits_, broken(config, RunEdit::What::Weight, 16, 7)).identical == false);
  }

  // A changed weight of one copy: the copies differ from now on, although their updates are the same.
  void aWeightIsOneCopys() {
    for (const char* name : {"mirrored", "multi-worker-mirrored", "tpu"})
      for (const int replica : {0, 1}) {
        const RunSettings config = ofStrategy(name);
        const Steps whole = run(config, digits_);
        const Steps branch = run(config, digits_, broken(config, RunEdit::What::Weight, replica, 7));
        QVERIFY(whole.identical == true && branch.identical == false);
        for (const RecordPointer& record : branch.records) QVERIFY(record->metric.mirrorsIdentical == false);
        const auto places = differing(recordOf(whole, kFork).weightsBefore, recordOf(branch, kFork).weightsBefore);
        QCOMPARE(places, replica == 0 ? std::vector<std::size_t>{7} : std::vector<std::size_t>{});
        // Records contain the differences from the first copy, and nothing twice.
        for (const RecordPointer& record : branch.records)
          for (const ReplicaStep& each : record->replicas) {
            const bool differs = each.weightsDigest != record->replicas.front().weightsDigest;
            QCOMPARE(each.ownWeights.empty(), !differs);
            if (differs) QCOMPARE(differing(each.ownWeights, record->weightsAfter), std::vector<std::size_t>{7});
          }
        // Every state keeps the change as a single value: the difference of replica 1's copy from the first.
        for (std::size_t i = 1; i < branch.states.size(); ++i) {
          const auto& tensors = branch.states[i].tensors.tensors;
          std::vector<float> primary = recordOf(branch, kFork + static_cast<std::int64_t>(i) - 1).weightsAfter;
          QCOMPARE(differing(tensors.at("copies/replica_1/weights").values, primary), std::vector<std::size_t>{7});
        }
        QVERIFY(branch.states.front().tensors.tensors.count("copies/replica_1/weights") == 0);
      }
  }

  // Central storage sends the weights again, so a broken copy lasts one step, but its gradient has a lasting effect.
  void centralStorageHealsCopies() {
    const RunSettings config = ofStrategy("central-storage");
    const Steps whole = run(config, digits_);
    const Steps branch = run(config, digits_, broken(config, RunEdit::What::Weight, 1, 7));
    const StepRecord &was = recordOf(whole, kFork), &is = recordOf(branch, kFork), &next = recordOf(branch, kFork + 1);
    QVERIFY(sameBits(was.weightsBefore, is.weightsBefore));
    QVERIFY(is.replicas[1].weightsDigest != is.replicas[0].weightsDigest);
    QVERIFY(!sameBits(was.replicas[1].gradients, is.replicas[1].gradients));
    QVERIFY(sameBits(was.replicas[2].gradients, is.replicas[2].gradients));
    QVERIFY(!sameBits(was.weightsAfter, is.weightsAfter));
    QCOMPARE(next.replicas[1].weightsDigest, next.replicas[0].weightsDigest);
  }

  // A worker's changed copy lasts until its next pull; only its push affects the servers and the others.
  void aWorkersCopyIsItsOwn() {
    const RunSettings config = ofStrategy("parameter-server");
    const Steps whole = run(config, digits_);
    for (const auto what : {RunEdit::What::Weight, RunEdit::What::Gradient}) {
      const Steps branch = run(config, digits_, broken(config, what, 1, 7));
      std::int64_t first = kFork;
      while (first < 9 && sameBits(recordOf(whole, first).weightsAfter, recordOf(branch, first).weightsAfter)) ++first;
      const StepRecord &was = recordOf(whole, first), &is = recordOf(branch, first);
      QCOMPARE(is.metric.worker, std::optional<int>(1));
      QVERIFY(sameBits(was.weightsBefore, is.weightsBefore) && !sameBits(was.weightsAfter, is.weightsAfter));
      if (what == RunEdit::What::Gradient)
        QCOMPARE(differing(was.weightsAfter, is.weightsAfter), std::vector<std::size_t>{7});
      QVERIFY(!sameBits(branch.weights, whole.weights));
    }
  }

  // Replaying from the file alone, from any state, and step by step in any order gives the same bits.
  void itIsReplayed_data() {
    QTest::addColumn<QString>("name");
    QTest::addColumn<bool>("weight");
    for (const char* name : kStrategies)
      for (const bool weight : {true, false})
        QTest::addRow("%s, %s", name, weight ? "weight" : "gradient") << QString(name) << weight;
  }
  void itIsReplayed() {
    QFETCH(QString, name);
    QFETCH(bool, weight);
    const QTemporaryDir folder;
    RunSettings config = ofStrategy(qPrintable(name));
    const Lineage lineage =
        broken(config, weight ? RunEdit::What::Weight : RunEdit::What::Gradient, 1, 7, weight ? 24 : 28);
    RunSettings child = config;
    child.learningRate = 0.04;
    const Steps once = run(child, digits_, lineage);
    // From every state of its own.
    for (std::size_t from = 0; from < once.states.size(); ++from) {
      Telemetry telemetry;
      Trainer trainer(resolve(child), digits_, telemetry, lineage);
      trainer.loadState(once.states[from]);
      for (std::size_t i = from; i < once.records.size(); ++i) {
        const QString differs = difference(*once.records[i], *recordedStep(trainer, telemetry));
        QVERIFY2(differs.isEmpty(), qPrintable(differs));
      }
    }
    // From its run file.
    child.run = folder.filePath("run").toStdString();
    Telemetry telemetry;
    Trainer trainer(resolve(child), digits_, telemetry, lineage);
    Recorder recorder(trainer.info(), telemetry);
    QVERIFY(startBranch(trainer, digits_, nullptr, always));
    trainer.step();
    recorder.finish();
    const RunHeader header = readRunFile(child.run).header;
    QVERIFY(isEdited(header.lineage));
    const Steps again = run(withoutOutputs(configFromJson(header.config)), digits_, header.lineage);
    compareFrom(once, again, 1);
    QCOMPARE(again.identical, once.identical);
  }

  // A checkpoint belongs to its branch.
  void checkpoints() {
    const QTemporaryDir folder;
    RunSettings config = ofStrategy("mirrored");
    const Lineage lineage = broken(config, RunEdit::What::Weight, 1, 7);
    const Steps once = run(config, digits_, lineage);
    config.checkpointDir = folder.path().toStdString();
    config.checkpointEvery = 6;
    Telemetry telemetry;
    {
      Trainer trainer(resolve(config), digits_, telemetry, lineage);
      QVERIFY(startBranch(trainer, digits_, nullptr, always));
      while (trainer.stepsDone() < 6) trainer.step();
    }
    config.resume = true;
    Trainer trainer(resolve(config), digits_, telemetry, lineage);
    QCOMPARE(trainer.info().firstStep, 7);
    while (!trainer.finished()) trainer.step();
    QVERIFY(sameBits(trainer.weights(), once.weights) && trainer.cluster().copies().areIdentical() == false);
    try {
      Trainer other(resolve(config), digits_, telemetry);
      QFAIL("resumed");
    } catch (const UserError& error) {
      QVERIFY2(error.message().is(say::otherBranch), error.what());
    }
  }

  // On the thread of a live run, from its parent's states; any of its steps can be computed again.
  void live() {
    const RunSettings config = configOf({{"dataset", "digits"},
                                         {"devices", "simulated"},
                                         {"replicas", "2"},
                                         {"batch-per-replica", "8"},
                                         {"steps", "9"},
                                         {"eval-every", "0"}});
    const auto ended = [](const LiveRun& run) {
      for (const QDeadlineTimer deadline(300'000); run.state() != RunState::Finished && !deadline.hasExpired();)
        std::this_thread::yield();
      return run.state() == RunState::Finished;
    };
    LiveRun parent(resolve(config));
    QVERIFY(ended(parent));
    const Lineage lineage = broken(parent.info()->config.asked(), RunEdit::What::Weight, 1, 7);
    LiveRun branch(resolve(config), false, {lineage, parent.history()});
    QVERIFY(ended(branch));
    QCOMPARE(branch.info()->firstStep, kFork);
    const Steps expected = run(config, branch.info()->data, lineage);
    Recomputer recomputer(branch.info(), branch.history());
    for (const std::int64_t step : {9, 4, 7, 5}) {
      recomputer.request(step);
      for (const QDeadlineTimer deadline(300'000); recomputer.busy() && !deadline.hasExpired();)
        std::this_thread::yield();
      const RecordPointer record = recomputer.take();
      QVERIFY(record != nullptr);
      const QString differs = difference(recordOf(expected, step), *record);
      QVERIFY2(differs.isEmpty(), qPrintable(differs));
      QVERIFY(record->metric.mirrorsIdentical == false);
    }
    QVERIFY_THROWS_EXCEPTION(UserError, LiveRun(resolve(changed(config, {{"seed", "5"}})), false, {lineage, nullptr}));
  }

  void files() {
    const RunSettings config = ofStrategy("mirrored");
    Lineage lineage{{"base", config, 3, RunEdit{3, RunEdit::What::Gradient, 2, 11, -0.25F, 30}},
                    {"", changed(config, {{"learning-rate", "0.3"}}), kFork, std::nullopt}};
    const auto same = [&](const Lineage& read) {
      return read.size() == 2 && read[0].parent == "base" && read[0].step == 3 && read[0].edit == lineage[0].edit &&
             !read[1].edit && configToJson(read[1].config) == configToJson(lineage[1].config);
    };
    QVERIFY(same(lineageFromJson(lineageToJson(lineage))));
    ExperimentFile file;
    file.config = config;
    file.lineage = lineage;
    QVERIFY(same(parseExperiment(experimentText(file, "1"), "a.slab").lineage));
    // A later version's setting is left out.
    const char* later = R"([{"config":{"nothing":1,"replicas":3},"step":1}])";
    QVERIFY(lineageFromJson(nlohmann::json::parse(later)).front().config.replicas == 3);
    for (const char* damaged :
         {"{}", "[1]", "[{}]", R"([{"config":{},"step":0}])", R"([{"config":{},"step":"a"}])",
          R"([{"config":{},"step":1,"edit":{"what":"all","step":1,"replica":0,"index":0,"bit":1}}])",
          R"([{"config":{},"step":1,"edit":{"what":"weight","step":1,"replica":0,"index":0}}])",
          R"([{"config":[],"step":1}])", R"([{"parent":1,"config":{},"step":1}])"})
      QVERIFY_THROWS_EXCEPTION(UserError, lineageFromJson(nlohmann::json::parse(damaged)));
    // Settings as a user wrote them, with nothing filled in.
    const std::vector<RunEdit::What> both{RunEdit::What::Weight, RunEdit::What::Gradient};
    for (const RunEdit::What what : both)
      checkLineage({{"", RunSettings(), 1, RunEdit{1, what, 1, 3}}, {"", RunSettings(), 2, RunEdit{2, what, 0, 3}}},
                   resolve({}));
    QVERIFY_THROWS_EXCEPTION(
        UserError,
        checkLineage({{"", RunSettings(), 1, RunEdit{1, both[0], 2, 3}}, {"", RunSettings(), 2}}, resolve({})));
    QCOMPARE(format(describe(lineage).front()), "branch of another run from step 4");
    lineage.pop_back();
    QCOMPARE(format(describe(lineage).back()), "gradient value 11 of replica 2 changed by hand in step 3");
  }
};

QTEST_APPLESS_MAIN(TestLineage)
#include "tst_lineage.moc"

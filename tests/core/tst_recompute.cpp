// SPDX-License-Identifier: GPL-3.0-or-later
// ctest: label=long cost=30
// Steps that are computed again equal the original ones: saving and loading a state in the middle, the bounded history
// of states, and the thread that computes any step from them. Also worth running under -DSTRATEGYLAB_SANITIZE=thread.
#include <QDeadlineTimer>
#include <QTemporaryDir>
#include <QTest>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cmath>
#include <functional>
#include <limits>
#include <thread>

#include "core/base/error.h"
#include "core/base/rng.h"
#include "core/cluster/cluster.h"
#include "core/launching/live_run.h"
#include "core/model/safetensors.h"
#include "core/options/resolve.h"
#include "core/replay/messages.h"
#include "core/replay/recompute.h"
#include "tests/support/cpu_path.h"
#include "tests/support/records.h"
#include "tests/support/training.h"

using namespace lab;
using namespace lab::test;

namespace {

// Everything here takes seconds; under a sanitizer on a busy machine it may take long, but not for ever. Polls only now
// and then, to leave the processor to the thread that the test waits for.
bool waitFor(const std::function<bool()>& condition) {
  for (const QDeadlineTimer deadline(300'000); !condition();) {
    if (deadline.hasExpired()) return false;
    std::this_thread::sleep_for(std::chrono::microseconds(200));
  }
  return true;
}

// A clock by which an unseen step takes 1 µs, as does keeping a state, whatever else the machine does; except the
// interval that the `slowReading`th reading ends, which takes 100 µs. Only the computing thread reads it.
std::atomic<int> readings{0}, slowReading{0};
std::int64_t readClock() {
  static std::atomic<std::int64_t> now{0};
  return now += ++readings == slowReading ? 100'000 : 1'000;
}

// A run with every step recorded, and its states.
struct KeptRun {
  std::shared_ptr<const RunInfo> info;
  std::shared_ptr<StateHistory> history;
  std::vector<RecordPointer> records;
};

// One run, with as many states as each of the budgets has room for.
std::vector<KeptRun> keptRuns(const RunSettings& config, std::shared_ptr<const Dataset> data,
                              const std::vector<std::int64_t>& budgetsInBytes) {
  Telemetry telemetry;
  Trainer trainer(resolve(config), std::move(data), telemetry);
  const auto info = std::make_shared<const RunInfo>(trainer.info());
  auto state = std::make_shared<const Checkpoint>(trainer.saveState());
  std::vector<KeptRun> runs;
  for (const std::int64_t budget : budgetsInBytes) {
    runs.push_back({info, std::make_shared<StateHistory>(budget), {}});
    runs.back().history->keep(state);
  }
  std::vector<std::int64_t> keptAt(runs.size(), 0);
  while (!trainer.finished()) {
    const RecordPointer record = recordedStep(trainer, telemetry);
    state.reset();
    for (std::size_t i = 0; i < runs.size(); ++i) {
      runs[i].records.push_back(record);
      if (trainer.stepsDone() - keptAt[i] < runs[i].history->spacing()) continue;
      if (!state) state = std::make_shared<const Checkpoint>(trainer.saveState());
      runs[i].history->keep(state);
      keptAt[i] = trainer.stepsDone();
    }
  }
  return runs;
}

KeptRun keptRun(const RunSettings& config, std::shared_ptr<const Dataset> data, std::int64_t budgetBytes) {
  return std::move(keptRuns(config, std::move(data), {budgetBytes}).front());
}

// A longer run, with records of some steps and as many states as there is room for.
KeptRun longRun(const RunSettings& config, std::shared_ptr<const Dataset> data, std::int64_t budgetBytes,
                const std::function<bool(std::int64_t step)>& isSeen) {
  Telemetry telemetry;
  telemetry.setSpansWanted(false);
  Trainer trainer(resolve(config), std::move(data), telemetry);
  KeptRun run{std::make_shared<const RunInfo>(trainer.info()), std::make_shared<StateHistory>(budgetBytes), {}};
  run.history->keep(std::make_shared<const Checkpoint>(trainer.saveState()));
  for (std::int64_t step = 1, kept = 0; !trainer.finished(); ++step) {
    if (isSeen(step)) telemetry.requestRecord();
    trainer.step();
    (void)telemetry.takeMetrics();
    if (isSeen(step)) run.records.push_back(telemetry.takeRecord());
    if (step - kept < 2 * run.history->spacing()) continue;
    run.history->keep(std::make_shared<const Checkpoint>(trainer.saveState()));
    kept = step;
  }
  return run;
}

RecordPointer recomputed(Recomputer& recomputer, std::int64_t step) {
  recomputer.request(step);
  if (!waitFor([&] { return !recomputer.busy(); })) return nullptr;
  return recomputer.take();
}

std::shared_ptr<const Checkpoint> stateOfStep(std::int64_t step, std::size_t floats) {
  auto state = std::make_shared<Checkpoint>();
  state->state = {{"step", step}};
  state->tensors.tensors["weights"] = {{static_cast<std::int64_t>(floats)}, std::vector<float>(floats)};
  return state;
}

constexpr std::int64_t kNoLimit = std::numeric_limits<std::int64_t>::max();

}  // namespace

class TestRecompute : public QObject {
  Q_OBJECT

  std::shared_ptr<const Dataset> digits_ = fewDigits(230, 50);

 private slots:
  void initTestCase() { LAB_SKIP_WITHOUT_FORCED_CPU_PATH(); }

  // ---- states

  void continuingFromAStateIsExact_data() { addStrategyRows(); }
  void continuingFromAStateIsExact() {
    QFETCH(QString, name);
    Telemetry telemetry;
    const RunSettings config = lightRowConfig(name);
    Trainer trainer(resolve(config), digits_, telemetry);
    std::vector<RecordPointer> records;
    std::vector<Checkpoint> states{trainer.saveState()};
    while (!trainer.finished()) {
      records.push_back(recordedStep(trainer, telemetry));
      states.push_back(trainer.saveState());
    }
    const std::vector<float> end = trainer.weights();
    // Loads the state into a trainer that was only built, and into one that stands elsewhere.
    Trainer other(resolve(config), digits_, telemetry);
    for (const std::size_t from : {std::size_t{3}, std::size_t{0}, records.size() - 2}) {
      other.loadState(states[from]);
      QCOMPARE(other.stepsDone(), static_cast<std::int64_t>(from));
      for (std::size_t i = from; i < records.size(); ++i)
        QCOMPARE(difference(*recordedStep(other, telemetry), *records[i]), QString());
      QVERIFY(sameBits(other.weights(), end));
    }
  }

  void historyDropsWhereStatesAreNearest() {
    constexpr std::size_t kFloats = 25'000;  // 100 kB
    StateHistory history(450'000);
    QVERIFY(history.atOrBefore(1) == nullptr);
    QCOMPARE(history.stepBefore(1), -1);
    for (std::int64_t step = 0; step < 4; ++step) history.keep(stateOfStep(step, kFloats));
    QCOMPARE(history.states(), 4);
    QCOMPARE(history.spacing(), 1);
    QCOMPARE(stepOf(*history.atOrBefore(3)), 2);  // step 3 is computed from the state after step 2
    QVERIFY(history.atOrBefore(0) == nullptr);
    history.keep(stateOfStep(4, kFloats));  // now 0, 2, 3, 4
    QCOMPARE(history.states(), 4);
    QCOMPARE(history.spacing(), 1);
    QCOMPARE(stepOf(*history.atOrBefore(2)), 0);
    QCOMPARE(history.stepBefore(2), 0);
    QCOMPARE(stepOf(*history.atOrBefore(4)), 3);
    QCOMPARE(stepOf(*history.atOrBefore(1000)), 4);
    for (const std::int64_t step : {5, 6, 7}) history.keep(stateOfStep(step, kFloats));
    QCOMPARE(history.spacing(), 2);  // from 0, 2, 4, 6: no others are as close together as 6 and 7
    for (std::int64_t step = 8; step <= 400; step += 2) {
      history.keep(stateOfStep(step, kFloats));
      QVERIFY(history.bytes() <= 450'000);
      QCOMPARE(stepOf(*history.atOrBefore(1)), 0);
    }
    // A state larger than the budget stays if it is the first; no other does.
    StateHistory tiny(10);
    tiny.keep(stateOfStep(7, kFloats));
    tiny.keep(stateOfStep(8, kFloats));
    QCOMPARE(tiny.states(), 1);
    QCOMPARE(stepOf(*tiny.atOrBefore(9)), 7);
  }

  // In ten thousand steps, a state is never far from any step, and new states are never farther apart than old ones.
  void noStretchIsLeftOut() {
    constexpr std::size_t kFloats = 2500;  // 10 kB
    constexpr std::int64_t kStates = 100;
    StateHistory kept(kStates * 11'000);
    std::int64_t last = 0;
    kept.keep(stateOfStep(0, kFloats));
    for (std::int64_t step = 1; step <= 10'000; ++step) {
      if (step - last < 3 * kept.spacing()) continue;
      kept.keep(stateOfStep(step, kFloats));
      last = step;
      if (kept.states() < kStates * 4 / 5) QCOMPARE(kept.spacing(), 1);
      if (step % 97 != 0) continue;
      std::int64_t longest = 0, before = 0;
      for (std::int64_t at = 1; at <= step; ++at) {
        const std::int64_t state = kept.stepBefore(at);
        longest = std::max(longest, at - state);
        before = std::max(before, state);
      }
      const std::int64_t even = step / kept.states() + 1;
      QVERIFY2(longest <= std::max<std::int64_t>(3, 2 * even), std::to_string(longest).c_str());
      QVERIFY(before >= step - 3 * kept.spacing());
    }
    QVERIFY(kept.states() >= kStates * 4 / 5);
    QVERIFY(kept.bytes() <= kStates * 11'000);
  }

  // A parameter-server run has less under way at its beginning; its later states reuse each other's places in the file.
  void theFileDoesNotGrow() {
    StateHistory history(1'000'000);
    std::int64_t most = 0;
    for (std::int64_t step = 0; step < 400; ++step) {
      history.keep(stateOfStep(step, step == 0 ? 24'000 : 25'000));
      if (step == 50) most = history.fileBytes();
    }
    QVERIFY(most > 0 && history.fileBytes() <= most);
  }

  // An hour of training must not fill an hour's worth of memory.
  void statesLieInAFile() {
    constexpr std::size_t kFloats = 25'000;
    const auto numbered = [](std::int64_t step) {
      auto state = std::make_shared<Checkpoint>();
      state->config = {{"seed", 7}};
      state->state = {{"step", step}};
      state->tensors.metadata["clock"] = std::to_string(step);
      // Some states have more in flight than others.
      for (const char* name : {"a", "b", "c"})
        state->tensors.tensors[name] = {{static_cast<std::int64_t>(kFloats)},
                                        std::vector<float>(kFloats + static_cast<std::size_t>(step % 3),
                                                           static_cast<float>(step) + 0.25F * (*name - 'a'))};
      return state;
    };
    StateHistory history(3'000'000);
    for (std::int64_t step = 0; step <= 400; ++step) {
      history.keep(numbered(step));
      QVERIFY(history.memoryBytes() < 50'000);
    }
    QVERIFY(history.states() > 4 && history.bytes() > 1'000'000);
    for (std::int64_t step = 1; step <= 401; step += 25) {
      const auto state = history.atOrBefore(step);
      QVERIFY(state != nullptr && stepOf(*state) < step);
      const auto wanted = numbered(stepOf(*state));
      QVERIFY(state->config == wanted->config);
      QVERIFY(state->tensors.metadata == wanted->tensors.metadata);
      QCOMPARE(state->tensors.tensors.size(), wanted->tensors.tensors.size());
      for (const auto& [name, tensor] : wanted->tensors.tensors) {
        QVERIFY(state->tensors.tensors.at(name).shape == tensor.shape);
        QVERIFY(state->tensors.tensors.at(name).values == tensor.values);
      }
    }
  }

  // ---- computing again

  void anyStepAgain_data() { addStrategyRows(); }
  void anyStepAgain() {
    QFETCH(QString, name);
    const RunSettings config = lightRowConfig(name, {{"eval-every", "4"}});
    const std::vector<std::int64_t> budgets{kNoLimit, 12'000'000, 1};
    const std::vector<KeptRun> runs = keptRuns(config, digits_, budgets);
    for (std::size_t b = 0; b < budgets.size(); ++b) {
      const std::int64_t budget = budgets[b];
      const KeptRun& run = runs[b];
      if (budget == 1) QCOMPARE(run.history->states(), 1);
      Recomputer recomputer(run.info, run.history);
      std::vector<std::int64_t> order;
      for (std::int64_t step = 1; step <= std::ssize(run.records); ++step) order.push_back(step);
      Rng rng(static_cast<std::uint64_t>(budget), 1);
      for (std::size_t i = order.size() - 1; i > 0; --i) std::swap(order[i], order[rng.below(i + 1)]);
      if (budget != kNoLimit) order.resize(4);
      for (const std::int64_t step : order) {
        const RecordPointer record = recomputed(recomputer, step);
        QCOMPARE(format(recomputer.failure()), std::string());
        QVERIFY(record != nullptr);
        QCOMPARE(difference(*record, *run.records[static_cast<std::size_t>(step - 1)]), QString());
      }
    }
  }

  // Unseen steps make do with one copy if all are equal; their results are the same to the bit.
  void hurriedStepsAreTheSame_data() { addStrategyRows(); }
  void hurriedStepsAreTheSame() {
    QFETCH(QString, name);
    const RunSettings config = lightRowConfig(name);
    Telemetry telemetry;
    Trainer plain(resolve(config), digits_, telemetry), hurried(resolve(config), digits_, telemetry);
    const auto sameState = [&] {
      const Checkpoint a = plain.saveState(), b = hurried.saveState();
      if (a.state != b.state || a.tensors.metadata != b.tensors.metadata) return false;
      return std::ranges::equal(a.tensors.tensors, b.tensors.tensors, [](const auto& one, const auto& other) {
        return one.first == other.first && sameBits(one.second.values, other.second.values);
      });
    };
    hurried.shareMirrorCopies();
    for (int i = 0; i < 3; ++i) {
      plain.step();
      hurried.step();
      QVERIFY(sameState());
    }
    QCOMPARE(difference(*recordedStep(hurried, telemetry), *recordedStep(plain, telemetry)), QString());
    hurried.shareMirrorCopies();
    plain.step();
    hurried.step();
    (void)telemetry.takeMetrics();
    const EvalMetric a = plain.evaluate(), b = hurried.evaluate();  // with each replica's own weights
    QVERIFY(a.testLoss == b.testLoss && a.testAccuracy == b.testAccuracy);
    hurried.shareMirrorCopies();
    plain.step();
    hurried.step();
    QVERIFY(plain.cluster().copies().areIdentical() == hurried.cluster().copies().areIdentical());
    QVERIFY(sameBits(plain.weights(), hurried.weights()));
  }

  // A thousand steps and few states, in proportion to ten thousand with all that are kept. Small batches, also uneven
  // and short ones, because only the number of steps matters here.
  void anyOfAThousandStepsAgain() {
    for (const char* name : {"mirrored, ring", "central-storage", "tpu", "parameter-server"}) {
      RunSettings config = lightRowConfig(name, {{"steps", "1000"}, {"optimizer", "sgd"}, {"network", "mlp"}});
      if (config.globalBatch)
        config.globalBatch = 12;
      else
        config.batchPerReplica = 3;
      const KeptRun run = longRun(config, digits_, 10'000'000,
                                  [](std::int64_t step) { return step % 97 == 0 || step == 1 || step > 998; });
      QVERIFY(run.history->spacing() > 4);
      Recomputer recomputer(run.info, run.history);
      for (std::size_t i = 0; i < run.records.size(); ++i) {
        const RecordPointer& wanted = run.records[(i * 5 + 3) % run.records.size()];
        const RecordPointer again = recomputed(recomputer, wanted->metric.step);
        QVERIFY2(again != nullptr, format(recomputer.failure()).c_str());
        QCOMPARE(difference(*again, *wanted), QString());
      }
    }
  }

  // Going back step by step does not pay for the way from a distant state each time.
  void oneStepBackIsAFewSteps_data() {
    QTest::addColumn<int>("slow");
    QTest::newRow("a state costs a step") << 0;
    QTest::newRow("others computed while the first state was kept") << 130;
  }

  void oneStepBackIsAFewSteps() {
    QFETCH(const int, slow);
    const RunSettings config = lightRowConfig("mirrored, ring", {{"steps", "128"}});
    const KeptRun run = longRun(config, digits_, 1, [](std::int64_t step) { return step > 112; });
    QCOMPARE(run.history->states(), 1);  // only the first state
    readings = 0;
    slowReading = slow;
    Recomputer recomputer(run.info, run.history, 0, readClock);
    std::int64_t without = 0;
    for (auto wanted = run.records.rbegin(); wanted != run.records.rend(); ++wanted) {
      const RecordPointer record = recomputed(recomputer, (*wanted)->metric.step);
      QVERIFY(record != nullptr);
      QCOMPARE(difference(*record, **wanted), QString());
      without += (*wanted)->metric.step;
    }
    QVERIFY2(recomputer.stepsComputed() < without / 3, std::to_string(recomputer.stepsComputed()).c_str());
  }

  void measuredStepsHaveTheSameNumbers() {
    for (const char* name : {"mirrored, ring", "central-storage", "parameter-server"}) {
      const KeptRun run = keptRun(rowConfig(name, {{"devices", "cpu"}}), digits_, kNoLimit);
      Recomputer recomputer(run.info, run.history);
      for (const std::int64_t step : {5, 1, 6}) {
        const RecordPointer record = recomputed(recomputer, step);
        QVERIFY(record != nullptr);
        QCOMPARE(difference(*record, *run.records[static_cast<std::size_t>(step - 1)], false), QString());
      }
    }
  }

  // Recomputed numbers match even if they are not finite.
  void aDivergedRunAgain() {
    const QTemporaryDir folder;
    const std::string file = folder.path().toStdString() + "/weights.safetensors";
    writeSafetensors(file, weightsToTensors(courseNetwork().layout(), std::vector<float>(347146, 1e30F)));
    for (const char* name : {"mirrored", "central-storage", "parameter-server"}) {
      const KeptRun run = keptRun(rowConfig(name, {{"init", file}}), digits_, kNoLimit);
      QVERIFY(!std::ranges::all_of(run.records[1]->weightsAfter, [](float weight) { return std::isfinite(weight); }));
      Recomputer recomputer(run.info, run.history);
      for (const std::int64_t step : {6, 3, 4}) {
        const RecordPointer record = recomputed(recomputer, step);
        QVERIFY2(record != nullptr, format(recomputer.failure()).c_str());
        QCOMPARE(difference(*record, *run.records[static_cast<std::size_t>(step - 1)]), QString());
      }
    }
  }

  void aResumedRunAgain() {
    const QTemporaryDir folder;
    RunSettings config = rowConfig("parameter-server, 2 servers, cut");
    config.checkpointDir = folder.path().toStdString();
    config.steps = 4;
    (void)train(config, digits_);
    config.steps = 13;
    config.resume = true;
    const KeptRun run = keptRun(config, digits_, kNoLimit);
    QCOMPARE(run.info->firstStep, 5);
    config.resume = false;
    config.checkpointDir = "";
    const KeptRun whole = keptRun(config, digits_, kNoLimit);
    Recomputer recomputer(run.info, run.history);
    for (const std::int64_t step : {9, 5, 13}) {
      const RecordPointer record = recomputed(recomputer, step);
      QVERIFY(record != nullptr);
      QCOMPARE(difference(*record, *whole.records[static_cast<std::size_t>(step - 1)]), QString());
    }
    QVERIFY(recomputed(recomputer, 4) == nullptr);
    QVERIFY(recomputer.failure().is(say::stepBeforeResumed));
  }

  void impossibleStepsAreFailures() {
    const KeptRun run = keptRun(rowConfig("mirrored"), digits_, kNoLimit);
    Recomputer recomputer(run.info, run.history);
    for (const std::int64_t step : {std::int64_t{0}, std::int64_t{-3}, std::int64_t{7}}) {
      QVERIFY(recomputed(recomputer, step) == nullptr);
      QVERIFY(!recomputer.failure().empty());
    }
    // The recomputer goes on working.
    QVERIFY(recomputed(recomputer, 2) != nullptr);
    QVERIFY(recomputer.failure().empty());
    // A state that does not fit is reported, not thrown across the thread.
    auto damaged = std::make_shared<Checkpoint>(*run.history->atOrBefore(4));
    damaged->tensors.tensors.erase("dense/kernel");
    const auto history = std::make_shared<StateHistory>();
    history->keep(damaged);
    Recomputer other(run.info, history);
    QVERIFY(recomputed(other, 5) == nullptr);
    QVERIFY(!other.failure().empty());
  }

  void theLatestRequestWins() {
    const KeptRun run = keptRun(rowConfig("mirrored"), digits_, 1);
    Recomputer recomputer(run.info, run.history);
    for (int round = 0; round < 20; ++round) {
      for (const std::int64_t step : {6, 2, 5, 1, 3}) recomputer.request(step);
      QVERIFY(waitFor([&] { return !recomputer.busy(); }));
      const RecordPointer record = recomputer.take();
      QVERIFY(record != nullptr);
      QCOMPARE(record->metric.step, 3);
      QVERIFY(recomputer.take() == nullptr);
    }
    // A finished step that was not taken is dropped for a later request.
    recomputer.request(4);
    QVERIFY(waitFor([&] { return !recomputer.busy(); }));
    recomputer.request(2);
    RecordPointer record;
    QVERIFY(waitFor([&] { return (record = recomputer.take()) != nullptr; }));
    QCOMPARE(record->metric.step, 2);
  }

  void itStopsWhileBusy() {
    RunSettings config = rowConfig("mirrored");
    config.steps = 1'000'000;
    Telemetry telemetry;
    Trainer trainer(resolve(config), digits_, telemetry);
    const auto info = std::make_shared<const RunInfo>(trainer.info());
    const auto history = std::make_shared<StateHistory>();
    history->keep(std::make_shared<const Checkpoint>(trainer.saveState()));
    for (int round = 0; round < 5; ++round) {
      Recomputer recomputer(info, history);
      recomputer.request(1'000'000);  // hours away
      if (round % 2 == 0) recomputer.request(999'999);
      QVERIFY(recomputer.busy());
    }
    const Recomputer idle(info, history);
    QVERIFY(!idle.busy());
  }

  // ---- live

  void aSingleStepIsTheRecordedOne() {
    LiveRun live(resolve(rowConfig("mirrored", {{"dataset", "digits"}})), true);
    for (std::int64_t step = 1; step <= 4; ++step) {
      live.telemetry().requestRecord();
      live.stepOnce();
      RecordPointer record;
      QVERIFY(waitFor([&] { return (record = live.telemetry().takeRecord()) != nullptr; }));
      QCOMPARE(record->metric.step, step);
    }
    // A step without a watcher, then one with a watcher.
    live.stepOnce();
    const auto fifthIsDone = [&] {
      for (const Metric& metric : live.telemetry().takeMetrics())
        if (const auto* step = std::get_if<StepMetric>(&metric); step != nullptr && step->step == 5) return true;
      return false;
    };
    QVERIFY(waitFor(fifthIsDone));
    QVERIFY(live.telemetry().takeRecord() == nullptr);
    live.telemetry().requestRecord();
    live.stepOnce();
    RecordPointer record;
    QVERIFY(waitFor([&] { return (record = live.telemetry().takeRecord()) != nullptr; }));
    QCOMPARE(record->metric.step, 6);
  }

  // A user who changes settings fast leaves such runs behind; if prepared, they would all hold their variables at once.
  void runsToldToStopAreNotMadeReady() {
    const RunSettings config = rowConfig("mirrored", {{"dataset", "digits"}, {"replicas", "64"}});
    std::vector<std::unique_ptr<LiveRun>> runs;
    for (int i = 0; i < 12; ++i) {
      runs.push_back(std::make_unique<LiveRun>(resolve(config)));
      runs.back()->stop();
    }
    const auto over = [](const auto& run) { return run->state() == RunState::Stopped; };
    QVERIFY(waitFor([&] { return std::ranges::all_of(runs, over); }));
    // The first runs may have been quicker than their stop.
    QVERIFY(std::ranges::count_if(runs, [](const auto& run) { return run->info() != nullptr; }) < 6);
  }

  void stepsOfALiveRunAgain() {
    RunSettings config = rowConfig("parameter-server", {{"dataset", "digits"}, {"steps", "60"}});
    std::vector<RecordPointer> seen;
    bool same = true;
    std::shared_ptr<const RunInfo> info;
    std::shared_ptr<const StateHistory> history;
    {
      LiveRun live(resolve(config));
      std::unique_ptr<Recomputer> recomputer;
      live.telemetry().requestRecord();
      QVERIFY(waitFor([&] {
        if (RecordPointer record = live.telemetry().takeRecord()) {
          seen.push_back(record);
          live.telemetry().requestRecord();
        }
        // Both run at once: the history is read while it grows.
        if (!recomputer && !seen.empty()) recomputer = std::make_unique<Recomputer>(live.info(), live.history());
        if (recomputer && !recomputer->busy()) {
          if (const RecordPointer record = recomputer->take())
            for (const RecordPointer& other : seen)
              if (other->metric.step == record->metric.step) same = same && difference(*record, *other).isEmpty();
          recomputer->request(seen[seen.size() / 2]->metric.step);
        }
        return live.state() == RunState::Finished;
      }));
      if (RecordPointer record = live.telemetry().takeRecord()) seen.push_back(record);
      info = live.info();
      history = live.history();
    }
    QVERIFY(!seen.empty() && same);
    Recomputer recomputer(info, history);  // the run is gone
    for (auto record = seen.rbegin(); record != seen.rend();
         record += std::min<std::ptrdiff_t>(7, seen.rend() - record)) {
      const RecordPointer again = recomputed(recomputer, (*record)->metric.step);
      QVERIFY2(again != nullptr, format(recomputer.failure()).c_str());
      QCOMPARE(difference(*again, **record), QString());
    }
  }
};

QTEST_GUILESS_MAIN(TestRecompute)
#include "tst_recompute.moc"

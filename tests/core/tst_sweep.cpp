// SPDX-License-Identifier: GPL-3.0-or-later
// Grids of runs: every cell once, coarse ones first, the same bits as a run alone; when a target is reached; what is
// kept.
#include <QDir>
#include <QFile>
#include <QScopeGuard>
#include <QTemporaryDir>
#include <QTest>
#include <fstream>

#include <atomic>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <limits>
#include <nlohmann/json.hpp>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "core/base/error.h"
#include "core/base/message.h"
#include "core/experiments/cell_columns.h"
#include "core/experiments/halving.h"
#include "core/experiments/messages.h"
#include "core/experiments/random_search.h"
#include "core/experiments/run_queue.h"
#include "core/experiments/sweep.h"
#include "core/experiments/sweep_file.h"
#include "core/experiments/sweep_limit.h"
#include "core/files/run_file.h"
#include "core/keras/keras_json.h"
#include "core/model/neural_network.h"
#include "core/options/messages.h"
#include "tests/support/training.h"

using namespace lab;
using namespace lab::test;

namespace {

SweepPlan smallPlan() {
  SweepPlan plan;
  plan.base = configOf({{"strategy", "mirrored"}, {"devices", "simulated"}, {"dataset", "digits"}, {"steps", "6"}});
  plan.replicas = {1, 2, 4};
  plan.batches = {8, 16};
  plan.rules = {LearningRateScaling::None};
  plan.learningRates = {0.001};
  return plan;
}

bool always() {
  return true;
}

bool same(const RunTally& a, const RunTally& b) {
  return a.steps == b.steps && a.examples == b.examples && a.testAccuracy == b.testAccuracy &&
         a.diverged == b.diverged && a.modelled == b.modelled && a.seconds == b.seconds &&
         a.stepsToTarget == b.stepsToTarget && a.examplesToTarget == b.examplesToTarget &&
         a.secondsToTarget == b.secondsToTarget && a.stopped == b.stopped;
}

// Twelve cells of 18 steps, which train well and badly: by 3 they are 12 until step 2, 4 until step 6, then 1.
SweepPlan twelveCells() {
  SweepPlan plan = smallPlan();
  plan.base.steps = 18;
  plan.learningRates = {0.0001, 0.01};
  return plan;
}

std::vector<const SweepCell*> pointersTo(const std::vector<SweepCell>& cells) {
  std::vector<const SweepCell*> pointers;
  for (const SweepCell& cell : cells) pointers.push_back(&cell);
  return pointers;
}

struct Halved {
  std::vector<std::optional<RunTally>> results;  // of each cell
  int kept = 0;                                  // that the folder had
  std::int64_t trained = 0;                      // steps
};

Halved halve(const std::vector<SweepCell>& cells, const std::shared_ptr<const Dataset>& dataset, int jobs,
             const std::filesystem::path& folder = {}, std::int64_t mostSteps = 1'000'000,
             std::int64_t stateBytes = 0) {
  Halved halved{.results = std::vector<std::optional<RunTally>>(cells.size())};
  std::mutex mutex;
  std::atomic<std::int64_t> asked = 0;
  RunQueue queue(jobs);
  Halving halving(pointersTo(cells), dataset,
                  {.eta = 3,
                   .folder = folder,
                   .threads = {},
                   .goOn =
                       [&] {
                         if (++asked > mostSteps) queue.cancelAll();
                         return true;
                       },
                   .stateBytes = stateBytes,
                   .ended =
                       [&](std::size_t cell, const RunTally& tally, std::span<const Metric> metrics, bool kept) {
                         const std::lock_guard lock(mutex);
                         if (halved.results[cell] || metrics.empty()) qFatal("a cell ended twice, or without metrics");
                         halved.results[cell] = tally;
                         halved.kept += kept ? 1 : 0;
                       }});
  halving.run(queue);
  if (!halving.failures().empty()) qFatal("a cell failed");
  halved.trained = asked;
  return halved;
}

bool same(const Halved& a, const Halved& b) {
  return std::ranges::equal(a.results, b.results,
                            [](const auto& one, const auto& other) { return one && other && same(*one, *other); });
}

std::string contentOf(const std::filesystem::path& file) {
  std::ifstream stream(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), {}};
}

}  // namespace

class TestSweep : public QObject {
  Q_OBJECT

  const std::shared_ptr<const Dataset> digits_ = fewDigits(640, 100);

 private Q_SLOTS:
  void everyCombinationOnce() {
    SweepPlan plan = smallPlan();
    plan.rules = {LearningRateScaling::None, LearningRateScaling::Linear};
    plan.learningRates = {0.001, 0.01, 0.1};
    plan.seeds = 2;
    plan.batches = {8, 16, 8};  // named twice
    const std::vector<SweepCell> cells = cellsOf(plan);
    QCOMPARE(cells.size(), std::size_t{3 * 2 * 2 * 3 * 2});
    std::set<std::string> keys, names;
    for (const SweepCell& cell : cells) {
      keys.insert(cell.key);
      names.insert(cell.fileName());
      QVERIFY(!cell.refused && cell.config.globalBatch == cell.config.replicas * cell.config.batchPerReplica);
    }
    QVERIFY(keys.size() == cells.size() && names.size() == cells.size());
    // Settings for output files or the computing place do not make another cell.
    plan.base.threads = 1;
    plan.base.metrics = "elsewhere.jsonl";
    for (const SweepCell& cell : cellsOf(plan)) QVERIFY(keys.contains(cell.key) && cell.config.metrics.empty());
    plan.base.shuffleBuffer = 5;
    for (const SweepCell& cell : cellsOf(plan)) QVERIFY(!keys.contains(cell.key));
  }

  // A kept cell is of the same examples and hardware: another folder, MNIST that was fetched since, or an edited
  // catalogue make other cells.
  void otherDataMakesOtherCells() {
    const QTemporaryDir folder;
    const auto keyOf = [](const SweepPlan& plan) { return cellsOf(plan).front().key; };
    SweepPlan plan = smallPlan();
    plan.base.dataset = "mnist";
    QVERIFY(QDir(folder.path()).mkdir("a"));
    plan.base.dataDir = folder.filePath("a").toStdString();
    const std::string a = keyOf(plan);
    plan.base.dataDir += "/../a/";
    QCOMPARE(keyOf(plan), a);
    plan.base.dataDir = folder.filePath("b").toStdString();
    QVERIFY(keyOf(plan) != a);

    const QByteArray before = qgetenv("STRATEGYLAB_DATA");
    const bool wasSet = qEnvironmentVariableIsSet("STRATEGYLAB_DATA");
    const auto restore =
        qScopeGuard([&] { wasSet ? qputenv("STRATEGYLAB_DATA", before) : qunsetenv("STRATEGYLAB_DATA"); });
    qputenv("STRATEGYLAB_DATA", folder.path().toUtf8());
    plan = smallPlan();
    plan.base.dataset = "auto";
    const std::string found = keyOf(plan);
    QFile npz(folder.filePath("mnist.npz"));
    QVERIFY(npz.open(QIODevice::WriteOnly));
    const std::string fetched = keyOf(plan);
    plan.base.dataset = "mnist";
    QCOMPARE(fetched, keyOf(plan));
    plan.base.dataset = "digits";
    QVERIFY(found == keyOf(plan) || found == fetched);  // the latter where this machine has MNIST
    QVERIFY(fetched != keyOf(plan));
  }

  // The ends of every axis come before the values between.
  void coarseFirst() {
    SweepPlan plan = smallPlan();
    plan.replicas = {1, 2, 3, 4, 8};
    plan.batches = {4, 8, 16, 32, 64};
    const std::vector<SweepCell> cells = cellsOf(plan);
    QCOMPARE(cells.size(), std::size_t{25});
    const auto isEnd = [](const SweepCell& cell) {
      const auto r = cell.config.replicas, b = cell.config.batchPerReplica;
      return (r == 1 || r == 8) && (b == 4 || b == 64);
    };
    for (std::size_t i = 0; i < cells.size(); ++i) QCOMPARE(isEnd(cells[i]), i < 4);
    for (std::size_t i = 4; i < 9; ++i)  // then the middles: 3 and 16
      QVERIFY(cells[i].config.replicas == 3 || cells[i].config.batchPerReplica == 16);
  }

  // Among equally coarse cells the longest come first, so the last one is short.
  void longFirst() {
    SweepPlan plan = smallPlan();
    plan.replicas = {1, 4};
    plan.batches = {8, 32};
    plan.seeds = 3;
    std::vector<std::int64_t> batches;
    for (const SweepCell& cell : cellsOf(plan)) batches.push_back(cell.config.globalBatch);
    QCOMPARE(batches, (std::vector<std::int64_t>{128, 32, 32, 8, 128, 32, 32, 8, 128, 32, 32, 8}));
    // In as many epochs small batches take longest.
    plan.base.steps.reset();
    plan.replicas = {2};
    plan.seeds = 1;
    QCOMPARE(cellsOf(plan).front().config.globalBatch, 16);
  }

  void whatCannotBeIsSaidBefore() {
    SweepPlan plan = smallPlan();
    plan.base.hosts = 2;
    plan.base.strategy = StrategyKind::MultiWorkerMirrored;
    int refused = 0;
    for (const SweepCell& cell : cellsOf(plan)) {
      QCOMPARE(cell.refused.has_value(), cell.config.replicas == 1);
      refused += cell.refused ? 1 : 0;
    }
    QCOMPARE(refused, 2);
    plan.replicas = {1, 3};
    QVERIFY_THROWS_EXCEPTION(UserError, cellsOf(plan));  // not one that can
    plan = smallPlan();
    plan.batches = {8, 20'000};
    plan.replicas = {1, 512};  // with the large batch hundreds of gigabytes
    for (const SweepCell& cell : cellsOf(plan)) {
      const bool tooLarge = cell.config.replicas == 512 && cell.config.batchPerReplica == 20'000;
      QCOMPARE(cell.refused.has_value(), tooLarge);
      if (tooLarge) QVERIFY2(cell.refused->is(say::notEnoughMemory), format(*cell.refused).c_str());
    }
    plan = smallPlan();
    plan.seeds = 100'000;
    QVERIFY_THROWS_EXCEPTION(UserError, cellsOf(plan));
  }

  // Cells equal `train`'s results, with any number of threads and jobs.
  void cellsAreRuns() {
    const std::vector<SweepCell> cells = cellsOf(smallPlan());
    std::vector<RunTally> alone;
    for (const SweepCell& cell : cells) {
      const Outcome run = train(cell.config.asked(), digits_);
      RunTally tally;
      for (const StepMetric& step : run.steps) tally.take(step, {});
      for (const EvalMetric& eval : run.evaluations) tally.take(eval, {});
      alone.push_back(tally);
      QVERIFY(tally.steps == 6 && tally.seconds > 0 && tally.testAccuracy);
    }
    for (const int jobs : {1, 3}) {
      std::vector<RunTally> results(cells.size());
      RunQueue queue(jobs);
      for (std::size_t i = 0; i < cells.size(); ++i)
        queue.add([&, i](RunQueue::Turn& turn) {
          results[i] = *trainCell(cells[i], digits_, turn.threads(), [&] { return turn.goOn(); });
        });
      queue.wait();
      for (std::size_t i = 0; i < cells.size(); ++i) QVERIFY2(same(results[i], alone[i]), cells[i].fileName().c_str());
    }
  }

  // Any setting of the table; rules with and without warm-up; a budget of examples whatever the batch.
  void axesOfAnySetting() {
    SweepPlan plan = smallPlan();
    plan.base.optimizer = OptimizerKind::Sgd;
    plan.replicas.clear();
    plan.others = {{"momentum", {"0", "0.5", "0.9"}}};
    plan.rules = {LearningRateScaling::Linear};
    plan.linearWarmup = 0.5;
    plan.base.steps.reset();
    plan.examples = 64;
    const std::vector<SweepCell> cells = cellsOf(plan);
    QCOMPARE(cells.size(), std::size_t{2 * 3 * 2});
    std::set<double> momenta, warmups;
    for (const SweepCell& cell : cells) {
      momenta.insert(cell.config.momentum);
      warmups.insert(cell.config.warmupEpochs);
      QVERIFY(cell.config.replicas == 2 && cell.config.lrScaling == LearningRateScaling::Linear);
      QCOMPARE(*cell.config.steps * cell.config.globalBatch, 64);
      QVERIFY(cell.asked.steps == cell.config.steps && !cell.asked.globalBatch);
    }
    QVERIFY(momenta == (std::set<double>{0, 0.5, 0.9}) && warmups == (std::set<double>{0, 0.5}));
    plan.others = {{"momentum", {"much"}}};
    QVERIFY_THROWS_EXCEPTION(UserError, cellsOf(plan));
  }

  // No cell sees more examples than the budget: one whose single step would is refused.
  void aBudgetBelowABatchIsRefused() {
    SweepPlan plan = smallPlan();
    plan.replicas = {2};
    plan.global = true;
    plan.batches = {16, 64};
    plan.base.steps.reset();
    plan.examples = 40;
    for (const SweepCell& cell : cellsOf(plan)) {
      const bool tooLarge = cell.config.globalBatch == 64;
      QCOMPARE(cell.refused.has_value(), tooLarge);
      if (tooLarge)
        QVERIFY2(cell.refused->is(say::budgetBelowBatch), format(*cell.refused).c_str());
      else
        QCOMPARE(*cell.config.steps, 2);
    }
    plan.batches = {64};
    QVERIFY_THROWS_EXCEPTION(UserError, cellsOf(plan));
  }

  // With several strategies, each takes the other settings as far as it has them: the same images per step, and equal
  // cells are merged.
  void strategiesAsAnAxis() {
    SweepPlan plan = smallPlan();
    plan.others = {{"strategy", {"parameter-server", "mirrored"}}};
    plan.global = true;
    plan.batches = {16};
    plan.rules = {LearningRateScaling::None, LearningRateScaling::Staleness};
    plan.base.steps.reset();
    plan.examples = 160;
    const std::vector<SweepCell> cells = cellsOf(plan);
    QCOMPARE(cells.size(), std::size_t{3 * 2 + 3});
    for (const SweepCell& cell : cells) {
      QVERIFY(!cell.refused && *cell.config.steps == 10);
      const bool synchronous = cell.config.strategy == StrategyKind::Mirrored;
      QCOMPARE(cell.config.globalBatch > 0, synchronous);
      QCOMPARE(cell.config.examplesPerStep(), 16);
      if (synchronous) QVERIFY(cell.asked.lrScaling == LearningRateScaling::None);
    }
    // A single strategy is asked for a setting that it lacks, and says so.
    plan.others.clear();
    for (const SweepCell& cell : cellsOf(plan))
      QCOMPARE(cell.refused.has_value(), cell.asked.lrScaling == LearningRateScaling::Staleness);
    plan.base.strategy = StrategyKind::ParameterServer;
    QVERIFY_THROWS_EXCEPTION(UserError, cellsOf(plan));
  }

  // Points depend only on the seed; more points begin with the fewer, and an added range leaves the other draws alone.
  void pointsAreDrawnBySeed() {
    const SearchSpace space{.replicas = {{1, 8}}, .batches = {{16, 512}}, .learningRates = {{0.001, 0.1}}};
    const auto same = [](const DrawnPoint& a, const DrawnPoint& b) {
      return a.replicas == b.replicas && a.batch == b.batch && a.learningRate == b.learningRate;
    };
    const std::vector<DrawnPoint> points = drawPoints(space, 4000, 1), few = drawPoints(space, 5, 1);
    QVERIFY(std::ranges::equal(std::span(points).first(5), few, same));
    QVERIFY(!std::ranges::equal(few, drawPoints(space, 5, 2), same));
    SearchSpace rates;
    rates.learningRates = space.learningRates;
    for (int i = 0; const DrawnPoint& point : drawPoints(rates, 5, 1)) {
      QVERIFY(!point.replicas && !point.batch);
      QCOMPARE(point.learningRate, few[static_cast<std::size_t>(i++)].learningRate);
    }
    // On every machine.
    QVERIFY2(few[0].replicas == 5 && few[0].batch == 195 && few[0].learningRate == 0.0521,
             qPrintable(QStringLiteral("%1 %2 %3").arg(*few[0].replicas).arg(*few[0].batch).arg(*few[0].learningRate)));
    // Each eighth of the replicas; half of the rest below the middle of the logarithms, and both ends of the batches.
    std::map<std::int64_t, int> replicas;
    int lowBatches = 0, lowRates = 0;
    std::int64_t least = 512, most = 16;
    for (const DrawnPoint& point : points) {
      ++replicas[*point.replicas];
      QVERIFY(*point.batch >= 16 && *point.batch <= 512 && *point.learningRate >= 0.001 && *point.learningRate <= 0.1);
      lowBatches += *point.batch < 90 ? 1 : 0;  // the root of 16 * 513 is 90.6
      lowRates += *point.learningRate < 0.01 ? 1 : 0;
      least = std::min(least, *point.batch);
      most = std::max(most, *point.batch);
    }
    QCOMPARE(replicas.size(), std::size_t{8});
    for (const auto& [count, drawn] : replicas) QVERIFY(drawn > 400 && drawn < 600);
    QVERIFY(lowBatches > 1800 && lowBatches < 2200 && lowRates > 1800 && lowRates < 2200);
    QVERIFY(least == 16 && most > 500);
  }

  // Lists beside the ranges make a grid of each point; other settings are the base's.
  void pointsBesideLists() {
    SweepPlan plan = smallPlan();
    plan.replicas = {1, 2};
    plan.batches.clear();
    plan.learningRates.clear();
    plan.points = drawPoints({.replicas = {}, .batches = {{4, 64}}, .learningRates = {{0.001, 0.1}}}, 5, 3);
    const std::vector<SweepCell> cells = cellsOf(plan);
    QCOMPARE(cells.size(), std::size_t{2 * 5});
    for (const DrawnPoint& point : plan.points)
      for (const std::int64_t replicas : plan.replicas)
        QCOMPARE(std::ranges::count_if(cells,
                                       [&](const SweepCell& cell) {
                                         return cell.config.replicas == replicas &&
                                                cell.config.batchPerReplica == point.batch &&
                                                cell.config.learningRate == point.learningRate;
                                       }),
                 1);
    plan.global = true;
    plan.points = {{.replicas = 4, .batch = 24, .learningRate = {}}, {.replicas = 3, .batch = 24, .learningRate = {}}};
    plan.replicas.clear();
    for (const SweepCell& cell : cellsOf(plan))
      QVERIFY(cell.config.globalBatch == 24 && cell.config.learningRate == plan.base.learningRate);
  }

  void plansAsText() {
    SweepPlan plan = smallPlan();
    plan.linearWarmup = 2;
    plan.others = {{"reducer", {"ring", "tree"}}};
    plan.examples = 1000;
    plan.target = {0.5, false};
    const nlohmann::json text = planToJson(plan);
    const SweepPlan again = planFromJson(nlohmann::json::parse(text.dump()));
    QCOMPARE(planToJson(again).dump(), text.dump());
    const std::vector<SweepCell> cells = cellsOf(plan), same = cellsOf(again);
    QCOMPARE(same.size(), cells.size());
    for (std::size_t i = 0; i < cells.size(); ++i) QCOMPARE(same[i].key, cells[i].key);
    nlohmann::json later = text;
    later["config"]["new-thing"] = 1;
    QCOMPARE(planToJson(planFromJson(later)).dump(), text.dump());
    for (const char* bad : {"[]", R"({"config": []})", R"({"replicas": "two"})", R"({"replicas": [0]})",
                            R"({"seeds": 0})", R"({"axes": [{"setting": "colour", "values": []}]})",
                            R"({"targetAccuracy": 2})", R"({"config": {"replicas": -1}})",
                            R"({"batchPerReplica": [1e99]})", R"({"replicas": [2.5]})", R"({"seeds": 1e30})"})
      QVERIFY_THROWS_EXCEPTION(UserError, planFromJson(nlohmann::json::parse(bad)));
  }

  // Time by hand: the speed so far says for about how many cells there is time, cells begin until 50 of 60 seconds,
  // however slow the first ones were, and none trains after 58. Pauses do not count.
  void aSweepEndsInTime() {
    SweepPlan plan = smallPlan();
    const std::vector<SweepCell> cells = cellsOf(plan);
    std::vector<const SweepCell*> order;
    for (const SweepCell& cell : cells) order.push_back(&cell);
    QVERIFY(order.size() >= 4);
    double seconds = 0;
    const auto clock = [&] { return std::llround(seconds * 1e9); };
    SweepLimit fast(60, order, clock);
    QVERIFY(fast.mayBegin(order.size() - 1) && fast.planned() == order.size());
    const int steps = static_cast<int>(workOf(cells[0]) / stepWorkOf(cells[0]));
    for (int i = 0; i < steps; ++i) QVERIFY(fast.mayGoOn(0));  // the first cell in a second: there is time for all
    seconds = 1.5;
    QVERIFY(fast.mayGoOn(1));
    QCOMPARE(fast.planned(), order.size());
    seconds = 49.9;
    QVERIFY(fast.mayBegin(2));
    fast.pause();
    seconds = 149.9;
    fast.resume();
    QVERIFY(fast.mayBegin(2) && fast.secondsLeft() > 8 && fast.secondsLeft() < 8.2);
    seconds = 150.1;
    QVERIFY(!fast.mayBegin(2) && fast.mayGoOn(1));
    seconds = 158.1;
    QVERIFY(!fast.mayGoOn(1) && fast.secondsLeft() == 0);
    // A slow start: two steps in twenty seconds.
    seconds = 0;
    SweepLimit slow(60, order, clock);
    QVERIFY(slow.mayGoOn(0));
    seconds = 20;
    QVERIFY(slow.mayGoOn(0));
    const std::size_t planned = slow.planned();
    double work = 0;
    for (std::size_t i = 0; i + 1 < planned; ++i) work += workOf(cells[i]);
    QVERIFY(planned >= 1 && planned <= order.size());
    QVERIFY(work <= 50 * 2 * stepWorkOf(cells[0]) / 20);
    QVERIFY(planned < order.size());
    QVERIFY(slow.mayBegin(planned));  // it was the start that was slow: time is left
    QCOMPARE(slow.planned(), planned + 1);
    seconds = 49.9;
    QVERIFY(slow.mayBegin(order.size() - 1));
    seconds = 50.1;
    QVERIFY(!slow.mayBegin(0));
  }

  // Steps of 10 (1 + 40 / B), with two seeds on either side: the interval has the critical batch in it.
  void intervalOverSeeds() {
    std::vector<SweepPoint> points;
    for (const double batch : {4.0, 16.0, 64.0, 256.0})
      for (const double factor : {0.9, 1.0, 1.1}) {
        points.push_back({batch, 0.1, factor * 10 * (1 + 40 / batch)});
        points.push_back({batch, 0.1, 3 * factor * 10 * (1 + 40 / batch), 1});  // another rule, slower everywhere
      }
    const auto fit = fitSweep(points);
    const auto interval = criticalBatchInterval(points);
    QVERIFY(fit && std::abs(fit->criticalBatch - 40) < 4);
    QVERIFY(interval && interval->low < 40 && interval->high > 40 && interval->high - interval->low < 30);
    QCOMPARE(criticalBatchInterval(points)->low, interval->low);  // the same draws every time
    const std::vector<BestRate> best = bestRates(points);
    QCOMPARE(best.size(), std::size_t{4});
    for (const BestRate& rate : best) QVERIFY(rate.trial == 0 && rate.steps.size() == 3);
    const std::vector<SweepPoint> oneSeed{{4, 0.1, 110}, {16, 0.1, 35}, {64, 0.1, 16}};
    QVERIFY(fitSweep(oneSeed) && !criticalBatchInterval(oneSeed));
  }

  // Trains until the target and no further; evaluations are at most a twentieth of the steps apart.
  void untilTheTarget() {
    SweepPlan plan = smallPlan();
    plan.base.steps.reset();
    plan.target = {0.6, true};
    const QTemporaryDir folder;
    const std::filesystem::path out = folder.path().toStdString();
    for (const SweepCell& cell : cellsOf(plan)) {
      const RunTally tally = *trainCell(cell, digits_, 2, always, out);
      QVERIFY(tally.stepsToTarget == tally.steps && tally.examplesToTarget == tally.examples);
      QVERIFY(*tally.testAccuracy >= 0.6 && tally.secondsToTarget == tally.seconds);
      std::int64_t before = 0, evaluations = 0;
      for (const Metric& metric : readRunFile(out / cell.fileName()).metrics)
        if (const auto* eval = std::get_if<EvalMetric>(&metric)) {
          QVERIFY(eval->step - before <= std::max<std::int64_t>(1, before / 20));
          before = eval->step;
          ++evaluations;
          QCOMPARE(eval->testAccuracy >= 0.6, eval->step == tally.steps);
        }
      QVERIFY(evaluations > 0 && before == tally.steps);
      // Kept, it is the same; a target of another height is another cell.
      QVERIFY(same(*keptResult(cell, out), tally));
      SweepPlan other = plan;
      other.target.accuracy = 0.7;
      for (const SweepCell& one : cellsOf(other)) QVERIFY(!keptResult(one, out));
    }
  }

  // Out of reach: 20 epochs. A run that has diverged is over.
  void missed() {
    SweepPlan plan = smallPlan();
    plan.base.steps.reset();
    plan.replicas = {1};
    plan.batches = {64};
    plan.target = {1.0, true};
    const RunTally tally = *trainCell(cellsOf(plan).front(), fewDigits(128, 20), 2, always);
    if (!tally.stepsToTarget) QCOMPARE(tally.steps, 40);
    RunSettings config;
    TargetWatch watch({0.9, true}, config);
    StepMetric step;
    step.loss = 2;
    watch.take(step);
    QVERIFY(!watch.isOver());
    step.loss = std::nan("");
    watch.take(step);
    QVERIFY(watch.isOver() && watch.tally().diverged && !watch.tally().stepsToTarget);
  }

  // The best by test loss go on, ties by order. They have the bits of runs that could not have been stopped, whatever
  // the strategy has in flight, the number of jobs, and the memory for waiting runs.
  void halvingStopsTheRest_data() {
    QTest::addColumn<QString>("strategy");
    for (const char* strategy : {"mirrored", "parameter-server", "local-sgd"}) QTest::newRow(strategy) << strategy;
  }
  void halvingStopsTheRest() {
    QFETCH(const QString, strategy);
    SweepPlan plan = twelveCells();
    plan.base.strategy = configOf({{"strategy", strategy.toStdString()}}).strategy;
    if (strategy == "local-sgd") plan.replicas = {2, 3, 4};  // a single copy cannot be averaged
    const std::vector<SweepCell> cells = cellsOf(plan);
    QCOMPARE(cells.size(), std::size_t{12});
    // The best after this many steps, found by runs of just that length.
    std::vector<std::size_t> going;
    for (std::size_t i = 0; i < cells.size(); ++i) going.push_back(i);
    std::vector<std::int64_t> expected(cells.size(), 18);
    for (const auto& [steps, places] : {std::pair(2, 4), std::pair(6, 1)}) {
      std::vector<double> losses(cells.size());
      for (const std::size_t i : going) {
        RunSettings config = cells[i].config.asked();
        config.steps = steps;
        losses[i] = train(config, digits_).evaluations.back().testLoss;
      }
      std::ranges::stable_sort(going, {}, [&](std::size_t i) { return losses[i]; });
      for (std::size_t i = static_cast<std::size_t>(places); i < going.size(); ++i) expected[going[i]] = steps;
      going.resize(static_cast<std::size_t>(places));
      std::ranges::sort(going);
    }
    const QTemporaryDir folder, alone;
    const std::filesystem::path out = folder.path().toStdString(), whole = alone.path().toStdString();
    const Halved halved = halve(cells, digits_, 1, out);
    for (std::size_t i = 0; i < cells.size(); ++i) {
      const RunTally& result = *halved.results[i];
      QCOMPARE(result.steps, expected[i]);
      QCOMPARE(result.stopped, expected[i] < 18);
      QVERIFY(result.testAccuracy && !keptResult(cells[i], out) == result.stopped);
      const auto stopped = keptStopped(cells[i], out);
      QVERIFY(stopped.has_value() == result.stopped && (!stopped || same(*stopped, result)));
      if (result.stopped) continue;
      QVERIFY(same(result, *trainCell(cells[i], digits_, 2, always, whole)));
      QVERIFY(contentOf(out / cells[i].fileName()) == contentOf(whole / cells[i].fileName()));
    }
    QCOMPARE(halved.trained, 12 * 2 + 4 * 4 + 12);
    QVERIFY(same(halve(cells, digits_, 3), halved));
    const Halved withoutStates = halve(cells, digits_, 2, {}, 1'000'000, 1);
    QVERIFY(same(withoutStates, halved));
    QCOMPARE(withoutStates.trained, 12 * 2 + 4 * 6 + 18);
  }

  // A sweep interrupted anywhere and restarted ends like an uninterrupted one; a rung with known losses is not trained
  // again.
  void halvingGoesOn() {
    const std::vector<SweepCell> cells = cellsOf(twelveCells());
    const Halved through = halve(cells, digits_, 1);
    for (const std::int64_t steps : {13, 30, 45}) {
      const QTemporaryDir folder;
      const std::filesystem::path out = folder.path().toStdString();
      const Halved broken = halve(cells, digits_, 1, out, steps);
      QCOMPARE(std::ranges::count_if(broken.results, [](const auto& result) { return result.has_value(); }),
               steps == 13   ? 0
               : steps == 30 ? 8
                             : 11);
      const std::filesystem::path losses = out / "halving.jsonl";
      std::filesystem::resize_file(losses, std::filesystem::file_size(losses) - 5);  // as where it was killed
      const Halved again = halve(cells, digits_, 2, out);
      QVERIFY(same(again, through));
      for (const QByteArray& line : QByteArray::fromStdString(contentOf(losses)).split('\n'))
        QVERIFY2(line.count("\"cell\"") <= 1, line);
      QCOMPARE(again.kept, steps == 13 ? 0 : steps == 30 ? 8 : 11);
      const Halved once = halve(cells, digits_, 2, out);
      QVERIFY(same(once, through) && once.kept == 12 && once.trained == 0);
      // Without halving, a stopped cell is trained to its end.
      const std::size_t stopped = through.results[0]->stopped ? 0 : 1;
      QVERIFY(!keptResult(cells[stopped], out) && keptStopped(cells[stopped], out));
      QCOMPARE(trainCell(cells[stopped], digits_, 2, always, out)->steps, 18);
      QVERIFY(keptResult(cells[stopped], out) && !keptStopped(cells[stopped], out));
    }
  }

  // A cell that reaches its target has ended, before a rung or after some; it is not stopped, and halving's own
  // evaluations do not count for the target.
  void halvingUntilTheTarget() {
    SweepPlan plan = twelveCells();
    plan.base.steps.reset();
    plan.learningRates = {0.0003, 0.002};
    plan.target = {0.7, true};
    const auto digits = fewDigits(160, 50);
    const std::vector<SweepCell> cells = cellsOf(plan);
    const QTemporaryDir folder, alone;
    const std::filesystem::path out = folder.path().toStdString(), whole = alone.path().toStdString();
    const Halved halved = halve(cells, digits, 2, out);
    int before = 0, after = 0;
    for (std::size_t i = 0; i < cells.size(); ++i) {
      const RunTally& result = *halved.results[i];
      if (result.stopped) continue;
      const std::int64_t batch = cells[i].config.globalBatch, rung = 20 * ((160 + batch - 1) / batch) / 9;
      ++(result.steps <= rung ? before : after);
      QVERIFY(same(result, *trainCell(cells[i], digits, 2, always, whole)));
      QVERIFY(contentOf(out / cells[i].fileName()) == contentOf(whole / cells[i].fileName()));
    }
    QVERIFY2(before > 0 && after > 0, qPrintable(QStringLiteral("%1 and %2").arg(before).arg(after)));
  }

  // With measured time, a file's totals for the whole run cover all its pieces.
  void halvingOfMeasuredRuns() {
    SweepPlan plan = twelveCells();
    plan.base.devices = DeviceChoice::Cpu;
    plan.replicas = {1};
    const std::vector<SweepCell> cells = cellsOf(plan);
    const QTemporaryDir folder;
    const std::filesystem::path out = folder.path().toStdString();
    for (const std::optional<RunTally>& result : halve(cells, digits_, 2, out).results) QVERIFY(!result->modelled);
    for (const SweepCell& cell : cells) {
      const bool stopped = !keptResult(cell, out);
      double seconds = 0, images = 0;
      const std::vector<Metric> metrics = readRunFile(out / cell.fileName(stopped)).metrics;
      for (const Metric& metric : metrics)
        if (const auto* step = std::get_if<StepMetric>(&metric)) {
          seconds += static_cast<double>(step->wallNs) / 1e9;
          images += static_cast<double>(step->examples);
        }
      const EndMetric end = std::get<EndMetric>(metrics.back());
      QVERIFY(std::abs(end.seconds - seconds) < 1e-6 && std::abs(end.imagesPerSecond * seconds / images - 1) < 1e-3);
    }
  }

  void tooFewToHalve() {
    SweepPlan plan = twelveCells();
    const auto refusal = [&](std::int64_t eta) {
      const std::vector<SweepCell> cells = cellsOf(plan);
      try {
        const Halving halving(pointersTo(cells), digits_,
                              {.eta = eta, .folder = {}, .threads = {}, .goOn = {}, .ended = {}});
        return "rungs: " + std::to_string(halving.rungs());
      } catch (const UserError& error) {
        return std::string(error.what());
      }
    };
    QCOMPARE(refusal(3), "rungs: 3");
    QCOMPARE(refusal(2), "rungs: 4");
    plan.base.steps = 8;
    QVERIFY2(refusal(3).find("Give at least 9 steps") != std::string::npos, refusal(3).c_str());
    plan.batches = {8};
    plan.learningRates = {0.1};
    QVERIFY2(refusal(4).find("needs at least 4 cells, but there are 3") != std::string::npos, refusal(4).c_str());
  }

  // In the CSV a column tells where each cell was stopped; it is empty for cells that ran to the end.
  void stoppedInCsv() {
    const QTemporaryDir folder;
    const std::filesystem::path out = folder.path().toStdString();
    SweepPlan plan = twelveCells();
    plan.base.evalEvery = 18;
    const std::vector<SweepCell> cells = cellsOf(plan);
    const Halved halved = halve(cells, digits_, 2, out);
    std::vector<SweepRow> rows;
    for (const SweepCell& cell : cells) rows.push_back({&cell, "finished"});
    const QStringList lines = QString::fromStdString(sweepCsv(rows, out)).split("\r\n", Qt::SkipEmptyParts);
    QCOMPARE(lines.size(), 13);
    QVERIFY(lines[0].endsWith(",testAccuracy,stopped"));
    for (std::size_t i = 0; i < cells.size(); ++i) {
      const RunTally& result = *halved.results[i];
      QCOMPARE(lines[static_cast<int>(i) + 1].section(',', -1),
               result.stopped ? QString::number(result.steps) : QString());
    }
  }

  // Not "null": a spreadsheet takes a word for a text.
  void aLossThatIsNoNumberIsEmptyInCsv() {
    const QTemporaryDir folder;
    const std::filesystem::path out = folder.path().toStdString();
    SweepPlan plan = smallPlan();
    plan.base.evalEvery = 6;  // at the end alone
    const SweepCell cell = cellsOf(plan).front();
    (void)trainCell(cell, digits_, 2, always, out);
    RunRecord record = readRunFile(out / cell.fileName());
    for (Metric& metric : record.metrics)
      if (auto* eval = std::get_if<EvalMetric>(&metric)) eval->testLoss = std::nan("");
    RunFileWriter writer(out / cell.fileName(), record.header);
    writer.metrics(record.metrics);
    writer.finish(0);
    QVERIFY(keptResult(cell, out));
    const std::vector<SweepRow> rows{{&cell, "diverged"}};
    const QStringList lines = QString::fromStdString(sweepCsv(rows, out)).split("\r\n", Qt::SkipEmptyParts);
    QCOMPARE(lines.size(), 2);
    QVERIFY2(!lines[1].contains("null"), qPrintable(lines[1]));
    QCOMPARE(lines[1].section(',', -3, -3), QString());  // the test loss
    QVERIFY(!lines[1].section(',', -2, -2).isEmpty());
    QCOMPARE(lines[1].count(','), lines[0].count(','));
  }

  // TensorBoard would show both as one.
  void twoSweepsDoNotShareAFolderOfEvents() {
    const QTemporaryDir folder;
    const std::filesystem::path out = folder.filePath("cells").toStdString(), to = folder.filePath("to").toStdString();
    const std::vector<SweepCell> cells = cellsOf(smallPlan());
    const auto refusal = [&](std::vector<SweepRow> rows) {
      try {
        sweepEvents(rows, out, to);
      } catch (const UserError& error) {
        return error.message().is(say::eventsOfOthers) ? 1 : error.message().is(say::noCellsForEvents) ? 2 : 3;
      }
      return 0;
    };
    makeSweepFolder(out);
    QCOMPARE(refusal({{&cells[0], "waiting"}}), 2);
    QVERIFY(!std::filesystem::exists(to));
    for (const SweepCell& cell : {cells[0], cells[1]}) (void)trainCell(cell, digits_, 2, always, out);
    QCOMPARE(refusal({{&cells[0], "finished"}}), 0);
    QCOMPARE(refusal({{&cells[0], "finished"}, {&cells[1], "finished"}}), 0);  // it has gone on
    QCOMPARE(refusal({{&cells[1], "finished"}}), 1);
    QVERIFY(std::filesystem::exists(to / std::filesystem::path(cells[0].fileName()).stem()));
  }

  void whatIsDamagedCountsAsMissing() {
    const QTemporaryDir folder;
    const std::filesystem::path out = folder.path().toStdString();
    const SweepCell cell = cellsOf(smallPlan()).front();
    QVERIFY(!keptResult(cell, out));
    const RunTally tally = *trainCell(cell, digits_, 2, always, out);
    QVERIFY(same(*keptResult(cell, out), tally));
    QFile file(QString::fromStdString((out / cell.fileName()).string()));
    QVERIFY(file.resize(file.size() / 2));
    QVERIFY(!keptResult(cell, out));
    QVERIFY(file.open(QIODevice::WriteOnly) && file.write("nothing") > 0 && file.flush());
    QVERIFY(!keptResult(cell, out));
    // A stopped cell leaves nothing.
    std::filesystem::remove(out / cell.fileName());
    int steps = 0;
    QVERIFY(!trainCell(
        cell, digits_, 2, [&] { return ++steps < 4; }, out));
    QVERIFY(QDir(folder.path()).isEmpty());
  }

  // A cell's initial files count by their contents: a result is not mistaken for one from other weights.
  void filesCountByTheirContent() {
    const QTemporaryDir dir;
    SweepPlan weights = smallPlan(), layers = smallPlan();
    weights.base.init = dir.filePath("first.safetensors").toStdString();
    layers.base.network = dir.filePath("layers.json").toStdString();
    const auto nameWith = [](const SweepPlan& plan, const std::string& file, const std::string& content) {
      std::ofstream(file, std::ios::binary) << content;
      return cellsOf(plan).front().fileName();
    };
    const std::string first = nameWith(weights, weights.base.init, "some");
    QCOMPARE(nameWith(weights, weights.base.init, "some"), first);
    QVERIFY(nameWith(weights, weights.base.init, "others") != first);
    const std::string ten = nameWith(layers, layers.base.network, kerasJson(mlpNetwork()));
    QCOMPARE(nameWith(layers, layers.base.network, kerasJson(mlpNetwork())), ten);
    QVERIFY(nameWith(layers, layers.base.network, kerasJson(withClasses(mlpNetwork(), 12))) != ten);
  }

  void efficiency() {
    const std::vector<SweepCell> cells = cellsOf(smallPlan());
    for (const SweepCell& cell : cells) {
      const double of = steadyScaling(cell.config).efficiency;
      QCOMPARE(of == 1, cell.config.replicas == 1);
      QVERIFY(of > 0.1 && of <= 1);
    }
  }

  // The best rate of each batch, by its mean over seeds; the hyperbola comes back.
  void fits() {
    std::vector<SweepPoint> points;
    for (const double batch : {8.0, 32.0, 128.0, 512.0, 2048.0}) {
      const double steps = 100 * (1 + 200 / batch);
      points.push_back({batch, 0.1, steps * 0.99});
      points.push_back({batch, 0.1, steps * 1.01});
      points.push_back({batch, 0.2, steps * 0.5});  // faster once, slower in the mean
      points.push_back({batch, 0.2, steps * 2});
    }
    const auto fit = fitSweep(points);
    QVERIFY(fit && std::abs(fit->criticalBatch / 200 - 1) < 0.01 && std::abs(fit->minimumSteps / 100 - 1) < 0.01);
    QVERIFY(whyProvisional(points, *fit, 0).empty());
    QVERIFY(whyProvisional(points, *fit, 3).is(say::fitUnfinished));
    const std::span<const SweepPoint> all(points);  // four points a batch
    QVERIFY(whyProvisional(all.first(8), *fitSweep(all.first(8)), 0).is(say::fitOfFewBatches));
    QVERIFY(whyProvisional(all.first(12), *fitSweep(all.first(12)), 0).is(say::fitOutside));  // 8, 32, 128 of 200
    QVERIFY(!fitSweep(std::vector<SweepPoint>{{64, 0.1, 100}}));
    QVERIFY(!fitSweep({}));
  }

  // The last loss; none if it is not a number.
  void theLastTestLoss() {
    RunTally tally;
    for (const double loss : {2.0, 0.5}) tally.take(EvalMetric{.testLoss = loss, .testAccuracy = 0.8}, {});
    QVERIFY(tally.testLoss == 0.5 && tally.testAccuracy == 0.8);
    tally.take(EvalMetric{.testLoss = std::numeric_limits<double>::quiet_NaN(), .testAccuracy = 0.1}, {});
    QVERIFY(!tally.testLoss && tally.testAccuracy == 0.1);
  }

  // Filters cells by any column: a range excludes values outside it and missing ones; groups are made from the rest.
  void columnsFilterAndGroup() {
    // Two counts of replicas, each with three seeds; one loss is no number, the last cell has not run.
    CellColumns columns({{"replicas", {"1", "2"}, {0, 0, 0, 1, 1, 1}},
                         {"seed", {"1", "2", "3"}, {0, 1, 2, 0, 1, 2}},
                         {"loss", {}, {0.5, 0.4, 0.3, 0.2, {}, {}}}},
                        {true, true, true, true, true, false});
    QVERIFY(columns.counted() == 5 && columns.in() == 5 && !columns.hasRange());
    const auto groups = columns.groupsBy(*columns.find("replicas"));
    QVERIFY(groups.size() == 2 && groups[0].place == 0 && groups[1].place == 1);
    QVERIFY((groups[0].cells == std::vector{0, 1, 2} && groups[1].cells == std::vector{3, 4}));
    QVERIFY(columns.groupsBy(*columns.find("loss")).empty() && !columns.find("rate"));
    const std::size_t loss = *columns.find("loss"), seed = *columns.find("seed");
    columns.setRange(loss, CellRange{0.4, 0.2});  // the ends in any order, and both in it
    QVERIFY(columns.in() == 3 && !columns.isIn(0) && columns.isIn(1) && columns.isIn(3) && !columns.isIn(4));
    columns.setRange(seed, CellRange{0, 0});
    QVERIFY(columns.in() == 1 && columns.groupsBy(0).size() == 1 && columns.groupsBy(0)[0].cells == std::vector{3});
    // Other cells keep a range where it means the same.
    CellColumns later({{"loss", {}, {0.3}}, {"seed", {"7"}, {0}}}, {true});
    later.takeRanges(columns);
    QVERIFY((later.range(0) == CellRange{0.2, 0.4}) && !later.range(1) && later.in() == 1);
    columns.setRange(loss, std::nullopt);
    QCOMPARE(columns.in(), 2);
    const auto spread = spreadOf(std::vector{1.0, 2.0, 6.0});
    QVERIFY(spread && spread->mean == 3 && spread->low == 1 && spread->high == 6);
    QVERIFY(std::abs(spread->deviation - std::sqrt(7.0)) < 1e-12);
    QVERIFY(spreadOf(std::vector{4.0})->deviation == 0 && !spreadOf({}));
  }
};

QTEST_APPLESS_MAIN(TestSweep)
#include "tst_sweep.moc"

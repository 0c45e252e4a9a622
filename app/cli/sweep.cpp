// SPDX-License-Identifier: GPL-3.0-or-later
// strategylab-cli sweep: a grid of replicas and batch sizes, trained, or with --timing-only priced alone.
#include <algorithm>
#include <charconv>
#include <cmath>
#include <exception>
#include <filesystem>
#include <map>
#include <memory>
#include <mutex>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <tuple>

#include "app/cli/cli.h"
#include "app/cli/messages.h"
#include "app/cli/options.h"
#include "app/cli/sweep_timing.h"
#include "app/cli/table.h"
#include "core/base/error.h"
#include "core/base/limits.h"
#include "core/base/platform.h"
#include "core/base/units.h"
#include "core/lab/run_queue.h"
#include "core/lab/sweep.h"
#include "core/timing/cluster_spec.h"

namespace lab::cli {
namespace {

using nlohmann::json;

constexpr std::int64_t kLargestBatch = 1'000'000'000;

std::vector<std::int64_t> countsOf(const CLI::Option* option, std::vector<std::int64_t> unset, std::int64_t maximum) {
  if (!isGiven(option)) return unset;
  std::vector<std::int64_t> counts;
  for (const std::string& item : listOf(option)) {
    std::int64_t value = 0;
    const auto [end, error] = std::from_chars(item.data(), item.data() + item.size(), value);
    if (error != std::errc() || end != item.data() + item.size() || value < 1 || value > maximum)
      throw UserError(say::notCounts, aboutOf(option), item, maximum);
    counts.push_back(value);
  }
  return counts;
}

// The values of an option that is a list of a setting's, each checked as the setting's.
template <typename Value>
std::vector<Value> valuesOf(const CLI::Option* option, std::string_view field, const RunConfig& base,
                            Value RunConfig::*member) {
  if (!isGiven(option)) return {base.*member};
  std::vector<Value> values;
  for (const std::string& item : listOf(option)) {
    RunConfig config;
    configField(field).set(config, item);
    values.push_back(config.*member);
  }
  return values;
}

// A cell, and what came of it.
struct Row {
  const SweepCell* cell = nullptr;
  std::optional<RunTally> result;
  std::string state;  // "", or why there is no result: "refused", "failed", "cancelled"
};

std::string ruleOf(const SweepCell& cell) {
  return configField("lr-scaling").get(cell.config);
}

std::int64_t batchOf(const RunConfig& config) {
  return config.globalBatch.value_or(config.batchPerReplica.value_or(0));
}

json toJson(const SweepCell& cell, const RunTally& result, std::int64_t fewest) {
  const RunConfig& config = cell.config;
  const auto orNull = [](const auto& value) { return value ? json(*value) : json(nullptr); };
  json line{{"event", "cell"},
            {"strategy", std::string(strategyKey(config.strategy))},
            {"replicas", *config.replicas},
            {"batchPerReplica", *config.batchPerReplica},
            {"globalBatch", batchOf(config)},
            {"lrScaling", ruleOf(cell)},
            {"learningRate", config.learningRate},
            {"seed", config.seed},
            {"steps", result.steps},
            {"testAccuracy", orNull(result.testAccuracy)},
            {"diverged", result.diverged}};
  if (cell.target.accuracy) {
    line["stepsToTarget"] = orNull(result.stepsToTarget);
    line["examplesToTarget"] = orNull(result.examplesToTarget);
    line[result.modelled ? "modelledSecondsToTarget" : "secondsToTarget"] = orNull(result.secondsToTarget);
  }
  line[result.modelled ? "modelledImagesPerSecond" : "imagesPerSecond"] = result.imagesPerSecond();
  if (result.modelled) line["efficiency"] = modelledEfficiency(config, fewest);
  return line;
}

// The curve of each rule over all cells, where runs reached the target.
std::vector<std::pair<std::string, std::optional<BatchTradeOff>>> fitsOf(const std::vector<Row>& rows) {
  std::map<std::string, std::vector<SweepPoint>> points;
  std::map<std::string, std::set<std::pair<double, double>>> missed;  // by rule: batch, rate
  for (const Row& row : rows) {
    if (!row.result) continue;
    const double batch = static_cast<double>(batchOf(row.cell->config)), rate = row.cell->config.learningRate;
    if (row.result->stepsToTarget)
      points[ruleOf(*row.cell)].push_back({batch, rate, static_cast<double>(*row.result->stepsToTarget)});
    else
      missed[ruleOf(*row.cell)].insert({batch, rate});
  }
  std::vector<std::pair<std::string, std::optional<BatchTradeOff>>> fits;
  for (auto& [rule, ofRule] : points) {
    std::erase_if(ofRule, [&, &rule = rule](const SweepPoint& point) {
      return missed[rule].contains({point.globalBatch, point.learningRate});
    });
    fits.emplace_back(rule, fitSweep(ofRule));
  }
  return fits;
}

struct SweepRequest {
  SweepPlan plan;
  int jobs = 1;
  std::filesystem::path out;  // "": nothing is kept
  bool asJson = false;
};

std::string tableOf(const std::vector<Row>& rows, std::int64_t fewest, bool withTarget) {
  const auto right = Table::Align::Right;
  const bool modelled = std::ranges::none_of(rows, [](const Row& row) { return row.result && !row.result->modelled; });
  Table table({{"replicas", right},
               {"batch/replica", right},
               {"global batch", right},
               {"lr scaling"},
               {"learning rate", right},
               {"seed", right},
               {modelled ? "modelled images/s" : "measured images/s", right},
               {"efficiency", right},
               {"test accuracy", right},
               {"steps to target", right},
               {modelled ? "modelled time to target" : "time to target", right}});
  std::vector<const Row*> sorted;
  for (const Row& row : rows) sorted.push_back(&row);
  std::ranges::stable_sort(sorted, {}, [](const Row* row) {
    const RunConfig& config = row->cell->config;
    return std::tuple(config.replicas.value_or(0), batchOf(config), ruleOf(*row->cell), config.learningRate,
                      config.seed);
  });
  for (const Row* row : sorted) {
    const RunConfig& config = row->cell->config;
    const auto& result = row->result;
    table.add({formatCount(config.replicas.value_or(0)), formatCount(config.batchPerReplica.value_or(0)),
               formatCount(batchOf(config)), ruleOf(*row->cell), configField("learning-rate").get(config),
               std::to_string(config.seed), result ? whole(result->imagesPerSecond()) : row->state,
               result && result->modelled ? formatPercent(modelledEfficiency(config, fewest)) : "-",
               !result            ? "-"
               : result->diverged ? "diverged"
                                  : (result->testAccuracy ? formatPercent(*result->testAccuracy) : "-"),
               result && result->stepsToTarget ? formatCount(*result->stepsToTarget)
               : result && withTarget          ? "not reached"
                                               : "-",
               result && result->secondsToTarget ? formatDuration(std::llround(*result->secondsToTarget * 1e9)) : "-"});
  }
  return table.text();
}

// Every cell on the queue; lines and files appear as each ends.
int sweepTraining(const SweepRequest& request) {
  catchInterrupts();
  const std::vector<SweepCell> cells = cellsOf(request.plan);
  const std::int64_t fewest = std::ranges::min(request.plan.replicas);
  std::shared_ptr<const Dataset> dataset;
  for (const SweepCell& cell : cells) {
    if (!cell.refused && !dataset) dataset = openDataset(cell.config);
    if (cell.refused)
      say("note: " + formatCount(*cell.config.replicas) + " replicas are left out: " + worded(*cell.refused));
  }
  if (!request.out.empty()) makeSweepFolder(request.out);
  std::vector<Row> rows;
  for (const SweepCell& cell : cells) rows.push_back({.cell = &cell, .state = cell.refused ? "refused" : "cancelled"});

  std::mutex mutex;  // of rows and of what is printed
  std::size_t done = 0;
  std::exception_ptr failure;  // of printing
  const auto finish = [&](Row& row, const RunTally& result, bool kept) {
    const std::lock_guard lock(mutex);
    row.result = result;
    ++done;
    try {
      if (request.asJson) printJson(toJson(*row.cell, result, fewest));
    } catch (...) {
      failure = std::current_exception();
    }
    say(formatCount(static_cast<std::int64_t>(done)) + " of " + formatCount(std::ssize(cells)) + " cells" +
        (kept ? " (there already)" : ""));
  };
  RunQueue queue(request.jobs);
  std::vector<int> ids(rows.size(), -1);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    Row& row = rows[i];
    if (row.cell->refused) continue;
    if (!request.out.empty())
      if (const auto kept = keptResult(*row.cell, request.out)) {
        finish(row, *kept, true);
        continue;
      }
    ids[i] = queue.add(
        [&, i](RunQueue::Turn& turn) {
          const auto goOn = [&] {
            if (interrupted() || failure) queue.cancelAll();
            return turn.goOn();
          };
          if (const auto result = trainCell(*rows[i].cell, dataset, turn.threads(), goOn, request.out))
            finish(rows[i], *result, false);
        },
        isReal(row.cell->config.devices));
  }
  queue.wait();
  if (failure) std::rethrow_exception(failure);
  bool failed = false;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    if (ids[i] < 0 || queue.state(ids[i]) != RunQueue::State::Failed) continue;
    rows[i].state = "failed";
    failed = true;
    say(rows[i].cell->fileName() + ": " + worded(queue.failure(ids[i])));
  }
  if (!request.asJson) print(tableOf(rows, fewest, request.plan.target.accuracy.has_value()));
  if (request.plan.target.accuracy) {
    for (const auto& [rule, fit] : fitsOf(rows)) {
      if (request.asJson)
        printJson({{"event", "fit"},
                   {"lrScaling", rule},
                   {"minSteps", fit ? json(fit->minimumSteps) : json(nullptr)},
                   {"minExamples", fit ? json(fit->minimumSteps * fit->criticalBatch) : json(nullptr)},
                   {"criticalBatch", fit ? json(fit->criticalBatch) : json(nullptr)}});
      else if (fit)
        print(rule + ": steps to the target: about " + whole(fit->minimumSteps) + " x (1 + " +
              whole(fit->criticalBatch) + " / global batch); the second number is the critical batch\n");
    }
  }
  if (interrupted()) {
    say(request.out.empty() ? "stopped; the cells that ended are shown."
                            : "stopped; the same command goes on with the cells that are missing.");
    return kInterrupted;
  }
  return failed ? 1 : 0;
}

}  // namespace

void addSweep(CLI::App& app, Action& action) {
  CLI::App* command =
      app.add_subcommand("sweep", "A grid of replicas, batch sizes and learning rates: throughput, accuracy, steps.");
  command->footer(
      "Every cell is a run of its own, with the same bits as `train` gives with its settings. With --target-accuracy "
      "a\n"
      "cell is evaluated at least each time that it has taken a twentieth more steps, and without --steps and "
      "--epochs\n"
      "it ends where it reaches the target, or after 20 epochs. Cells on real devices run one at a time. With\n"
      "--timing-only nothing is trained: the steps are modelled, for any of the networks of --model and up to 65,536\n"
      "replicas.");
  const char* group = "Sweep";
  const CLI::Option* replicas = addValue(*command, "--replicas", "N,N,…", "Counts of replicas. [1,2,4,8]", group);
  const CLI::Option* batches =
      addValue(*command, "--batch-per-replica", "N,N,…", "Batch sizes of a replica. [32,64,128]", group);
  const CLI::Option* globals = addValue(*command, "--global-batch", "N,N,…",
                                        "Batch sizes of all replicas together, instead of --batch-per-replica.", group);
  const CLI::Option* rules = addValue(*command, "--lr-scaling", "A,B,…",
                                      "Learning-rate rules, by global batch / 64: none, linear, sqrt. [none]", group);
  const CLI::Option* rates =
      addValue(*command, "--learning-rate", "X,X,…", "Learning rates, before the rule. [0.001]", group);
  const CLI::Option* seeds =
      addValue(*command, "--seeds", "N", "Train each cell with so many seeds, from --seed. [1]", group);
  const CLI::Option* target = addValue(*command, "--target-accuracy", "X",
                                       "Also count steps, examples and time to this test accuracy, 0 to 1.", group);
  const CLI::Option* jobs = addValue(*command, "--jobs", "J", "Cells at once; never changes results. [cores]", group);
  const CLI::Option* out =
      addValue(*command, "--out", "DIR",
               "Keep each cell's run file here; cells that are there already are not run again, so "
               "that a sweep that was stopped goes on.",
               group);
  const SweepTimingOptions timing = addSweepTiming(*command);
  const auto options = std::make_shared<ConfigOptions>();
  options->addAll(*command, {"replicas", "batch-per-replica", "global-batch", "lr-scaling", "learning-rate", "save",
                             "metrics", "trace", "run", "checkpoint-dir", "checkpoint-every", "resume", "threads"});
  const CLI::Option* asJson = addJson(*command);
  command->callback([=, &action] {
    action = [=] {
      const bool timingOnly = flagOf(timing.timingOnly);
      const std::int64_t most = timingOnly ? kMaxClusterDevices : kMaxReplicas;
      const std::vector<std::int64_t> counts = countsOf(replicas, {1, 2, 4, 8}, most);
      const std::vector<std::int64_t> sizes = countsOf(batches, {32, 64, 128}, kLargestBatch);
      if (timingOnly) {
        for (const CLI::Option* option : {target, globals, rules, rates, seeds, jobs, out})
          if (isGiven(option)) throw UserError(say::targetNeedsTraining, aboutOf(option), Option{"timing-only"});
        return sweepTiming(options->read(), counts, sizes, timing, flagOf(asJson));
      }
      refuseTimingOptions(timing);
      SweepRequest request{.jobs = static_cast<int>(integerOf(jobs, processorCount(), 1, 1024)),
                           .out = textOf(out).value_or(""),
                           .asJson = flagOf(asJson)};
      SweepPlan& plan = request.plan;
      plan.base = options->read();
      plan.replicas = counts;
      if (isGiven(globals) && isGiven(batches)) throw UserError(say::giveOneOf, aboutOf(globals), aboutOf(batches));
      plan.global = isGiven(globals);
      plan.batches = plan.global ? countsOf(globals, {}, kLargestBatch) : sizes;
      plan.rules = valuesOf<LearningRateScaling>(rules, "lr-scaling", plan.base, &RunConfig::lrScaling);
      plan.learningRates = valuesOf<double>(rates, "learning-rate", plan.base, &RunConfig::learningRate);
      plan.seeds = integerOf(seeds, 1, 1, 1000);
      plan.target = targetOf(target, options->given());
      return sweepTraining(request);
    };
  });
}

}  // namespace lab::cli

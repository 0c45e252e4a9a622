// SPDX-License-Identifier: GPL-3.0-or-later
// strategylab-cli sweep: a grid of replicas and batch sizes, trained, or only timed by the model with --timing-only.
#include <algorithm>
#include <atomic>
#include <exception>
#include <filesystem>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "app/cli/cli.h"
#include "app/cli/messages.h"
#include "app/cli/options.h"
#include "app/cli/sweep_random.h"
#include "app/cli/sweep_rows.h"
#include "app/cli/sweep_timing.h"
#include "core/base/error.h"
#include "core/base/limits.h"
#include "core/base/parse_number.h"
#include "core/base/platform.h"
#include "core/base/sentence.h"
#include "core/base/units.h"
#include "core/experiments/halving.h"
#include "core/experiments/run_queue.h"
#include "core/experiments/sweep.h"
#include "core/experiments/tensorboard.h"
#include "core/files/run_file.h"
#include "core/hardware/cluster_spec.h"
#include "core/options/config_field.h"
#include "core/options/derived_settings.h"
#include "core/options/memory_need.h"
#include "core/prediction/hardware.h"
#include "core/strategy/strategy.h"

namespace lab::cli {
namespace {

constexpr std::int64_t kLargestBatch = 1'000'000'000;

// Returns nothing for a range, because its values are drawn.
std::vector<std::int64_t> countsOf(const CLI::Option* option, std::vector<std::int64_t> unset, std::int64_t maximum) {
  if (isRange(option)) return {};
  if (!isGiven(option)) return unset;
  std::vector<std::int64_t> counts;
  for (const std::string& item : listOf(option)) {
    const auto value = parseWhole(item);
    if (!value || *value < 1 || *value > maximum)
      throw UserError(say::notCounts, aboutOf(option), item, Count{maximum});
    counts.push_back(*value);
  }
  return counts;
}

// Returns the values of an option that lists values of a setting, each checked as the setting's value.
template <typename Value>
std::vector<Value> valuesOf(const CLI::Option* option, std::string_view field, const RunSettings& base,
                            Value SettingsBase::*member) {
  if (isRange(option)) return {};
  if (!isGiven(option)) return {base.*member};
  std::vector<Value> values;
  for (const std::string& item : listOf(option)) {
    RunSettings config;
    configField(field).set(config, item);
    values.push_back(config.*member);
  }
  return values;
}

struct SweepRequest {
  SweepPlan plan;
  int jobs = 1;
  std::filesystem::path out, events;  // "": nothing is stored
  bool asJson = false;
  bool retriesDiverged = false;
  std::optional<std::int64_t> eta;  // for halving
};

// Seeds are left out: they decide nothing about what can be trained.
std::string leftOutCell(const SweepCell& cell, bool global) {
  const ResolvedSettings& config = cell.config;
  return counted(config.replicas, "replica") + " with " + (global ? "--global-batch " : "--batch-per-replica ") +
         std::to_string(global ? config.globalBatch : config.batchPerReplica) + ", --lr-scaling " +
         configField("lr-scaling").get(config) + " and --learning-rate " + configField("learning-rate").get(config) +
         " left out: " + sentence(format(*cell.refused));
}

// Halving compares cells after equal shares of --steps, so cells with a larger batch have seen more images.
bool halvesUnequalImages(const SweepRequest& request, const std::vector<SweepCell>& cells) {
  std::set<std::int64_t> batches;
  for (const SweepCell& cell : cells)
    if (!cell.refused) batches.insert(cell.config.examplesPerStep());
  return request.eta && request.plan.base.steps && batches.size() > 1;
}

// With the version that their run files name.
std::vector<SweepCell> namedCells(const SweepPlan& plan) {
  std::vector<SweepCell> cells = cellsOf(plan);
  for (SweepCell& cell : cells) cell.program = STRATEGYLAB_VERSION;
  return cells;
}

// Runs the cells through the queue. Lines and files appear as each cell ends.
class Sweep {
 public:
  explicit Sweep(const SweepRequest& request) : request_(request), cells_(namedCells(request.plan)) {
    std::set<std::string> notes;  // each once
    const auto sayOnce = [&](const std::string& note) {
      if (notes.insert(note).second) say("note: " + note);
    };
    std::set<std::int64_t> trainable;  // counts of replicas
    for (const SweepCell& cell : cells_)
      if (!cell.refused) trainable.insert(cell.config.replicas);
    for (const SweepCell& cell : cells_) {
      rows_.push_back({.cell = &cell, .state = cell.refused ? "refused" : "cancelled"});
      if (cell.refused) {
        const bool some = trainable.contains(cell.config.replicas);
        sayOnce(some ? leftOutCell(cell, request.plan.global) : leftOut(cell.config.replicas, *cell.refused));
        continue;
      }
      ++toDo_;
      if (!dataset_) dataset_ = openDataset(cell.config);
      for (const Message& why :
           {idleSharding(cell.config), idlePacks(cell.config), whyExtrapolated(cell.config), whyFloat32(cell.config)})
        if (!why.empty()) sayOnce(format(why));
    }
    if (!request_.out.empty()) makeSweepFolder(request_.out);
    if (!request_.events.empty()) describeForTensorBoard();
  }

  int run() {
    if (request_.eta) {
      halve();
    } else {
      for (SweepRow& row : rows_)
        if (!row.cell->refused) add(row);
      queue_.wait();
    }
    if (brokenOutput_) std::rethrow_exception(failure_);
    const bool failed = markFailed();
    if (!request_.asJson) print(tableOf(rows_, request_.plan.target.accuracy.has_value()));
    if (request_.plan.target.accuracy) showFits(rows_, request_.asJson);
    if (interrupted()) {
      say(request_.out.empty() ? "stopped; the cells that ended are shown."
                               : "stopped; the same command continues with the missing cells.");
      return kInterrupted;
    }
    return failed ? 1 : 0;
  }

 private:
  void add(SweepRow& row) {
    if (!request_.out.empty())
      if (const auto kept = keptResult(*row.cell, request_.out);
          kept && !(kept->diverged && request_.retriesDiverged)) {
        if (!request_.events.empty())
          writeEventsOf(*row.cell, readRunFile(request_.out / row.cell->fileName()).metrics, *kept);
        return finish(row, *kept, true);
      }
    const auto train = [this, &row](RunQueue::Turn& turn) {
      const auto goOn = [&] { return goesOn() && turn.goOn(); };
      const auto threads = static_cast<int>(request_.plan.base.threads.value_or(turn.threads()));
      const auto keepEvents = [&](std::span<const Metric> metrics, const RunTally& tally) {
        if (!request_.events.empty()) writeEventsOf(*row.cell, metrics, tally);
      };
      if (const auto result = trainCell(*row.cell, dataset_, threads, goOn, request_.out, keepEvents))
        finish(row, *result, false);
    };
    ids_.emplace_back(&row, queue_.add(train, isReal(row.cell->config.devices),
                                       static_cast<std::int64_t>(memoryNeed(row.cell->config))));
  }

  bool goesOn() {
    if (interrupted() || brokenOutput_) queue_.cancelAll();
    return true;
  }

  // Trains the best cells from rung to rung, and stops the others.
  void halve() {
    std::vector<SweepRow*> rows;
    std::vector<const SweepCell*> cells;
    for (SweepRow& row : rows_) {
      if (row.cell->refused) continue;
      rows.push_back(&row);
      cells.push_back(row.cell);
    }
    std::optional<int> threads;
    if (request_.plan.base.threads) threads = static_cast<int>(*request_.plan.base.threads);
    Halving halving(cells, dataset_,
                    {.eta = *request_.eta,
                     .folder = request_.out,
                     .threads = threads,
                     .goOn = [this] { return goesOn(); },
                     .stateBytes = memoryForRuns() / 4,
                     .ended =
                         [&](std::size_t cell, const RunTally& tally, std::span<const Metric> metrics, bool kept) {
                           if (!request_.events.empty()) writeEventsOf(*cells[cell], metrics, tally);
                           finish(*rows[cell], tally, kept);
                         }});
    if (halvesUnequalImages(request_, cells_))
      say("note: with --steps each cell takes the same number of steps, so cells with larger batches have seen more "
          "images at each rung and go on more easily. With --epochs instead of --steps, all see the same number of "
          "images.");
    halving.run(queue_);
    for (const auto& [cell, why] : halving.failures()) failures_.emplace_back(rows[cell], why);
  }

  void describeForTensorBoard() {
    std::vector<Hyperparameters> runs;
    bool modelled = true;
    for (const SweepCell& cell : cells_) {
      if (cell.refused) continue;
      runs.push_back(hyperparametersOf(cell.config));
      modelled = modelled && cell.config.devices == DeviceChoice::Simulated;
    }
    EventFile(request_.events).sweep(runs, request_.plan.target.accuracy.has_value(), modelled);
  }

  void writeEventsOf(const SweepCell& cell, std::span<const Metric> metrics, const RunTally& tally) {
    writeEvents(request_.events / std::filesystem::path(cell.fileName()).stem(), cell.config, metrics, tally);
  }

  void finish(SweepRow& row, const RunTally& result, bool kept) {
    const SteadyScaling steady = steadyScaling(row.cell->config);
    const std::lock_guard lock(mutex_);
    row.result = result;
    row.steady = steady;
    ++done_;
    try {
      if (request_.asJson && !brokenOutput_) printJson(toJson(row));
    } catch (...) {
      failure_ = std::current_exception();
      brokenOutput_ = true;
    }
    say(formatCount(done_) + " of " + counted(toDo_, "cell") +
        (result.stopped ? ", stopped after " + counted(result.steps, "step") : "") + (kept ? " (there already)" : ""));
  }

  bool markFailed() {
    for (const auto& [row, id] : ids_)
      if (queue_.state(id) == RunQueue::State::Failed) failures_.emplace_back(row, queue_.failure(id));
    for (const auto& [row, why] : failures_) {
      row->state = "failed";
      say(row->cell->fileName() + ": " + sentence(format(why)));
    }
    return !failures_.empty();
  }

  const SweepRequest& request_;
  const std::vector<SweepCell> cells_;
  std::shared_ptr<const Dataset> dataset_;
  std::vector<SweepRow> rows_;
  std::vector<std::pair<SweepRow*, int>> ids_;  // of the rows on the queue
  std::vector<std::pair<SweepRow*, Message>> failures_;
  std::mutex mutex_;                  // guards rows' results, the count and the output
  std::int64_t toDo_ = 0, done_ = 0;  // trainable cells; cells that have ended
  std::exception_ptr failure_;        // from printing; valid once brokenOutput_ is set
  std::atomic<bool> brokenOutput_ = false;
  RunQueue queue_{request_.jobs, memoryForRuns()};  // last member: its runs end before the others are destroyed
};

struct SweepOptions {
  const CLI::Option *replicas, *batches, *globals, *rules, *rates, *seeds, *target, *halving, *random, *jobs, *out,
      *retry, *events, *asJson;
  SweepTimingOptions timing;
  std::shared_ptr<ConfigOptions> config = std::make_shared<ConfigOptions>();
};

SweepOptions addSweepOptions(CLI::App& command) {
  const char* group = "Sweep";
  const std::string alone = otherDefaults(0, [](const StrategyInfo& info) { return info.singleReplica ? 1 : 0; });
  SweepOptions options{
      .replicas = addValue(command, "--replicas", "N,N,…", "Counts of replicas. [1,2,4,8; " + alone + "]", group),
      .batches =
          addValue(command, "--batch-per-replica,--batches", "N,N,…", "Batch sizes of a replica. [32,64,128]", group),
      .globals = addValue(command, "--global-batch", "N,N,…",
                          "Batch sizes of all replicas together, instead of --batch-per-replica.", group),
      .rules = addValue(command, "--lr-scaling", "A,B,…",
                        "Learning-rate rules: none, linear and sqrt (by global batch / 64), staleness. [none]", group),
      .rates = addValue(command, "--learning-rate,--learning-rates", "X,X,…",
                        "Learning rates, before the rule. [0.001]", group),
      .seeds = addValue(command, "--seeds", "N", "Number of seeds for each cell, from --seed on. [1]", group),
      .target = addValue(command, "--target-accuracy", "X",
                         "Also count steps, examples and time to this test accuracy, 0 to 1.", group),
      .halving = addValue(command, "--halving", "ETA",
                          "Stop cells that fall behind: all train to a first rung, the best 1 in ETA (2 to 8) by test "
                          "loss go on to ETA times as many steps, and so on to the end. With --steps larger batches "
                          "have seen more images at each rung, with --epochs all the same number. [no cell stops]",
                          group),
      .random =
          addValue(command, "--random", "N",
                   "Draw N points, by --seed, from each range LOW..HIGH given instead of a list: "
                   "--learning-rates 0.001..0.1 and --batches 16..512 evenly in their logarithms, --replicas 1..8 "
                   "evenly. Lists beside them make a grid of each point; what is not given is as for `train`.",
                   group),
      .jobs = addValue(command, "--jobs", "J", "Cells at once; never changes results. [cores]", group),
      .out =
          addValue(command, "--out", "DIR",
                   "Store each cell's run file in this folder; cells that are stored already are not run again, so a "
                   "stopped sweep continues.",
                   group),
      .retry = command.add_flag("--retry-diverged")
                   ->description("With --out: run diverged cells again, too. The same program gives the "
                                 "same result.")
                   ->group(group),
      .events = addValue(command, "--tensorboard", "DIR",
                         "Also write each cell as a TensorBoard event file in a folder of its own below this one, with "
                         "its settings as hyperparameters.",
                         group),
      .asJson = nullptr,
      .timing = addSweepTiming(command)};
  options.config->addAll(
      command, {"replicas", "batch-per-replica", "global-batch", "lr-scaling", "learning-rate", "save", "metrics",
                "trace", "run", "checkpoint-dir", "checkpoint-every", "resume", "threads"});
  options.config->add(command, "threads", "cores; 1 where several cells run at once");
  options.asJson = addJson(command);
  return options;
}

std::vector<DrawnPoint> pointsOf(const SweepOptions& options, std::int64_t count, std::uint64_t seed) {
  SearchSpace space;
  if (isRange(options.replicas)) space.replicas = countRangeOf(options.replicas, kMaxReplicas);
  for (const CLI::Option* batches : {options.batches, options.globals})
    if (isRange(batches)) space.batches = countRangeOf(batches, kLargestBatch);
  if (isRange(options.rates)) space.learningRates = rateRangeOf(options.rates);
  return drawPoints(space, count, seed);
}

SweepRequest requestOf(const SweepOptions& options, const std::vector<std::int64_t>& replicas,
                       const std::vector<std::int64_t>& batches, std::optional<std::int64_t> points) {
  refuseTimingOptions(options.timing);
  SweepRequest request{.jobs = static_cast<int>(integerOf(options.jobs, processorCount(), 1, 1024)),
                       .out = textOf(options.out).value_or(""),
                       .events = textOf(options.events).value_or(""),
                       .asJson = flagOf(options.asJson),
                       .retriesDiverged = flagOf(options.retry)};
  if (isGiven(options.halving)) request.eta = integerOf(options.halving, kLeastEta, kLeastEta, kMostEta);
  if (request.eta && request.retriesDiverged)
    throw UserError(say::notWithHalving, aboutOf(options.retry), aboutOf(options.halving));
  SweepPlan& plan = request.plan;
  plan.base = options.config->read();
  refuseImpossibleHardware(plan.base);
  plan.replicas = replicas;
  if (isGiven(options.globals) && isGiven(options.batches))
    throw UserError(say::giveOneOf, aboutOf(options.globals), aboutOf(options.batches));
  plan.global = isGiven(options.globals);
  plan.batches = plan.global ? countsOf(options.globals, {}, kLargestBatch) : batches;
  plan.rules = valuesOf<LearningRateScaling>(options.rules, "lr-scaling", plan.base, &SettingsBase::lrScaling);
  plan.learningRates = valuesOf<double>(options.rates, "learning-rate", plan.base, &SettingsBase::learningRate);
  if (points) plan.points = pointsOf(options, *points, plan.base.seed);
  plan.seeds = integerOf(options.seeds, 1, 1, 1000);
  plan.target = targetOf(options.target, options.config->given());
  return request;
}

int sweep(const SweepOptions& options) {
  const bool timingOnly = flagOf(options.timing.timingOnly);
  if (timingOnly)
    for (const CLI::Option* option :
         {options.target, options.globals, options.rules, options.rates, options.seeds, options.halving, options.random,
          options.jobs, options.out, options.retry, options.events})
      if (isGiven(option)) throw UserError(say::targetNeedsTraining, aboutOf(option), Option{"timing-only"});
  const auto points =
      randomPointsOf({options.random, options.replicas, options.batches, options.globals, options.rates});
  using Counts = std::vector<std::int64_t>;
  const bool single = strategyInfo(options.config->read().strategy).singleReplica;
  const Counts usual = points ? Counts() : single ? Counts{1} : Counts{1, 2, 4, 8};
  const Counts replicas = countsOf(options.replicas, usual, timingOnly ? kMaxClusterDevices : kMaxReplicas);
  const Counts batches = countsOf(options.batches, points ? Counts() : Counts{32, 64, 128}, kLargestBatch);
  if (timingOnly)
    return sweepTiming(options.config->given(), replicas, batches, options.timing, flagOf(options.asJson));
  const SweepRequest request = requestOf(options, replicas, batches, points);
  catchInterrupts();
  return Sweep(request).run();
}

}  // namespace

void addSweep(CLI::App& app, Action& action) {
  CLI::App* command =
      app.add_subcommand("sweep", "A grid of replicas, batch sizes and learning rates: throughput, accuracy, steps.");
  command->footer(
      "Every cell is a run of its own, with the same bits as `train` gives with its settings. With --target-accuracy\n"
      "a cell is evaluated at least each time that it has taken a twentieth more steps; without --steps and --epochs\n"
      "it ends where it reaches the target, or after 20 epochs. Cells on real devices run one at a time. With\n"
      "--timing-only nothing is trained: the steps are modelled, for any of the networks of --model and up to 65,536\n"
      "replicas. Where neither --hosts nor --cluster is given, mirrored goes on over hosts when its host is full.");
  const SweepOptions options = addSweepOptions(*command);
  command->callback([=, &action] { action = [=] { return sweep(options); }; });
}

}  // namespace lab::cli

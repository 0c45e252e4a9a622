// SPDX-License-Identifier: GPL-3.0-or-later
// strategylab-cli sweep: a grid of replicas and batch sizes, trained, or with --timing-only priced alone.
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>

#include "app/cli/cli.h"
#include "app/cli/experiment.h"
#include "app/cli/messages.h"
#include "app/cli/options.h"
#include "app/cli/sweep_timing.h"
#include "app/cli/table.h"
#include "core/base/error.h"
#include "core/base/limits.h"
#include "core/base/parse_number.h"
#include "core/base/platform.h"
#include "core/base/units.h"
#include "core/timing/cluster_spec.h"
#include "core/timing/noise_scale.h"

namespace lab::cli {
namespace {

using nlohmann::json;

std::vector<std::int64_t> countsOf(const CLI::Option* option, std::vector<std::int64_t> unset, std::int64_t maximum) {
  if (!isGiven(option)) return unset;
  std::vector<std::int64_t> counts;
  for (const std::string& item : listOf(option)) {
    const std::optional<std::int64_t> value = parseNumber<std::int64_t>(item);
    if (!value || *value < 1 || *value > maximum) throw UserError(say::notCounts, aboutOf(option), item, maximum);
    counts.push_back(*value);
  }
  return counts;
}

struct TrainedPoint {
  std::int64_t replicas = 1, batch = 1;
  std::optional<std::int64_t> stepsToTarget;
  double imagesPerSecond = 0;
  bool modelled = true;
  Outcome outcome;
  double globalBatch() const { return static_cast<double>(outcome.info.config.globalBatch.value_or(batch)); }
};

// Images per second over the smallest count of replicas' at the same batch, per replica.
double efficiencyOf(const TrainedPoint& point, const std::vector<TrainedPoint>& points) {
  const TrainedPoint* base = &point;
  for (const TrainedPoint& other : points)
    if (other.batch == point.batch && other.replicas < base->replicas) base = &other;
  if (base->imagesPerSecond <= 0) return 0;
  return point.imagesPerSecond / base->imagesPerSecond * static_cast<double>(base->replicas) /
         static_cast<double>(point.replicas);
}

// Steps to the target over the global batch, through all runs that reached it.
std::optional<BatchTradeOff> tradeOffOf(const std::vector<TrainedPoint>& points) {
  std::vector<StepsAtBatch> runs;
  for (const TrainedPoint& point : points)
    if (point.stepsToTarget) runs.push_back({point.globalBatch(), static_cast<double>(*point.stepsToTarget)});
  return fitTradeOff(runs);
}

json toJson(const TrainedPoint& point, const std::vector<TrainedPoint>& points, bool hasTarget) {
  const RunConfig& config = point.outcome.info.config;
  json entry{{"replicas", point.replicas},
             {"batchPerReplica", point.batch},
             {"globalBatch", config.globalBatch.value_or(point.batch)},
             {"steps", point.outcome.end.steps},
             {point.modelled ? "modelledImagesPerSecond" : "imagesPerSecond", point.imagesPerSecond},
             {"scalingEfficiency", efficiencyOf(point, points)},
             {"testAccuracy", point.outcome.lastEval ? json(point.outcome.lastEval->testAccuracy) : json(nullptr)}};
  if (hasTarget) entry["stepsToTarget"] = point.stepsToTarget ? json(*point.stepsToTarget) : json(nullptr);
  return entry;
}

int sweepTraining(RunConfig base, const std::vector<std::int64_t>& replicas, const std::vector<std::int64_t>& batches,
                  std::optional<double> target, bool asJson) {
  catchInterrupts();
  // Where steps to a target are asked for, evaluations are what finds them.
  constexpr std::int64_t kTargetEvery = 10;
  if (target && !base.evalEvery) base.evalEvery = kTargetEvery;
  std::vector<RunConfig> configs;
  for (const std::int64_t count : replicas)
    for (const std::int64_t batch : batches) {
      RunConfig config = base;
      config.replicas = count;
      config.batchPerReplica = batch;
      configs.push_back(resolveConfig(config));
    }
  const std::shared_ptr<const Dataset> dataset = openDataset(configs.front());
  std::vector<TrainedPoint> points;
  for (const RunConfig& config : configs) {
    if (interrupted()) break;
    TrainedPoint point{.replicas = *config.replicas, .batch = *config.batchPerReplica};
    const auto sink = [&](const Metric& metric) {
      const auto* eval = std::get_if<EvalMetric>(&metric);
      if (eval != nullptr && target && !point.stepsToTarget && eval->testAccuracy >= *target)
        point.stepsToTarget = eval->step;
    };
    point.outcome = runExperiment(config, dataset, sink, asJson && terminalColumns(stdout) > 0);
    const std::optional<double> modelled = point.outcome.modelledPerSecond();
    point.modelled = modelled.has_value();
    point.imagesPerSecond = modelled.value_or(point.outcome.end.imagesPerSecond);
    points.push_back(std::move(point));
  }
  const std::optional<BatchTradeOff> tradeOff = tradeOffOf(points);
  if (asJson) {
    json runs = json::array();
    for (const TrainedPoint& point : points) runs.push_back(toJson(point, points, target.has_value()));
    json document{{"runs", runs}};
    if (tradeOff)
      document["tradeOff"] = {{"criticalBatch", tradeOff->criticalBatch}, {"minimumSteps", tradeOff->minimumSteps}};
    printJson(document);
  } else {
    const auto right = Table::Align::Right;
    const bool modelled = points.empty() || points.front().modelled;
    Table table({{"replicas", right},
                 {"batch/replica", right},
                 {"global batch", right},
                 {modelled ? "modelled images/s" : "measured images/s", right},
                 {"efficiency", right},
                 {"test accuracy", right},
                 {"steps to target", right}});
    for (const TrainedPoint& point : points)
      table.add({formatCount(point.replicas), formatCount(point.batch),
                 formatCount(point.outcome.info.config.globalBatch.value_or(point.batch)), whole(point.imagesPerSecond),
                 formatPercent(efficiencyOf(point, points)),
                 point.outcome.lastEval ? formatPercent(point.outcome.lastEval->testAccuracy) : "-",
                 point.stepsToTarget ? formatCount(*point.stepsToTarget) : "-"});
    print(table.text());
    if (tradeOff)
      print("steps to the target: about " + whole(tradeOff->minimumSteps) + " x (1 + " +
            whole(tradeOff->criticalBatch) + " / global batch); the second number is the critical batch\n");
  }
  if (!interrupted()) return 0;
  say("stopped; the runs that were begun are shown.");
  return kInterrupted;
}

}  // namespace

void addSweep(CLI::App& app, Action& action) {
  CLI::App* command =
      app.add_subcommand("sweep", "A grid of replicas and batch sizes: throughput, efficiency, accuracy.");
  command->footer(
      "Every point is a run of its own with the same seed. With --timing-only nothing is trained: the steps are\n"
      "modelled, for any of the networks of --model and up to 65,536 replicas.");
  const CLI::Option* replicas = addValue(*command, "--replicas", "N,N,…", "Counts of replicas. [1,2,4,8]", "Sweep");
  const CLI::Option* batches =
      addValue(*command, "--batch-per-replica", "N,N,…", "Batch sizes of a replica. [32,64,128]", "Sweep");
  const CLI::Option* target = addValue(*command, "--target-accuracy", "X",
                                       "Also count the steps to this test accuracy, 0 to 1; evaluated every 10 steps "
                                       "unless --eval-every says otherwise.",
                                       "Sweep");
  const SweepTimingOptions timing = addSweepTiming(*command);
  const auto options = std::make_shared<ConfigOptions>();
  options->addAll(*command, {"replicas", "batch-per-replica", "global-batch", "save", "metrics", "trace", "run",
                             "checkpoint-dir", "checkpoint-every", "resume"});
  const CLI::Option* asJson = addJson(*command);
  command->callback([=, &action] {
    action = [=] {
      const bool timingOnly = flagOf(timing.timingOnly);
      const std::int64_t most = timingOnly ? kMaxClusterDevices : kMaxReplicas;
      const std::vector<std::int64_t> counts = countsOf(replicas, {1, 2, 4, 8}, most);
      const std::vector<std::int64_t> sizes = countsOf(batches, {32, 64, 128}, 1'000'000'000);
      if (timingOnly) {
        if (isGiven(target))
          throw UserError(say::targetNeedsTraining, Option{"target-accuracy"}, Option{"timing-only"});
        return sweepTiming(options->read(), counts, sizes, timing, flagOf(asJson));
      }
      refuseTimingOptions(timing);
      std::optional<double> accuracy;
      if (isGiven(target)) accuracy = realOf(target, 0, 0, 1);
      return sweepTraining(options->read(), counts, sizes, accuracy, flagOf(asJson));
    };
  });
}

}  // namespace lab::cli

// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/lab/sweep.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <utility>

#include "core/base/digest.h"
#include "core/base/error.h"
#include "core/base/messages.h"
#include "core/base/units.h"
#include "core/data/messages.h"
#include "core/lab/messages.h"
#include "core/run/run_file.h"
#include "core/run/timing_run.h"
#include "core/run/trainer.h"

namespace lab {
namespace {

using nlohmann::json;

// How coarse the first grid is that has each position of an axis: 0 for the ends, 1 for the middle between them, 2 for
// those of the halves…
std::vector<int> levelsOf(std::size_t count) {
  std::vector<int> levels(count, 0);
  const std::function<void(std::size_t, std::size_t, int)> halve = [&](std::size_t low, std::size_t high, int level) {
    if (high - low < 2) return;
    const std::size_t middle = low + (high - low) / 2;
    levels[middle] = level;
    halve(low, middle, level + 1);
    halve(middle, high, level + 1);
  };
  if (count > 0) halve(0, count - 1, 1);
  return levels;
}

std::string keyOf(const SweepCell& cell) {
  json settings = json::object();
  for (const ConfigField& field : configFields()) {
    if (!field.changesResults && field.name != "steps" && field.name != "epochs" && field.name != "eval-every")
      continue;
    settings[field.name] = field.get(cell.config);
  }
  settings["target"] = cell.target.accuracy ? json(*cell.target.accuracy) : json(nullptr);
  settings["until-target"] = cell.target.until;
  return settings.dump();
}

SweepCell cellOf(const SweepPlan& plan, std::int64_t replicas, std::int64_t batch, LearningRateScaling rule,
                 double rate, std::int64_t seed) {
  SweepCell cell{.config = withTarget(withoutOutputs(plan.base), plan.target), .target = plan.target};
  RunConfig& config = cell.config;
  config.replicas = replicas;
  config.batchPerReplica = config.globalBatch = std::nullopt;
  (plan.global ? config.globalBatch : config.batchPerReplica) = batch;
  config.lrScaling = rule;
  config.learningRate = rate;
  config.seed = seed;
  try {
    config = resolveConfig(config);
  } catch (const UserError& error) {
    cell.refused = error.message();
  }
  cell.key = keyOf(cell);
  return cell;
}

}  // namespace

std::string SweepCell::fileName() const {
  const auto text = [this](const char* field) { return configField(field).get(config); };
  const std::span<const std::uint8_t> bytes(reinterpret_cast<const std::uint8_t*>(key.data()), key.size());
  const std::string batch = config.globalBatch ? text("global-batch") : text("batch-per-replica");
  return "r" + text("replicas") + "-b" + batch + "-" + text("lr-scaling") + "-lr" + text("learning-rate") + "-s" +
         text("seed") + "-" + hexDigest(DigestKind::Sha256, bytes).substr(0, 8) + ".run";
}

std::vector<SweepCell> cellsOf(const SweepPlan& plan) {
  const auto count = static_cast<double>(plan.replicas.size()) * static_cast<double>(plan.batches.size()) *
                     static_cast<double>(plan.rules.size()) * static_cast<double>(plan.learningRates.size()) *
                     static_cast<double>(plan.seeds);
  if (count > static_cast<double>(kMaxSweepCells)) throw UserError(say::tooManyCells, count, kMaxSweepCells);
  const std::vector<int> ofReplicas = levelsOf(plan.replicas.size()), ofBatch = levelsOf(plan.batches.size()),
                         ofRate = levelsOf(plan.learningRates.size());
  std::vector<std::pair<int, SweepCell>> cells;
  std::set<std::string> keys;
  for (std::int64_t seed = 0; seed < plan.seeds; ++seed)
    for (std::size_t r = 0; r < plan.replicas.size(); ++r)
      for (std::size_t b = 0; b < plan.batches.size(); ++b)
        for (std::size_t rate = 0; rate < plan.learningRates.size(); ++rate)
          for (const LearningRateScaling rule : plan.rules) {
            SweepCell cell =
                cellOf(plan, plan.replicas[r], plan.batches[b], rule, plan.learningRates[rate], plan.base.seed + seed);
            const int level = std::max({ofReplicas[r], ofBatch[b], ofRate[rate], static_cast<int>(seed)});
            if (keys.insert(cell.key).second) cells.emplace_back(level, std::move(cell));
          }
  std::ranges::stable_sort(cells, {}, [](const auto& item) { return item.first; });
  std::vector<SweepCell> ordered;
  for (auto& item : cells) ordered.push_back(std::move(item.second));
  const auto refused = [](const SweepCell& cell) { return cell.refused.has_value(); };
  if (!ordered.empty() && std::ranges::all_of(ordered, refused)) throw UserError(*ordered.front().refused);
  return ordered;
}

std::optional<RunTally> trainCell(const SweepCell& cell, const std::shared_ptr<const Dataset>& dataset, int threads,
                                  const std::function<bool()>& goOn, const std::filesystem::path& folder) {
  RunConfig config = cell.config;
  config.threads = threads;
  TargetWatch watch(cell.target, config);
  Telemetry telemetry;
  telemetry.setSpansWanted(false);
  Trainer trainer(config, dataset, telemetry);
  std::vector<Metric> metrics;
  const auto take = [&] {
    for (Metric& metric : telemetry.takeMetrics()) {
      watch.take(metric);
      metrics.push_back(std::move(metric));
    }
  };
  while (!trainer.finished() && !watch.isOver()) {
    if (!goOn()) return std::nullopt;
    trainer.step();
    watch.afterStep(trainer);
    take();
  }
  trainer.finish();
  take();
  if (!folder.empty()) {
    RunConfig kept = cell.config;
    kept.threads.reset();
    const RunInfo& info = trainer.info();
    RunFileWriter file(folder / cell.fileName(),
                       {configToJson(kept), info.dataset, info.parameters, info.clock, info.legend});
    file.metrics(metrics);
    file.finish(0);
  }
  return watch.tally();
}

void makeSweepFolder(const std::filesystem::path& folder) {
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  if (error || !std::filesystem::is_directory(folder))
    throw UserError(say::cannotMakeFolder, folder,
                    error ? Message(say::verbatim, error.message()) : Message(say::fileOfThatName));
}

std::optional<RunTally> keptResult(const SweepCell& cell, const std::filesystem::path& folder) {
  const std::filesystem::path path = folder / cell.fileName();
  std::error_code error;
  if (!std::filesystem::exists(path, error)) return std::nullopt;
  try {
    const RunRecord record = readRunFile(path);
    const bool ended = !record.metrics.empty() && std::holds_alternative<EndMetric>(record.metrics.back());
    if (record.fault.empty() && ended) {
      RunTally tally;
      for (const Metric& metric : record.metrics) tally.take(metric, cell.target);
      return tally;
    }
  } catch (const UserError&) {  // damaged: as if it were not there
  }
  return std::nullopt;
}

double modelledEfficiency(const RunConfig& config, std::int64_t fewest) {
  const auto rate = [&](std::int64_t replicas) {
    RunConfig asked = config;
    const std::int64_t batch = *config.batchPerReplica;
    asked.replicas = replicas;
    asked.hosts = std::min(*config.hosts, replicas);
    asked.globalBatch.reset();
    std::erase_if(asked.slow, [&](const auto& straggler) { return straggler.first >= replicas; });
    const TimingRun run(asked, {.model = networkOf(config)->key()}, catalogueOf(config), TimingConstants::builtIn());
    return run.step(batch).imagesPerSecond / static_cast<double>(replicas);
  };
  const double alone = rate(fewest);
  return alone > 0 ? rate(*config.replicas) / alone : 0;
}

std::optional<BatchTradeOff> fitSweep(std::span<const SweepPoint> points) {
  struct Rate {
    double sum = 0;
    std::vector<StepsAtBatch> runs;
    double mean() const { return sum / static_cast<double>(runs.size()); }
  };
  std::map<double, std::map<double, Rate>> byBatch;
  for (const SweepPoint& point : points) {
    Rate& rate = byBatch[point.globalBatch][point.learningRate];
    rate.sum += point.steps;
    rate.runs.push_back({point.globalBatch, point.steps});
  }
  std::vector<StepsAtBatch> best;
  for (const auto& [batch, rates] : byBatch) {
    const auto fastest = std::ranges::min_element(rates, {}, [](const auto& item) { return item.second.mean(); });
    best.insert(best.end(), fastest->second.runs.begin(), fastest->second.runs.end());
  }
  return fitTradeOff(best);
}

}  // namespace lab

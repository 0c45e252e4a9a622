// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/experiments/sweep.h"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <limits>
#include <map>
#include <mutex>
#include <nlohmann/json.hpp>
#include <numeric>
#include <set>
#include <system_error>
#include <tuple>
#include <utility>

#include "core/base/at.h"
#include "core/base/digest.h"
#include "core/base/error.h"
#include "core/base/json.h"
#include "core/base/messages.h"
#include "core/base/rng.h"
#include "core/base/units.h"
#include "core/data/messages.h"
#include "core/experiments/cell_training.h"
#include "core/experiments/messages.h"
#include "core/files/run_file.h"
#include "core/options/config_field.h"
#include "core/options/network_of.h"
#include "core/options/resolve.h"
#include "core/prediction/rates.h"

namespace lab {
namespace {

using nlohmann::json;

// Returns how coarse the first grid is that contains each position of an axis: 0 for the ends, 1 for the middle between
// them, 2 for the middles of the halves…
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

// Returns a key of the file's content, because its name says nothing about the weights in it. A changed file is read
// again.
std::string contentOf(const std::string& path) {
  static std::mutex mutex;
  static std::map<std::tuple<std::string, std::uintmax_t, std::int64_t>, std::string> known;
  std::error_code error;
  if (!std::filesystem::is_regular_file(path, error)) return {};
  const std::uintmax_t size = std::filesystem::file_size(path, error);
  const auto written = std::filesystem::last_write_time(path, error).time_since_epoch().count();
  const std::lock_guard lock(mutex);
  std::string& hex = known[{path, size, static_cast<std::int64_t>(written)}];
  if (!hex.empty()) return hex;
  Digest digest(DigestKind::Sha256);
  std::ifstream file(path, std::ios::binary);
  std::vector<char> piece(std::size_t{1} << 20);
  while (file.read(piece.data(), std::ssize(piece)) || file.gcount() > 0)
    digest.add({reinterpret_cast<const std::uint8_t*>(piece.data()), static_cast<std::size_t>(file.gcount())});
  return hex = digest.hex();
}

std::string keyOf(const SweepCell& cell) {
  json settings = json::object();
  const RunSettings said = cell.refused ? cell.asked : cell.config.asked();
  for (const ConfigField& field : configFields()) {
    if (!field.changesResults && field.name != "steps" && field.name != "epochs" && field.name != "eval-every")
      continue;
    settings[field.name] = field.get(said);
  }
  if (const std::string& layers = layersOfFile(cell.config); !layers.empty()) settings["network-layers"] = layers;
  if (!cell.config.init.empty()) settings["init-content"] = contentOf(cell.config.init);
  if (!cell.config.catalogue.empty()) settings["catalogue-content"] = contentOf(cell.config.catalogue);
  // Two folders may hold other examples, and what auto finds changes when MNIST is fetched.
  std::error_code error;
  if (!said.dataDir.empty()) settings["data-dir"] = std::filesystem::weakly_canonical(said.dataDir, error).string();
  if (said.dataset == "auto") settings["dataset"] = nameOfAuto(said.dataDir);
  settings["target"] = cell.target.accuracy ? json(*cell.target.accuracy) : json(nullptr);
  settings["until-target"] = cell.target.until;
  return jsonLine(settings);
}

// One way in which cells differ: how each of its values changes a configuration, and how coarse the value's grid is.
struct Way {
  std::vector<std::function<void(RunSettings&)>> values;
  std::vector<int> levels;
};

template <typename Value, typename Set>
Way wayOf(const std::vector<Value>& values, Set set) {
  Way way{.levels = levelsOf(values.size())};
  for (const Value& value : values) way.values.emplace_back([=](RunSettings& config) { set(config, value); });
  return way;
}

Way rulesOf(const SweepPlan& plan) {
  Way way = wayOf(plan.rules, [](RunSettings& config, LearningRateScaling rule) { config.lrScaling = rule; });
  if (plan.linearWarmup)
    way.values.emplace_back([epochs = *plan.linearWarmup](RunSettings& config) {
      config.lrScaling = LearningRateScaling::Linear;
      config.warmupEpochs = epochs;
    });
  way.levels.assign(way.values.size(), 0);  // all are equally coarse
  return way;
}

// In the order of equally coarse cells: the last way changes first.
std::vector<Way> waysOf(const SweepPlan& plan) {
  std::vector<Way> ways;
  Way& seeds = ways.emplace_back();
  for (std::int64_t seed = 0; seed < plan.seeds; ++seed) {
    seeds.values.emplace_back([=](RunSettings& config) { config.seed += seed; });
    seeds.levels.push_back(static_cast<int>(seed));
  }
  ways.push_back(wayOf(plan.replicas, [](RunSettings& config, std::int64_t count) { config.replicas = count; }));
  const auto setBatch = [global = plan.global](RunSettings& config, std::int64_t batch) {
    config.batchPerReplica = config.globalBatch = std::nullopt;
    (global ? config.globalBatch : config.batchPerReplica) = batch;
  };
  ways.push_back(wayOf(plan.batches, setBatch));
  ways.push_back(wayOf(plan.points, [=](RunSettings& config, const DrawnPoint& point) {
    if (point.replicas) config.replicas = *point.replicas;
    if (point.batch) setBatch(config, *point.batch);
    if (point.learningRate) config.learningRate = *point.learningRate;
  }));
  ways.back().levels.assign(plan.points.size(), 0);  // no point lies between others
  for (const SweepAxis& axis : plan.others)
    ways.push_back(
        wayOf(axis.values, [&field = configField(axis.setting)](RunSettings& config, const std::string& value) {
          field.set(config, value);
        }));
  ways.push_back(wayOf(plan.learningRates, [](RunSettings& config, double rate) { config.learningRate = rate; }));
  ways.push_back(rulesOf(plan));
  std::erase_if(ways, [](const Way& way) { return way.values.empty(); });
  return ways;
}

// Sets as many steps as the examples allow.
void limitExamples(const SweepPlan& plan, SweepCell& cell) {
  if (!plan.examples || cell.refused) return;
  const std::int64_t batch = cell.config.examplesPerStep();
  if (batch > *plan.examples)
    cell.refused = Message(say::budgetBelowBatch, Count{*plan.examples}, Count{batch});
  else
    cell.asked.steps = cell.config.steps = *plan.examples / batch;
}

// If strategies are an axis, each takes the other settings as far as they apply: an update of a parameter server sees
// as many examples as a step of the others, and only its gradients are stale. Cells that become equal then are one.
RunSettings adaptToStrategy(const SweepPlan& plan, RunSettings asked) {
  if (std::ranges::find(plan.others, "strategy", &SweepAxis::setting) == plan.others.end()) return asked;
  const bool synchronous = strategyInfo(asked.strategy).synchronous;
  if (synchronous && asked.lrScaling == LearningRateScaling::Staleness) asked.lrScaling = LearningRateScaling::None;
  if (!synchronous && asked.globalBatch) asked.batchPerReplica = std::exchange(asked.globalBatch, std::nullopt);
  return asked;
}

SweepCell cellOf(const SweepPlan& plan, RunSettings asked) {
  asked = withTarget(adaptToStrategy(plan, std::move(asked)), plan.target);
  SweepCell cell{.asked = asked, .config = unchecked(asked), .target = plan.target};
  try {
    cell.config = resolve(asked);
  } catch (const UserError& error) {
    cell.refused = error.message();
  }
  limitExamples(plan, cell);
  cell.key = keyOf(cell);
  return cell;
}

double imagesOf(const ResolvedSettings& config) {
  return static_cast<double>(config.examplesPerStep());
}

}  // namespace

double stepWorkOf(const SweepCell& cell) {
  constexpr double kStep = 8;  // a replica's fixed work per step, in images
  if (cell.refused) return 0;
  const ResolvedSettings& config = cell.config;
  const double replicas = strategyInfo(config.strategy).synchronous ? static_cast<double>(config.replicas) : 1;
  return imagesOf(config) + kStep * replicas;
}

double workOf(const SweepCell& cell) {
  constexpr double kUsualExamples = 60'000;
  if (cell.refused) return 0;
  const ResolvedSettings& config = cell.config;
  const double examples = config.trainExamples ? static_cast<double>(*config.trainExamples) : kUsualExamples;
  const double steps = config.steps ? static_cast<double>(*config.steps)
                                    : static_cast<double>(config.epochs) * examples / imagesOf(config);
  return steps * stepWorkOf(cell);
}

std::string SweepCell::fileName(bool stopped) const {
  const auto text = [this](const char* field) { return configField(field).get(config); };
  const std::span<const std::uint8_t> bytes(reinterpret_cast<const std::uint8_t*>(key.data()), key.size());
  const std::string batch = config.globalBatch > 0 ? text("global-batch") : text("batch-per-replica");
  return "r" + text("replicas") + "-b" + batch + "-" + text("lr-scaling") + "-lr" + text("learning-rate") + "-s" +
         text("seed") + "-" + hexDigest(DigestKind::Sha256, bytes).substr(0, 8) + (stopped ? ".stopped.run" : ".run");
}

std::vector<SweepCell> cellsOf(const SweepPlan& plan) {
  const std::vector<Way> ways = waysOf(plan);
  double count = 1;
  for (const Way& way : ways) count *= static_cast<double>(way.values.size());
  if (count > static_cast<double>(kMaxSweepCells)) throw UserError(say::tooManyCells, count, kMaxSweepCells);
  std::vector<std::pair<int, SweepCell>> cells;
  std::set<std::string> keys;
  for (std::size_t number = 0; number < static_cast<std::size_t>(count); ++number) {
    RunSettings asked = withoutOutputs(plan.base);
    std::size_t left = number, below = static_cast<std::size_t>(count);
    int level = 0;
    for (const Way& way : ways) {
      below /= way.values.size();
      way.values[left / below](asked);
      level = std::max(level, way.levels[left / below]);
      left %= below;
    }
    SweepCell cell = cellOf(plan, asked);
    if (keys.insert(cell.key).second) cells.emplace_back(level, std::move(cell));
  }
  // Among equally coarse cells the longest come first: a long one at the end would leave the other processors idle.
  std::ranges::stable_sort(cells, {}, [](const auto& item) { return std::pair(item.first, -workOf(item.second)); });
  std::vector<SweepCell> ordered;
  for (auto& item : cells) ordered.push_back(std::move(item.second));
  const auto refused = [](const SweepCell& cell) { return cell.refused.has_value(); };
  if (!ordered.empty() && std::ranges::all_of(ordered, refused)) throw UserError(*ordered.front().refused);
  return ordered;
}

std::optional<RunTally> trainCell(const SweepCell& cell, const std::shared_ptr<const Dataset>& dataset, int threads,
                                  const std::function<bool()>& goOn, const std::filesystem::path& folder,
                                  const std::function<void(std::span<const Metric>, const RunTally&)>& whole) {
  CellTraining training(cell, dataset);
  if (!training.train(threads, goOn)) return std::nullopt;
  if (whole) whole(training.metrics(), training.tally());
  if (!folder.empty()) training.write(folder);
  return training.tally();
}

void makeSweepFolder(const std::filesystem::path& folder) {
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  if (error || !std::filesystem::is_directory(folder))
    throw UserError(say::cannotMakeFolder, folder,
                    error ? Message(say::verbatim, error.message()) : Message(say::fileOfThatName));
}

namespace {

std::optional<RunTally> keptOf(const SweepCell& cell, bool stopped, const std::filesystem::path& folder) {
  const std::filesystem::path path = folder / cell.fileName(stopped);
  std::error_code error;
  if (!std::filesystem::exists(path, error)) return std::nullopt;
  try {
    const RunRecord record = readRunFile(path);
    const bool ended = !record.metrics.empty() && std::holds_alternative<EndMetric>(record.metrics.back());
    if (record.fault.empty() && ended) {
      RunTally tally;
      for (const Metric& metric : record.metrics) tally.take(metric, cell.target);
      tally.stopped = stopped;
      return tally;
    }
  } catch (const UserError&) {  // a damaged file counts as missing
  }
  return std::nullopt;
}

}  // namespace

std::optional<RunTally> keptResult(const SweepCell& cell, const std::filesystem::path& folder) {
  return keptOf(cell, false, folder);
}

std::optional<RunTally> keptStopped(const SweepCell& cell, const std::filesystem::path& folder) {
  return keptOf(cell, true, folder);
}

SteadyScaling steadyScaling(const ResolvedSettings& config) {
  const std::optional<SteadyStep> steady = steadyStep(config);
  if (!steady) return {};
  return {steady->imagesPerSecond, steady->efficiency};
}

bool dependsOnSplit(const ResolvedSettings& config) {
  const StrategyInfo& info = strategyInfo(config.strategy);
  return !info.synchronous || (info.isPlainMean && !info.isPlainMean(config));
}

double BestRate::mean() const {
  return std::accumulate(steps.begin(), steps.end(), 0.0) / static_cast<double>(steps.size());
}

std::vector<BestRate> bestRates(std::span<const SweepPoint> points) {
  std::map<double, std::map<std::pair<double, int>, BestRate>> byBatch;
  for (const SweepPoint& point : points) {
    BestRate& rate = byBatch[point.globalBatch][{point.learningRate, point.trial}];
    rate.globalBatch = point.globalBatch;
    rate.learningRate = point.learningRate;
    rate.trial = point.trial;
    rate.steps.push_back(point.steps);
  }
  std::vector<BestRate> best;
  for (const auto& [batch, rates] : byBatch)
    best.push_back(std::ranges::min_element(rates, {}, [](const auto& item) { return item.second.mean(); })->second);
  return best;
}

Message whyProvisional(std::span<const SweepPoint> points, const BatchTradeOff& fit, int unfinished) {
  constexpr std::int64_t kLeastBatches = 3;
  if (unfinished > 0) return {say::fitUnfinished, Count{unfinished}};
  std::set<double> batches;
  for (const SweepPoint& point : points) batches.insert(point.globalBatch);
  if (std::ssize(batches) < kLeastBatches) return {say::fitOfFewBatches, Count{std::ssize(batches)}};
  if (fit.criticalBatch < *batches.begin() || fit.criticalBatch > *batches.rbegin()) return say::fitOutside;
  return {};
}

std::optional<BatchTradeOff> fitSweep(std::span<const SweepPoint> points) {
  std::vector<StepsAtBatch> runs;
  for (const BestRate& rate : bestRates(points))
    for (const double steps : rate.steps) runs.push_back({rate.globalBatch, steps});
  return fitTradeOff(runs);
}

std::optional<BatchInterval> criticalBatchInterval(std::span<const SweepPoint> points) {
  constexpr int kDraws = 400;
  std::map<double, std::map<std::pair<double, int>, std::vector<double>>> batches;  // steps of each trial's seeds
  for (const SweepPoint& point : points)
    batches[point.globalBatch][{point.learningRate, point.trial}].push_back(point.steps);
  const bool oneSeed = std::ranges::all_of(batches, [](const auto& batch) {
    return std::ranges::all_of(batch.second, [](const auto& trial) { return trial.second.size() < 2; });
  });
  if (oneSeed) return std::nullopt;
  Rng rng(1);
  std::vector<double> found, drawn;
  for (int draw = 0; draw < kDraws; ++draw) {
    std::vector<StepsAtBatch> best;
    for (const auto& [batch, trials] : batches) {
      double least = std::numeric_limits<double>::infinity();
      std::vector<double> fastest;
      for (const auto& [key, steps] : trials) {
        drawn.clear();
        for (std::size_t i = 0; i < steps.size(); ++i) drawn.push_back(steps[rng.below(steps.size())]);
        const double mean = std::accumulate(drawn.begin(), drawn.end(), 0.0) / static_cast<double>(drawn.size());
        if (mean < least) {
          least = mean;
          fastest = drawn;
        }
      }
      for (const double steps : fastest) best.push_back({batch, steps});
    }
    if (const auto fit = fitTradeOff(best)) found.push_back(fit->criticalBatch);
  }
  if (found.size() < kDraws * 9 / 10) return std::nullopt;
  std::ranges::sort(found);
  const auto at = [&](double share) { return lab::at(found, share * static_cast<double>(found.size() - 1)); };
  return BatchInterval{at(0.025), at(0.975)};
}

}  // namespace lab

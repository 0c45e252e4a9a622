// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/experiments/sweep_file.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <system_error>
#include <type_traits>

#include "core/base/error.h"
#include "core/base/messages.h"
#include "core/base/units.h"
#include "core/experiments/messages.h"
#include "core/experiments/tensorboard.h"
#include "core/files/experiment_file.h"
#include "core/files/metrics_csv.h"
#include "core/files/run_file.h"
#include "core/options/config_field.h"
#include "core/options/learning_rate.h"

namespace lab {
namespace {

using nlohmann::json;

constexpr std::int64_t kMostSeeds = 1000;

std::string ruleName(LearningRateScaling rule) {
  RunSettings config;
  config.lrScaling = rule;
  return configField("lr-scaling").get(config);
}

// Refuses counts with a fraction or beyond the type's range, as their conversion would be undefined.
template <typename Value>
Value valueOf(const json& value) {
  if (std::is_integral_v<Value> && value.is_number_float()) throw UserError(say::notASweep, say::valueOutOfRange);
  return value.get<Value>();
}

// Returns the list under this key; empty if the key is missing.
template <typename Value>
std::vector<Value> listUnder(const json& plan, const char* key) {
  std::vector<Value> values;
  if (const auto found = plan.find(key); found != plan.end())
    for (const json& value : found->get_ref<const json::array_t&>()) values.push_back(valueOf<Value>(value));
  return values;
}

template <typename Value>
std::optional<Value> valueUnder(const json& plan, const char* key) {
  const auto found = plan.find(key);
  return found == plan.end() || found->is_null() ? std::nullopt : std::optional(valueOf<Value>(*found));
}

// Checks the numbers that no later check covers.
void check(const SweepPlan& plan) {
  const auto positive = [](const auto& values) { return std::ranges::all_of(values, [](auto v) { return v > 0; }); };
  const bool fine = positive(plan.replicas) && positive(plan.batches) && plan.seeds >= 1 && plan.seeds <= kMostSeeds &&
                    plan.examples.value_or(1) > 0 && plan.linearWarmup.value_or(0) >= 0 &&
                    std::ranges::all_of(plan.learningRates, [](double rate) { return rate >= 0 && rate <= 1000; }) &&
                    !(plan.target.accuracy && !(*plan.target.accuracy >= 0 && *plan.target.accuracy <= 1));
  if (!fine) throw UserError(say::notASweep, say::valueOutOfRange);
}

SweepPlan planOf(const json& from) {
  SweepPlan plan;
  plan.base = knownConfig(from.value("config", json::object()));
  plan.replicas = listUnder<std::int64_t>(from, "replicas");
  plan.global = from.contains("globalBatch");
  plan.batches = listUnder<std::int64_t>(from, plan.global ? "globalBatch" : "batchPerReplica");
  for (const std::string& name : listUnder<std::string>(from, "lrScaling")) {
    RunSettings config;
    configField("lr-scaling").set(config, name);
    plan.rules.push_back(config.lrScaling);
  }
  plan.linearWarmup = valueUnder<double>(from, "linearWarmupEpochs");
  plan.learningRates = listUnder<double>(from, "learningRate");
  for (const json& axis : from.value("axes", json::array())) {
    plan.others.push_back({axis.at("setting").get<std::string>(), listUnder<std::string>(axis, "values")});
    (void)configField(plan.others.back().setting);
  }
  plan.seeds = valueUnder<std::int64_t>(from, "seeds").value_or(1);
  plan.examples = valueUnder<std::int64_t>(from, "examples");
  plan.target.accuracy = valueUnder<double>(from, "targetAccuracy");
  plan.target.until = from.value("untilTarget", false);
  check(plan);
  return plan;
}

std::string number(double value) {
  return std::isfinite(value) ? json(value).dump() : "";
}

// These columns are always there, followed by all other settings that differ.
constexpr std::array kSettings{"strategy",      "replicas",      "batch-per-replica", "global-batch", "lr-scaling",
                               "warmup-epochs", "learning-rate", "optimizer",         "seed"};

std::vector<const ConfigField*> columnsOf(std::span<const SweepRow> rows) {
  std::vector<const ConfigField*> columns;
  for (const char* name : kSettings) columns.push_back(&configField(name));
  for (const ConfigField& field : configFields()) {
    if (std::ranges::find(kSettings, field.name) != kSettings.end() || rows.empty()) continue;
    const std::string first = field.get(rows.front().cell->config);
    if (!std::ranges::all_of(rows, [&](const SweepRow& row) { return field.get(row.cell->config) == first; }))
      columns.push_back(&field);
  }
  return columns;
}

std::string settingsOf(const SweepRow& row, const std::vector<const ConfigField*>& columns) {
  std::string line;
  for (const ConfigField* field : columns) line += csvText(field->get(row.cell->config)) + ",";
  line += row.cell->refused ? "" : number(learningRateAt(row.cell->config, 1, 0));
  return line + "," + csvText(row.state);
}

// Returns "" for a cell without a run file.
std::string evaluationsOf(const SweepRow& row, const std::string& settings, const std::filesystem::path& folder) {
  if (row.cell->refused) return {};
  std::optional<RunTally> kept = keptResult(*row.cell, folder);
  if (!kept) kept = keptStopped(*row.cell, folder);
  if (!kept) return {};
  const std::string stopped = kept->stopped ? std::to_string(kept->steps) : "";
  std::string lines;
  RunTally tally;
  double epoch = 0, loss = 0;
  for (const Metric& metric : readRunFile(folder / row.cell->fileName(kept->stopped)).metrics) {
    tally.take(metric, row.cell->target);
    if (const auto* step = std::get_if<StepMetric>(&metric)) {
      epoch = step->epoch;
      loss = step->loss;
    } else if (const auto* eval = std::get_if<EvalMetric>(&metric)) {
      const std::string seconds = number(tally.seconds);
      lines += settings + "," + std::to_string(eval->step) + "," + number(epoch) + "," +
               std::to_string(tally.examples) + "," + (tally.modelled ? seconds + "," : "," + seconds) + "," +
               number(loss) + "," + number(eval->testLoss) + "," + number(eval->testAccuracy) + "," + stopped + "\r\n";
    }
  }
  return lines;
}

std::string eventFolder(const SweepRow& row) {
  return std::filesystem::path(row.cell->fileName()).stem().string();
}

// TensorBoard takes all folders below one for one sweep's. An earlier export of this sweep is replaced.
void refuseOthersIn(const std::filesystem::path& to, std::span<const SweepRow> rows) {
  std::set<std::string> own;
  for (const SweepRow& row : rows)
    if (!row.cell->refused) own.insert(eventFolder(row));
  std::error_code error;
  for (const auto& entry : std::filesystem::directory_iterator(to, error))
    if (!own.contains(entry.path().filename().string()) && hasOurEvents(entry.path()))
      throw UserError(say::eventsOfOthers, to);
}

}  // namespace

json planToJson(const SweepPlan& plan) {
  json to{{"config", configToJson(withoutOutputs(plan.base))}, {"seeds", plan.seeds}};
  if (!plan.replicas.empty()) to["replicas"] = plan.replicas;
  if (!plan.batches.empty()) to[plan.global ? "globalBatch" : "batchPerReplica"] = plan.batches;
  for (const LearningRateScaling rule : plan.rules) to["lrScaling"].push_back(ruleName(rule));
  if (plan.linearWarmup) to["linearWarmupEpochs"] = *plan.linearWarmup;
  if (!plan.learningRates.empty()) to["learningRate"] = plan.learningRates;
  for (const SweepAxis& axis : plan.others) to["axes"].push_back({{"setting", axis.setting}, {"values", axis.values}});
  if (plan.examples) to["examples"] = *plan.examples;
  if (plan.target.accuracy) to["targetAccuracy"] = *plan.target.accuracy;
  if (plan.target.until) to["untilTarget"] = true;
  return to;
}

SweepPlan planFromJson(const json& from) {
  try {
    if (from.is_object()) return planOf(from);
  } catch (const json::exception& error) {
    throw UserError(say::notASweep, Message(say::verbatim, std::string(error.what())));
  }
  throw UserError(say::notASweep, say::notAnObject);
}

std::string sweepCsv(std::span<const SweepRow> rows, const std::filesystem::path& folder) {
  const std::vector<const ConfigField*> columns = columnsOf(rows);
  std::string text;
  for (const ConfigField* field : columns) text += field->name + ",";
  text +=
      "learning-rate-after-rule,state,step,epoch,examples,modelledSeconds,seconds,loss,testLoss,testAccuracy,"
      "stopped\r\n";
  for (const SweepRow& row : rows) {
    const std::string settings = settingsOf(row, columns), lines = evaluationsOf(row, settings, folder);
    text += lines.empty() ? settings + ",,,,,,,,,\r\n" : lines;
  }
  return text;
}

void sweepEvents(std::span<const SweepRow> rows, const std::filesystem::path& folder, const std::filesystem::path& to) {
  refuseOthersIn(to, rows);
  std::vector<Hyperparameters> runs;
  bool modelled = true, target = false;
  for (const SweepRow& row : rows) {
    const auto kept = row.cell->refused ? std::nullopt : keptResult(*row.cell, folder);
    if (!kept) continue;
    runs.push_back(hyperparametersOf(row.cell->config));
    modelled = modelled && kept->modelled;
    target = target || row.cell->target.accuracy.has_value();
    writeEvents(to / eventFolder(row), row.cell->config, readRunFile(folder / row.cell->fileName()).metrics, *kept);
  }
  if (runs.empty()) throw UserError(say::noCellsForEvents);
  EventFile(to).sweep(runs, target, modelled);
}

}  // namespace lab

// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/sweep/sweep_request.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "core/base/error.h"
#include "core/base/platform.h"
#include "core/experiments/messages.h"
#include "core/experiments/sweep_file.h"
#include "core/options/config_field.h"

namespace lab {
namespace {

using nlohmann::json;

constexpr int kMostJobs = 1024;
constexpr std::int64_t kClassroomSeconds = 60;

bool isBatchAxis(const std::string& axis) {
  return axis == "batch-per-replica" || axis == "global-batch";
}

template <typename Value>
std::vector<std::string> textsOf(const std::vector<Value>& values, const char* setting, auto put) {
  std::vector<std::string> texts;
  for (const Value& value : values) {
    RunSettings config;
    put(config, value);
    texts.push_back(configField(setting).get(config));
  }
  return texts;
}

std::vector<std::string> rulesIn(const SweepPlan& plan) {
  auto texts = textsOf(plan.rules, "lr-scaling", [](RunSettings& c, LearningRateScaling rule) { c.lrScaling = rule; });
  if (plan.linearWarmup) texts.emplace_back(kWarmedRule);
  return texts;
}

std::vector<std::string> givenValues(const SweepPlan& plan, const std::string& axis) {
  if (axis == kRuleAxis) return rulesIn(plan);
  if (axis == "replicas")
    return textsOf(plan.replicas, "replicas", [](RunSettings& c, std::int64_t count) { c.replicas = count; });
  if (isBatchAxis(axis) && plan.global == (axis == "global-batch"))
    return textsOf(plan.batches, "global-batch", [](RunSettings& c, std::int64_t batch) { c.globalBatch = batch; });
  if (axis == "learning-rate")
    return textsOf(plan.learningRates, "learning-rate", [](RunSettings& c, double rate) { c.learningRate = rate; });
  for (const SweepAxis& other : plan.others)
    if (other.setting == axis)
      return textsOf(other.values, axis.c_str(),
                     [&](RunSettings& c, const std::string& value) { configField(axis).set(c, value); });
  return {};
}

// Checks each value as the setting requires.
RunSettings configWith(const std::string& setting, const std::string& value) {
  RunSettings config;
  configField(setting).set(config, value);
  return config;
}

// The window's form and grid have two axes: the runs of a third would be taken for seeds.
void refuseThirdAxis(const SweepRequest& request) {
  const SweepPlan& plan = request.plan;
  std::vector<std::string> axes;
  if (!plan.replicas.empty()) axes.emplace_back("replicas");
  if (!plan.batches.empty()) axes.emplace_back(plan.global ? "global-batch" : "batch-per-replica");
  if (!plan.learningRates.empty()) axes.emplace_back("learning-rate");
  for (const SweepAxis& other : plan.others) axes.push_back(other.setting);
  for (const std::string& axis : axes)
    if (axis != request.rows && axis != request.columns) throw UserError(say::thirdAxis, axis);
}

}  // namespace

json requestToJson(const SweepRequest& request) {
  json to = planToJson(request.plan);
  to["rows"] = request.rows;
  to["columns"] = request.columns;
  to["jobs"] = request.jobs;
  if (request.withinSeconds > 0) to["withinSeconds"] = request.withinSeconds;
  return to;
}

SweepRequest requestFromJson(const json& from) {
  SweepRequest request{.plan = planFromJson(from)};
  const auto name = [&](const char* key, const std::string& unset) {
    const auto found = from.find(key);
    const std::string axis = found != from.end() && found->is_string() ? found->get<std::string>() : unset;
    if (axis != kRuleAxis) (void)configField(axis);
    return axis;
  };
  request.rows = name("rows", "replicas");
  request.columns = name("columns", request.plan.global ? "global-batch" : "batch-per-replica");
  const auto jobs = from.find("jobs");
  request.jobs =
      jobs != from.end() && jobs->is_number_integer() ? std::clamp(jobs->get<int>(), 1, kMostJobs) : processorCount();
  const auto within = from.find("withinSeconds");
  if (within != from.end() && within->is_number_integer())
    request.withinSeconds = std::clamp<std::int64_t>(within->get<std::int64_t>(), 0, kMostSeconds);
  refuseThirdAxis(request);
  return request;
}

std::string valueOn(const SweepPlan& plan, const RunSettings& asked, const std::string& axis) {
  // A parameter server has the batch of one update in place of the others' global batch.
  if (axis == "global-batch" && plan.global && !asked.globalBatch && asked.batchPerReplica)
    return configField("batch-per-replica").get(asked);
  if (axis != kRuleAxis) return configField(axis).get(asked);
  const bool warmed = plan.linearWarmup && asked.lrScaling == LearningRateScaling::Linear &&
                      asked.warmupEpochs == *plan.linearWarmup && *plan.linearWarmup != plan.base.warmupEpochs;
  return warmed ? kWarmedRule : configField("lr-scaling").get(asked);
}

std::vector<std::string> valuesOf(const SweepPlan& plan, const std::string& axis) {
  std::vector<std::string> values;
  for (const std::string& value : givenValues(plan, axis))
    if (std::ranges::find(values, value) == values.end()) values.push_back(value);
  if (values.empty()) values.push_back(valueOn(plan, plan.base, axis));
  return values;
}

void setValues(SweepPlan& plan, const std::string& axis, const std::vector<std::string>& values) {
  if (axis == kRuleAxis) {
    plan.rules.clear();
    for (const std::string& value : values)
      if (value != kWarmedRule) plan.rules.push_back(configWith("lr-scaling", value).lrScaling);
  } else if (axis == "replicas") {
    plan.replicas.clear();
    for (const std::string& value : values) plan.replicas.push_back(*configWith(axis, value).replicas);
  } else if (isBatchAxis(axis)) {
    plan.batches.clear();
    plan.global = axis == "global-batch";
    for (const std::string& value : values) {
      const RunSettings config = configWith(axis, value);
      plan.batches.push_back(plan.global ? *config.globalBatch : *config.batchPerReplica);
    }
  } else if (axis == "learning-rate") {
    plan.learningRates.clear();
    for (const std::string& value : values) plan.learningRates.push_back(configWith(axis, value).learningRate);
  } else {
    for (const std::string& value : values) (void)configWith(axis, value);
    std::erase_if(plan.others, [&](const SweepAxis& other) { return other.setting == axis; });
    plan.others.push_back({axis, values});
  }
}

SweepRequest classroomSweep() {
  SweepRequest request{.jobs = std::max(1, processorCount()), .withinSeconds = kClassroomSeconds};
  SweepPlan& plan = request.plan;
  configField("strategy").set(plan.base, "mirrored");
  plan.base.devices = DeviceChoice::Simulated;
  plan.base.dataset = "digits";
  plan.base.trainExamples = 2000;
  plan.base.testExamples = 200;
  plan.base.optimizer = OptimizerKind::Sgd;
  plan.base.learningRate = 0.2;
  plan.replicas = {1, 2, 4, 8};
  plan.batches = {1, 4, 16, 32, 64};  // 1 to 512 over all replicas: perfect scaling, the bend, and no further gain
  plan.rules = {LearningRateScaling::None, LearningRateScaling::Sqrt, LearningRateScaling::Linear};
  plan.seeds = 3;
  plan.target = {0.9, true};
  return request;
}

SweepRequest stalenessSweep() {
  constexpr std::int64_t kUpdates = 400, kBatch = 32;  // images per update, whichever worker makes it
  SweepRequest request{.columns = "strategy", .jobs = std::max(1, processorCount())};
  SweepPlan& plan = request.plan;
  configField("strategy").set(plan.base, "parameter-server");
  plan.base.devices = DeviceChoice::Simulated;
  plan.base.dataset = "digits";
  plan.base.optimizer = OptimizerKind::Sgd;
  plan.base.learningRate = 0.1;
  plan.base.epochs = kTargetEpochs;
  plan.base.evalEvery = kUpdates;  // once, at the end
  plan.replicas = {1, 2, 4, 8, 16};
  plan.base.globalBatch = kBatch;
  plan.others = {{"strategy", {"parameter-server", "mirrored"}}};
  plan.rules = {LearningRateScaling::None, LearningRateScaling::Staleness};
  plan.seeds = 3;
  plan.examples = kUpdates * kBatch;
  return request;
}

}  // namespace lab

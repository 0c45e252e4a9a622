// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/run/metric_json.h"

#include <cctype>
#include <cstdint>
#include <limits>
#include <nlohmann/json.hpp>
#include <optional>
#include <string_view>
#include <utility>

#include "core/base/error.h"

namespace lab {
namespace {

using nlohmann::json;
using nlohmann::ordered_json;

constexpr std::size_t kMaxShards = 1 << 16;

// What a step's time is besides computation and communication; written where it is not zero.
constexpr std::pair<std::string_view, std::int64_t StepMetric::*> kParts[] = {{"inputNs", &StepMetric::inputNs},
                                                                              {"queueNs", &StepMetric::queueNs},
                                                                              {"stragglerNs", &StepMetric::stragglerNs},
                                                                              {"launchNs", &StepMetric::launchNs}};
// "inputNs", or "modelledInputNs".
std::string keyOf(std::string_view key, bool modelled) {
  if (!modelled) return std::string(key);
  std::string name = "modelled" + std::string(key);
  name[8] = static_cast<char>(std::toupper(static_cast<unsigned char>(name[8])));
  return name;
}

template <typename T>
ordered_json orNull(const std::optional<T>& value) {
  return value ? ordered_json(*value) : ordered_json(nullptr);
}

ordered_json objectOf(const StepMetric& metric) {
  ordered_json object{{"event", "step"},
                      {"step", metric.step},
                      {"epoch", metric.epoch},
                      {"examples", metric.examples},
                      {"shards", metric.shards},
                      {"loss", metric.loss},
                      {"accuracy", metric.accuracy},
                      {"learningRate", metric.learningRate},
                      {"bytesSent", metric.bytesSent},
                      {"wallNs", metric.wallNs}};
  const bool modelled = metric.clock == Clock::Modelled;
  object[modelled ? "modelledStepNs" : "stepNs"] = metric.stepNs;
  object[modelled ? "modelledComputeNs" : "computeNs"] = metric.computeNs;
  object[modelled ? "modelledCommunicationNs" : "communicationNs"] = metric.communicationNs;
  for (const auto& [key, part] : kParts)
    if (metric.*part != 0) object[keyOf(key, modelled)] = metric.*part;
  object[modelled ? "modelledImagesPerSecond" : "imagesPerSecond"] = metric.imagesPerSecond;
  if (metric.worker) object["worker"] = *metric.worker;
  if (metric.staleness) object["staleness"] = *metric.staleness;
  if (metric.gradientSquared) object["gradientSquared"] = *metric.gradientSquared;
  if (metric.gradientTrace) object["gradientTrace"] = *metric.gradientTrace;
  if (metric.noiseScale) object["noiseScale"] = *metric.noiseScale;
  object["mirrorsIdentical"] = metric.mirrorsIdentical;
  return object;
}

ordered_json objectOf(const EvalMetric& metric) {
  return {
      {"event", "eval"}, {"step", metric.step}, {"testLoss", metric.testLoss}, {"testAccuracy", metric.testAccuracy}};
}

ordered_json objectOf(const EndMetric& metric) {
  ordered_json object{{"event", "end"},
                      {"steps", metric.steps},
                      {"seconds", metric.seconds},
                      {"imagesPerSecond", metric.imagesPerSecond}};
  if (metric.modelledSeconds) object["modelledSeconds"] = *metric.modelledSeconds;
  object["mirrorsIdentical"] = orNull(metric.mirrorsIdentical);
  object["dataset"] = metric.dataset;
  object["parameters"] = metric.parameters;
  return object;
}

class Fields {
 public:
  Fields(const json& object, const std::string& where) : object_(object), where_(where) {
    if (!object.is_object()) throw UserError(where + ": a metric is a JSON object." + kRemedy);
  }

  bool has(const char* key) const { return object_.contains(key); }

  // Counts and times, none of which can be negative.
  std::int64_t count(const char* key) const { return count(at(key), key); }

  double real(const char* key) const {
    const json& value = at(key);
    if (value.is_null()) return std::numeric_limits<double>::quiet_NaN();
    if (!value.is_number()) fail(key, "a number or null");
    return value.get<double>();
  }

  std::string text(const char* key) const {
    const json& value = at(key);
    if (!value.is_string()) fail(key, "a text");
    return value.get<std::string>();
  }

  std::optional<bool> truth(const char* key) const {
    const json& value = at(key);
    if (value.is_null()) return std::nullopt;
    if (!value.is_boolean()) fail(key, "true, false or null");
    return value.get<bool>();
  }

  std::vector<std::int64_t> counts(const char* key) const {
    const json& value = at(key);
    if (!value.is_array() || value.size() > kMaxShards) fail(key, "a list of at most 65536 whole numbers");
    std::vector<std::int64_t> counts;
    counts.reserve(value.size());
    for (const json& element : value) counts.push_back(count(element, key));
    return counts;
  }

  [[noreturn]] void fail(const char* key, const std::string& expected) const {
    throw UserError(where_ + ": '" + key + "' must be " + expected + "." + kRemedy);
  }

 private:
  static constexpr const char* kRemedy = " The file is damaged or of another kind; record the run again.";

  const json& at(const char* key) const {
    const auto found = object_.find(key);
    if (found == object_.end()) throw UserError(where_ + ": the key '" + key + "' is missing." + kRemedy);
    return *found;
  }

  std::int64_t count(const json& value, const char* key) const {
    if (!value.is_number_unsigned() || value.get<std::uint64_t>() > std::numeric_limits<std::int64_t>::max())
      fail(key, "a whole number, not negative");
    return value.get<std::int64_t>();
  }

  const json& object_;
  const std::string& where_;
};

StepMetric stepFrom(const Fields& fields) {
  StepMetric metric;
  metric.step = fields.count("step");
  metric.epoch = fields.real("epoch");
  metric.examples = fields.count("examples");
  metric.shards = fields.counts("shards");
  metric.loss = fields.real("loss");
  metric.accuracy = fields.real("accuracy");
  metric.learningRate = fields.real("learningRate");
  metric.bytesSent = fields.count("bytesSent");
  metric.wallNs = fields.count("wallNs");
  const bool modelled = fields.has("modelledStepNs");
  if (modelled && fields.has("stepNs")) fields.fail("stepNs", "left out where there is a modelledStepNs");
  metric.clock = modelled ? Clock::Modelled : Clock::Measured;
  metric.stepNs = fields.count(modelled ? "modelledStepNs" : "stepNs");
  metric.computeNs = fields.count(modelled ? "modelledComputeNs" : "computeNs");
  metric.communicationNs = fields.count(modelled ? "modelledCommunicationNs" : "communicationNs");
  for (const auto& [key, part] : kParts)
    if (const std::string name = keyOf(key, modelled); fields.has(name.c_str()))
      metric.*part = fields.count(name.c_str());
  metric.imagesPerSecond = fields.real(modelled ? "modelledImagesPerSecond" : "imagesPerSecond");
  if (fields.has("worker")) {
    const std::int64_t worker = fields.count("worker");
    if (worker > std::numeric_limits<int>::max()) fields.fail("worker", "a worker's number");
    metric.worker = static_cast<int>(worker);
  }
  if (fields.has("staleness")) metric.staleness = fields.count("staleness");
  if (fields.has("gradientSquared")) metric.gradientSquared = fields.real("gradientSquared");
  if (fields.has("gradientTrace")) metric.gradientTrace = fields.real("gradientTrace");
  if (fields.has("noiseScale")) metric.noiseScale = fields.real("noiseScale");
  metric.mirrorsIdentical = fields.truth("mirrorsIdentical").value_or(true);
  return metric;
}

EvalMetric evalFrom(const Fields& fields) {
  return {fields.count("step"), fields.real("testLoss"), fields.real("testAccuracy")};
}

EndMetric endFrom(const Fields& fields) {
  EndMetric metric;
  metric.steps = fields.count("steps");
  metric.seconds = fields.real("seconds");
  metric.imagesPerSecond = fields.real("imagesPerSecond");
  if (fields.has("modelledSeconds")) metric.modelledSeconds = fields.real("modelledSeconds");
  metric.mirrorsIdentical = fields.truth("mirrorsIdentical");
  metric.dataset = fields.text("dataset");
  metric.parameters = fields.count("parameters");
  return metric;
}

}  // namespace

ordered_json toJson(const Metric& metric) {
  return std::visit([](const auto& value) { return objectOf(value); }, metric);
}

std::string toJsonLine(const Metric& metric) {
  // dump() writes numbers that are not finite as null, and those that are so that they read back the same.
  return toJson(metric).dump(-1, ' ', false, ordered_json::error_handler_t::replace);
}

Metric metricFromJson(const json& object, const std::string& where) {
  const Fields fields(object, where);
  const std::string event = fields.text("event");
  if (event == "step") return stepFrom(fields);
  if (event == "eval") return evalFrom(fields);
  if (event == "end") return endFrom(fields);
  fields.fail("event", "step, eval or end");
}

}  // namespace lab

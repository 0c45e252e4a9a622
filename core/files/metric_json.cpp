// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/files/metric_json.h"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <nlohmann/json.hpp>
#include <optional>

#include "core/base/ascii.h"
#include "core/base/error.h"
#include "core/base/json.h"
#include "core/files/messages.h"

namespace lab {
namespace {

using nlohmann::json;
using nlohmann::ordered_json;

constexpr std::size_t kMaxShards = 1 << 16;

// A step's counts and times; modelled times have `modelled` before their names.
struct StepCount {
  const char* key;
  std::int64_t StepMetric::*member;
};
constexpr StepCount kStepCounts[] = {{"step", &StepMetric::step},
                                     {"examples", &StepMetric::examples},
                                     {"bytesSent", &StepMetric::bytesSent},
                                     {"wallNs", &StepMetric::wallNs}};
constexpr StepCount kStepTimes[] = {{"stepNs", &StepMetric::stepNs},
                                    {"computeNs", &StepMetric::computeNs},
                                    {"communicationNs", &StepMetric::communicationNs}};
// The parts of a step's time besides computation and communication; written if not zero.
constexpr StepCount kStepParts[] = {{"inputNs", &StepMetric::inputNs},
                                    {"queueNs", &StepMetric::queueNs},
                                    {"stragglerNs", &StepMetric::stragglerNs},
                                    {"launchNs", &StepMetric::launchNs},
                                    {"faultNs", &StepMetric::faultNs}};

std::string timeKey(TimeSource clock, std::string key) {
  if (clock == TimeSource::Measured) return key;
  key[0] = upperAscii(key[0]);
  return "modelled" + key;
}

Message fault(const std::string& key, const Text& expected) {
  return {say::mustBe, key, expected};
}

// Returns whether these are some replicas, but not all, in ascending order without duplicates.
bool areLeftOut(const std::vector<int>& replicas, std::size_t all) {
  int next = 0;
  for (const int replica : replicas) {
    if (replica < next || static_cast<std::size_t>(replica) >= all) return false;
    next = replica + 1;
  }
  return replicas.empty() || replicas.size() < all;
}

Message faultIn(const StepMetric& metric) {
  for (const StepCount& count : kStepCounts)
    if (metric.*count.member < 0) return fault(count.key, say::wholeNotNegative);
  for (const StepCount& time : kStepTimes)
    if (metric.*time.member < 0) return fault(timeKey(metric.clock, time.key), say::wholeNotNegative);
  for (const StepCount& part : kStepParts)
    if (metric.*part.member < 0) return fault(timeKey(metric.clock, part.key), say::wholeNotNegative);
  if (metric.shards.size() > kMaxShards || std::ranges::any_of(metric.shards, [](std::int64_t n) { return n < 0; }))
    return fault("shards", say::listOfWholes);
  if (!areLeftOut(metric.leftOut, metric.shards.size())) return fault("leftOut", say::replicasInOrder);
  if (metric.worker.value_or(0) < 0) return fault("worker", say::workersNumber);
  if (metric.staleness.value_or(0) < 0) return fault("staleness", say::wholeNotNegative);
  return {};
}

Message faultIn(const EvalMetric& metric) {
  return metric.step < 0 ? fault("step", say::wholeNotNegative) : Message();
}

Message faultIn(const EndMetric& metric) {
  return metric.steps < 0        ? fault("steps", say::wholeNotNegative)
         : metric.parameters < 0 ? fault("parameters", say::wholeNotNegative)
                                 : Message();
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
  if (!metric.leftOut.empty()) object["leftOut"] = metric.leftOut;
  for (const StepCount& time : kStepTimes) object[timeKey(metric.clock, time.key)] = metric.*time.member;
  for (const StepCount& part : kStepParts)
    if (metric.*part.member != 0) object[timeKey(metric.clock, part.key)] = metric.*part.member;
  object[timeKey(metric.clock, "imagesPerSecond")] = metric.imagesPerSecond;
  if (metric.aborted) object["aborted"] = true;
  if (metric.worker) object["worker"] = *metric.worker;
  if (metric.staleness) object["staleness"] = *metric.staleness;
  if (metric.gradientSquared) object["gradientSquared"] = *metric.gradientSquared;
  if (metric.gradientTrace) object["gradientTrace"] = *metric.gradientTrace;
  if (metric.noiseScale) object["noiseScale"] = *metric.noiseScale;
  object[kCopiesKey] = metric.copiesShared ? ordered_json(kSharedCopies) : orNull(metric.mirrorsIdentical);
  return object;
}

ordered_json objectOf(const EvalMetric& metric) {
  return {
      {"event", "eval"}, {"step", metric.step}, {"testLoss", metric.testLoss}, {"testAccuracy", metric.testAccuracy}};
}

ordered_json objectOf(const PeakMemory& memory) {
  ordered_json object{{"device", memory.device}, {"bytes", sumOf(memory.bytes)}};
  for (std::size_t kind = 0; kind < kMemoryKinds; ++kind)
    object[keyOf(static_cast<MemoryKind>(kind))] = memory.bytes[kind];
  return object;
}

ordered_json objectOf(const EndMetric& metric) {
  ordered_json object{{"event", "end"},
                      {"steps", metric.steps},
                      {"seconds", metric.seconds},
                      {"imagesPerSecond", metric.imagesPerSecond}};
  if (metric.modelledSeconds) object["modelledSeconds"] = *metric.modelledSeconds;
  object[kCopiesKey] = metric.copiesShared ? ordered_json(kSharedCopies) : orNull(metric.mirrorsIdentical);
  object["dataset"] = metric.dataset;
  object["parameters"] = metric.parameters;
  if (metric.memory) object[timeKey(metric.memory->clock, "memory")] = objectOf(*metric.memory);
  return object;
}

class Fields {
 public:
  Fields(const json& object, const Message& where) : object_(object), where_(where) {
    if (!object.is_object()) throw UserError(say::badMetric, where, say::metricNoObject);
  }

  bool has(const char* key) const { return object_.contains(key); }
  bool is(const char* key, const char* text) const { return has(key) && object_.at(key) == text; }

  // Reads counts and times; faultOf() finds negative ones.
  std::int64_t count(const char* key) const { return count(at(key), key); }

  double real(const char* key) const {
    const json& value = at(key);
    if (value.is_null()) return std::numeric_limits<double>::quiet_NaN();
    if (!value.is_number()) fail(key, say::numberOrNull);
    return value.get<double>();
  }

  Fields object(const char* key) const { return {at(key), where_}; }

  std::string text(const char* key) const {
    const json& value = at(key);
    if (!value.is_string()) fail(key, say::aText);
    return value.get<std::string>();
  }

  std::optional<bool> truth(const char* key) const {
    const json& value = at(key);
    if (value.is_null()) return std::nullopt;
    if (!value.is_boolean()) fail(key, say::truthOrNull);
    return value.get<bool>();
  }

  std::vector<std::int64_t> counts(const char* key) const {
    const json& value = at(key);
    if (!value.is_array()) fail(key, say::aList);
    std::vector<std::int64_t> counts;
    counts.reserve(value.size());
    for (const json& element : value) counts.push_back(count(element, key));
    return counts;
  }

  [[noreturn]] void fail(const std::string& key, const Text& expected) const { fail(fault(key, expected)); }
  [[noreturn]] void fail(const Message& what) const { throw UserError(say::badMetric, where_, what); }

 private:
  const json& at(const char* key) const {
    const auto found = object_.find(key);
    if (found == object_.end()) throw UserError(say::badMetric, where_, Message(say::noKey, key));
    return *found;
  }

  std::int64_t count(const json& value, const char* key) const {
    const std::optional<std::int64_t> number = integerWithin(value);
    if (!number) fail(key, say::wholeNotNegative);
    return *number;
  }

  const json& object_;
  const Message& where_;
};

template <typename AnyMetric>
void takeCopies(const Fields& fields, AnyMetric& metric) {
  metric.copiesShared = fields.is(kCopiesKey, kSharedCopies);
  if (!metric.copiesShared) metric.mirrorsIdentical = fields.truth(kCopiesKey);
}

StepMetric stepFrom(const Fields& fields) {
  StepMetric metric;
  for (const StepCount& count : kStepCounts) metric.*count.member = fields.count(count.key);
  metric.epoch = fields.real("epoch");
  metric.shards = fields.counts("shards");
  if (fields.has("leftOut"))
    for (const std::int64_t replica : fields.counts("leftOut"))
      metric.leftOut.push_back(static_cast<int>(std::clamp<std::int64_t>(replica, -1, std::int64_t{kMaxShards})));
  metric.loss = fields.real("loss");
  metric.accuracy = fields.real("accuracy");
  metric.learningRate = fields.real("learningRate");
  const bool modelled = fields.has("modelledStepNs");
  if (modelled && fields.has("stepNs")) fields.fail("stepNs", say::mustBeAbsent);
  metric.clock = modelled ? TimeSource::Modelled : TimeSource::Measured;
  for (const StepCount& time : kStepTimes) metric.*time.member = fields.count(timeKey(metric.clock, time.key).c_str());
  for (const StepCount& part : kStepParts)
    if (const std::string key = timeKey(metric.clock, part.key); fields.has(key.c_str()))
      metric.*part.member = fields.count(key.c_str());
  metric.imagesPerSecond = fields.real(timeKey(metric.clock, "imagesPerSecond").c_str());
  if (fields.has("aborted")) metric.aborted = fields.truth("aborted").value_or(false);
  if (fields.has("worker")) {
    const std::int64_t worker = fields.count("worker");
    if (worker > std::numeric_limits<int>::max()) fields.fail("worker", say::workersNumber);
    metric.worker = static_cast<int>(worker);
  }
  if (fields.has("staleness")) metric.staleness = fields.count("staleness");
  if (fields.has("gradientSquared")) metric.gradientSquared = fields.real("gradientSquared");
  if (fields.has("gradientTrace")) metric.gradientTrace = fields.real("gradientTrace");
  if (fields.has("noiseScale")) metric.noiseScale = fields.real("noiseScale");
  takeCopies(fields, metric);
  return metric;
}

EvalMetric evalFrom(const Fields& fields) {
  return {fields.count("step"), fields.real("testLoss"), fields.real("testAccuracy")};
}

PeakMemory memoryFrom(const Fields& fields, TimeSource clock) {
  PeakMemory memory{clock, fields.text("device"), {}};
  for (std::size_t kind = 0; kind < kMemoryKinds; ++kind)
    memory.bytes[kind] = fields.count(keyOf(static_cast<MemoryKind>(kind)));
  return memory;
}

EndMetric endFrom(const Fields& fields) {
  EndMetric metric;
  metric.steps = fields.count("steps");
  metric.seconds = fields.real("seconds");
  metric.imagesPerSecond = fields.real("imagesPerSecond");
  if (fields.has("modelledSeconds")) metric.modelledSeconds = fields.real("modelledSeconds");
  takeCopies(fields, metric);
  metric.dataset = fields.text("dataset");
  metric.parameters = fields.count("parameters");
  for (const TimeSource clock : {TimeSource::Measured, TimeSource::Modelled})
    if (const std::string key = timeKey(clock, "memory"); fields.has(key.c_str()))
      metric.memory = memoryFrom(fields.object(key.c_str()), clock);
  return metric;
}

Metric metricFrom(const Fields& fields) {
  const std::string event = fields.text("event");
  if (event == "step") return stepFrom(fields);
  if (event == "eval") return evalFrom(fields);
  if (event == "end") return endFrom(fields);
  fields.fail("event", say::knownEvent);
}

}  // namespace

Message faultOf(const Metric& metric) {
  return std::visit([](const auto& value) { return faultIn(value); }, metric);
}

ordered_json toJson(const Metric& metric) {
  if (const Message fault = faultOf(metric); !fault.empty())
    throw BrokenInvariant("internal error, please report it: a metric is not written, since it could not be read: " +
                          format(fault));
  return std::visit([](const auto& value) { return objectOf(value); }, metric);
}

std::string toJsonLine(const Metric& metric) {
  // dump() writes non-finite numbers as null, and finite ones so that they read back the same.
  return toJson(metric).dump(-1, ' ', false, ordered_json::error_handler_t::replace);
}

Metric metricFromJson(const json& object, const Message& where) {
  const Fields fields(object, where);
  Metric metric = metricFrom(fields);
  if (const Message fault = faultOf(metric); !fault.empty()) fields.fail(fault);
  return metric;
}

}  // namespace lab

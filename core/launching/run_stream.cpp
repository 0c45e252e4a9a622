// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/launching/run_stream.h"

#include <array>
#include <cstdint>
#include <cstring>
#include <limits>
#include <nlohmann/json.hpp>
#include <utility>

#include "core/base/error.h"
#include "core/base/json.h"
#include "core/data/dataset.h"
#include "core/files/messages.h"
#include "core/files/metric_json.h"
#include "core/files/run_file.h"
#include "core/launching/messages.h"
#include "core/model/neural_network.h"
#include "core/options/config_field.h"
#include "core/options/derived_settings.h"
#include "core/options/network_of.h"
#include "core/process/messages.h"
#include "core/trace/names.h"

namespace lab {
namespace {

using nlohmann::json;

constexpr int kDepth = 16;
constexpr std::uint64_t kMostValues = std::uint64_t{1} << 31;

[[noreturn]] void unreadable() {
  throw UserError(UserError::Kind::Run, say::streamUnreadable);
}

// Reports a missing key, or one of another type, always with the same message.
template <typename Read>
auto readable(const Read& read) {
  try {
    return read();
  } catch (const json::exception&) {
    unreadable();
  } catch (const UserError&) {
    unreadable();
  }
}

void addWords(std::string& bytes, std::uint64_t value) {
  bytes.append(reinterpret_cast<const char*>(&value), sizeof value);
}
void addText(std::string& bytes, const std::string& text) {
  addWords(bytes, text.size());
  bytes += text;
}
template <typename Value>
void addValues(std::string& bytes, const std::vector<Value>& values) {
  addWords(bytes, values.size());
  bytes.append(reinterpret_cast<const char*>(values.data()), values.size() * sizeof(Value));
}

// Reads what was added, in the same order.
class BytesReader {
 public:
  explicit BytesReader(std::string_view bytes) : left_(bytes) {}

  std::uint64_t word() {
    std::uint64_t value = 0;
    take(&value, sizeof value);
    return value;
  }
  std::string_view text() {
    const std::uint64_t size = word();
    if (size > left_.size()) unreadable();
    return std::exchange(left_, left_.substr(size)).substr(0, size);
  }
  template <typename Value>
  void values(std::vector<Value>& values) {
    const std::uint64_t count = word();
    if (count > kMostValues || count * sizeof(Value) > left_.size()) unreadable();
    values.resize(count);
    take(values.data(), count * sizeof(Value));
  }
  bool isEmpty() const { return left_.empty(); }

 private:
  void take(void* to, std::size_t size) {
    if (size > left_.size()) unreadable();
    if (size > 0) std::memcpy(to, left_.data(), size);
    left_.remove_prefix(size);
  }

  std::string_view left_;
};

json headOf(const StepRecord& record) {
  json memory = json::array(), replicas = json::array();
  for (const MemoryBreakdown& each : record.memory)
    memory.push_back({each.variables, each.gradients, each.optimizer, each.activations});
  for (const ReplicaStep& each : record.replicas)
    replicas.push_back({{"digest", each.weightsDigest}, {"distance", each.weightsDistance}, {"version", each.version}});
  return {{"metric", json(toJson(Metric(record.metric)))},
          {"begin", record.beginNs},
          {"end", record.endNs},
          {"memory", memory},
          {"replicas", replicas}};
}

// The record's values index examples, classes and sizes: a value out of range would be read beyond the end.
void checkRecord(const StepRecord& record, const RunInfo& info) {
  const auto parameters = static_cast<std::size_t>(info.parameters);
  const auto fits = [&](const std::vector<float>& values) { return values.empty() || values.size() == parameters; };
  const auto isNorm = [&](const std::vector<float>& values) {
    return std::ssize(values) == info.network->statistics().size();
  };
  bool whole = std::ssize(record.replicas) == info.replicas && fits(record.gradients) && fits(record.weightsBefore) &&
               fits(record.weightsAfter) && isNorm(record.statistics) && record.beginNs >= 0 &&
               record.endNs >= record.beginNs && record.memory.size() == info.legend.endpoints.size();
  for (const ReplicaStep& each : record.replicas) {
    whole = whole && fits(each.gradients) && fits(each.ownWeights) && isNorm(each.statistics) &&
            each.losses.size() == each.shard.size() && each.predictions.size() == each.shard.size();
    for (const std::int64_t example : each.shard) whole = whole && example >= 0 && example < info.trainExamples;
    for (const std::uint8_t label : each.predictions) whole = whole && label < info.network->classes();
  }
  if (!whole) unreadable();
}

}  // namespace

std::string aboutLine(const RunInfo& info) {
  json links = json::array(), devices = json::array(), processes = json::array();
  for (const LinkFacts& link : info.links) links.push_back(link.name.empty() ? "" : nameInFile(link.name));
  for (const DeviceFacts& device : info.devices) devices.push_back(device.hardware);
  for (const ProcessFacts& process : info.processes)
    processes.push_back({{"host", process.host}, {"pid", process.pid}});
  const json about{{"trainExamples", info.trainExamples},
                   {"testExamples", info.testExamples},
                   {"totalSteps", info.totalSteps},
                   {"stepsPerEpoch", info.stepsPerEpoch},
                   {"examplesPerEpoch", info.examplesPerEpoch},
                   {"reducer", info.reducer},
                   {"replicas", info.replicas},
                   {"hosts", info.hosts},
                   {"threads", info.config.threads},
                   {"firstStep", info.firstStep},
                   {"devices", devices},
                   {"links", links},
                   {"processes", processes}};
  const RunHeader header{configToJson(info.config), info.dataset, info.parameters, info.clock, info.legend, {}};
  return "{\"about\":" + about.dump() + ",\"run\":" + runHeaderLine(header) + "}";
}

std::shared_ptr<const RunInfo> infoFromAbout(const json& line, const ResolvedSettings& config,
                                             std::shared_ptr<const Dataset> data) {
  auto info = std::make_shared<RunInfo>();
  readable([&] {
    const RunHeader header = runHeaderFrom(line.at("run"), say::header);
    const json& about = line.at("about");
    const auto integer = [&](const char* key, std::int64_t least) {
      const auto value = integerOf<std::int64_t>(about.at(key));
      if (value < least) unreadable();
      return value;
    };
    info->config = config;
    info->config.threads = integer("threads", 1);
    info->dataset = header.dataset;
    info->parameters = header.parameters;
    info->clock = header.clock;
    info->legend = header.legend;
    info->trainExamples = integer("trainExamples", 1);
    info->testExamples = integer("testExamples", 0);
    info->totalSteps = integer("totalSteps", 1);
    info->stepsPerEpoch = integer("stepsPerEpoch", 1);
    info->examplesPerEpoch = integer("examplesPerEpoch", 1);
    info->reducer = about.at("reducer").get<std::string>();
    info->replicas = static_cast<int>(integer("replicas", 1));
    info->hosts = static_cast<int>(integer("hosts", 1));
    info->firstStep = integer("firstStep", 1);
    info->deviceType = areOnGpus(config) ? "GPU" : "CPU";
    for (const json& hardware : about.at("devices"))
      info->devices.push_back({hardware.get<std::string>(), false, 1, 0});
    for (const json& name : about.at("links")) {
      const auto spelt = name.get<std::string>();
      info->links.push_back({spelt.empty() ? Message() : nameFromFile(spelt), 0, 0});
    }
    for (const json& process : about.at("processes"))
      info->processes.push_back({process.at("host").get<std::string>(), integerOf<std::int64_t>(process.at("pid"))});
    return 0;
  });
  info->datasetSource = data->source;
  info->data = std::move(data);
  info->network = networkOf(config);
  info->split = resolveSplit(splitOf(config));
  // Every replica, host and link must be found when asked for.
  if (info->replicas != config.replicas || info->hosts != config.hosts ||
      info->legend.endpoints.size() != info->devices.size() || info->legend.tracks.size() != info->links.size() ||
      std::ssize(info->legend.endpoints) < info->replicas || std::ssize(info->processes) != info->hosts ||
      info->parameters != info->network->layout().size() || info->clock != TimeSource::Measured)
    unreadable();
  for (const TraceLegend::Endpoint& endpoint : info->legend.endpoints)
    if (endpoint.host < 0 || endpoint.host >= info->hosts) unreadable();
  if (info->dataset != info->data->name || info->trainExamples != info->data->train.count ||
      info->testExamples != info->data->test.count)
    throw UserError(UserError::Kind::Run, say::streamOtherData, info->dataset, info->data->name);
  return info;
}

std::string bytesOf(const StepRecord& record) {
  std::string bytes;
  addText(bytes, headOf(record).dump());
  addText(bytes, spansLine(record.spans));
  for (const ReplicaStep& each : record.replicas) {
    addValues(bytes, each.shard);
    addValues(bytes, each.losses);
    addValues(bytes, each.predictions);
    addValues(bytes, each.gradients);
    addValues(bytes, each.ownWeights);
    addValues(bytes, each.statistics);
  }
  addValues(bytes, record.gradients);
  addValues(bytes, record.weightsBefore);
  addValues(bytes, record.weightsAfter);
  addValues(bytes, record.statistics);
  return bytes;
}

std::shared_ptr<const StepRecord> recordFromBytes(std::string_view bytes, const RunInfo& info) {
  auto record = std::make_shared<StepRecord>();
  readable([&] {
    BytesReader reader(bytes);
    const json head = parseJson(reader.text(), say::header, kDepth);
    const Metric metric = metricFromJson(head.at("metric"), say::header);
    if (!std::holds_alternative<StepMetric>(metric)) unreadable();
    record->metric = std::get<StepMetric>(metric);
    record->beginNs = integerOf<std::int64_t>(head.at("begin"));
    record->endNs = integerOf<std::int64_t>(head.at("end"));
    for (const json& each : head.at("memory"))
      record->memory.push_back({integerOf<std::int64_t>(each.at(0)), integerOf<std::int64_t>(each.at(1)),
                                integerOf<std::int64_t>(each.at(2)), integerOf<std::int64_t>(each.at(3))});
    record->spans = spansFrom(parseJson(reader.text(), say::header, kDepth), info.legend, say::header);
    for (const json& each : head.at("replicas")) {
      ReplicaStep& replica = record->replicas.emplace_back();
      replica.weightsDigest = integerOf<std::uint64_t>(each.at("digest"));
      const json& distance = each.at("distance");  // null if the run diverged
      replica.weightsDistance = distance.is_null() ? std::numeric_limits<double>::quiet_NaN() : distance.get<double>();
      replica.version = integerOf<std::int64_t>(each.at("version"));
      reader.values(replica.shard);
      reader.values(replica.losses);
      reader.values(replica.predictions);
      reader.values(replica.gradients);
      reader.values(replica.ownWeights);
      reader.values(replica.statistics);
    }
    reader.values(record->gradients);
    reader.values(record->weightsBefore);
    reader.values(record->weightsAfter);
    reader.values(record->statistics);
    if (!reader.isEmpty()) unreadable();
    return 0;
  });
  checkRecord(*record, info);
  return record;
}

std::string recordFileName(std::int64_t step) {
  return "record-" + std::to_string(step);
}

namespace {

constexpr std::string_view kDigits64 = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

}  // namespace

std::string textOfBytes(std::string_view bytes) {
  std::string text;
  text.reserve(bytes.size() / 3 * 4 + 4);
  for (std::size_t at = 0; at < bytes.size(); at += 3) {
    std::uint32_t three = 0;
    for (std::size_t i = 0; i < 3; ++i)
      three = three << 8 | (at + i < bytes.size() ? static_cast<unsigned char>(bytes[at + i]) : 0U);
    for (std::size_t i = 0; i < 4; ++i) text += at + i > bytes.size() ? '=' : kDigits64[three >> (18 - 6 * i) & 63U];
  }
  return text;
}

std::string bytesOfText(std::string_view text) {
  std::string bytes;
  bytes.reserve(text.size() / 4 * 3);
  std::uint32_t bits = 0;
  int count = 0;
  for (const char letter : text) {
    const std::size_t digit = kDigits64.find(letter);
    if (digit == std::string_view::npos) continue;
    bits = bits << 6 | static_cast<std::uint32_t>(digit);
    count += 6;
    if (count < 8) continue;
    count -= 8;
    bytes += static_cast<char>(bits >> count & 255U);
  }
  return bytes;
}

}  // namespace lab

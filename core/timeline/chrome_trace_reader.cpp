// SPDX-License-Identifier: GPL-3.0-or-later
// Reads this program's Chrome traces. Everything is checked before it is used: the file may come from anybody.
#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <nlohmann/json.hpp>

#include "core/base/error.h"
#include "core/base/json.h"
#include "core/base/messages.h"
#include "core/timeline/chrome_trace.h"
#include "core/timeline/messages.h"
#include "core/trace/names.h"

namespace lab {
namespace {

using nlohmann::json;

constexpr int kTraceDepth = 8;
constexpr double kLatestUs = static_cast<double>(kLatestTraceNs) / 1e3;

class TraceReader {
 public:
  explicit TraceReader(std::string name) : name_(std::move(name)) {}

  Timeline read(const json& whole) {
    if (!whole.is_object() || !whole.contains("traceEvents") || !whole["traceEvents"].is_array())
      fail(say::noTraceEvents);
    const json other = whole.value("otherData", json::object());
    if (!other.is_object() || other.value("program", json()) != "StrategyLab" || !other.contains("legend"))
      fail(say::strangeTrace);
    readLegend(other["legend"]);
    const json clock = other.value("clock", json());
    if (clock != "modelled" && clock != "measured") fail(say::noClock);
    timeline_.clock = clock == "modelled" ? TimeSource::Modelled : TimeSource::Measured;
    timeline_.dropped = static_cast<std::uint64_t>(whole.contains("droppedSpans") ? amount(whole, "droppedSpans") : 0);
    for (const json& event : whole["traceEvents"]) {
      if (!event.is_object() || !event.contains("ph")) fail(say::eventWithoutPhase);
      if (event["ph"] == "X" && event.value("cat", json()) != "step") readSpan(event);
    }
    if (timeline_.spans.empty()) fail(say::noEvents);
    timeline_.beginNs = std::numeric_limits<std::int64_t>::max();
    for (const Span& span : timeline_.spans) {
      timeline_.beginNs = std::min(timeline_.beginNs, span.startNs);
      timeline_.endNs = std::max(timeline_.endNs, span.startNs + span.durationNs);
    }
    if (whole.contains("stepNs")) readBounds(list(whole, "stepNs", 2));
    timeline_.arrange();
    return std::move(timeline_);
  }

 private:
  [[noreturn]] void fail(const Message& what) const { throw UserError(say::notOurTrace, name_, what); }

  const json& part(const json& object, const char* key) const {
    if (!object.is_object() || !object.contains(key)) fail({say::partLacking, key});
    return object[key];
  }
  std::string text(const json& object, const char* key) const {
    const json& value = part(object, key);
    if (!value.is_string()) fail({say::partNoText, key});
    return value.get<std::string>();
  }
  std::int64_t integer(const json& object, const char* key, std::int64_t least, std::int64_t most) const {
    const json& value = part(object, key);
    if (!value.is_number_integer() ||
        (value.is_number_unsigned() && value.get<std::uint64_t>() > (std::uint64_t{1} << 62)))
      fail({say::partNoWhole, key});
    const auto number = value.get<std::int64_t>();
    if (number < least || number > most) fail({say::partOutOfRange, key, number});
    return number;
  }
  std::int64_t amount(const json& object, const char* key) const {
    return integer(object, key, 0, std::int64_t{1} << 61);
  }
  std::int64_t nanoseconds(const json& event, const char* key) const {
    const json& value = part(event, key);
    if (!value.is_number() || !(value.get<double>() >= 0) || value.get<double>() > kLatestUs)
      fail({say::partNoTime, key});
    return std::llround(value.get<double>() * 1e3);
  }
  const json& list(const json& object, const char* key, std::size_t most) const {
    const json& value = part(object, key);
    if (!value.is_array() || value.size() > most) fail({say::partNoList, key});
    return value;
  }

  void readLegend(const json& legend) {
    for (const json& endpoint : list(legend, "parties", kMaxEndpoints)) {
      timeline_.legend.endpoints.push_back(
          {nameFromFile(text(endpoint, "name")), static_cast<int>(integer(endpoint, "host", 0, kMaxHosts - 1))});
      endpointOf_.emplace(text(endpoint, "name"), static_cast<int>(timeline_.legend.endpoints.size()) - 1);
    }
    const auto endpoints = static_cast<std::int64_t>(timeline_.legend.endpoints.size());
    for (const json& track : list(legend, "lanes", kMaxTracks)) {
      const json& isLink = part(track, "isLink");
      if (!isLink.is_boolean()) fail(say::trackNotLink);
      timeline_.legend.tracks.push_back({nameFromFile(text(track, "name")),
                                         static_cast<int>(integer(track, "host", 0, kMaxHosts - 1)), isLink.get<bool>(),
                                         static_cast<int>(integer(track, "party", -1, endpoints - 1))});
    }
    for (const json& label : list(legend, "labels", kMaxLabels)) {
      if (!label.is_string()) fail(say::labelsNoTexts);
      labelOf_.emplace(label.get<std::string>(), static_cast<int>(timeline_.legend.labels.size()));
      timeline_.legend.labels.push_back(nameFromFile(label.get<std::string>()));
    }
    LAB_CHECK(isValid(timeline_.legend));
  }

  // The file also has the step's input before it; without these bounds the breakdown would be wrong.
  void readBounds(const json& bounds) {
    if (bounds.size() != 2 || !bounds[0].is_number_unsigned() || !bounds[1].is_number_unsigned())
      fail({say::partNoList, "stepNs"});
    const auto begin = bounds[0].get<std::uint64_t>(), end = bounds[1].get<std::uint64_t>();
    if (begin >= end || end > static_cast<std::uint64_t>(kLatestTraceNs)) fail({say::partNoTime, "stepNs"});
    timeline_.beginNs = static_cast<std::int64_t>(begin);
    timeline_.endNs = static_cast<std::int64_t>(end);
  }

  template <typename Map>
  int indexIn(const Map& map, const std::string& key) const {
    const auto found = map.find(key);
    if (found == map.end()) fail({say::notInLegend, key.substr(0, 64)});
    return found->second;
  }

  SpanKind kindOf(const std::string& name) const {
    for (int kind = 0; kind <= static_cast<int>(SpanKind::Startup); ++kind)
      if (name == toString(static_cast<SpanKind>(kind))) return static_cast<SpanKind>(kind);
    fail({say::unknownEventKind, name.substr(0, 64)});
  }

  void readSpan(const json& event) {
    Span span;
    span.startNs = nanoseconds(event, "ts");
    span.durationNs = nanoseconds(event, "dur");
    span.track = static_cast<std::int32_t>(
        integer(event, "tid", 1, static_cast<std::int64_t>(timeline_.legend.tracks.size())) - 1);
    span.label = static_cast<std::uint16_t>(indexIn(labelOf_, text(event, "name")));
    span.kind = kindOf(text(event, "cat"));
    span.clock = timeline_.clock;
    const json& arguments = part(event, "args");
    span.step = amount(arguments, "step");
    constexpr std::int64_t kMostRounds = std::numeric_limits<std::int32_t>::max();
    if (arguments.contains("from")) span.from = indexIn(endpointOf_, text(arguments, "from"));
    if (arguments.contains("to")) span.to = indexIn(endpointOf_, text(arguments, "to"));
    if (arguments.contains("round"))
      span.round = static_cast<std::int32_t>(integer(arguments, "round", 0, kMostRounds));
    if (arguments.contains("pack")) span.pack = static_cast<std::int32_t>(integer(arguments, "pack", 0, kMostRounds));
    if (arguments.contains("bytes")) span.bytes = amount(arguments, "bytes");
    if (arguments.contains("firstElement")) span.offset = amount(arguments, "firstElement");
    if (arguments.contains("elements")) span.count = amount(arguments, "elements");
    if (arguments.contains("examples")) span.count = amount(arguments, "examples");
    if (arguments.contains("add")) span.add = arguments["add"] == true;
    timeline_.spans.push_back(span);
    timeline_.launchNs.push_back(arguments.contains("launchNs") ? amount(arguments, "launchNs") : 0);
  }

  std::string name_;
  Timeline timeline_;
  std::map<std::string, int> endpointOf_, labelOf_;
};

}  // namespace

Timeline parseChromeTrace(std::string_view text, const std::string& name) {
  return TraceReader(name).read(parseJson(text, {say::inFile, File{name}}, kTraceDepth));
}

Timeline readChromeTrace(const std::filesystem::path& path) {
  const std::vector<std::uint8_t> bytes = readFile(path, kMaxTraceFileBytes);
  return parseChromeTrace({reinterpret_cast<const char*>(bytes.data()), bytes.size()}, path.string());
}

}  // namespace lab

// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/files/run_file.h"

#include <algorithm>
#include <array>
#include <limits>
#include <optional>
#include <utility>
#include <variant>

#include "core/base/error.h"
#include "core/base/file.h"
#include "core/base/json.h"
#include "core/base/messages.h"
#include "core/config/run_info.h"
#include "core/files/lineage_json.h"
#include "core/files/messages.h"
#include "core/files/metric_json.h"
#include "core/options/config_field.h"
#include "core/trace/names.h"

namespace lab {
namespace {

using nlohmann::json;

constexpr const char* kRunFormat = "strategylab-run";
constexpr int kRunVersion = 1;
constexpr int kRunDepth = 16;
constexpr double kSpansShare = 0.5;
constexpr std::int64_t kLastLineBytes = 256;

// The order of a span's numbers in its array; part of the format.
constexpr std::array kSpanFields{"startNs", "durationNs", "step", "bytes", "offset", "count", "lane", "from",
                                 "to",      "round",      "pack", "label", "kind",   "clock", "add"};
constexpr std::int64_t kLastKind = static_cast<std::int64_t>(SpanKind::Startup);

// Optional texts of the header.
constexpr std::array<std::pair<const char*, std::string RunHeader::*>, 4> kTexts{{{"program", &RunHeader::program},
                                                                                  {"began", &RunHeader::began},
                                                                                  {"name", &RunHeader::name},
                                                                                  {"note", &RunHeader::note}}};

std::array<std::int64_t, kSpanFields.size()> numbersOf(const Span& span) {
  return {span.startNs,
          span.durationNs,
          span.step,
          span.bytes,
          span.offset,
          span.count,
          span.track,
          span.from,
          span.to,
          span.round,
          span.pack,
          span.label,
          static_cast<std::int64_t>(span.kind),
          static_cast<std::int64_t>(span.clock),
          span.add ? 1 : 0};
}

std::int64_t shardsOf(const Metric& metric) {
  const auto* step = std::get_if<StepMetric>(&metric);
  return step == nullptr ? 0 : static_cast<std::int64_t>(step->shards.size());
}

json toJson(const TraceLegend& legend) {
  json endpoints = json::array(), tracks = json::array(), labels = json::array();
  for (const auto& endpoint : legend.endpoints)
    endpoints.push_back({{"name", nameInFile(endpoint.name)}, {"host", endpoint.host}});
  for (const auto& track : legend.tracks)
    tracks.push_back(
        {{"name", nameInFile(track.name)}, {"host", track.host}, {"isLink", track.isLink}, {"party", track.endpoint}});
  for (const Message& label : legend.labels) labels.push_back(nameInFile(label));
  return {{"parties", endpoints}, {"lanes", tracks}, {"labels", labels}};
}

// Reads values out of one line; every error names the line and the key.
class LineReader {
 public:
  explicit LineReader(Message where) : where_(std::move(where)) {}

  const json& at(const json& object, const char* key) const {
    if (!object.is_object() || !object.contains(key)) fail({say::noKey, key});
    return object.at(key);
  }

  std::int64_t integer(const json& value, const char* what, std::int64_t least, std::int64_t most) const {
    const std::optional<std::int64_t> number = integerWithin(value, least, most);
    if (!number) fail({say::mustBeFromTo, what, least, most});
    return *number;
  }

  std::int64_t count(const json& object, const char* key) const {
    return integer(at(object, key), key, 0, std::numeric_limits<std::int64_t>::max());
  }

  std::string text(const json& object, const char* key) const {
    const json& value = at(object, key);
    if (!value.is_string()) fail({say::mustBeAText, key});
    return value.get<std::string>();
  }

  const json& list(const json& object, const char* key, std::size_t most) const {
    const json& value = at(object, key);
    if (!value.is_array() || value.size() > most) fail({say::mustBeListOf, key, most});
    return value;
  }

  int host(const json& object) const { return static_cast<int>(integer(at(object, "host"), "host", 0, kMaxHosts - 1)); }

  TraceLegend legend(const json& object) const {
    TraceLegend legend;
    for (const json& endpoint : list(object, "parties", kMaxEndpoints))
      legend.endpoints.push_back({nameFromFile(text(endpoint, "name")), host(endpoint)});
    const auto endpoints = static_cast<std::int64_t>(legend.endpoints.size());
    for (const json& track : list(object, "lanes", kMaxTracks)) {
      if (!at(track, "isLink").is_boolean()) fail(say::isLinkTruth);
      legend.tracks.push_back({nameFromFile(text(track, "name")), host(track), at(track, "isLink").get<bool>(),
                               static_cast<int>(integer(at(track, "party"), "party", -1, endpoints - 1))});
    }
    for (const json& label : list(object, "labels", kMaxLabels)) {
      if (!label.is_string()) fail(say::labelNoText);
      legend.labels.push_back(nameFromFile(label.get<std::string>()));
    }
    LAB_CHECK(isValid(legend));
    return legend;
  }

  RunHeader header(const json& object) const {
    if (!object.is_object() || !object.contains("format") || object.at("format") != kRunFormat)
      throw UserError(say::notRunFile, where_);
    if (integer(at(object, "version"), "version", 1, std::numeric_limits<int>::max()) > kRunVersion)
      throw UserError(say::newerRunFile, where_, at(object, "version").dump(), kRunVersion);
    RunHeader header;
    header.config = at(object, "config");
    if (!header.config.is_object()) fail(say::configNoObject);
    header.dataset = text(object, "dataset");
    header.parameters = count(object, "parameters");
    const std::string clock = text(object, "clock");
    if (clock != toString(TimeSource::Modelled) && clock != toString(TimeSource::Measured)) fail(say::clockUnknown);
    header.clock = clock == toString(TimeSource::Modelled) ? TimeSource::Modelled : TimeSource::Measured;
    header.legend = legend(at(object, "legend"));
    header.timeModel =
        object.contains("timeModel")
            ? static_cast<int>(integer(object.at("timeModel"), "timeModel", 1, std::numeric_limits<int>::max()))
            : 1;
    header.isClass = object.contains("class") && object.at("class") == true;
    for (const auto& [key, value] : kTexts)
      if (object.contains(key)) header.*value = text(object, key);
    try {
      if (object.contains("branches")) header.lineage = lineageFromJson(object.at("branches"));
    } catch (const UserError& error) {
      fail(error.message());
    }
    return header;
  }

  Span span(const json& numbers, const TraceLegend& legend) const {
    if (!numbers.is_array() || numbers.size() != kSpanFields.size()) fail({say::spanNoList, kSpanFields.size()});
    std::size_t next = 0;
    const auto take = [&](std::int64_t least, std::int64_t most) {
      const std::size_t field = next++;
      return integer(numbers[field], kSpanFields[field], least, most);
    };
    const auto amount = [&] { return take(0, std::numeric_limits<std::int64_t>::max()); };
    const auto index = [&] { return static_cast<std::int32_t>(take(-1, std::numeric_limits<std::int32_t>::max())); };
    Span span;
    span.startNs = amount();
    span.durationNs = amount();
    span.step = amount();
    span.bytes = amount();
    span.offset = amount();
    span.count = amount();
    span.track = index();
    span.from = index();
    span.to = index();
    span.round = index();
    span.pack = index();
    span.label = static_cast<std::uint16_t>(take(0, std::numeric_limits<std::uint16_t>::max()));
    span.kind = static_cast<SpanKind>(take(0, kLastKind));
    span.clock = static_cast<TimeSource>(take(0, 1));
    span.add = take(0, 1) == 1;
    if (!isValid(span, legend)) fail(say::spanOutside);
    return span;
  }

  [[noreturn]] void fail(const Message& what) const { throw UserError(say::badLine, where_, what); }

 private:
  Message where_;
};

// Older headers do not say that the run is a class's, but its lines do.
void keepOther(RunRecord& record, std::string_view text, const json& line) {
  record.header.isClass = record.header.isClass || line.contains("class");
  record.others.emplace_back(text);
}

}  // namespace

RunHeader headerOf(const RunInfo& info) {
  RunHeader header;
  header.config = configToJson(info.config);
  header.dataset = info.dataset;
  header.parameters = info.parameters;
  header.clock = info.clock;
  header.legend = info.legend;
  header.lineage = info.lineage;
  header.isClass = info.isClass;
  return header;
}

std::string runHeaderLine(const RunHeader& header) {
  LAB_CHECK(header.config.is_object() && header.parameters >= 0);
  LAB_CHECK(isValid(header.legend));
  nlohmann::ordered_json line{
      {"format", kRunFormat},          {"version", kRunVersion},          {"config", header.config},
      {"dataset", header.dataset},     {"parameters", header.parameters}, {"clock", toString(header.clock)},
      {"timeModel", header.timeModel}, {"legend", toJson(header.legend)}, {"spanFields", kSpanFields}};
  if (header.isClass) line["class"] = true;
  if (!header.lineage.empty()) line["branches"] = lineageToJson(header.lineage);
  for (const auto& [key, value] : kTexts)
    if (!(header.*value).empty()) line[key] = header.*value;
  const std::string text = line.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace);
  (void)parseJson(text, say::header, kRunDepth);  // fails if the configuration is nested too deeply
  return text;
}

RunHeader runHeaderFrom(const json& line, const Message& where) {
  return LineReader(where).header(line);
}

std::string spansLine(std::span<const Span> spans) {
  std::string line = "{\"spans\":[";
  for (const Span& span : spans) {
    char separator = '[';
    for (const std::int64_t number : numbersOf(span)) {
      line += separator + std::to_string(number);
      separator = ',';
    }
    line += "],";
  }
  if (spans.empty()) return line + "]}";
  line.back() = ']';
  return line + '}';
}

std::vector<Span> spansFrom(const json& line, const TraceLegend& legend, const Message& where) {
  const LineReader reader(where);
  std::vector<Span> spans;
  for (const json& span : reader.list(line, "spans", kMaxRecordedSpans)) spans.push_back(reader.span(span, legend));
  return spans;
}

RunFileWriter::RunFileWriter(const std::filesystem::path& path, const RunHeader& header, std::int64_t maxSpans)
    : file_(path, kRunFileLimits), legend_(header.legend), maxSpans_(std::min(maxSpans, kMaxRecordedSpans)) {
  const std::string text = runHeaderLine(header);
  if (!file_.hasRoom(std::ssize(text))) throw UserError(say::runTooLarge, path);
  file_.write(text);
}

void RunFileWriter::metrics(std::span<const Metric> metrics) {
  for (const Metric& metric : metrics) {
    shards_ += shardsOf(metric);
    const std::string line = toJsonLine(metric);
    if (++metrics_ > kMaxRecordedMetrics || shards_ > kMaxRecordedShards ||
        !file_.hasRoom(std::ssize(line) + kLastLineBytes))
      throw UserError(UserError::Kind::Run, say::tooManyRunSteps);
    file_.write(line);
  }
}

void RunFileWriter::other(std::string_view line) {
  if (!file_.hasRoom(std::ssize(line) + kLastLineBytes)) throw UserError(UserError::Kind::Run, say::tooManyRunSteps);
  file_.write(line);
}

void RunFileWriter::spans(std::span<const Span> spans) {
  const std::size_t room = static_cast<std::size_t>(maxSpans_ - spans_);
  if (spans.size() > room) {
    dropped_ += spans.size() - room;
    spans = spans.first(room);
  }
  while (!spans.empty()) {
    const std::span<const Span> batch = spans.first(std::min(spans.size(), kSpansPerLine));
    spans = spans.subspan(batch.size());
    for (const Span& span : batch) LAB_CHECK(isValid(span, legend_));
    const std::string line = spansLine(batch);
    if (!file_.hasRoom(std::ssize(line), kSpansShare)) {  // metrics need room too
      dropped_ += batch.size();
      continue;
    }
    spans_ += std::ssize(batch);
    file_.write(line);
  }
}

void RunFileWriter::finish(std::uint64_t droppedSpans) {
  file_.write(
      json{{"finish", {{"metrics", metrics_}, {"spans", spans_}, {"droppedSpans", droppedSpans + dropped_}}}}.dump());
  file_.finish();
}

RunRecord parseRunFile(std::span<const std::uint8_t> bytes, const std::string& name, const ReadWatch& watch) {
  RunRecord record;
  std::int64_t shards = 0, others = 0;
  bool headed = false, finished = false;
  const auto take = [&](std::string_view text, const Message& where) {
    const LineReader reader(where);
    if (finished) reader.fail(say::goesOnBehindEnd);
    const json line = parseJson(text, where, kRunDepth);
    if (!line.is_object()) reader.fail(say::lineNoObject);
    if (!headed) {
      record.header = reader.header(line);
      headed = true;
    } else if (line.contains("event")) {
      Metric metric = metricFromJson(line, where);
      shards += shardsOf(metric);
      if (static_cast<std::int64_t>(record.metrics.size()) >= kMaxRecordedMetrics || shards > kMaxRecordedShards)
        throw UserError(say::tooManySteps, where);
      record.metrics.push_back(std::move(metric));
    } else if (line.contains("spans")) {
      std::vector<Span> spans;  // all spans of the line or none
      for (const json& span : reader.list(line, "spans", kMaxRecordedSpans - record.spans.size()))
        spans.push_back(reader.span(span, record.header.legend));
      record.spans.insert(record.spans.end(), spans.begin(), spans.end());
    } else if (line.contains("finish")) {
      const json& counts = line.at("finish");
      if (reader.count(counts, "metrics") != static_cast<std::int64_t>(record.metrics.size()) ||
          reader.count(counts, "spans") != static_cast<std::int64_t>(record.spans.size()))
        reader.fail(say::otherCounts);
      record.droppedSpans = static_cast<std::uint64_t>(reader.count(counts, "droppedSpans"));
      finished = true;
    } else {
      if ((others += std::ssize(text)) > kMaxRecordedOthers) throw UserError(say::tooManySteps, where);
      keepOther(record, text, line);
    }
  };
  // After a bad line the rest is still unpacked: only the checksum at the end proves that earlier lines are intact.
  bool cutOff = false;
  try {
    forEachGzipLine(
        bytes, name, kRunFileLimits,
        [&](std::string_view text, std::int64_t number) {
          if (!record.fault.empty()) return;
          try {
            take(text, {say::inLine, File{name}, number});
          } catch (const UserError& error) {
            if (!headed) throw;
            record.fault = error.message();
          }
        },
        &cutOff, watch);
    if (!finished && record.fault.empty()) {
      cutOff = true;
      throw UserError(say::recordingCutOff, name);
    }
  } catch (const UserError& error) {
    if (!headed || !cutOff) throw;
    if (record.fault.empty()) record.fault = error.message();
  }
  return record;
}

RunRecord readRunFile(const std::filesystem::path& path) {
  return parseRunFile(readFile(path, kMaxRunFileBytes), path.string());
}

}  // namespace lab

// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/files/metrics_csv.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <span>
#include <utility>

#include "core/base/csv.h"
#include "core/base/error.h"
#include "core/base/json.h"
#include "core/base/messages.h"
#include "core/files/messages.h"
#include "core/files/metric_json.h"

namespace lab {
namespace {

using nlohmann::json;
using nlohmann::ordered_json;

constexpr std::string_view kBegins = "run,event,";

// The memory of a run's end is an object, which no cell can hold.
ordered_json rowOf(Metric metric) {
  if (auto* end = std::get_if<EndMetric>(&metric)) end->memory.reset();
  return toJson(metric);
}

std::string cellOf(const ordered_json& value) {
  if (value.is_null() || (value.is_number_float() && !std::isfinite(value.get<double>()))) return "";
  if (value.is_string()) return csvText(value.get<std::string>());
  if (!value.is_array()) return value.dump();
  std::string text;
  for (const ordered_json& entry : value) text += (text.empty() ? "" : ";") + entry.dump();
  return text;
}

// Numbers that every row has; empty if not finite.
constexpr std::array kAlways{"epoch",    "loss",         "accuracy", "learningRate",
                             "testLoss", "testAccuracy", "seconds",  kCopiesKey};

json valueOf(const std::string& key, const std::string& cell, const Message& where) {
  if (key == "event" || key == "dataset" || (key == kCopiesKey && cell == kSharedCopies)) return cell;
  if (cell == "TRUE" || cell == "FALSE") return cell == "TRUE";  // as a spreadsheet saves them
  const bool list = key == "shards" || key == "leftOut";
  std::string text = cell;
  if (list) {
    std::replace(text.begin(), text.end(), ';', ',');
    text = "[" + text + "]";
  }
  json value;  // null, which is never right, if the cell cannot be read
  try {
    constexpr int kDeepest = 2;  // lists of numbers; copying a value that is nested deep would overflow the stack
    value = parseJson(text, where, kDeepest);
  } catch (const UserError&) {  // the message below names the column
  }
  // A spreadsheet saves a large count as 1.23E+11. This program writes a small e.
  constexpr double kExact = 9007199254740992;  // 2^53
  if (value.is_number_float() && text.find('E') != std::string::npos)
    if (const double number = value.get<double>(); std::abs(number) <= kExact && number == std::trunc(number))
      value = static_cast<std::int64_t>(number);
  const bool right = list ? value.is_array() : value.is_number() || value.is_boolean();
  if (!right) throw UserError(say::csvNoNumber, where, cell.substr(0, 64), key);
  return value;
}

// The first and the last step of a run so far. Searching for them among its metrics would take quadratic time.
struct StepsSoFar {
  std::optional<std::int64_t> first, last;

  // Steps must be ascending, so that curves go from left to right.
  void add(std::int64_t step, const Message& where) {
    if (last && *last >= step) throw UserError(say::csvOrder, where, step, *last);
    if (!first) first = step;
    last = step;
  }
};

}  // namespace

std::string csvText(const std::string& text) {
  if (text.find_first_of(",\"\r\n;") == std::string::npos) return text;
  std::string out = "\"";
  for (const char c : text) {
    if (c == '"') out += '"';
    out += c;
  }
  return out + '"';
}

bool looksLikeMetricsCsv(std::string_view text) {
  if (text.starts_with("\xEF\xBB\xBF")) text.remove_prefix(3);
  return text.starts_with(kBegins);
}

std::vector<CsvRun> parseMetricsCsv(std::string_view text, const std::string& name,
                                    const std::function<void(double share)>& watch) {
  if (!looksLikeMetricsCsv(text)) throw UserError(say::csvNoRuns, name);
  const std::vector<CsvRow> rows = parseCsv(text, name);
  const std::vector<std::string>& keys = rows.front().cells;
  if (rows.size() == 1) throw UserError(say::csvNoValues, name);
  std::vector<CsvRun> runs;
  std::vector<StepsSoFar> steps;  // of each run
  std::map<std::string, std::size_t> places;
  for (const CsvRow& row : std::span(rows).subspan(1)) {
    if (watch) watch(static_cast<double>(&row - rows.data()) / static_cast<double>(rows.size()));
    const Message where(say::inLine, File{name}, row.line);
    json object = json::object();
    for (std::size_t i = 1; i < keys.size(); ++i) {
      const std::string &key = keys[i], &cell = row.cells[i];
      if (!cell.empty())
        object[key] = valueOf(key, cell, where);
      else if (key == "shards")
        object[key] = json::array();
      else if (std::find(kAlways.begin(), kAlways.end(), key) != kAlways.end())
        object[key] = nullptr;
    }
    // The rate of a step that took no time is not finite.
    for (const auto& [time, rate] :
         {std::pair("modelledStepNs", "modelledImagesPerSecond"), std::pair("stepNs", "imagesPerSecond")})
      if (object.contains(time) && !object.contains(rate)) object[rate] = nullptr;
    Metric metric = metricFromJson(object, where);
    const auto* step = std::get_if<StepMetric>(&metric);
    const auto known = places.find(row.cells.front());
    // Another run with the same name begins at a step where the previous one began.
    const bool begins = step != nullptr && known != places.end() && steps[known->second].first == step->step;
    if (begins) places.erase(known);
    const auto [place, isNew] = places.emplace(row.cells.front(), runs.size());
    if (isNew) {
      runs.push_back({row.cells.front(), {}});
      steps.emplace_back();
    }
    if (step != nullptr) steps[place->second].add(step->step, where);
    runs[place->second].metrics.push_back(std::move(metric));
  }
  return runs;
}

std::string metricsCsv(std::span<const CsvRun> runs) {
  // The keys in the order of their first appearance.
  std::vector<std::string> keys;
  std::map<std::string, std::size_t> places;
  const auto learn = [&](const Metric& metric) {
    const ordered_json object = rowOf(metric);
    for (const auto& item : object.items()) {
      if (places.emplace(item.key(), keys.size()).second) keys.push_back(item.key());
    }
  };
  for (const CsvRun& run : runs)
    for (const Metric& metric : run.metrics) learn(metric);

  std::string text = "run";
  for (const std::string& key : keys) text += "," + key;
  text += "\r\n";
  std::vector<std::string> cells(keys.size());
  for (const CsvRun& run : runs) {
    const std::string name = csvText(run.name);
    for (const Metric& metric : run.metrics) {
      std::fill(cells.begin(), cells.end(), std::string());
      const ordered_json object = rowOf(metric);
      for (const auto& item : object.items()) cells[places.at(item.key())] = cellOf(item.value());
      text += name;
      for (const std::string& cell : cells) text += "," + cell;
      text += "\r\n";
    }
  }
  return text;
}

}  // namespace lab

// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/run/metrics_csv.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <nlohmann/json.hpp>

#include "core/run/metric_json.h"

namespace lab {
namespace {

using nlohmann::ordered_json;

std::string cellOf(const ordered_json& value) {
  if (value.is_null() || (value.is_number_float() && !std::isfinite(value.get<double>()))) return "";
  if (value.is_string()) return csvText(value.get<std::string>());
  if (!value.is_array()) return value.dump();
  std::string text;
  for (const ordered_json& entry : value) text += (text.empty() ? "" : ";") + entry.dump();
  return text;
}

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

std::string metricsCsv(std::span<const CsvRun> runs) {
  // The keys in the order in which they first come.
  std::vector<std::string> keys;
  std::map<std::string, std::size_t> places;
  const auto learn = [&](const Metric& metric) {
    const ordered_json object = toJson(metric);
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
      const ordered_json object = toJson(metric);
      for (const auto& item : object.items()) cells[places.at(item.key())] = cellOf(item.value());
      text += name;
      for (const std::string& cell : cells) text += "," + cell;
      text += "\r\n";
    }
  }
  return text;
}

}  // namespace lab

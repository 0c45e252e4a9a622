// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/chrome_trace_rules.h"

#include <cmath>
#include <cstdint>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <vector>

namespace lab::test {

using nlohmann::json;

std::string flaw(const json& trace) {
  if (!trace.is_object() || !trace.contains("traceEvents") || !trace["traceEvents"].is_array()) return "no traceEvents";
  if (trace["displayTimeUnit"] != "ns" && trace["displayTimeUnit"] != "ms") return "displayTimeUnit";
  std::map<std::pair<int, int>, std::vector<std::pair<std::int64_t, std::int64_t>>> open;  // slices around this one
  std::map<std::pair<int, int>, std::int64_t> last;
  std::set<std::pair<int, int>> named;
  std::set<int> namedProcesses;
  for (const json& event : trace["traceEvents"]) {
    for (const char* key : {"name", "ph", "pid", "tid"})
      if (!event.contains(key)) return "an event without " + std::string(key) + ": " + event.dump();
    if (!event["name"].is_string() || !event["pid"].is_number_integer() || !event["tid"].is_number_integer())
      return "types: " + event.dump();
    const int process = event["pid"];
    const std::pair thread{process, event["tid"].get<int>()};
    if (process < 1) return "pid";
    if (event["ph"] == "M") {
      const json& arguments = event.at("args");
      const std::string name = event["name"];
      if (name.ends_with("_name") && !arguments.at("name").is_string()) return "name: " + event.dump();
      if (name.ends_with("_sort_index") && !arguments.at("sort_index").is_number_integer()) return "sort index";
      if (name == "thread_name") named.insert(thread);
      if (name == "process_name") namedProcesses.insert(process);
      continue;
    }
    if (event["ph"] != "X") return "phase: " + event.dump();
    for (const char* key : {"ts", "dur"})
      if (!event.contains(key) || !event[key].is_number() || event[key] < 0) return key + (": " + event.dump());
    if (!event["cat"].is_string() || !event["args"].is_object()) return "cat or args: " + event.dump();
    if (!named.contains(thread) || !namedProcesses.contains(process)) return "a nameless lane: " + event.dump();
    const auto ns = [&](const char* key) { return std::llround(event[key].get<double>() * 1e3); };
    const std::int64_t begin = ns("ts"), end = begin + ns("dur");
    if (last.contains(thread) && begin < last[thread]) return "goes back in time: " + event.dump();
    last[thread] = begin;
    auto& around = open[thread];
    while (!around.empty() && around.back().second <= begin) around.pop_back();
    if (!around.empty() && end > around.back().second) return "partial overlap: " + event.dump();
    around.emplace_back(begin, end);
  }
  return {};
}

}  // namespace lab::test

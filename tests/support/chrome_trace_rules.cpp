// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/chrome_trace_rules.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <vector>

namespace lab::test {

using nlohmann::json;

namespace {

using Thread = std::pair<int, int>;
using Slices = std::map<Thread, std::vector<std::pair<std::int64_t, std::int64_t>>>;

std::int64_t nsOf(const json& event) {
  return std::llround(event.at("ts").get<double>() * 1e3);
}

std::string counterFlaw(const json& event) {
  if (!event["ts"].is_number() || event["ts"] < 0 || !event["args"].is_object() || event["args"].empty())
    return "a counter: " + event.dump();
  for (const auto& [series, value] : event["args"].items())
    if (!value.is_number() || value < 0) return "a counter's value: " + event.dump();
  return {};
}

// A flow needs a tail and a head, in this order, each within a slice of its thread; viewers silently drop any others.
std::string flowFlaw(const std::vector<json>& ends, const Slices& slices) {
  if (ends.size() != 2 || ends[0]["ph"] != "s" || ends[1]["ph"] != "f" || ends[1]["bp"] != "e" ||
      ends[0]["name"] != ends[1]["name"] || ends[0]["cat"] != ends[1]["cat"])
    return "a flow's ends: " + json(ends).dump();
  if (nsOf(ends[0]) > nsOf(ends[1])) return "a flow against time: " + json(ends).dump();
  for (const json& end : ends) {
    const auto found = slices.find(Thread{end["pid"].get<int>(), end["tid"].get<int>()});
    const std::int64_t ns = nsOf(end);
    if (found == slices.end() ||
        std::ranges::none_of(found->second, [&](const auto& each) { return each.first <= ns && ns < each.second; }))
      return "a flow's end outside of slices: " + end.dump();
  }
  return {};
}

}  // namespace

std::string flaw(const json& trace) {
  if (!trace.is_object() || !trace.contains("traceEvents") || !trace["traceEvents"].is_array()) return "no traceEvents";
  if (trace["displayTimeUnit"] != "ns" && trace["displayTimeUnit"] != "ms") return "displayTimeUnit";
  std::map<std::pair<int, int>, std::vector<std::pair<std::int64_t, std::int64_t>>> open;  // slices around this one
  std::map<std::pair<int, int>, std::int64_t> last;
  Slices slices;
  std::map<std::int64_t, std::vector<json>> flows;
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
    if (!event["cat"].is_string()) return "cat: " + event.dump();
    if (event["ph"] == "C") {
      if (const std::string wrong = counterFlaw(event); !wrong.empty()) return wrong;
      continue;
    }
    if (event["ph"] == "s" || event["ph"] == "f") {
      flows[event["id"].get<std::int64_t>()].push_back(event);
      continue;
    }
    if (event["ph"] != "X") return "phase: " + event.dump();
    for (const char* key : {"ts", "dur"})
      if (!event.contains(key) || !event[key].is_number() || event[key] < 0) return key + (": " + event.dump());
    if (!event["cat"].is_string() || !event["args"].is_object()) return "cat or args: " + event.dump();
    if (!named.contains(thread) || !namedProcesses.contains(process)) return "a nameless track: " + event.dump();
    const auto ns = [&](const char* key) { return std::llround(event[key].get<double>() * 1e3); };
    const std::int64_t begin = ns("ts"), end = begin + ns("dur");
    if (last.contains(thread) && begin < last[thread]) return "goes back in time: " + event.dump();
    last[thread] = begin;
    auto& around = open[thread];
    while (!around.empty() && around.back().second <= begin) around.pop_back();
    if (!around.empty() && end > around.back().second) return "partial overlap: " + event.dump();
    around.emplace_back(begin, end);
    slices[thread].emplace_back(begin, end);
  }
  for (const auto& [id, ends] : flows)
    if (const std::string wrong = flowFlaw(ends, slices); !wrong.empty()) return wrong;
  return {};
}

}  // namespace lab::test

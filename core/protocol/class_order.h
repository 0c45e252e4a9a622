// SPDX-License-Identifier: GPL-3.0-or-later
// The order of events in a class: for each update, its closures, who computed each, with which version of the
// variables, and on which processor path. Together with the settings and the examples, this decides every bit, so a
// lesson can be trained again on one machine that has the paths.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

namespace lab::serving {

struct ClassOrder {
  struct Part {
    std::uint64_t closure = 0;
    int worker = -1;            // -1: no worker had the closure when its step ended
    std::int64_t version = 0;   // of the variables that the worker used
    std::int64_t examples = 0;  // of the closure
    float scale = 0;            // of each example's gradient
    bool used = true;           // false: left out of a synchronous step
    std::string path;
    bool operator==(const Part&) const = default;
  };
  std::vector<std::vector<Part>> updates;
  struct FalsePush {
    int worker = -1;
    std::uint64_t closure = 0;
  };
  std::vector<FalsePush> falsePushes;  // found by spot checks after they had been applied
};

// When the parts of an update were done, in the order of ClassOrder's parts, in ns since the class began, by the
// class's clock. A part that was left out of an update has no times.
struct ClassTimes {
  struct Part {
    std::int64_t givenNs = 0;      // the closure was handed to its worker
    std::int64_t pushBeganNs = 0;  // the first byte of its push arrived
    std::int64_t pushedNs = 0;     // the last byte arrived
    std::int64_t computeNs = 0;    // as the worker says, limited to what the clock here allows
  };
  std::vector<Part> parts;
  std::int64_t appliedNs = 0;
};
// Converts to {"times": [[given, push began, pushed, computing], …], "applied": ns}, and back. Throws json::exception.
std::string timesLine(const ClassTimes& times);
ClassTimes timesFrom(const nlohmann::json& line);

// A run file has a line for each update, followed by a line with its times,
//   {"class": [[closure, worker, version, examples, bits of the scale, used, "avx512"], …]}
std::string orderLine(const std::vector<ClassOrder::Part>& parts);
std::vector<ClassOrder::Part> partsFrom(const nlohmann::json& line);  // UserError for an impossible line
// The line after a spot check has found a false push: {"falsePush": [worker, closure]}
std::string falsePushLine(int worker, std::uint64_t closure);
ClassOrder::FalsePush falsePushFrom(const nlohmann::json& line);  // UserError as above
// These lines follow the update after which somebody came or went. No file has a person's chosen nickname.
//   {"joined": {"worker": 0, "name": "Otter 1", "path": "avx512"}}, {"left": 0}
std::string joinedLine(int worker, const std::string& name, const std::string& path);
std::string leftLine(int worker);
// Throws a UserError if the file has no class order, or an impossible line.
ClassOrder readClassOrder(const std::filesystem::path& runFile);

}  // namespace lab::serving

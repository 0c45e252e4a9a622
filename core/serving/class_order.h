// SPDX-License-Identifier: GPL-3.0-or-later
// In which order things happened in a class: of each update, which closures were in it, computed by whom, with which
// version of the variables, and on which processor path. With the settings and the examples that decides every bit, so
// that a lesson can be trained again on one machine that has the paths.
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
    int worker = -1;            // -1: none had it when its step was over
    std::int64_t version = 0;   // that it was computed with
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
  std::vector<FalsePush> falsePushes;  // that spot checks found, when they had been applied
};

// When the parts of an update were done, in the order of ClassOrder's parts; on the class's clock, in ns since it
// began. What is left out of an update has none.
struct ClassTimes {
  struct Part {
    std::int64_t givenNs = 0;      // the closure was handed to its worker
    std::int64_t pushBeganNs = 0;  // the first byte of its push was there
    std::int64_t pushedNs = 0;     // the last one
    std::int64_t computeNs = 0;    // by the worker's word, as far as the clock here allows
  };
  std::vector<Part> parts;
  std::int64_t appliedNs = 0;
};
// {"times": [[given, push began, pushed, computing], …], "applied": ns}, and back: json::exception.
std::string timesLine(const ClassTimes& times);
ClassTimes timesFrom(const nlohmann::json& line);

// In a run file: a line for each update, and behind it one of its times,
//   {"class": [[closure, worker, version, examples, bits of the scale, used, "avx512"], …]}
std::string orderLine(const std::vector<ClassOrder::Part>& parts);
std::vector<ClassOrder::Part> partsFrom(const nlohmann::json& line);  // UserError for one that cannot be
// Where a spot check has found one: {"falsePush": [worker, closure]}
std::string falsePushLine(int worker, std::uint64_t closure);
ClassOrder::FalsePush falsePushFrom(const nlohmann::json& line);  // likewise
// Behind the update after which somebody came or went. What a person called themselves is in no file.
//   {"joined": {"worker": 0, "name": "Otter 1", "path": "avx512"}}, {"left": 0}
std::string joinedLine(int worker, const std::string& name, const std::string& path);
std::string leftLine(int worker);
// UserError where the file has none, or a line that cannot be.
ClassOrder readClassOrder(const std::filesystem::path& runFile);

}  // namespace lab::serving

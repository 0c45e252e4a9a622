// SPDX-License-Identifier: GPL-3.0-or-later
// An experiment as a file (.slab): readable JSON with every setting that was asked for, whatever a person called it,
// and what a later version may have added, which is kept as it stands. And as a link: a line of text to paste in a
// chat,
//   strategylab:?strategy=mirrored&replicas=4
// with the settings that are not the usual ones, and what is hidden or locked (control_locks.h). Neither ever names
// files to write: opening what somebody sent must not overwrite anything. The file:
//   {"format": "strategylab-experiment", "version": 1, "program": "0.6.0", "name": "…", "note": "…",
//    "config": {"replicas": 4, …},
//    "branches": […], "view": {"step": 12, "beat": "aggregate", "part": 0.5, "layout": "explore", "theme": "dark",
//    "mode": "live"}, "locks": {"hide": […], "lock": […]}}
// "view" is where the window was when the file was saved; it and each key in it may be missing. "branches" is where a
// branch comes from (lineage.h).
#pragma once

#include <cstdint>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/config/lineage.h"
#include "core/config/run_settings.h"
#include "core/files/control_locks.h"

namespace lab {

inline constexpr const char* kExperimentFormat = "strategylab-experiment";
inline constexpr std::int64_t kMaxExperimentBytes = std::int64_t{4} << 20;

// Where the window was: offered to anyone who opens the file, never forced. The window defines the names of beats,
// layouts, themes and modes; an unknown name is kept, and nothing is offered for it.
struct SavedView {
  std::int64_t step = 0;            // on the stage; 0: none
  std::string beat;                 // of that step's movie; "": none
  double part = 0;                  // how much of the beat has passed, 0 to 1
  std::string layout, theme, mode;  // "" if the file does not say
  bool wrongLosses = false;         // show losses as they would be with each replica's own batch size
  nlohmann::json others;            // unknown keys; an object
};

struct ExperimentFile {
  RunSettings config;   // as requested
  std::string program;  // the version that wrote it; "" if the file does not say
  std::string name, note;
  std::optional<SavedView> view;
  ControlLocks locks;
  Lineage lineage;               // for a branch
  nlohmann::json others;         // unknown keys of the file; an object
  nlohmann::json otherSettings;  // unknown settings; an object
  std::string unknown() const;   // names of unknown settings, which have no effect: "a, b"
};

// Throws a UserError naming the file and its fault: not JSON, another kind of file, a newer version, or a bad value.
ExperimentFile parseExperiment(std::string_view text, const std::string& name);
ExperimentFile readExperiment(const std::filesystem::path& path);
std::string experimentText(const ExperimentFile& experiment, const std::string& program);
// Writes the file completely or not at all. Throws a UserError for a text that could not be read again, and if writing
// fails.
void writeExperiment(const std::filesystem::path& path, std::string_view text);

inline constexpr std::string_view kLinkScheme = "strategylab:?";  // every link begins with it
// Throws a UserError if the link would be longer than what is read, or the network is one that was edited by hand.
std::string experimentLink(const RunSettings& config, const ControlLocks& locks = {});
// Parses the first link in a text. Throws a UserError if there is none, or if it has an invalid setting or value.
RunSettings parseExperimentLink(std::string_view text, ControlLocks* locks = nullptr);

// Returns the settings of `config` that this version knows, and moves unknown ones to `unknown`. Throws a UserError for
// an invalid value.
RunSettings knownConfig(const nlohmann::json& config, nlohmann::json& unknown);
RunSettings knownConfig(const nlohmann::json& config);  // without unknown ones

}  // namespace lab

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

inline constexpr std::int64_t kMaxExperimentBytes = std::int64_t{4} << 20;

// Where the window was: offered to whoever opens the file, never forced. Beats, layouts, themes and modes have the
// window's names; a name that is not known there is kept, and nothing is offered for it.
struct SavedView {
  std::int64_t step = 0;            // on the stage; 0: none was
  std::string beat;                 // of that step's movie; ""
  double part = 0;                  // how much of the beat has passed, 0 to 1
  std::string layout, theme, mode;  // "" where the file does not say
  bool wrongLosses = false;         // losses as they would be over each replica's own batch
  nlohmann::json others;            // keys that are not known; an object
};

struct ExperimentFile {
  RunSettings config;   // as asked for
  std::string program;  // the version that wrote it, "" where it does not say
  std::string name, note;
  std::optional<SavedView> view;
  ControlLocks locks;
  Lineage lineage;                           // of a branch
  nlohmann::json others;                     // keys that are not known, of the file; an object
  nlohmann::json otherSettings;              // and of its settings; an object
  std::vector<std::string> unknown() const;  // names of the settings that are not known and not in force
};

// UserError naming the file and what is wrong: not JSON, of another kind, of a newer version, a bad value.
ExperimentFile parseExperiment(std::string_view text, const std::string& name);
ExperimentFile readExperiment(const std::filesystem::path& path);
std::string experimentText(const ExperimentFile& experiment, const std::string& program);
// Whole or not at all. UserError for a text that would not be read again, and where it cannot be written.
void writeExperiment(const std::filesystem::path& path, std::string_view text);

// UserError where it would be longer than what is read.
std::string experimentLink(const RunSettings& config, const ControlLocks& locks = {});
// The first link in a text. UserError where there is none, or with a setting or value that cannot be.
RunSettings parseExperimentLink(std::string_view text, ControlLocks* locks = nullptr);

// The settings of `config` that this version knows; what it does not know is moved to `unknown`. UserError for a value
// that cannot be.
RunSettings knownConfig(const nlohmann::json& config, nlohmann::json& unknown);

}  // namespace lab

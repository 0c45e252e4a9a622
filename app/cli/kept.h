// SPDX-License-Identifier: GPL-3.0-or-later
// Checkpoints of a run that was launched: the first worker tells launch of each, for it may be on another host; after a
// fault launch says where the newest one is, and the command that goes on from it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/config/run_settings.h"
#include "core/trace/metric.h"

namespace lab::cli {

// In the first worker: lines on standard error.
class CheckpointReporter {
 public:
  CheckpointReporter(const SettingsBase& config, bool wanted) : config_(config), wanted_(wanted) {}
  void take(const Metric& metric);

 private:
  const SettingsBase& config_;
  bool wanted_, told_ = false;
};

struct Kept {
  std::int64_t step = 0;     // 0: none yet
  std::string folder, host;  // "": the run keeps none
};
std::optional<Kept> keptFrom(const std::string& line);  // nothing: it is another line

// How the run goes on, and where it does. `typed`: the program and its arguments.
std::string adviceOn(const Kept& kept, const std::vector<std::string>& typed);
std::string resumeCommand(const std::vector<std::string>& typed, const std::string& folder);  // for a shell

}  // namespace lab::cli

// SPDX-License-Identifier: GPL-3.0-or-later
// What is said of checkpoints: at the start, which ones a new run replaces. Of a launched run the first worker, which
// may be on another host, reports each to launch; after a fault, launch says where the newest one is, and which command
// continues from it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/config/run_settings.h"
#include "core/trace/metric.h"

namespace lab::cli {

// Says at the start which checkpoints a run without --resume replaces, while a forgotten --resume can still be added.
void tellWhatIsReplaced(const SettingsBase& config);

// In the first worker: writes lines on standard error.
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
std::optional<Kept> keptFrom(const std::string& line);  // nothing: another kind of line

// Returns advice on how and where to continue the run. `typed`: the program and its arguments.
std::string adviceOn(const Kept& kept, const std::vector<std::string>& typed);
std::string resumeCommand(const std::vector<std::string>& typed, const std::string& folder);  // for a shell

}  // namespace lab::cli

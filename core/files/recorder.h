// SPDX-License-Identifier: GPL-3.0-or-later
// Writes a run's reports to the requested files: metrics (JSON lines), Chrome trace, run file. It is the telemetry's
// consumer; if no file is requested, it only empties the pipes.
#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "core/config/run_info.h"
#include "core/trace/telemetry.h"

namespace lab {

class Recorder {
 public:
  // Opens the files of info.config (metrics, trace, run); throws a UserError if one cannot be created. `program`: the
  // version that the run file names.
  Recorder(const RunInfo& info, Telemetry& telemetry, const std::string& program = "");
  ~Recorder();
  Recorder(const Recorder&) = delete;
  Recorder& operator=(const Recorder&) = delete;

  // Where the files of a resumed run's earlier steps are now: its own would have replaced them.
  const std::vector<std::filesystem::path>& older() const;

  // Takes what is in the pipes, writes it, and returns the metrics for display.
  std::vector<Metric> drain();

  // Writes to the run file only, if there is one: RunFileWriter::other().
  void addToRun(const std::string& line);

  // Drains once more, and puts the files in place under their names.
  std::vector<Metric> finish();

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace lab

// SPDX-License-Identifier: GPL-3.0-or-later
// What a window starts for a run among real processes: whether it can be, the command, and the folder in which the
// processes leave what is too large for their output.
#pragma once

#include <filesystem>

#include "core/config/resolved_settings.h"
#include "core/process/launch_plan.h"

namespace lab {

// Where the processes leave records, and checkpoints where nobody named a folder for them. Gone with its last user.
class ProcessFolder {
 public:
  ProcessFolder();  // UserError (kind Run) where it cannot be made
  ~ProcessFolder();
  ProcessFolder(const ProcessFolder&) = delete;
  ProcessFolder& operator=(const ProcessFolder&) = delete;
  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

// Removes what programs left there that were killed: folders of processes that are gone, untouched for an hour. The
// age keeps those of a container that shares the place and whose processes cannot be seen from here.
void sweepProcessFolders(const std::filesystem::path& place = std::filesystem::temp_directory_path());

// Why such a run cannot be started with these settings, here and by this user: UserError. Nothing for other devices.
void checkProcessRun(const ResolvedSettings& resolved);

// `asked` and the same resolved. `resumes`: from the newest checkpoint there is. Puts files into the folder.
process::LaunchPlan planProcesses(const RunSettings& asked, const ResolvedSettings& resolved,
                                  const ProcessFolder& folder, bool resumes);

}  // namespace lab

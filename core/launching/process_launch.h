// SPDX-License-Identifier: GPL-3.0-or-later
// Starting a run among real processes from a window: whether it is possible, the command, and the folder in which the
// processes leave what is too large for their output.
#pragma once

#include <filesystem>

#include "core/base/file.h"
#include "core/base/file_lock.h"
#include "core/config/resolved_settings.h"
#include "core/process/launch_plan.h"

namespace lab {

// The folder for records, and for checkpoints if the user named no folder for them. Deleted with its last user.
class ProcessFolder {
 public:
  ProcessFolder();  // UserError (kind Run) if it cannot be created
  ~ProcessFolder();
  ProcessFolder(const ProcessFolder&) = delete;
  ProcessFolder& operator=(const ProcessFolder&) = delete;
  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
  FileLock lock_;  // of its mark
};

// Removes the folders that killed programs left in `place`: those of processes that are gone, untouched for an hour.
// The lock of the mark protects folders of a container that shares `place` and whose processes are not visible from
// here; the age limit does so where the file system has no locks.
void sweepProcessFolders(const std::filesystem::path& place = temporaryFolder());

// Throws a UserError if such a run cannot start with these settings, here and by this user. Does nothing for other
// devices.
void checkProcessRun(const ResolvedSettings& resolved);

// `resolved`: `asked`, resolved. `resumes`: continue from the newest checkpoint. Puts files into the folder.
process::LaunchPlan planProcesses(const RunSettings& asked, const ResolvedSettings& resolved,
                                  const ProcessFolder& folder, bool resumes);

}  // namespace lab

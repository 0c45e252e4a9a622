// SPDX-License-Identifier: GPL-3.0-or-later
// The files that a run writes: each must contain what its ending says, and each must have its own name. Checked before
// anything runs. Any thread.
#pragma once

#include <set>
#include <string>

#include "core/base/message.h"
#include "core/config/run_settings.h"

namespace lab {

// Throws a UserError if the file has an ending that is not one of `endings` (".html .htm"), the endings for `what`. A
// name without an ending is accepted.
void checkEnding(const Option& option, const std::string& file, const Text& what, const std::string& endings);

// Checks --metrics, --trace and --run; --save has its own formats. `shared`: names that several outputs may share:
// pipes and devices.
void checkOutputFiles(const SettingsBase& config, const std::set<std::string>& shared);
// Returns the settings' names that are pipes or devices. Asks the file system.
std::set<std::string> sharedOutputFiles(const SettingsBase& config);

}  // namespace lab

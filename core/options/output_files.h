// SPDX-License-Identifier: GPL-3.0-or-later
// The files that a run writes: each must contain what its ending says, and each must have its own place. Checked before
// anything runs. Any thread.
#pragma once

#include <map>
#include <string>

#include "core/base/message.h"
#include "core/config/run_settings.h"

namespace lab {

// Throws a UserError if the file has an ending that is not one of `endings` (".html .htm"), the endings for `what`. A
// name without an ending is accepted.
void checkEnding(const Option& option, const std::string& file, const Text& what, const std::string& endings);

// Checks --metrics, --trace and --run; --save has its own formats. `places`: from placesOfOutputs(); a name that is
// missing there is its own place.
void checkOutputFiles(const SettingsBase& config, const std::map<std::string, std::string>& places);
// Returns where each named output lies, by its name: one file may have several. "" for pipes and devices, which several
// outputs may share. Asks the file system.
std::map<std::string, std::string> placesOfOutputs(const SettingsBase& config);

}  // namespace lab

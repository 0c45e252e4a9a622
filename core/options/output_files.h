// SPDX-License-Identifier: GPL-3.0-or-later
// The files that a run writes: what each holds is what its ending says, and each has a name of its own. Checked before
// anything runs. Any thread.
#pragma once

#include <set>
#include <string>

#include "core/base/message.h"
#include "core/config/run_settings.h"

namespace lab {

// UserError where the file has an ending and it is none of `endings` (".html .htm"), those of `what` is written. A name
// without one is as a person wants it.
void checkEnding(const Option& option, const std::string& file, const Text& what, const std::string& endings);

// Of --metrics, --trace and --run; --save has forms of its own. `shared`: names that several may write, a pipe's or a
// device's.
void checkOutputFiles(const SettingsBase& config, const std::set<std::string>& shared);
// Those of the settings' names that are such. Asks the file system.
std::set<std::string> sharedOutputFiles(const SettingsBase& config);

}  // namespace lab

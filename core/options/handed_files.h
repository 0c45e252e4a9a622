// SPDX-License-Identifier: GPL-3.0-or-later
// Files of a run among real processes that only whoever starts it has. What was handed to this process on its standard
// input (launching/forwarded_inputs.h) counts in place of the file of that setting.
#pragma once

#include <functional>
#include <map>
#include <string>
#include <string_view>

#include "core/config/run_settings.h"

namespace lab {

using ForwardedInputs = std::map<std::string, std::string, std::less<>>;  // by setting: what its file holds

// From now on, and where `config` takes a network from a file, in it.
void setHanded(ForwardedInputs files);
void takeHanded(SettingsBase& config);
const std::string* handed(std::string_view setting);  // null: read the file

}  // namespace lab

// SPDX-License-Identifier: GPL-3.0-or-later
// Input files that only the starter of a run among real processes has. Content that was passed to this process on its
// standard input (launching/forwarded_inputs.h) replaces the setting's file.
#pragma once

#include <functional>
#include <map>
#include <string>
#include <string_view>

#include "core/config/run_settings.h"

namespace lab {

using ForwardedInputs = std::map<std::string, std::string, std::less<>>;  // content of the file, by setting

// Sets the content from now on; takeForwarded() also puts a network's content into `config`, if it takes one from a
// file.
void setForwarded(ForwardedInputs files);
void takeForwarded(SettingsBase& config);
const std::string* forwarded(std::string_view setting);  // null: read the file

}  // namespace lab

// SPDX-License-Identifier: GPL-3.0-or-later
// Files of a run among real processes that only whoever starts it has. launch and the window read them, and hand what
// they hold to the first process on its standard input; the others get what they need from that. What was handed counts
// in place of the file of that setting, in this process.
#pragma once

#include <cstdio>
#include <string>
#include <string_view>

#include "core/options/handed_files.h"

namespace lab {

// Those of a run that is about to be started: "network" as kerasJson() writes it, "init" as safetensors, "catalogue".
// UserError where one cannot be read.
ForwardedInputs inputsToForward(const SettingsBase& resolved);

// In one text, and back: any bytes. UserError (kind Run) where the text is cut off.
std::string packed(const ForwardedInputs& files);
ForwardedInputs unpacked(std::string_view text);
// As standard input carries them, and back. Taking waits for all of it.
std::string handedInput(const ForwardedInputs& files);
ForwardedInputs takeHandedInput(std::FILE* from);

}  // namespace lab

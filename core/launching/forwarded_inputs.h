// SPDX-License-Identifier: GPL-3.0-or-later
// Input files that only the starter of a run among real processes has. launch and the window read them, and pass their
// content to the first process on its standard input; it passes the others what they need. In this process, the passed
// content replaces the setting's file.
#pragma once

#include <cstdio>
#include <string>
#include <string_view>

#include "core/options/forwarded_files.h"

namespace lab {

// Reads the files of a run that is about to start: "network" as kerasJson() writes it, "init" as safetensors,
// "catalogue". Throws a UserError if one cannot be read.
ForwardedInputs inputsToForward(const SettingsBase& resolved);

// Packs them into one text of arbitrary bytes, and back. Throws a UserError (kind Run) if the text is cut off.
std::string packed(const ForwardedInputs& files);
ForwardedInputs unpacked(std::string_view text);
// Converts to the form on standard input, and back. takeForwardedInput() waits until all has arrived.
std::string forwardedInput(const ForwardedInputs& files);
ForwardedInputs takeForwardedInput(std::FILE* from);

}  // namespace lab

// SPDX-License-Identifier: GPL-3.0-or-later
// Resolves settings: what they mean together.
#pragma once

#include "core/base/message.h"
#include "core/config/resolved_settings.h"

namespace lab {

struct StrategyInfo;
struct Surroundings;

// Fills in all defaults and checks every combination against what TensorFlow and the catalogue allow. All mistakes that
// can be known before the data are read are found here. Throws a UserError with what is wrong and what to do. Reads no
// file and asks no device: `here` describes these.
ResolvedSettings resolve(RunSettings asked, const Surroundings& here);

// The same on this machine, with the files that the settings name (surroundingsOf()). For the edges of the program: the
// form, the command line, the readers of files; and what makes new settings: a comparison's lanes, a sweep's cells, a
// branch, a class, a run in other processes.
ResolvedSettings resolve(const RunSettings& asked);

// Throws a UserError if the named network does not suit the strategy or, if `examplesGiven`, the examples. For settings
// that are modelled and never resolved; resolve() checks the same.
void checkNetwork(const SettingsBase& config, bool examplesGiven);

// Returns why the strategy cannot run on such devices, whatever the other settings; empty if it can.
Message whyNotOn(const StrategyInfo& info, DeviceChoice devices);
// The same for the GPUs of real processes.
Message whyNotOnGpusOfProcesses(const StrategyInfo& info);

// Returns whether these settings use GPUs, or would if there were some.
bool mayTakeGpus(const SettingsBase& config);

}  // namespace lab

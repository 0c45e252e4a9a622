// SPDX-License-Identifier: GPL-3.0-or-later
// What the settings mean together.
#pragma once

#include "core/base/message.h"
#include "core/config/resolved_settings.h"

namespace lab {

struct StrategyInfo;
struct Surroundings;

// Fills in all defaults and checks every combination against what TensorFlow and the catalogue allow. Everything that
// can be known before the data are read is checked here. UserError says what is wrong and what to do. Reads no file and
// asks no device: `here` says what there is.
ResolvedSettings resolve(RunSettings asked, const Surroundings& here);

// The same on this machine, with the files that the settings name (surroundingsOf()). For the edges: the form, the
// command line, the readers of files.
ResolvedSettings resolve(const RunSettings& asked);

// UserError where the network that is named goes neither with the strategy nor, if they are `given`, with the examples.
// For what is modelled and never resolved; resolve() checks the same.
void checkNetwork(const SettingsBase& config, bool examplesGiven);

// Why the strategy cannot run on such devices, whatever else is asked for; empty where it can.
Message whyNotOn(const StrategyInfo& info, DeviceChoice devices);

// Whether these settings take GPUs, or would if there were some.
bool mayTakeGpus(const SettingsBase& config);

}  // namespace lab

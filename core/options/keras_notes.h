// SPDX-License-Identifier: GPL-3.0-or-later
// The parts of a .keras file, besides layers and weights, that a run does not use; each of them is reported.
#pragma once

#include <vector>

#include "core/base/message.h"
#include "core/config/run_settings.h"

namespace lab {

// Returns sentences about the file of `config`'s network; none if there is nothing to report, or the file has gone.
std::vector<Message> notTakenOfKeras(const SettingsBase& config);

}  // namespace lab

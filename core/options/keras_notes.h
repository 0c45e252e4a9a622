// SPDX-License-Identifier: GPL-3.0-or-later
// What a .keras file holds beside layers and weights, and a run does not take: nothing of it is passed over in silence.
#pragma once

#include <vector>

#include "core/base/message.h"
#include "core/config/run_settings.h"

namespace lab {

// Sentences about the file of the network of `config`; none where there is nothing to say, or the file has gone.
std::vector<Message> notTakenOfKeras(const SettingsBase& config);

}  // namespace lab

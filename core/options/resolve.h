// SPDX-License-Identifier: GPL-3.0-or-later
// What the settings mean together.
#pragma once

#include "core/config/resolved_settings.h"

namespace lab {

// Fills in all defaults and checks every combination against what TensorFlow and the catalogue allow. Everything that
// can be known before the data are read is checked here. UserError says what is wrong and what to do.
ResolvedSettings resolve(RunSettings asked);

}  // namespace lab

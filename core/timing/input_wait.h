// SPDX-License-Identifier: GPL-3.0-or-later
// How long a step waits for its examples (timing model §1.3).
#pragma once

#include <cstdint>

#include "core/timing/step_model.h"

namespace lab {

// ns that a step of `stepNs` waits for the busiest host: its examples are decoded on its threads and copied through its
// memory and its PCIe switches. With prefetch only what takes longer than the step is waited for.
std::int64_t inputWaitNs(const StepRequest& request, std::int64_t stepNs);

}  // namespace lab

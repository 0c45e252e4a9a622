// SPDX-License-Identifier: GPL-3.0-or-later
// How long a step waits for its examples (README.md, Input).
#pragma once

#include <cstdint>
#include <vector>

#include "core/timing/step_model.h"

namespace lab {

// Returns how many ns the busiest host takes for the examples of a step: they are decoded on its threads and copied
// through its memory and its PCIe switches, with prefetch both at once, otherwise one after the other.
std::int64_t inputNs(const StepRequest& request);
std::int64_t inputNs(const StepRequest& request, int host);
std::vector<std::int64_t> inputNsOfHosts(const StepRequest& request);  // of each host that has replicas

// Returns how many ns a step of `stepNs` waits for input of `neededNs`: with prefetch only the part that exceeds the
// step.
std::int64_t inputWaitNs(const StepRequest& request, std::int64_t neededNs, std::int64_t stepNs);

}  // namespace lab

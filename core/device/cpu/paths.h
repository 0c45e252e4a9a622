// SPDX-License-Identifier: GPL-3.0-or-later
// The ISAs that this build and this processor have.
#pragma once

#include <vector>

#include "core/device/cpu/kernels.h"

namespace lab {

std::vector<const CpuKernels*> availableCpuKernels();  // best first, never empty

}  // namespace lab

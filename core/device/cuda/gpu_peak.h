// SPDX-License-Identifier: GPL-3.0-or-later
// A GPU's peak throughput, for comparison with measured throughputs.
#pragma once

#include "core/device/cuda/gpu_layer.h"

namespace lab::gpu {

// Returns the rate of copies within the GPU's memory, bytes read and written, in GB/s: the best of several copies of
// 256 MB, or of a quarter of the free memory. Measured with the GPU's events.
double measureCopyGbPerSec(Layer& layer, int gpu);

}  // namespace lab::gpu

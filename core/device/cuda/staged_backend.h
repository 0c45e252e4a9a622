// SPDX-License-Identifier: GPL-3.0-or-later
// The GPU's operations on the host's arrays: inputs are copied to the device, the operation runs, results are copied
// back. Slow by nature; the operation tests and `selftest` compare the kernels with the reference through it.
#pragma once

#include <memory>

#include "core/device/cuda/gpu_layer.h"

namespace lab::gpu {

// `layer` outlives the backend. A kernel that wrote outside its output is a UserError.
std::unique_ptr<Backend> makeStagedBackend(Layer& layer, int gpu);

}  // namespace lab::gpu

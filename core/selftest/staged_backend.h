// SPDX-License-Identifier: GPL-3.0-or-later
// The GPU's operations on the host's arrays: inputs are copied to the device, the operation runs, results are copied
// back. Slow by nature; the operation tests and `selftest` compare the kernels with the reference through it.
#pragma once

#include <memory>

#include "core/device/cuda/gpu_layer.h"
#include "core/device/layer_backend.h"
#include "core/selftest/fused_layers.h"

namespace lab::gpu {

// `layer` outlives the backend. A kernel that wrote outside its output is a UserError.
std::unique_ptr<Backend> makeStagedBackend(Layer& layer, int gpu);
// Its layers of any size: Backend::layers().
std::unique_ptr<LayerBackend> makeStagedLayers(Layer& layer, int gpu, int stream);
// And what they do in one operation.
std::unique_ptr<FusedLayers> makeStagedFused(Layer& layer, int gpu, int stream);

}  // namespace lab::gpu

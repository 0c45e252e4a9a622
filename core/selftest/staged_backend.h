// SPDX-License-Identifier: GPL-3.0-or-later
// The GPU's operations on the host's arrays: inputs are copied to the device, the operation runs, results are copied
// back. Slow by design; the operation tests and `selftest` compare the kernels with the reference through it.
#pragma once

#include <memory>

#include "core/device/cuda/gpu_layer.h"
#include "core/device/layer_backend.h"
#include "core/selftest/fused_layers.h"

namespace lab::gpu {

// `layer` must outlive the backend. Throws a UserError if a kernel wrote outside its output.
std::unique_ptr<Backend> makeStagedBackend(Layer& layer, int gpu);
// Makes its layers of any size: Backend::layers().
std::unique_ptr<LayerBackend> makeStagedLayers(Layer& layer, int gpu, int stream);
// Makes their fused operations.
std::unique_ptr<FusedLayers> makeStagedFused(Layer& layer, int gpu, int stream);

}  // namespace lab::gpu

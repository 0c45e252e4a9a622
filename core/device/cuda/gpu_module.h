// SPDX-License-Identifier: GPL-3.0-or-later
// Finds the CUDA module and opens GPUs through it, or says why this is impossible: no module, no driver, a driver that
// is too old, no GPU, a GPU that is too old, or a module from another build.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "core/device/cuda/gpu_layer.h"

namespace lab {

// The module is $STRATEGYLAB_CUDA_MODULE, or strategylab_cuda.so beside the program, or, if the program is installed,
// in lib/…/strategylab/modules beside the program's bin. The answers are found once and cached, and any thread may ask.
// Asking only counts GPUs and does not use them.

Message whyNoGpu();  // without a full stop; empty if there are GPUs
const std::vector<gpu::GpuInfo>& gpuInfos();
std::string gpuList();         // names and versions of driver and libraries, for display; empty if there is none
std::string gpuDescription();  // versions of CUDA, the driver and NCCL; empty if there is no GPU
Message whyNoNccl();           // empty if NCCL can be used between GPUs

// Opens a new layer with all GPUs, for one thread at a time. Throws a UserError with the reason if there are none.
std::shared_ptr<gpu::Layer> openGpus();

// For tests: `open` opens GPUs from now on; an empty function restores the usual way.
void replaceGpus(std::function<std::shared_ptr<gpu::Layer>()> open);

}  // namespace lab

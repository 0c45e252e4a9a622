// SPDX-License-Identifier: GPL-3.0-or-later
// Finds the CUDA module and opens GPUs through it, or says why not: no module, no driver, a driver that is too old, no
// GPU, one that is too old, a module of another build.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "core/device/cuda/gpu_layer.h"

namespace lab {

// The module is $STRATEGYLAB_CUDA_MODULE, or strategylab_cuda.so beside the program or, where the program is installed,
// in lib/…/strategylab/modules beside the program's bin. All of this is asked once and remembered, and can be called
// from any thread; no GPU is touched but for counting them.

Message whyNoGpu();  // no full stop; empty where there are GPUs
const std::vector<gpu::GpuInfo>& gpuInfos();
std::string gpuList();  // their names and the versions of what drives them, for a person; empty where there is none
std::string gpuDescription();  // versions of CUDA, the driver and NCCL; empty where there is no GPU
Message whyNoNccl();           // empty where it can be used between GPUs

// A layer of one's own, with all GPUs; for one thread at a time. UserError with the reason where there are none.
std::shared_ptr<gpu::Layer> openGpus();

// For tests: GPUs are opened by `open` from now on, or as usual where it is empty.
void replaceGpus(std::function<std::shared_ptr<gpu::Layer>()> open);

}  // namespace lab

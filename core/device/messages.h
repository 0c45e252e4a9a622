// SPDX-License-Identifier: GPL-3.0-or-later
// Errors of processors, GPUs and their drivers and libraries. See core/base/message.h.
#pragma once

#include "core/base/message.h"

namespace lab::say {

LAB_TEXT(kernelWroteOutside,
         "a kernel of the CUDA module wrote outside its output: do not train with this build, report it.");

LAB_TEXT(processorPath, "processor path (STRATEGYLAB_CPU_PATH) on this machine");

LAB_TEXT(gpuOutOfMemory,
         "the memory of %1 is used up: %2 more were needed, but only %3 are free. Lower --batch-per-replica or "
         "--replicas, or end other programs on that GPU.");
LAB_TEXT(imagesDoNotFitOnGpu,
         "the memory of %1 is too small for the images: they need %2, but only %3 are free. Lower --train-examples and "
         "--test-examples, or end other programs on that GPU.");
LAB_TEXT(
    gpuMemoryUsedUp,
    "the memory of %1 is used up (%2). Lower --batch-per-replica or --replicas, or end other programs on that GPU.");
LAB_TEXT(gpuIsTaken,
         "%1 cannot be used now (%2): another program may be using it alone. End that program, or let several programs "
         "share the GPU with `nvidia-smi -c 0`.");
LAB_TEXT(pinnedMemoryUsedUp,
         "the system provides no more page-locked memory: %1 were needed. Lower --batch-per-replica or --replicas, or "
         "raise the limit (ulimit -l).");
LAB_TEXT(lostGpu,
         "the run lost %1 (%2). Everything trained since the last checkpoint is lost. Look at `nvidia-smi` and the "
         "system's log for Xid errors, then start the program again, with --resume where there are checkpoints.");

LAB_TEXT(
    noCudaModule,
    "the CUDA module '%1' is missing: the program was built without the CUDA toolkit, or installed without that file");
LAB_TEXT(cudaModuleNotOpened, "the CUDA module '%1' cannot be opened: %2");
LAB_TEXT(notCudaModule, "'%1' is not a CUDA module of this program: build both together");
LAB_TEXT(otherCudaModule,
         "the CUDA module beside the program is of another build (%1 instead of %2): build both together");
LAB_TEXT(gpusNotUsable, "GPUs cannot be used: %1. Use --devices simulated or --devices cpu.");

LAB_TEXT(noDriver, "there is no NVIDIA driver on this machine (libcuda.so.1 cannot be opened)");
LAB_TEXT(driverTooOld,
         "the NVIDIA driver is too old: it supports CUDA %1, and CUDA %2 is needed (driver 580 or newer)");
LAB_TEXT(ofLongAgo, "an unknown, old version");
LAB_TEXT(noGpuVisible, "CUDA_VISIBLE_DEVICES=\"%1\" leaves no GPU visible");
LAB_TEXT(noGpuFound, "the NVIDIA driver is installed, but it finds no GPU");
LAB_TEXT(cudaDoesNotStart, "CUDA does not start: %1");
LAB_TEXT(cudaDriverMismatch, "CUDA does not start: %1; restart the machine if its driver was updated");
LAB_TEXT(cudaNotReady, "CUDA does not start: %1; check whether nvidia-fabricmanager is running");
LAB_TEXT(gpuRefused, "GPU %1: %2");
LAB_TEXT(gpuTooOld, "GPU %1 (%2) has compute capability %3, but 7.5 or newer is needed");
LAB_TEXT(andFurther, "; %1");
LAB_TEXT(noCodeForGpu,
         "this build has no code for %1, compute capability %2. Build again with that capability in "
         "STRATEGYLAB_CUDA_ARCHITECTURES.");
LAB_TEXT(codeNotMade,
         "the driver cannot make code for %1, compute capability %2, from that of this build (%3). Update the driver, "
         "or build again with that capability in STRATEGYLAB_CUDA_ARCHITECTURES.");
LAB_TEXT(mpsRefuses,
         "%1 cannot be used now (%2): NVIDIA's Multi-Process Service does not accept this program. Start the service "
         "again with `nvidia-cuda-mps-control -d`, or end other programs that use it.");

LAB_TEXT(ncclMissing, "NCCL is missing (%1): install libnccl2 for CUDA 13, or name the library in STRATEGYLAB_NCCL");
LAB_TEXT(ncclLacks, "the NCCL library has no %1: install NCCL 2.27 or newer for CUDA 13");
LAB_TEXT(ncclTooOld, "NCCL %1 is too old: 2.18 or newer is needed, and 2.27 or newer for CUDA 13");
LAB_TEXT(ncclFailed, "NCCL failed in %1: %2. Set NCCL_DEBUG=WARN to see more, or train with --reducer ring.");

}  // namespace lab::say

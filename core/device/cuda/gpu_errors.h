// SPDX-License-Identifier: GPL-3.0-or-later
// Messages for what a GPU cannot do. Inline: the CUDA module uses it without linking the core.
#pragma once

#include <cstdint>
#include <string>

#include "core/base/error.h"

namespace lab::gpu {

inline std::string megabytes(std::int64_t bytes) {
  return std::to_string((bytes + 999'999) / 1'000'000) + " MB";
}

inline UserError outOfMemory(const std::string& gpu, std::int64_t bytes, std::int64_t freeBytes) {
  return UserError("the memory of " + gpu + " is used up: " + megabytes(bytes) + " more were needed and " +
                       megabytes(freeBytes) +
                       " are free. Lower --batch-per-replica or --replicas, or end other programs on that GPU.",
                   UserError::Kind::Run);
}

// Where CUDA itself wanted some: for a context, a graph, a kernel.
inline UserError memoryUsedUp(const std::string& gpu, const std::string& what) {
  return UserError("the memory of " + gpu + " is used up (" + what +
                       "). Lower --batch-per-replica or --replicas, or end other programs on that GPU.",
                   UserError::Kind::Run);
}

inline UserError gpuIsTaken(const std::string& gpu, const std::string& what) {
  return UserError(gpu + " cannot be used now (" + what +
                       "): another program may have it to itself. End that program, or let several use the GPU with "
                       "`nvidia-smi -c 0`.",
                   UserError::Kind::Run);
}

inline UserError pinnedMemoryUsedUp(std::int64_t bytes) {
  return UserError("the system gives no more page-locked memory: " + megabytes(bytes) +
                       " were needed. Lower --batch-per-replica or --replicas, or raise the limit (ulimit -l).",
                   UserError::Kind::Run);
}

inline UserError lostGpu(const std::string& gpu, const std::string& what) {
  return UserError("the run lost " + gpu + " (" + what +
                       "). What was trained since the last checkpoint is gone. Look at `nvidia-smi` and the system's "
                       "log for Xid errors, then start the program again, with --resume where there are checkpoints.",
                   UserError::Kind::Run);
}

}  // namespace lab::gpu

// SPDX-License-Identifier: GPL-3.0-or-later
// Messages for failures on GPUs. Inline, because the CUDA module uses them without linking the core.
#pragma once

#include <cstdint>
#include <string>

#include "core/base/error.h"
#include "core/device/messages.h"

namespace lab::gpu {

inline std::string megabytes(std::int64_t bytes) {
  return std::to_string((bytes + 999'999) / 1'000'000) + " MB";
}

inline UserError outOfMemory(const std::string& gpu, std::int64_t bytes, std::int64_t freeBytes) {
  return {UserError::Kind::Run, say::gpuOutOfMemory, gpu, megabytes(bytes), megabytes(freeBytes)};
}

// No batch is small enough.
inline UserError imagesDoNotFit(const std::string& gpu, std::int64_t bytes, std::int64_t freeBytes) {
  return {UserError::Kind::Run, say::imagesDoNotFitOnGpu, gpu, megabytes(bytes), megabytes(freeBytes)};
}

// CUDA itself needed memory: for a context, a graph or a kernel.
inline UserError memoryUsedUp(const std::string& gpu, const std::string& what) {
  return {UserError::Kind::Run, say::gpuMemoryUsedUp, gpu, what};
}

inline UserError gpuIsTaken(const std::string& gpu, const std::string& what) {
  return {UserError::Kind::Run, say::gpuIsTaken, gpu, what};
}

inline UserError pinnedMemoryUsedUp(std::int64_t bytes) {
  return {UserError::Kind::Run, say::pinnedMemoryUsedUp, megabytes(bytes)};
}

inline UserError lostGpu(const std::string& gpu, const std::string& what) {
  return {UserError::Kind::Run, say::lostGpu, gpu, what};
}

}  // namespace lab::gpu

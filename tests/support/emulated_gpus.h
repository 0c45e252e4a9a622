// SPDX-License-Identifier: GPL-3.0-or-later
// Emulated GPUs: a device layer that runs on the processor, so that everything above it, and the arithmetic of every
// kernel, can be tested without a GPU. It is stricter than a GPU:
//  - Nothing is carried out before the host waits for it, and streams advance in an order drawn from a seed, bound by
//    events alone: work that lacks an event, or is read too early, gives wrong results.
//  - The threads of a block run one after the other in a drawn order: without a barrier that it needs, a kernel
//    gives wrong results.
//  - The host cannot touch a GPU's memory at all. That memory, like a block's shared memory, begins as NaN.
//  - The thread sanitizer is told of the threads of a block or, with streamsRace, of streams and the host, as if they
//    were threads (fibers.h): whatever is ordered by no barrier, event or wait is reported as a race.
//  - A list that breaks the rules of graph capture (core/device/cuda/gpu_layer.h) is refused.
// Time is invented: every command takes a microsecond of its stream, which says nothing about the speed of a real GPU.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "core/device/cuda/gpu_layer.h"
#include "core/device/cuda/kernels.h"

namespace lab::test {

struct EmulatedSettings {
  int gpus = 1;
  std::int64_t memoryBytes = std::int64_t{1} << 30;  // of each GPU
  std::uint64_t seed = 1;                            // draws every order
  bool nccl = true;
  std::optional<std::int64_t> loseAfterCommands;  // after this many commands the first GPU is lost
  bool streamsRace = false;                       // for the sanitizer, streams are the threads
};

// How often the layer was asked for each thing.
struct EmulatedCounts {
  std::int64_t allocations = 0, releases = 0, submits = 0, launches = 0, graphs = 0, graphsDestroyed = 0, hostWaits = 0;
  std::int64_t kernels = 0, copies = 0, allReduces = 0;  // carried out
  std::array<std::int64_t, gpu::kKernels> ofKernel{};    // `kernels`, by KernelId
};

class EmulatedGpus : public gpu::Layer {
 public:
  virtual EmulatedCounts counts() const = 0;
  // Carries out all pending work, then copies bytes to or from a GPU's memory, which no real program could do.
  virtual void peek(const void* from, void* to, std::int64_t bytes) = 0;
  virtual void poke(void* to, const void* from, std::int64_t bytes) = 0;
};

std::shared_ptr<EmulatedGpus> makeEmulatedGpus(const EmulatedSettings& settings = {});

}  // namespace lab::test

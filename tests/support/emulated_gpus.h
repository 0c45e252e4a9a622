// SPDX-License-Identifier: GPL-3.0-or-later
// GPUs that are none: the device layer on the processor, so that everything above it, and the arithmetic of every
// kernel, is tested where there is no GPU. It is stricter than a GPU:
//  - nothing is carried out before the host waits for it, and streams advance in an order drawn from a seed, bound by
//    events alone: what is missing an event, or is read too early, comes out wrong;
//  - the threads of a block run one after the other in a drawn order: what is missing a barrier comes out wrong;
//  - memory of a GPU cannot be touched by the host at all, and begins as NaN; so does a block's shared memory;
//  - under the thread sanitizer it is told of the threads of a block, or, with streamsRace, of streams and the host, as
//    if they were threads (fibers.h): whatever no barrier, no event and no wait orders is a race;
//  - a list that breaks the rules of graph capture (core/device/cuda/gpu_layer.h) is refused.
// Time is made up: every command takes a microsecond of its stream. Nothing here says how fast a GPU would be.
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
  std::int64_t memoryBytes = std::int64_t{1} << 30;  // of each
  std::uint64_t seed = 1;                            // of every order
  bool nccl = true;
  std::optional<std::int64_t> loseAfterCommands;  // then the first GPU is gone
  bool streamsRace = false;                       // with each other, to the thread sanitizer, and not threads
};

// What was asked of it.
struct EmulatedCounts {
  std::int64_t allocations = 0, releases = 0, submits = 0, launches = 0, graphs = 0, graphsDestroyed = 0, hostWaits = 0;
  std::int64_t kernels = 0, copies = 0, allReduces = 0;  // carried out
  std::array<std::int64_t, gpu::kKernels> ofKernel{};    // of `kernels`, by KernelId
};

class EmulatedGpus : public gpu::Layer {
 public:
  virtual EmulatedCounts counts() const = 0;
  // Carries everything out and copies bytes, as no program could: for looking at a GPU's memory.
  virtual void peek(const void* from, void* to, std::int64_t bytes) = 0;
  virtual void poke(void* to, const void* from, std::int64_t bytes) = 0;
};

std::shared_ptr<EmulatedGpus> makeEmulatedGpus(const EmulatedSettings& settings = {});

}  // namespace lab::test

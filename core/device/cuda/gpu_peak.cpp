// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/device/cuda/gpu_peak.h"

#include <algorithm>

#include "core/device/cuda/gpu_commands.h"
#include "core/device/cuda/gpu_memory.h"

namespace lab::gpu {

double measureCopyGbPerSec(Layer& layer, int gpu) {
  constexpr std::int64_t kMost = 256 << 20;
  constexpr int kRounds = 8;
  const std::int64_t bytes = std::clamp<std::int64_t>(layer.freeBytes(gpu) / 4, 4, kMost);
  const DeviceMemory from(layer, gpu, bytes), to(layer, gpu, bytes);
  const int stream = layer.createStream(gpu), begin = layer.createEvent(gpu, true), end = layer.createEvent(gpu, true);
  double best = 0;
  for (int round = 0; round < kRounds; ++round) {
    CommandList list;
    list.stamp(stream, begin);
    list.copy(stream, to.data(), from.data(), bytes);
    list.stamp(stream, end);
    layer.submit(list.commands());
    layer.waitForStream(stream);
    const std::int64_t ns = layer.elapsedNs(begin, end);
    if (round > 0 && ns > 0) best = std::max(best, 2.0 * static_cast<double>(bytes) / static_cast<double>(ns));
  }
  return best;
}

}  // namespace lab::gpu

// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/run/run_memory.h"

#include <algorithm>

#include "core/base/platform.h"
#include "core/model/cnn.h"

namespace lab {

// Every replica has weights, gradients and slots of its own, and activations for its share.
std::int64_t memoryNeeded(const RunConfig& config) {
  const double variables = 4.0 * static_cast<double>(networkOf(config)->layout().bytes());
  const double perExample = 4.0 * 2.5 * (kPooledSize + kImageSize);
  const double examples = static_cast<double>(std::min<std::int64_t>(*config.batchPerReplica, 100'000));
  return static_cast<std::int64_t>(static_cast<double>(*config.replicas) * (variables + perExample * examples));
}

std::int64_t memoryForRuns() {
  return static_cast<std::int64_t>(0.9 * static_cast<double>(memoryBytes()));
}

}  // namespace lab

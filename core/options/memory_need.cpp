// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/options/memory_need.h"

#include <algorithm>
#include <cstddef>
#include <memory>

#include "core/base/platform.h"
#include "core/model/cnn.h"
#include "core/options/network_of.h"
#include "core/strategy/strategy.h"

namespace lab {

double memoryNeed(const ResolvedSettings& resolved) {
  const std::shared_ptr<const NeuralNetwork> network = networkOf(resolved);
  const StrategyInfo& info = strategyInfo(resolved.strategy);
  const std::size_t copies = 4 + (info.besideSlots ? info.besideSlots(resolved).size() : 0);
  const double variables = static_cast<double>(copies) * static_cast<double>(network->layout().bytes());
  // Includes what evaluation and the prefetched batch need.
  const double perExample = isCourseNetwork(*network)
                                ? 4.0 * 2.5 * (kPooledSize + kImageSize)
                                : 1.25 * static_cast<double>(activationBytes(*network, 1, Precision::Float32));
  const double examples = static_cast<double>(std::min<std::int64_t>(resolved.largestShare(), 100'000));
  return static_cast<double>(resolved.replicas) * (variables + perExample * examples);
}

std::int64_t memoryForRuns() {
  return static_cast<std::int64_t>(kUsableMemory * static_cast<double>(memoryBytes()));
}

}  // namespace lab

// SPDX-License-Identifier: GPL-3.0-or-later
// The makers of the seven strategies, one file each, for the table alone.
#pragma once

#include <memory>

#include "core/strategy/strategy.h"

namespace lab {

std::unique_ptr<Strategy> makeDefaultStrategy(const StrategySettings& settings);
std::unique_ptr<Strategy> makeOneDeviceStrategy(const StrategySettings& settings);
std::unique_ptr<Strategy> makeMirroredStrategy(const StrategySettings& settings);
std::unique_ptr<Strategy> makeMultiWorkerMirroredStrategy(const StrategySettings& settings);
std::unique_ptr<Strategy> makeTpuStrategy(const StrategySettings& settings);
std::unique_ptr<Strategy> makeCentralStorageStrategy(const StrategySettings& settings);
std::unique_ptr<Strategy> makeParameterServerStrategy(const StrategySettings& settings);

}  // namespace lab

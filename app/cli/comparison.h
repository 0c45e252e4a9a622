// SPDX-License-Identifier: GPL-3.0-or-later
// The same experiment for several strategies: same seed, same examples, one global batch. What belongs to one strategy
// alone is kept from the others, and said.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "app/cli/options.h"
#include "core/base/message.h"
#include "core/run/run_config.h"

namespace lab::cli {

inline constexpr std::int64_t kComparedReplicas = 4;  // where a strategy's own default is not larger
inline constexpr std::int64_t kComparedGlobalBatch = 256;

struct Comparison {
  std::vector<RunConfig> runs;  // resolved, one per strategy
  std::vector<Message> notes;   // which option was left out for which strategy, and why
};

// UserError where an option suits none of the strategies, or the batch cannot be shared out.
Comparison planComparison(const GivenFields& given, const std::vector<StrategyKind>& kinds);

}  // namespace lab::cli

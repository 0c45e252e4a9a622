// SPDX-License-Identifier: GPL-3.0-or-later
// The same experiment for several strategies: same seed, same examples, one global batch. What belongs to one strategy
// alone is kept from the others, and said. For `strategylab-cli compare` and for the window's lanes.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "core/base/error.h"
#include "core/base/message.h"
#include "core/config/resolved_settings.h"
#include "core/options/config_field.h"
#include "core/strategy/strategy.h"

namespace lab {

inline constexpr std::int64_t kComparedReplicas = 4;  // where a strategy's own default is not larger
inline constexpr std::int64_t kComparedGlobalBatch = 256;

// What was asked for, in the order of the table: the field and its text.
using GivenFields = std::vector<std::pair<const ConfigField*, std::string>>;
RunSettings configOf(const GivenFields& given);

// What was asked for in a run that others are to be held against, as a comparison takes it: its batch as the global
// one, its number of replicas said, its outputs left out. UserError where it cannot be resolved.
GivenFields givenOf(const RunSettings& asked);

struct ComparedRun {
  ResolvedSettings config;
  std::vector<Message> notes;                              // which option was left out, and why
  std::vector<std::pair<std::string, UserError>> refused;  // option, and what would be said about it alone
  GivenFields taken;
};
// The experiment under one strategy, without what it has no use for. UserError where it cannot be.
ComparedRun comparedRun(const StrategyInfo& info, GivenFields given);

struct Comparison {
  std::vector<ResolvedSettings> runs;  // one per strategy
  std::vector<Message> notes;          // which option was left out for which strategy, and why
};

// UserError where an option suits none of the strategies, or the batch cannot be shared out.
Comparison planComparison(const GivenFields& given, const std::vector<StrategyKind>& kinds);

}  // namespace lab

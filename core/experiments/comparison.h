// SPDX-License-Identifier: GPL-3.0-or-later
// The same experiment for several strategies: same seed, same examples, one global batch. Options that belong to one
// strategy are left out for the others, with a note. For `strategylab-cli compare` and for the window's lanes.
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

inline constexpr std::int64_t kComparedReplicas = 4;  // unless a strategy's own default is larger
inline constexpr std::int64_t kComparedGlobalBatch = 256;

// The requested options, in the order of the table: the field and its text.
using GivenFields = std::vector<std::pair<const ConfigField*, std::string>>;
RunSettings configOf(const GivenFields& given);

// Returns the options of a run that others will be compared with: its batch as the global batch, its number of replicas
// made explicit, its output files left out. Throws a UserError if the settings cannot be resolved.
GivenFields givenOf(const RunSettings& asked);

struct ComparedRun {
  ResolvedSettings config;
  std::vector<Message> notes;                              // which option was left out, and why
  std::vector<std::pair<std::string, UserError>> refused;  // option, and the error about that option alone
  GivenFields taken;
};
// Returns the experiment under one strategy, without options that the strategy cannot use. Throws a UserError if it is
// impossible.
ComparedRun comparedRun(const StrategyInfo& info, GivenFields given);

struct Comparison {
  std::vector<ResolvedSettings> runs;  // one per strategy
  std::vector<Message> notes;          // which option was left out for which strategy, and why
};

// Throws a UserError if an option suits none of the strategies, or if the batch cannot be divided.
Comparison planComparison(const GivenFields& given, const std::vector<StrategyKind>& kinds);

}  // namespace lab

// SPDX-License-Identifier: GPL-3.0-or-later
// sweep --random: which options are ranges to draw from, LOW..HIGH, where the others are lists.
#pragma once

#include <cstdint>
#include <optional>

#include "app/cli/options.h"
#include "core/experiments/random_search.h"

namespace lab::cli {

bool isRange(const CLI::Option* option);  // it has ".." in it
// UserError where it is no range of such numbers, or an empty one.
SearchRange<std::int64_t> countRangeOf(const CLI::Option* option, std::int64_t maximum);
SearchRange<double> rateRangeOf(const CLI::Option* option);

struct RandomOptions {
  const CLI::Option *random, *replicas, *batches, *globals, *rates;
};
// How many points; nothing without --random. UserError where that and the ranges do not go together.
std::optional<std::int64_t> randomPointsOf(const RandomOptions& options);

}  // namespace lab::cli

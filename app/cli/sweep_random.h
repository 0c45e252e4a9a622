// SPDX-License-Identifier: GPL-3.0-or-later
// sweep --random: which options are ranges to draw from, LOW..HIGH, rather than lists.
#pragma once

#include <cstdint>
#include <optional>

#include "app/cli/options.h"
#include "core/experiments/random_search.h"

namespace lab::cli {

bool isRange(const CLI::Option* option);  // it contains ".."
// Throws a UserError if the value is not a range of such numbers, or an empty one.
SearchRange<std::int64_t> countRangeOf(const CLI::Option* option, std::int64_t maximum);
SearchRange<double> rateRangeOf(const CLI::Option* option);

struct RandomOptions {
  const CLI::Option *random, *replicas, *batches, *globals, *rates;
};
// Returns the number of points; nothing without --random. Throws a UserError if --random and the ranges do not match.
std::optional<std::int64_t> randomPointsOf(const RandomOptions& options);

}  // namespace lab::cli

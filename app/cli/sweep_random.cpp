// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/sweep_random.h"

#include <algorithm>
#include <array>
#include <functional>
#include <string>
#include <utility>

#include "core/base/error.h"
#include "core/base/parse_number.h"
#include "core/experiments/sweep.h"

namespace lab::cli {
namespace {

constexpr std::string_view kTo = "..";

// Returns the two ends, each parsed by `parse`.
template <typename Value>
SearchRange<Value> rangeOf(const CLI::Option* option, Value least, Value most,
                           const std::function<std::optional<Value>(std::string_view)>& parse) {
  const std::string text = *textOf(option);
  const std::size_t at = text.find(kTo);
  const auto low = parse(std::string_view(text).substr(0, at));
  const auto high = parse(std::string_view(text).substr(at + kTo.size()));
  if (!low || !high || !(*low >= least) || !(*high <= most))
    throw UserError(say::notARange, aboutOf(option), text, least, most);
  if (!(*low < *high)) throw UserError(say::emptyRange, aboutOf(option), text);
  return {*low, *high};
}

}  // namespace

bool isRange(const CLI::Option* option) {
  return isGiven(option) && textOf(option)->find(kTo) != std::string::npos;
}

SearchRange<std::int64_t> countRangeOf(const CLI::Option* option, std::int64_t maximum) {
  return rangeOf<std::int64_t>(option, 1, maximum, parseWhole);
}

SearchRange<double> rateRangeOf(const CLI::Option* option) {
  constexpr double kLeast = 1e-12, kMost = 1000;  // 0 has no logarithm; the upper limit is the setting's
  return rangeOf<double>(option, kLeast, kMost, parseNumber<double>);
}

std::optional<std::int64_t> randomPointsOf(const RandomOptions& options) {
  const std::array lists{options.replicas, options.batches, options.globals, options.rates};
  const auto range = std::ranges::find_if(lists, isRange);
  if (!isGiven(options.random)) {
    if (range != lists.end()) throw UserError(say::rangeWithoutRandom, aboutOf(*range), *textOf(*range));
    return std::nullopt;
  }
  const std::int64_t points = integerOf(options.random, 1, 1, kMaxSweepCells);
  if (range == lists.end()) throw UserError(say::randomWithoutRange, aboutOf(options.random));
  return points;
}

}  // namespace lab::cli

// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/timing/error_band.h"

#include <algorithm>
#include <array>
#include <cstdio>

#include "core/base/at.h"
#include "core/base/csv.h"
#include "core/base/error.h"
#include "core/base/parse_number.h"
#include "core/timing/messages.h"
#include "core/timing/step_model.h"
#include "core/timing/whole_ns.h"
#include "resources/resources.h"

namespace lab {
namespace {

constexpr std::array kBounds{BoundBy::Compute, BoundBy::OneHost, BoundBy::HostNetwork, BoundBy::ParameterServers};
constexpr double kHardlySends = 0.1;  // of the step; "hard" rows are those which linear scaling misses by this share

}  // namespace

std::string_view boundKey(BoundBy bound) {
  switch (bound) {
    case BoundBy::Compute:
      return "compute";
    case BoundBy::OneHost:
      return "one-host";
    case BoundBy::HostNetwork:
      return "network";
    case BoundBy::ParameterServers:
      return "parameter-server";
  }
  throw BrokenInvariant("a bound without a name");
}

BoundBy boundBy(std::int64_t stepNs, std::int64_t sendNs, bool parameterServers, bool severalHosts) {
  if (sendNs <= 0 || static_cast<double>(sendNs) < kHardlySends * static_cast<double>(stepNs)) return BoundBy::Compute;
  if (parameterServers) return BoundBy::ParameterServers;
  return severalHosts ? BoundBy::HostNetwork : BoundBy::OneHost;
}

BoundBy boundBy(const StepTiming& timing, Reducer method, bool severalHosts) {
  // Means over all replicas, of an asynchronous worker's own cycle.
  MeanNs own(std::max<std::int64_t>(1, std::ssize(timing.stages))), sending = own;
  for (const StageNs& stages : timing.stages) {
    own.add(stages.sum() - stages.nextCycle);
    sending.add(stages.exposed + stages.overlapped + stages.queue);
  }
  const bool servers = method == Reducer::ServersSync || method == Reducer::ServersAsync;
  return boundBy(own.ns(), sending.ns(), servers, severalHosts);
}

namespace {

std::array<ErrorBand, kBounds.size()> shippedBands() {
  std::array<ErrorBand, kBounds.size()> bands;
  for (std::size_t i = 0; i < bands.size(); ++i) bands[i].bound = kBounds[i];
  const auto rows =
      parseCsv({reinterpret_cast<const char*>(resources::timingBands), resources::timingBandsSize}, "timing-bands.csv");
  for (const CsvRow& row : rows)
    for (ErrorBand& band : bands)
      if (row.cells.front() == boundKey(band.bound))
        band = {band.bound, parseNumber<int>(row.cells[1]).value(), parseNumber<double>(row.cells[2]).value(),
                parseNumber<double>(row.cells[3]).value()};
  return bands;
}

}  // namespace

const ErrorBand& publishedBand(BoundBy bound) {
  static const std::array<ErrorBand, kBounds.size()> bands = shippedBands();
  return at(bands, bound);
}

std::string bandRange(const ErrorBand& band) {
  char range[48];
  std::snprintf(range, sizeof range, "%+.0f … %+.0f %%", 100 * band.low, 100 * band.high);
  std::string text = range;
  constexpr std::string_view kMinus = "−";  // the window uses this character
  for (std::size_t at = 0; (at = text.find('-', at)) != std::string::npos; at += kMinus.size())
    text.replace(at, 1, kMinus);
  return text;
}

Message bandWords(const ErrorBand& band) {
  if (band.points == 0) return {};
  return {say::withinBand, bandRange(band)};
}

}  // namespace lab

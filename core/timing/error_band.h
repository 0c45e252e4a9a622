// SPDX-License-Identifier: GPL-3.0-or-later
// How far a modelled time may be off: the errors of published rows (see validation.h) whose steps have the same
// bottleneck as this one. Each row is predicted by constants that have not seen its publication, and without
// stragglers, which a modelled step does not have either. The bands ship as resources/timing-bands.csv
// (tests/bench/fit_timing.py).
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/message.h"

namespace lab {

enum class Reducer;
struct StepTiming;

// What bounds a step's time, as far as published rows distinguish it.
enum class BoundBy {
  Compute,           // sending takes less than a tenth of the step
  OneHost,           // all-reduce, or one copy, within a host
  HostNetwork,       // all-reduce between hosts
  ParameterServers,  // synchronous or not
};
std::string_view boundKey(BoundBy bound);  // "compute", "one-host", "network", "parameter-server"

// `sendNs`: how long, within `stepNs`, a replica's gradients are under way, whether it computes meanwhile or waits.
BoundBy boundBy(std::int64_t stepNs, std::int64_t sendNs, bool parameterServers, bool severalHosts);

BoundBy boundBy(const StepTiming& timing, Reducer method, bool severalHosts);

struct ErrorBand {
  BoundBy bound = BoundBy::Compute;
  int points = 0;            // number of published points
  double low = 0, high = 0;  // range of nine in ten of them: how much longer they took than modelled, as a fraction
};
// Returns the band as shipped. A kind without rows has no points.
const ErrorBand& publishedBand(BoundBy bound);
std::string bandRange(const ErrorBand& band);  // "−8 … +21 %"
// "9 in 10 published steps like this are within -8 … +21 %"; empty without points.
Message bandWords(const ErrorBand& band);

}  // namespace lab

// SPDX-License-Identifier: GPL-3.0-or-later
// sweep --timing-only: the grid without the arithmetic.
#pragma once

#include <cstdint>
#include <vector>

#include "app/cli/options.h"

namespace lab::cli {

struct SweepTimingOptions {
  const CLI::Option *timingOnly = nullptr, *model = nullptr, *precision = nullptr, *devicesPerHost = nullptr,
                    *nics = nullptr, *transport = nullptr, *cluster = nullptr, *jitter = nullptr, *stalls = nullptr,
                    *decode = nullptr, *decodeThreads = nullptr, *noPrefetch = nullptr, *stages = nullptr;
  TimingFiles files;
};
SweepTimingOptions addSweepTiming(CLI::App& app);
// "3 replicas left out: …": a count that the other settings do not allow, beside others that they do.
std::string leftOut(std::int64_t replicas, const Message& why);
// UserError where an option was given that means nothing to training.
void refuseTimingOptions(const SweepTimingOptions& options);

// UserError where an option was given that a modelled step does not depend on, or that another one makes void.
int sweepTiming(const GivenFields& settings, const std::vector<std::int64_t>& replicas,
                const std::vector<std::int64_t>& batches, const SweepTimingOptions& options, bool asJson);

}  // namespace lab::cli

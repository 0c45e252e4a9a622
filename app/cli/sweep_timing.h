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
// Returns "3 replicas left out: …", for a count that the other settings do not allow although they allow other counts.
std::string leftOut(std::int64_t replicas, const Message& why);
// Throws a UserError if an option was given that has no meaning for training.
void refuseTimingOptions(const SweepTimingOptions& options);

// Throws a UserError if an option was given that a modelled step does not depend on, or that another option overrides.
int sweepTiming(const GivenFields& settings, const std::vector<std::int64_t>& replicas,
                const std::vector<std::int64_t>& batches, const SweepTimingOptions& options, bool asJson);

}  // namespace lab::cli

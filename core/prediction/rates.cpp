// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/prediction/rates.h"

#include <algorithm>
#include <vector>

#include "core/data/full_batch.h"
#include "core/model/neural_network.h"
#include "core/options/derived_settings.h"
#include "core/options/network_of.h"
#include "core/prediction/run_bound.h"
#include "core/prediction/timing_run.h"
#include "core/strategy/strategy.h"

namespace lab {

std::optional<SteadyStep> steadyStep(const ResolvedSettings& config) {
  if (config.devices != DeviceChoice::Simulated) return std::nullopt;
  const TimingRun run(config.asked(), {.model = networkOf(config)->key()}, catalogueOf(config),
                      TimingConstants::builtIn());
  const bool synchronous = strategyInfo(config.strategy).synchronous;
  const std::vector<std::int64_t> shards =
      synchronous ? fullShards(splitOf(config))
                  : std::vector(static_cast<std::size_t>(run.replicas()), config.examplesPerStep());
  const StepTiming timing = run.step(shards);
  const std::int64_t batch = std::ranges::max(shards);
  const BoundBy bound = boundBy(timing, run.request().method, crossesHosts(config, config.replicas, config.hosts, 0));
  return SteadyStep{.examples = config.examplesPerStep(),
                    .stepNs = timing.stepNs,
                    .imagesPerSecond = timing.imagesPerSecond,
                    .efficiency = scalingEfficiency(run.alone(batch), timing, run.replicas()),
                    .memory = run.memory(batch),
                    .used = synchronous ? timing.examples : config.examplesPerStep(),
                    .bound = bound};
}

}  // namespace lab

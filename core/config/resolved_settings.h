// SPDX-License-Identifier: GPL-3.0-or-later
// A run's settings with all defaults filled in, and checked against each other. resolve() makes them where settings
// enter the program or are made (options/resolve.h). All other code takes them as they are.
#pragma once

#include <cstdint>

#include "core/config/run_settings.h"

namespace lab {

struct ResolvedSettings : SettingsBase {
  std::int64_t replicas = 1;  // parameter server: workers of one replica each
  std::int64_t hosts = 1;
  std::int64_t parameterServers = kDefaultParameterServers;
  std::int64_t batchPerReplica = kDefaultBatchPerReplica;  // if replicas do not divide the global batch: the largest
  std::int64_t globalBatch = 0;                            // 0: each worker has its own steps and batches
  std::int64_t threads = 1;                                // never changes results; 0: unknown (unchecked)

  // A synchronous step: examples of all replicas together. An asynchronous worker's step: the examples of one update.
  std::int64_t examplesPerStep() const { return globalBatch > 0 ? globalBatch : batchPerReplica; }

  // Examples of all replicas together; for asynchronous workers, of one step of each.
  std::int64_t examplesOfReplicas() const { return globalBatch > 0 ? globalBatch : batchPerReplica * replicas; }
  // Examples of a step that one replica computes; where shares are unequal, the most.
  std::int64_t largestShare() const { return batchPerReplica; }
  // Returns whether all replicas have equal shares.
  bool sharesEvenly() const { return examplesOfReplicas() == batchPerReplica * replicas; }

  // Steps of the whole run, between evaluations (0: never), and between checkpoints if there is a folder for them. The
  // examples decide `stepsPerEpoch`.
  std::int64_t totalSteps(std::int64_t stepsPerEpoch) const { return steps.value_or(epochs * stepsPerEpoch); }
  std::int64_t stepsPerEvaluation(std::int64_t stepsPerEpoch) const { return evalEvery.value_or(stepsPerEpoch); }
  std::int64_t stepsPerCheckpoint(std::int64_t stepsPerEpoch) const { return checkpointEvery.value_or(stepsPerEpoch); }

  // Returns settings that ask for everything explicitly, and so resolve to the same. Files contain these.
  RunSettings asked() const;
};

// Converts `config` without checks, if it comes from a run's file or from settings that cannot run. Unset values become
// the defaults above.
ResolvedSettings unchecked(const RunSettings& config);

}  // namespace lab

// SPDX-License-Identifier: GPL-3.0-or-later
// What a run's settings come to: every default in, checked against each other. resolve() makes it, at the edges: the
// form, the command line, the readers of files. All that computes takes it as it is.
#pragma once

#include <cstdint>

#include "core/config/run_settings.h"

namespace lab {

struct ResolvedSettings : SettingsBase {
  std::int64_t replicas = 1;  // parameter server: workers of one replica each
  std::int64_t hosts = 1;
  std::int64_t parameterServers = kDefaultParameterServers;
  std::int64_t batchPerReplica = kDefaultBatchPerReplica;  // where replicas do not divide the global batch: the largest
  std::int64_t globalBatch = 0;                            // 0: each worker takes steps, and batches, of its own
  std::int64_t threads = 1;                                // never changes results; 0: not said (unchecked)

  // Of a synchronous step's replicas together; of an asynchronous worker's step, which one update sees.
  std::int64_t examplesPerStep() const { return globalBatch > 0 ? globalBatch : batchPerReplica; }

  // Of all replicas together; of asynchronous workers, of a step of each.
  std::int64_t examplesOfReplicas() const { return globalBatch > 0 ? globalBatch : batchPerReplica * replicas; }
  // Whether the replicas have equal shares.
  bool sharesEvenly() const { return examplesOfReplicas() == batchPerReplica * replicas; }

  // As if all of it had been asked for: resolves to the same. Files say it so.
  RunSettings asked() const;
};

// `config` as it stands, unchecked: of a file that a run wrote, or of settings that cannot run. What is unset is as
// above.
ResolvedSettings unchecked(const RunSettings& config);

}  // namespace lab

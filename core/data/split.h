// SPDX-License-Identifier: GPL-3.0-or-later
// Which replica gets which example: tf.data's two rebatching rules and the auto-shard policies, see strategy/README.md.
// Sizes only; the Input (data/input.h) distributes each epoch's examples to the replicas by these rules.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "core/base/limits.h"
#include "core/config/choices.h"

namespace lab {

// What a worker's pipeline reads: example indices in order. See data/input.h.
class IndexStream {
 public:
  virtual ~IndexStream() = default;
  virtual bool next(std::int64_t& index) = 0;  // false at the end of the epoch
};

struct SplitSettings {
  std::int64_t globalBatch = 0;
  int replicas = 1;  // N, over all hosts
  int hosts = 1;     // W, must divide N
  SplitSource source = SplitSource::InMemory;
  AutoShard autoShard = AutoShard::Auto;
  int files = 1;  // number of files with the examples, which are equal contiguous parts
};

// Returns the rule and policy in force. Throws a UserError for counts below 1, more than kMaxReplicas, and what
// TensorFlow refuses too: hosts that do not divide the replicas, the file policy without files or with fewer files than
// hosts.
ResolvedSplit resolveSplit(const SplitSettings& settings);

// Returns batch_sizes_for_worker of TensorFlow (data/experimental/ops/distribute.py): the sizes into which worker
// `host` cuts its stream, cyclically.
std::vector<std::int64_t> v2BatchSizes(std::int64_t globalBatch, int replicas, int hosts, int host);
// Returns the sizes by the legacy rule for a batch of `delivered` examples: replica s gets [s·i, min((s+1)·i,
// delivered)), i = ⌈delivered/N⌉.
std::vector<std::int64_t> legacyBatchSizes(std::int64_t delivered, int replicas);

// Under the legacy rule, host w takes the parts of the global batch whose number is w modulo the hosts.
std::size_t replicaOfPart(std::size_t part, std::size_t replicas, std::size_t hosts);
// Returns where each replica's shard, of `sizes` examples, begins in the global batch.
std::vector<std::int64_t> placesInBatch(std::span<const std::int64_t> sizes, SplitRule rule, int hosts);

// One step's distributed batch: shards[replica] lists example indices; replica = host · (N/W) + its number on the host.
struct DistributedBatch {
  std::vector<std::vector<std::int64_t>> shards;
  std::int64_t examples() const;
};

}  // namespace lab

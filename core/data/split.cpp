// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/data/split.h"

#include <algorithm>

#include "core/base/error.h"
#include "core/data/messages.h"

namespace lab {
namespace {

void requireAtLeastOne(std::int64_t value, const Text& refusal) {
  if (value < 1) throw UserError(refusal, value);
}

}  // namespace

ResolvedSplit resolveSplit(const SplitSettings& settings) {
  requireAtLeastOne(settings.globalBatch, say::noGlobalBatch);
  requireAtLeastOne(settings.replicas, say::noReplicas);
  requireAtLeastOne(settings.hosts, say::noHosts);
  requireAtLeastOne(settings.files, say::noFiles);
  if (settings.replicas > kMaxReplicas)
    throw UserError(say::tooManyReplicasForExamples, Count{settings.replicas}, Count{kMaxReplicas});
  if (settings.replicas % settings.hosts != 0)
    throw UserError(say::hostsDoNotDivideReplicas, settings.replicas, settings.hosts);

  if (settings.autoShard == AutoShard::Off) return {SplitRule::V2, AutoShard::Off};
  if (settings.autoShard == AutoShard::Data) return {SplitRule::Legacy, AutoShard::Data};
  if (settings.source == SplitSource::InMemory) {
    if (settings.autoShard == AutoShard::Auto) return {SplitRule::Legacy, AutoShard::Data};
    // A single host shards nothing (seen with TensorFlow 2.21).
    if (settings.hosts > 1) throw UserError(say::autoShardNeedsFiles, Option{"auto-shard"}, Option{"split"});
  }
  // AUTO does not fall back to DATA if there are too few files (strategy/README.md).
  if (settings.files < settings.hosts)
    throw UserError(say::tooFewFiles, settings.files, settings.hosts, Option{"files"}, Option{"auto-shard"});
  return {SplitRule::V2, AutoShard::File};
}

std::vector<std::int64_t> v2BatchSizes(std::int64_t globalBatch, int replicas, int hosts, int host) {
  LAB_CHECK(globalBatch >= 1 && replicas >= 1 && hosts >= 1 && replicas % hosts == 0 && host >= 0 && host < hosts);
  const std::int64_t floor = globalBatch / replicas;
  const std::int64_t longer = globalBatch % replicas;
  std::vector<std::int64_t> sizes(static_cast<std::size_t>(replicas), floor);
  std::fill_n(sizes.begin(), longer, floor + 1);
  std::rotate(sizes.begin(), sizes.begin() + host * (replicas / hosts), sizes.end());
  return sizes;
}

std::vector<std::int64_t> legacyBatchSizes(std::int64_t delivered, int replicas) {
  LAB_CHECK(delivered >= 0 && replicas >= 1);
  const std::int64_t share = delivered / replicas + (delivered % replicas != 0 ? 1 : 0);
  std::vector<std::int64_t> sizes(static_cast<std::size_t>(replicas));
  for (std::int64_t& size : sizes) {
    size = std::min(share, delivered);
    delivered -= size;
  }
  return sizes;
}

std::size_t replicaOfPart(std::size_t part, std::size_t replicas, std::size_t hosts) {
  return part % hosts * (replicas / hosts) + part / hosts;
}

std::vector<std::int64_t> placesInBatch(std::span<const std::int64_t> sizes, SplitRule rule, int hosts) {
  const std::size_t inTurn = rule == SplitRule::Legacy ? static_cast<std::size_t>(hosts) : 1;
  std::vector<std::int64_t> places(sizes.size());
  std::int64_t place = 0;
  for (std::size_t part = 0; part < sizes.size(); ++part) {
    const std::size_t replica = replicaOfPart(part, sizes.size(), inTurn);
    places[replica] = place;
    place += sizes[replica];
  }
  return places;
}

std::int64_t DistributedBatch::examples() const {
  std::int64_t count = 0;
  for (const std::vector<std::int64_t>& shard : shards) count += static_cast<std::int64_t>(shard.size());
  return count;
}

}  // namespace lab

// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/data/split.h"

#include <algorithm>
#include <string>

#include "core/base/error.h"
#include "core/base/units.h"

namespace lab {
namespace {

void requireAtLeastOne(std::int64_t value, const std::string& what) {
  if (value < 1) throw UserError("the " + what + " is " + std::to_string(value) + ": use 1 or more");
}

}  // namespace

ResolvedSplit resolveSplit(const SplitSettings& settings) {
  requireAtLeastOne(settings.globalBatch, "global batch");
  requireAtLeastOne(settings.replicas, "number of replicas");
  requireAtLeastOne(settings.hosts, "number of hosts");
  requireAtLeastOne(settings.files, "number of files");
  if (settings.replicas > kMaxReplicas)
    throw UserError(formatCount(settings.replicas) + " replicas are too many to deal examples to: use at most " +
                    formatCount(kMaxReplicas));
  if (settings.replicas % settings.hosts != 0)
    throw UserError(std::to_string(settings.replicas) + " replicas cannot be shared equally by " +
                    std::to_string(settings.hosts) +
                    " hosts: choose a number of hosts that divides the number of replicas");

  if (settings.autoShard == AutoShard::Off) return {SplitRule::V2, AutoShard::Off};
  if (settings.autoShard == AutoShard::Data) return {SplitRule::Legacy, AutoShard::Data};
  if (settings.source == SplitSource::InMemory) {
    if (settings.autoShard == AutoShard::Auto) return {SplitRule::Legacy, AutoShard::Data};
    throw UserError(
        "--auto-shard file needs examples that are read from files, and --split in-memory reads none (TensorFlow: "
        "NotFoundError): use --split file, or --auto-shard data");
  }
  // AUTO does not fall back to DATA on too few files (strategy/README.md).
  if (settings.files < settings.hosts)
    throw UserError("the examples are stored in " + std::to_string(settings.files) + " file(s), too few for " +
                    std::to_string(settings.hosts) +
                    " hosts to read different ones (TensorFlow: "
                    "InvalidArgumentError): use --files " +
                    std::to_string(settings.hosts) + " or more, or --auto-shard data");
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

std::int64_t Deal::examples() const {
  std::int64_t count = 0;
  for (const std::vector<std::int64_t>& shard : shards) count += static_cast<std::int64_t>(shard.size());
  return count;
}

}  // namespace lab

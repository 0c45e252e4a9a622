// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/config/resolved_settings.h"

namespace lab {

RunSettings ResolvedSettings::asked() const {
  RunSettings config{*this, replicas, hosts, parameterServers, batchPerReplica, {}, {}};
  if (threads > 0) config.threads = threads;
  if (globalBatch > 0) config.globalBatch = globalBatch;
  return config;
}

ResolvedSettings unchecked(const RunSettings& config) {
  ResolvedSettings settings{config};
  settings.threads = 0;
  const auto take = [](std::int64_t& setting, const std::optional<std::int64_t>& asked) {
    if (asked) setting = *asked;
  };
  take(settings.replicas, config.replicas);
  take(settings.hosts, config.hosts);
  take(settings.parameterServers, config.parameterServers);
  take(settings.batchPerReplica, config.batchPerReplica);
  take(settings.globalBatch, config.globalBatch);
  take(settings.threads, config.threads);
  return settings;
}

}  // namespace lab

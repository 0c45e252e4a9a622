// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/prediction/reprice.h"

#include <algorithm>

#include "core/base/error.h"
#include "core/prediction/messages.h"
#include "core/strategy/strategy.h"

namespace lab {
namespace {

using Hosts = StrategyInfo::Hosts;

bool isUniform(const ClusterSpec& cluster) {
  if (cluster.hosts.size() != 1) return false;
  const std::vector<std::string>& devices = cluster.hosts.front().devices;
  return std::ranges::all_of(devices, [&](const std::string& one) { return one == devices.front(); });
}

bool isTpu(const std::string& device, const Catalogue& catalogue) {
  const auto found = std::ranges::find(catalogue.devices(), device, &DeviceModel::id);
  return found != catalogue.devices().end() && found->standsInTorus();
}

// If a cluster has hosts that the run's settings did not name, somebody composed it by hand, and its hosts stay.
std::int64_t hostsUnder(const WhatIf& what, const StrategyInfo& from, const StrategyInfo& to, std::int64_t devices) {
  if (to.hosts == Hosts::One) return fullHosts(devices, kMostDevicesPerHost);
  if (to.hosts == Hosts::EachWorker) return devices;
  const auto usual = [&](const StrategyInfo& info) {
    return what.config.hosts ? *what.config.hosts : std::min(info.defaultHosts, devices);
  };
  const std::int64_t now = what.cluster.hostCount();
  const bool composed = from.hosts == Hosts::Chosen ? now != usual(from) : from.hosts == Hosts::One && now != 1;
  std::int64_t hosts = std::clamp<std::int64_t>(composed ? now : usual(to), 1, devices);
  while (devices % hosts != 0) --hosts;
  return hosts;
}

// Returns the key for `to` if the run left it to its strategy, or if the named key does not suit such devices.
std::string keyUnder(const std::string& now, const std::string& asked, const std::string& usualFrom,
                     const std::string& usualTo, bool otherKind) {
  if (otherKind) return asked.empty() || asked == now ? usualTo : asked;
  return asked.empty() && now == usualFrom ? usualTo : now;
}

std::int64_t globalBatchOf(const WhatIf& what) {
  const std::int64_t devices = what.cluster.devices();
  if (std::ssize(what.shards) != devices) return what.examplesPerDevice * devices;
  std::int64_t sum = 0;
  for (const std::int64_t shard : what.shards) sum += shard;
  return sum;
}

}  // namespace

WhatIf underStrategy(const WhatIf& what, StrategyKind strategy, Reducer reducer, const Catalogue& catalogue) {
  const StrategyInfo &from = strategyInfo(what.config.strategy), &to = strategyInfo(strategy);
  WhatIf repriced = what;
  repriced.config.strategy = strategy;
  repriced.config.reducer = std::ranges::find(to.reducers, reducer) == to.reducers.end() ? Reducer::Auto : reducer;
  if (strategy == what.config.strategy) return repriced;
  repriced.step = 0;
  LAB_CHECK(!what.cluster.hosts.empty());
  const HostGroup& group = what.cluster.hosts.front();
  const bool tpu = isTpu(to.defaultDeviceModel, catalogue), otherKind = isTpu(group.devices.front(), catalogue) != tpu;
  const std::int64_t most = to.singleReplica                                 ? 1
                            : to.hosts == Hosts::One && !goesOnOverHosts(to) ? kMostDevicesPerHost
                                                                             : kMaxClusterDevices;
  const std::int64_t devices = std::min(what.cluster.devices(), most);
  if (isUniform(what.cluster) || devices < what.cluster.devices() || otherKind) {
    const RunSettings& asked = what.config;
    // Only a name that suits the devices counts as requested: TPU cores have their own links.
    const bool suits = isTpu(asked.deviceModel.empty() ? from.defaultDeviceModel : asked.deviceModel, catalogue) == tpu;
    const auto key = [&](const std::string& now, const std::string& given, const std::string& usualFrom,
                         const std::string& usualTo) {
      return keyUnder(now, suits ? given : std::string(), usualFrom, usualTo, otherKind);
    };
    const std::string &before = group.devices.front(),
                      now = key(before, asked.deviceModel, from.defaultDeviceModel, to.defaultDeviceModel);
    repriced.cluster = uniformCluster(
        devices, hostsUnder(what, from, to, devices), now,
        key(group.link, asked.link, catalogue.linkOf(before, from.defaultLink), catalogue.linkOf(now, to.defaultLink)),
        key(what.cluster.hostLink, asked.hostLink, from.defaultHostLink, to.defaultHostLink), group.nics);
    repriced.cluster.transport = what.cluster.transport;
  }
  shareOut(repriced, globalBatchOf(what));
  return repriced;
}

std::vector<Message> repricingNotes(const WhatIf& what, const Anchor& anchor, const Catalogue& catalogue) {
  std::vector<Message> notes;
  const RunSettings &now = what.config, &then = anchor.base.config;
  if (now.strategy == then.strategy && now.reducer == then.reducer) return notes;
  const StrategyInfo &to = strategyInfo(now.strategy), &from = strategyInfo(then.strategy);
  const bool tpu = isTpu(what.cluster.hosts.front().devices.front(), catalogue),
             wasTpu = isTpu(anchor.base.cluster.hosts.front().devices.front(), catalogue);
  const std::int64_t devices = what.cluster.devices(), before = anchor.base.cluster.devices();
  if (tpu != wasTpu && now.strategy != then.strategy)
    notes.emplace_back(tpu ? say::repricedOnTpu : say::repricedOffTpu, Words{to.name});
  if (to.singleReplica && before > 1)
    notes.emplace_back(say::repricedOnOne, Words{to.name}, Count{what.examplesPerDevice});
  if (from.synchronous && !to.synchronous) {
    notes.emplace_back(say::repricedAsCycle, Words{to.name});
    const std::int64_t images = globalBatchOf(anchor.base);
    if (devices == before && images != what.examplesPerDevice * devices)
      notes.emplace_back(say::repricedUneven, Count{images}, Count{devices}, Count{what.examplesPerDevice});
  }
  if (!from.synchronous && to.synchronous) notes.emplace_back(say::repricedAsStep, Words{to.name});
  if (to.round(now) > 1 && what.step == 0) notes.emplace_back(say::repricedAsRound, Words{to.name}, to.round(now));
  if (anchor.scales.calibrated && tpu == wasTpu) notes.emplace_back(say::repricedSending);
  return notes;
}

}  // namespace lab

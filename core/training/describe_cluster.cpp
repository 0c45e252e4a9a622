// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/training/describe_cluster.h"

#include "core/base/messages.h"
#include "core/base/platform.h"
#include "core/cluster/cluster.h"
#include "core/options/derived_settings.h"
#include "core/strategy/strategy.h"
#include "core/training/process_role.h"

namespace lab {

void describeCluster(RunInfo& info, Cluster& cluster) {
  const Topology& topology = cluster.topology();
  const TopologySettings& hardware = topology.settings();
  info.replicas = topology.replicas();
  info.parameterDevices = cluster.parameterDevices();
  info.hosts = topology.hosts();
  const auto facts = [&](const DeviceModel& model) {
    return DeviceFacts{hardware.measured ? processorName() : model.name, !hardware.measured, 1,
                       hardware.measured ? 0 : model.launchOverheadUs};
  };
  info.devices.assign(static_cast<std::size_t>(topology.endpoints()), facts(hardware.hostProcessor));
  for (int r = 0; r < info.replicas; ++r) {
    DeviceFacts& replica = info.devices[static_cast<std::size_t>(r)];
    replica = facts(hardware.device);
    if (hardware.measured) replica.hardware = topology.hardwareOf(r);
    replica.slowdown = cluster.replica(r).slowdown();
  }
  const std::vector<const LinkModel*> links = topology.linksOfLanes();
  for (std::size_t lane = 0; lane < links.size(); ++lane) {
    LinkFacts link;
    if (links[lane] != nullptr)
      link = {{say::verbatim, links[lane]->name}, links[lane]->effectiveGbPerSec, links[lane]->latencyUs};
    if (links[lane] == nullptr && info.legend.lanes[lane].isLink)
      link.name = topology.linkNameOf(static_cast<int>(lane));
    info.links.push_back(link);
  }
  info.processes = processFacts(info.config);
  for (int i = 0; i < info.parameterDevices; ++i) {
    info.variableShards.push_back(cluster.parameterDevice(i).parts());
    info.movingShards.push_back(cluster.parameterDevice(i).moving());
  }
  if (strategyInfo(info.config.strategy).synchronous) info.split = resolveSplit(splitOf(info.config));
}

}  // namespace lab

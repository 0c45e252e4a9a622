// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/hardware/network.h"

#include <algorithm>
#include <limits>
#include <map>

#include "core/base/at.h"
#include "core/base/ceil_divide.h"
#include "core/base/error.h"

namespace lab {
namespace {

// 12 Gb/s: a processor keeps up with TCP on such a link, and on a quicker one is no slower.
constexpr double kTcpFullGbPerSec = 1.5;

bool isPci(const LinkModel& link) {
  return link.family == LinkFamily::Pcie;
}
bool isEthernet(const LinkModel& link) {
  return link.family == LinkFamily::Ethernet;
}
bool isDevicePort(ResourceKind kind) {
  return kind == ResourceKind::DeviceOut || kind == ResourceKind::DeviceIn;
}

}  // namespace

double transportBandwidth(const LinkModel& link, NetTransport transport, const TimingConstants& constants) {
  switch (transport) {
    case NetTransport::Auto:
      return link.effectiveGbPerSec;
    case NetTransport::Rdma:
      // RDMA over Ethernet is RoCE; the catalogue's figures for InfiniBand and similar links are RDMA's already.
      return isEthernet(link) ? std::max(link.effectiveGbPerSec, constants["transport.rdma_share"] * link.gbPerSec)
                              : link.effectiveGbPerSec;
    case NetTransport::Tcp:
    case NetTransport::Grpc:
      return std::min({link.effectiveGbPerSec, constants["transport.tcp_max_gb_per_s"],
                       std::max(kTcpFullGbPerSec, constants["transport.tcp_share"] * link.gbPerSec)});
  }
  throwBrokenInvariant("a transport without a bandwidth", __FILE__, __LINE__);
}

int Network::addResource(ResourceKind kind, double bandwidth, int owner) {
  LAB_CHECK(bandwidth > 0);
  bandwidth_.push_back(bandwidth);
  kind_.push_back(kind);
  owner_.push_back(owner);
  return static_cast<int>(bandwidth_.size()) - 1;
}

Network::Network(const ClusterSpec& cluster, const Catalogue& catalogue, const TimingConstants& constants)
    : cluster_(cluster), rootPortFactor_(constants["pcie.root_port_factor"]) {
  checkCluster(cluster, catalogue);
  if (!cluster.hostLink.empty()) {
    hostLink_ = catalogue.link(cluster.hostLink);
    nicBandwidth_ = transportBandwidth(hostLink_, cluster.transport, constants);
    nicLatencyNs_ = 1e3 * (overTcp(cluster.transport) ? std::max(hostLink_.latencyUs, constants["transport.tcp_us"])
                                                      : hostLink_.latencyUs);
  }
  addDevices(catalogue, constants);
  std::map<std::string, int> switchIndex;
  for (const SwitchSpec& spec : cluster.switches) switchIndex.emplace(spec.name, static_cast<int>(switchIndex.size()));
  // emplace() numbers the switches in the order of the list, since names are unique.
  for (const SwitchSpec& spec : cluster.switches) {
    NetSwitch compiled;
    compiled.parent = spec.attachedTo.empty() ? -1 : switchIndex.at(spec.attachedTo);
    const double bandwidth =
        transportBandwidth(catalogue.link(spec.link), cluster.transport, constants) * static_cast<double>(spec.uplinks);
    compiled.up = addResource(ResourceKind::UplinkUp, bandwidth, static_cast<int>(switches_.size()));
    addResource(ResourceKind::UplinkDown, bandwidth, static_cast<int>(switches_.size()));
    switches_.push_back(compiled);
  }
  for (NetSwitch& each : switches_)
    for (int at = each.parent; at >= 0; at = lab::at(switches_, at).parent) ++each.depth;
  addHosts(catalogue, constants, switchIndex);
}

void Network::addDevices(const Catalogue& catalogue, const TimingConstants& constants) {
  std::map<std::string, std::size_t> modelOf;
  for (const HostGroup& group : cluster_.hosts) {
    Group compiled;
    compiled.link = catalogue.link(group.link);
    compiled.pci = isPci(compiled.link);
    const int count = static_cast<int>(group.devices.size());
    const int usual = static_cast<int>(constants["pcie.devices_per_switch"]);
    compiled.perSwitch = count <= usual ? static_cast<int>(constants["pcie.devices_per_switch_small"]) : usual;
    compiled.pciSwitches = compiled.pci ? ceilDivide(count, compiled.perSwitch) : 0;
    groups_.push_back(compiled);
    std::vector<std::size_t> models;  // of each host of the group
    for (const std::string& key : group.devices) {
      const auto [found, isNew] = modelOf.try_emplace(key, models_.size());
      if (isNew) models_.push_back(catalogue.device(key));
      models.push_back(found->second);
    }
    for (std::int64_t h = 0; h < group.count; ++h) {
      const int host = static_cast<int>(hosts_.size());
      hosts_.push_back({.group = groups_.size() - 1, .first = static_cast<int>(deviceModel_.size()), .count = count});
      deviceModel_.insert(deviceModel_.end(), models.begin(), models.end());
      hostOf_.insert(hostOf_.end(), models.size(), host);
    }
  }
  for (int d = 0; d < devices(); ++d) {
    const double port = linkInside(hostOf(d)).effectiveGbPerSec;
    addResource(ResourceKind::DeviceOut, port, d);
    addResource(ResourceKind::DeviceIn, port, d);
  }
}

void Network::addHosts(const Catalogue& catalogue, const TimingConstants& constants,
                       const std::map<std::string, int>& switchIndex) {
  const double socket = catalogue.link("qpi_upi").effectiveGbPerSec, memory = constants["memory.host_gb_per_s"];
  for (int h = 0; h < hosts(); ++h) {
    Host& host = at(hosts_, h);
    const Group& compiled = groups_[host.group];
    host.switches = resources();
    for (int s = 0; s < compiled.pciSwitches; ++s) {
      addResource(ResourceKind::SwitchUp, compiled.link.effectiveGbPerSec, h);
      addResource(ResourceKind::SwitchDown, compiled.link.effectiveGbPerSec, h);
    }
    host.sockets = addResource(ResourceKind::SocketsUp, socket, h);
    addResource(ResourceKind::SocketsDown, socket, h);
    host.memory = addResource(ResourceKind::HostMemory, memory, h);
    if (!cluster_.hostLink.empty() && !sharesTheAir()) {  // a single host sends to parameter servers
      host.nicOut = addResource(ResourceKind::NicOut, hostBandwidth(h), h);
      addResource(ResourceKind::NicIn, hostBandwidth(h), h);
    }
    const std::string& attached = cluster_.hosts[host.group].attachedTo;
    if (!attached.empty()) host.attached = switchIndex.at(attached);
  }
  if (sharesTheAir()) air_ = addResource(ResourceKind::Air, nicBandwidth_, 0);
}

void Network::crossNetwork(Route& route, int from, int to) const {
  // Goes up to the lowest switch above both hosts, and down again.
  int a = at(hosts_, from).attached, b = at(hosts_, to).attached;
  const auto depth = [&](int s) { return s < 0 ? -1 : at(switches_, s).depth; };
  while (a != b) {  // at most kMostSwitchesUp each, so a route has room for them
    if (depth(a) >= depth(b)) {
      route.add(at(switches_, a).up);
      a = at(switches_, a).parent;
    } else {
      route.add(at(switches_, b).up + 1);
      b = at(switches_, b).parent;
    }
  }
}

Network::Route Network::route(int from, int to) const {
  LAB_CHECK(from != to);
  const int fromHost = hostOf(from), toHost = hostOf(to);
  Route route;
  route.add(2 * from);
  if (fromHost != toHost && sharesTheAir()) {
    route.alphaNs = nicLatencyNs_;
    route.add(air_, 2);
  } else if (fromHost != toHost) {
    route.alphaNs = nicLatencyNs_;
    route.add(at(hosts_, fromHost).nicOut);
    crossNetwork(route, fromHost, toHost);
    route.add(at(hosts_, toHost).nicOut + 1);
  } else {
    const Host& host = at(hosts_, fromHost);
    const Group& compiled = groups_[host.group];
    route.alphaNs = compiled.link.latencyUs * 1e3;
    if (compiled.pci) {
      const int a = (from - host.first) / compiled.perSwitch, b = (to - host.first) / compiled.perSwitch;
      const bool direct = cluster_.hosts[host.group].peerToPeer;
      if (a != b || !direct) {
        route.add(host.switches + 2 * a, rootPortFactor_);
        route.add(host.switches + 2 * b + 1, rootPortFactor_);
      }
      const int socketA = 2 * a / compiled.pciSwitches, socketB = 2 * b / compiled.pciSwitches;
      if (socketA != socketB) route.add(host.sockets + (socketA < socketB ? 0 : 1));
      if (!direct) route.add(host.memory, 2);
    }
  }
  route.add(2 * to + 1);
  return route;
}

double Network::ringBandwidth(int hosts) const {
  LAB_CHECK(hosts > 1);
  std::vector<double> load(bandwidth_.size(), 0.0);
  double slowest = std::numeric_limits<double>::infinity();
  for (int h = 0; h < hosts; ++h) {
    const Route edge = route(firstDevice(h), firstDevice((h + 1) % hosts));
    for (const Crossing& crossing : edge.span()) {
      if (isDevicePort(kind(crossing.resource))) continue;
      double& sum = at(load, crossing.resource);
      sum += crossing.times;
      slowest = std::min(slowest, bandwidth(crossing.resource) / sum);
    }
  }
  return slowest;
}

std::vector<int> Network::uplinksAbove(int host) const {
  std::vector<int> uplinks;
  int above = sharesTheAir() ? -1 : at(hosts_, host).attached;
  while (above >= 0) {
    const NetSwitch& each = at(switches_, above);
    if (each.parent >= 0) uplinks.push_back(each.up);  // nothing is above the top switch's
    above = each.parent;
  }
  return uplinks;
}

std::string Network::name(int resource) const {
  const std::string owner = std::to_string(at(owner_, resource));
  switch (kind(resource)) {
    case ResourceKind::DeviceOut:
      return "device " + owner + " out";
    case ResourceKind::DeviceIn:
      return "device " + owner + " in";
    case ResourceKind::SwitchUp:
      return "host " + owner + " PCIe switch up";
    case ResourceKind::SwitchDown:
      return "host " + owner + " PCIe switch down";
    case ResourceKind::SocketsUp:
      return "host " + owner + " sockets up";
    case ResourceKind::SocketsDown:
      return "host " + owner + " sockets down";
    case ResourceKind::HostMemory:
      return "host " + owner + " memory";
    case ResourceKind::NicOut:
      return "host " + owner + " NICs out";
    case ResourceKind::NicIn:
      return "host " + owner + " NICs in";
    case ResourceKind::UplinkUp:
      return at(cluster_.switches, at(owner_, resource)).name + " up";
    case ResourceKind::UplinkDown:
      return at(cluster_.switches, at(owner_, resource)).name + " down";
    case ResourceKind::Air:
      return "Wi-Fi";
  }
  throwBrokenInvariant("a resource without a name", __FILE__, __LINE__);
}

}  // namespace lab

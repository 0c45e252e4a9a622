// SPDX-License-Identifier: GPL-3.0-or-later
// A cluster as a network of directed resources that transfers share: device ports, PCIe switches, sockets, host memory,
// NICs, network switches (README.md, Network). A route is what one byte from one device to another must cross. All
// bandwidths are bytes per nanosecond (= GB/s).
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "core/base/at.h"
#include "core/hardware/cluster_spec.h"
#include "core/hardware/timing_constants.h"

namespace lab {

enum class ResourceKind {
  DeviceOut,
  DeviceIn,
  SwitchUp,
  SwitchDown,
  SocketsUp,  // between the CPU sockets of a host, towards the second one
  SocketsDown,
  HostMemory,
  NicOut,
  NicIn,
  UplinkUp,
  UplinkDown,
  Air
};

class Network {
 public:
  struct Crossing {
    int resource;
    double times;  // bytes on the resource for each byte sent
  };
  struct Route {
    std::array<Crossing, 4 + 2 * kMostSwitchesUp> crossings;  // the first `count` are set, the others uninitialised
    int count = 0;
    double alphaNs = 0;
    std::span<const Crossing> span() const&& = delete;  // the span would outlive the route
    std::span<const Crossing> span() const& { return {crossings.data(), static_cast<std::size_t>(count)}; }
    void add(int resource, double times = 1) { at(crossings, count++) = {resource, times}; }
  };

  // Checks the cluster, and copies the catalogue's models.
  Network(const ClusterSpec& cluster, const Catalogue& catalogue, const TimingConstants& constants);

  const ClusterSpec& cluster() const { return cluster_; }
  int devices() const { return static_cast<int>(deviceModel_.size()); }
  int hosts() const { return static_cast<int>(hosts_.size()); }
  int hostOf(int device) const { return at(hostOf_, device); }
  int firstDevice(int host) const { return at(hosts_, host).first; }
  int devicesOn(int host) const { return at(hosts_, host).count; }
  // The first `ranks` devices: on how many hosts they are, and how many of them are on one of these hosts.
  int hostsOf(int ranks) const { return hostOf(ranks - 1) + 1; }
  int ranksOn(int host, int ranks) const { return std::min(devicesOn(host), ranks - firstDevice(host)); }
  const DeviceModel& device(int device) const { return models_[at(deviceModel_, device)]; }
  const LinkModel& linkInside(int host) const { return groups_[at(hosts_, host).group].link; }
  const LinkModel& hostLink() const { return hostLink_; }
  const HostGroup& group(int host) const { return cluster_.hosts[at(hosts_, host).group]; }
  bool pciInside(int host) const { return groups_[at(hosts_, host).group].pci; }
  int devicesPerSwitch(int host) const { return groups_[at(hosts_, host).group].perSwitch; }

  Route route(int from, int to) const;
  // Returns the bandwidth from each of the first `hosts` hosts, at least 2, to the next while a ring over them sends on
  // all its edges at once: the slowest of what is shared between hosts decides.
  double ringBandwidth(int hosts) const;
  // Returns the uplinks, as their resources `up`, from a host to the top switch, the lowest first; `down` is one more.
  // Empty on Wi-Fi, for its hosts and servers reach the access point themselves.
  std::vector<int> uplinksAbove(int host) const;
  // Returns the resource of a host's NICs outwards; inwards is one more. The hosts must have a link between them other
  // than Wi-Fi.
  int nicOut(int host) const { return at(hosts_, host).nicOut; }
  int air() const { return air_; }  // the resource of a shared Wi-Fi medium; −1 if there is none

  int resources() const { return static_cast<int>(bandwidth_.size()); }
  double bandwidth(int resource) const { return at(bandwidth_, resource); }
  ResourceKind kind(int resource) const { return at(kind_, resource); }
  std::string name(int resource) const;                  // "replica 3 out", "host 1 NICs in"
  double nicBandwidth() const { return nicBandwidth_; }  // of one NIC, as the transport reaches it
  // All NICs of a host together. On Wi-Fi they share one medium, so several are no faster than one.
  double hostBandwidth(int host) const {
    return sharesTheAir() ? nicBandwidth_ : nicBandwidth_ * static_cast<double>(group(host).nics);
  }
  double nicLatencyNs() const { return nicLatencyNs_; }
  // Returns true for Wi-Fi: one host transmits at a time, in one direction. Servers are wired to the access point, so a
  // byte between two hosts takes the air twice and a byte to a server once.
  bool sharesTheAir() const { return hostLink_.family == LinkFamily::Wifi; }

 private:
  struct Group {
    LinkModel link;
    bool pci = false;
    int perSwitch = 0, pciSwitches = 0;
  };
  struct Host {
    std::size_t group = 0;
    int first = 0, count = 0;
    int switches = 0;  // first resource of its PCIe switches, up and down alternating
    int sockets = 0, memory = 0, nicOut = 0;
    int attached = -1;  // index of the switch
  };
  struct NetSwitch {
    int parent = -1, depth = 0, up = 0;  // the resource `up`; up + 1 is down
  };
  void addDevices(const Catalogue& catalogue, const TimingConstants& constants);
  void addHosts(const Catalogue& catalogue, const TimingConstants& constants,
                const std::map<std::string, int>& switchIndex);
  int addResource(ResourceKind kind, double bandwidth, int owner);
  void crossNetwork(Route& route, int from, int to) const;

  ClusterSpec cluster_;
  std::vector<DeviceModel> models_;
  std::vector<std::size_t> deviceModel_;
  std::vector<int> hostOf_;
  std::vector<Group> groups_;
  std::vector<Host> hosts_;
  std::vector<NetSwitch> switches_;
  LinkModel hostLink_;
  double nicBandwidth_ = 0, nicLatencyNs_ = 0;
  double rootPortFactor_ = 1;
  int air_ = -1;
  std::vector<double> bandwidth_;
  std::vector<ResourceKind> kind_;
  std::vector<int> owner_;
};

// Returns the bandwidth that the transport reaches on a link (README.md, Network), in bytes/ns.
double transportBandwidth(const LinkModel& link, NetTransport transport, const TimingConstants& constants);

}  // namespace lab

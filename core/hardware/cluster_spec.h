// SPDX-License-Identifier: GPL-3.0-or-later
// A cluster as the user composes it: groups of equal hosts, the devices in each, the links inside and between them, and
// the tree of switches that joins them. Plain values; checkCluster() reports mistakes in them.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/hardware/catalogue.h"

namespace lab {

// The most levels of switches that a cluster may have.
inline constexpr int kMostSwitchesUp = 6;

// How bytes travel between hosts: each transport reaches another share of the link's line rate (README.md, Network).
enum class NetTransport { Auto, Rdma, Tcp, Grpc };
std::string_view toString(NetTransport transport);
std::optional<NetTransport> findTransport(std::string_view name);
bool overTcp(NetTransport transport);  // true for gRPC too

struct HostGroup {
  std::string name = "host";
  std::int64_t count = 1;
  std::vector<std::string> devices;  // catalogue keys of each host's devices, which may differ
  std::string link;                  // between devices of a host
  std::int64_t nics = 1;             // of each host; each NIC is on a hostLink
  bool peerToPeer = true;            // devices reach each other without crossing the host's memory
  std::string attachedTo;            // a switch; "" means the one network between all hosts
};

struct SwitchSpec {
  std::string name;
  std::string attachedTo;  // the switch above; "" means that this is the top
  std::string link;        // of each uplink
  std::int64_t uplinks = 1;
};

struct ClusterSpec {
  std::vector<HostGroup> hosts;
  std::string hostLink;  // of each NIC; may be empty where there is one host
  std::vector<SwitchSpec> switches;
  NetTransport transport = NetTransport::Auto;

  std::int64_t devices() const;
  std::int64_t hostCount() const;
};

inline constexpr std::int64_t kMaxClusterDevices = 65536;
inline constexpr std::int64_t kMostDevicesPerHost = 1024;  // also the most NICs

// Returns a cluster of `devices` devices of one kind, spread evenly over `hosts` hosts. Throws a UserError if they
// cannot be.
ClusterSpec uniformCluster(std::int64_t devices, std::int64_t hosts, const std::string& device, const std::string& link,
                           const std::string& hostLink, std::int64_t nics = 1);

// Throws a UserError saying what is wrong and what to do: no devices, too many, an unknown key, two groups or switches
// with the same name, a switch above itself, hosts without a path to each other.
void checkCluster(const ClusterSpec& cluster, const Catalogue& catalogue);

// Returns why no such hardware exists, so that the times modelled for the first `devices` are extrapolated: a host has
// more devices than its link joins, or a device has no ports for its link. Empty if such hardware may exist. A device
// alone on its host uses no link. `cluster` must be checked.
Message whyExtrapolated(const ClusterSpec& cluster, std::int64_t devices, const Catalogue& catalogue);

// From JSON: {"hostLink": "ib_edr", "transport": "rdma", "hosts": [{"name": "a", "count": 4, "devices": {"v100": 8},
// "link": "nvlink2", "nics": 4, "peerToPeer": true, "switch": "leaf"}], "switches": [{"name": "leaf", "link": "ib_edr",
// "uplinks": 4, "switch": ""}]}. Checked. `name` is what messages call the text.
ClusterSpec parseCluster(std::string_view json, const std::string& name, const Catalogue& catalogue);

}  // namespace lab

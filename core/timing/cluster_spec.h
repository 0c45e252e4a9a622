// SPDX-License-Identifier: GPL-3.0-or-later
// A cluster as people compose it: groups of equal hosts, the devices in each, the links inside and between them, and
// the tree of switches that joins them. Plain values; checkCluster() reports what is wrong with them.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/timing/catalogue.h"

namespace lab {

// Levels of switches, the most there may be.
inline constexpr int kMostSwitchesUp = 6;

// How bytes travel between hosts: what each makes of the link's line rate (README.md, Network).
enum class NetTransport { Auto, Rdma, Tcp, Grpc };
std::string_view toString(NetTransport transport);
std::optional<NetTransport> findTransport(std::string_view name);
bool overTcp(NetTransport transport);  // gRPC too

struct HostGroup {
  std::string name = "host";
  std::int64_t count = 1;
  std::vector<std::string> devices;  // of each host, keys of the catalogue; they may differ
  std::string link;                  // between devices of a host
  std::int64_t nics = 1;             // of each host, each a hostLink
  bool peerToPeer = true;            // devices reach each other without crossing the host's memory
  std::string attachedTo;            // a switch; "" is the one network between all hosts
};

struct SwitchSpec {
  std::string name;
  std::string attachedTo;  // the switch above; "" is the top
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
inline constexpr std::int64_t kMostDevicesPerHost = 1024;  // and NICs

// `devices` of one kind over `hosts` hosts, evenly. UserError where that cannot be.
ClusterSpec uniformCluster(std::int64_t devices, std::int64_t hosts, const std::string& device, const std::string& link,
                           const std::string& hostLink, std::int64_t nics = 1);

// UserError saying what is wrong and what to do: no devices, too many, an unknown key, two groups or switches of one
// name, a switch above itself, hosts without a path to each other.
void checkCluster(const ClusterSpec& cluster, const Catalogue& catalogue);

// Why there is no such hardware, so that what is modelled of its first `devices` is extrapolated: more devices on a
// host than its link joins, or a link that a device has no ports for. Empty where there may be. A device alone on its
// host uses no link. `cluster` is checked.
Message whyExtrapolated(const ClusterSpec& cluster, std::int64_t devices, const Catalogue& catalogue);

// From JSON: {"hostLink": "ib_edr", "transport": "rdma", "hosts": [{"name": "a", "count": 4, "devices": {"v100": 8},
// "link": "nvlink2", "nics": 4, "peerToPeer": true, "switch": "leaf"}], "switches": [{"name": "leaf", "link": "ib_edr",
// "uplinks": 4, "switch": ""}]}. Checked. `name` is what messages call the text.
ClusterSpec parseCluster(std::string_view json, const std::string& name, const Catalogue& catalogue);

}  // namespace lab

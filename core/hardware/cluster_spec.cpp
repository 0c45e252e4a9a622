// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/hardware/cluster_spec.h"

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>

#include "core/base/error.h"
#include "core/base/json.h"
#include "core/base/messages.h"
#include "core/base/suggest.h"
#include "core/hardware/messages.h"

namespace lab {
namespace {

using nlohmann::json;

std::string joined(const std::vector<std::string>& words) {
  std::string all;
  for (const std::string& word : words) all += (all.empty() ? "" : ", ") + word;
  return all;
}

[[noreturn]] void fail(const Message& what) {
  throw UserError(say::clusterFault, what);
}

// Returns the switches from `from` upwards, the top one last.
std::vector<std::string> pathUp(const std::map<std::string, const SwitchSpec*>& switches, const std::string& from) {
  std::vector<std::string> path;
  std::set<std::string> seen;
  for (std::string at = from; !at.empty();) {
    if (!seen.insert(at).second)
      fail(path.size() > 1 ? Message(say::switchCycle, at, path.back()) : Message(say::switchOnItself, at));
    const auto found = switches.find(at);
    if (found == switches.end()) {
      std::vector<std::string> names;
      for (const auto& [name, spec] : switches) names.push_back(name);
      fail({say::addSwitch, unknownName(say::switchWord, at, names)});
    }
    path.push_back(at);
    if (std::ssize(path) > kMostSwitchesUp) fail({say::tooManySwitches, kMostSwitchesUp, from});
    at = found->second->attachedTo;
  }
  return path;
}

// Reads one JSON object; every key in it must be read.
class ObjectReader {
 public:
  ObjectReader(const json& object, Message where) : object_(object), where_(std::move(where)) {
    if (!object.is_object()) fail({say::mustBeObject, where_});
  }
  void only(std::initializer_list<const char*> keys) const {
    std::vector<std::string> known(keys.begin(), keys.end());
    for (const auto& [key, value] : object_.items())
      if (std::ranges::find(known, key) == known.end())
        fail({say::unknownKey, where_, unknownName(say::keyWord, key, known)});
  }
  std::string text(const char* key) const {
    const auto found = object_.find(key);
    if (found == object_.end()) return "";
    if (!found->is_string()) fail({say::mustBeText, where_, key});
    return found->get<std::string>();
  }
  std::int64_t count(const char* key, std::int64_t unset, std::int64_t maximum) const {
    const auto found = object_.find(key);
    if (found == object_.end()) return unset;
    const std::optional<std::int64_t> number = integerWithin(*found, 1, maximum);
    if (!number) fail({say::mustBeCount, where_, key, found->dump(), Count{maximum}});
    return *number;
  }
  bool flag(const char* key, bool unset) const {
    const auto found = object_.find(key);
    if (found == object_.end()) return unset;
    if (!found->is_boolean()) fail({say::mustBeFlag, where_, key});
    return found->get<bool>();
  }
  const json& at(const char* key) const {
    const auto found = object_.find(key);
    if (found == object_.end()) fail({say::keyMissing, where_, key});
    return *found;
  }

 private:
  const json& object_;
  Message where_;
};

// Reads the devices of a host: their names, and how many of each. A name is repeated as often as the file says, so it
// is checked first, and so is the sum: a file may have very many names, or very long ones.
void readDevices(const json& devices, const Catalogue& catalogue, HostGroup& group) {
  if (!devices.is_object()) fail({say::devicesNoMap, group.name});
  const ObjectReader counts(devices, {say::devicesOfGroup, group.name});
  for (const auto& [key, value] : devices.items()) {
    const std::int64_t count = counts.count(key.c_str(), 1, kMostDevicesPerHost);
    (void)catalogue.device(key);
    if (const std::int64_t sum = std::ssize(group.devices) + count; sum > kMostDevicesPerHost)
      fail({say::devicesPerHost, group.name, Count{sum}, Count{kMostDevicesPerHost}});
    group.devices.insert(group.devices.end(), static_cast<std::size_t>(count), key);
  }
}

}  // namespace

std::string_view toString(NetTransport transport) {
  switch (transport) {
    case NetTransport::Auto:
      return "auto";
    case NetTransport::Rdma:
      return "rdma";
    case NetTransport::Tcp:
      return "tcp";
    case NetTransport::Grpc:
      return "grpc";
  }
  throwBrokenInvariant("a transport without a name", __FILE__, __LINE__);
}

std::optional<NetTransport> findTransport(std::string_view name) {
  for (const NetTransport transport : {NetTransport::Auto, NetTransport::Rdma, NetTransport::Tcp, NetTransport::Grpc})
    if (toString(transport) == name) return transport;
  return std::nullopt;
}

bool overTcp(NetTransport transport) {
  return transport == NetTransport::Tcp || transport == NetTransport::Grpc;
}

std::int64_t ClusterSpec::devices() const {
  std::int64_t sum = 0;
  for (const HostGroup& group : hosts) sum += group.count * std::ssize(group.devices);
  return sum;
}
std::int64_t ClusterSpec::hostCount() const {
  std::int64_t sum = 0;
  for (const HostGroup& group : hosts) sum += group.count;
  return sum;
}

ClusterSpec uniformCluster(std::int64_t devices, std::int64_t hosts, const std::string& device, const std::string& link,
                           const std::string& hostLink, std::int64_t nics) {
  if (devices < 1 || devices > kMaxClusterDevices)
    fail({say::devicesOutside, Count{devices}, Count{kMaxClusterDevices}});
  if (hosts < 1 || devices % hosts != 0) fail({say::devicesDoNotSpread, Count{devices}, Count{hosts}});
  if (devices / hosts > kMostDevicesPerHost)
    fail({say::hostTooFull, Count{devices / hosts}, Count{kMostDevicesPerHost}});
  ClusterSpec cluster;
  cluster.hostLink = hostLink;
  cluster.hosts = {{.count = hosts,
                    .devices = std::vector<std::string>(static_cast<std::size_t>(devices / hosts), device),
                    .link = link,
                    .nics = nics}};
  return cluster;
}

void checkCluster(const ClusterSpec& cluster, const Catalogue& catalogue) {
  if (cluster.hosts.empty()) fail(say::noHostsInCluster);
  std::set<std::string> names;
  std::int64_t devices = 0;
  for (const HostGroup& group : cluster.hosts) {
    if (!names.insert(group.name).second) fail({say::groupsOfOneName, group.name});
    if (group.count < 1 || group.count > kMaxClusterDevices)
      fail({say::groupCount, group.name, Count{group.count}, Count{kMaxClusterDevices}});
    if (group.devices.empty() || std::ssize(group.devices) > kMostDevicesPerHost)
      fail({say::devicesPerHost, group.name, Count{std::ssize(group.devices)}, Count{kMostDevicesPerHost}});
    if (group.nics < 1 || group.nics > kMostDevicesPerHost)
      fail({say::nicsPerHost, group.name, Count{group.nics}, Count{kMostDevicesPerHost}});
    devices += group.count * std::ssize(group.devices);
    if (devices > kMaxClusterDevices) fail({say::tooManyDevices, Count{kMaxClusterDevices}});
    for (const std::string& device : std::set(group.devices.begin(), group.devices.end()))
      (void)catalogue.device(device);
    (void)catalogue.link(group.link);
  }
  std::map<std::string, const SwitchSpec*> switches;
  for (const SwitchSpec& spec : cluster.switches) {
    if (spec.name.empty()) fail(say::switchWithoutName);
    if (!switches.emplace(spec.name, &spec).second) fail({say::switchesOfOneName, spec.name});
    if (spec.uplinks < 1) fail({say::noUplinks, spec.name});
    (void)catalogue.link(spec.link);
  }
  for (const SwitchSpec& spec : cluster.switches) (void)pathUp(switches, spec.name);
  // All hosts must be in one tree: their paths upwards end at the same switch.
  std::set<std::string> tops;
  for (const HostGroup& group : cluster.hosts) {
    const std::vector<std::string> path = pathUp(switches, group.attachedTo);
    tops.insert(path.empty() ? "" : path.back());
  }
  if (tops.size() > 1) {
    const auto word = [](const std::string& top) {
      return top.empty() ? Message(say::noSwitch) : Message(say::inFile, top);
    };
    fail({say::noPath, word(*tops.begin()), word(*tops.rbegin())});
  }
  if (cluster.hostCount() > 1) {
    if (cluster.hostLink.empty()) fail(say::noHostLink);
    (void)catalogue.link(cluster.hostLink);
  }
}

Message whyExtrapolated(const ClusterSpec& cluster, std::int64_t devices, const Catalogue& catalogue) {
  const bool apart = !cluster.hosts.empty() && devices > std::ssize(cluster.hosts.front().devices);
  if (apart && staysInHost(catalogue.link(cluster.hostLink))) return {say::hostsJoinedByLink, cluster.hostLink};
  for (const HostGroup& group : cluster.hosts) {
    const std::int64_t onHost = std::min(devices, std::ssize(group.devices));
    devices -= std::min(devices, group.count * std::ssize(group.devices));
    if (onHost < 2) continue;
    const LinkModel& link = catalogue.link(group.link);
    for (const std::string& id : std::set(group.devices.begin(), group.devices.begin() + onHost)) {
      const DeviceModel& device = catalogue.device(id);
      if (!catalogue.canHave(device, link)) return {say::linkOfOthers, id, link.id, joined(device.links)};
    }
    if (link.largestDomain > 0 && onHost > link.largestDomain)
      return {say::domainTooLarge, Count{onHost}, link.id, Count{link.largestDomain}};
  }
  return {};
}

ClusterSpec parseCluster(std::string_view text, const std::string& name, const Catalogue& catalogue) try {
  constexpr int kDepth = 6;
  const json document = parseJson(text, {say::inFile, File{name}}, kDepth);
  const ObjectReader top(document, say::wholeCluster);
  top.only({"hostLink", "transport", "hosts", "switches"});
  ClusterSpec cluster;
  cluster.hostLink = top.text("hostLink");
  if (const std::string transport = top.text("transport"); !transport.empty()) {
    const std::optional<NetTransport> known = findTransport(transport);
    if (!known) fail({say::unknownTransport, transport});
    cluster.transport = *known;
  }
  if (!top.at("hosts").is_array()) fail(say::hostsNoList);
  std::int64_t total = 0;  // devices
  for (const json& entry : top.at("hosts")) {
    const ObjectReader host(entry, say::entryOfHosts);
    host.only({"name", "count", "devices", "link", "nics", "peerToPeer", "switch"});
    HostGroup group;
    group.name = host.text("name").empty() ? "hosts " + std::to_string(cluster.hosts.size()) : host.text("name");
    group.count = host.count("count", 1, kMaxClusterDevices);
    group.link = host.text("link");
    group.nics = host.count("nics", 1, kMostDevicesPerHost);
    group.peerToPeer = host.flag("peerToPeer", true);
    group.attachedTo = host.text("switch");
    readDevices(host.at("devices"), catalogue, group);
    total += group.count * std::ssize(group.devices);
    if (total > kMaxClusterDevices) fail({say::tooManyDevices, Count{kMaxClusterDevices}});
    cluster.hosts.push_back(std::move(group));
  }
  if (document.contains("switches")) {
    if (!document["switches"].is_array()) fail(say::switchesNoList);
    for (const json& entry : document["switches"]) {
      const ObjectReader reader(entry, say::entryOfSwitches);
      reader.only({"name", "switch", "link", "uplinks"});
      cluster.switches.push_back({reader.text("name"), reader.text("switch"), reader.text("link"),
                                  reader.count("uplinks", 1, kMostDevicesPerHost)});
    }
  }
  checkCluster(cluster, catalogue);
  return cluster;
} catch (const UserError& error) {
  if (error.message().file() == name) throw;
  throw UserError(say::aboutFile, File{name}, error.message());
}

}  // namespace lab

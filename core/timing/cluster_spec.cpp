// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/timing/cluster_spec.h"

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <set>

#include "core/base/error.h"
#include "core/base/json.h"
#include "core/base/suggest.h"
#include "core/base/units.h"

namespace lab {
namespace {

using nlohmann::json;

constexpr std::int64_t kMaxPerHost = 1024;

[[noreturn]] void fail(const std::string& what) {
  throw UserError("the cluster: " + what);
}

// The switches from `name` upwards, the top one last.
std::vector<std::string> pathUp(const std::map<std::string, const SwitchSpec*>& switches, const std::string& from) {
  std::vector<std::string> path;
  std::set<std::string> seen;
  for (std::string at = from; !at.empty();) {
    if (!seen.insert(at).second)
      fail("the switches form a cycle: '" + at + "' is attached to itself by way of " +
           (path.size() > 1 ? "'" + path.back() + "'" : "itself") + ". Attach one of them to another, or to none.");
    const auto found = switches.find(at);
    if (found == switches.end()) {
      std::vector<std::string> names;
      for (const auto& [name, spec] : switches) names.push_back(name);
      fail(unknownNameMessage("switch", at, names) + ". Add it to the switches or correct the name.");
    }
    path.push_back(at);
    if (std::ssize(path) > kMostSwitchesUp)
      fail("more than " + std::to_string(kMostSwitchesUp) + " switches lie one above the other, from '" + from +
           "' upwards. Use fewer levels: data centres have three.");
    at = found->second->attachedTo;
  }
  return path;
}

// Reads one JSON object; every key must be asked for.
class ObjectReader {
 public:
  ObjectReader(const json& object, std::string where) : object_(object), where_(std::move(where)) {
    if (!object.is_object()) fail(where_ + " must be an object in braces.");
  }
  void only(std::initializer_list<const char*> keys) const {
    std::vector<std::string> known(keys.begin(), keys.end());
    for (const auto& [key, value] : object_.items())
      if (std::ranges::find(known, key) == known.end())
        fail(where_ + " has an " + unknownNameMessage("key", key, known) + ". Correct or remove it.");
  }
  std::string text(const char* key) const {
    const auto found = object_.find(key);
    if (found == object_.end()) return "";
    if (!found->is_string()) fail(where_ + ": '" + key + "' must be a text in quotes.");
    return found->get<std::string>();
  }
  std::int64_t count(const char* key, std::int64_t unset, std::int64_t maximum) const {
    const auto found = object_.find(key);
    if (found == object_.end()) return unset;
    if (!found->is_number_integer() || *found < 1 || *found > maximum)
      fail(where_ + ": '" + key + "' is " + found->dump() + ", not a whole number from 1 to " + formatCount(maximum) +
           ". Correct it.");
    return found->get<std::int64_t>();
  }
  bool flag(const char* key, bool unset) const {
    const auto found = object_.find(key);
    if (found == object_.end()) return unset;
    if (!found->is_boolean()) fail(where_ + ": '" + key + "' must be true or false.");
    return found->get<bool>();
  }
  const json& at(const char* key) const {
    const auto found = object_.find(key);
    if (found == object_.end()) fail(where_ + " has no '" + key + "'. Add it.");
    return *found;
  }

 private:
  const json& object_;
  std::string where_;
};

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
    fail(formatCount(devices) + " devices are outside what can be simulated. Give 1 to " +
         formatCount(kMaxClusterDevices) + ".");
  if (hosts < 1 || devices % hosts != 0)
    fail(formatCount(devices) + " devices cannot be spread evenly over " + formatCount(hosts) +
         " hosts. Choose a number of hosts that divides the devices.");
  ClusterSpec cluster;
  cluster.hostLink = hostLink;
  cluster.hosts = {{.count = hosts,
                    .devices = std::vector<std::string>(static_cast<std::size_t>(devices / hosts), device),
                    .link = link,
                    .nics = nics}};
  return cluster;
}

void checkCluster(const ClusterSpec& cluster, const Catalogue& catalogue) {
  if (cluster.hosts.empty()) fail("it has no hosts. Add at least one, with a device.");
  std::set<std::string> names;
  std::int64_t devices = 0;
  for (const HostGroup& group : cluster.hosts) {
    if (!names.insert(group.name).second)
      fail("two groups of hosts are named '" + group.name + "'. Give each its own name.");
    if (group.count < 1 || group.count > kMaxClusterDevices)
      fail("'" + group.name + "' has a count of " + formatCount(group.count) + ". Give 1 to " +
           formatCount(kMaxClusterDevices) + ".");
    if (group.devices.empty() || std::ssize(group.devices) > kMaxPerHost)
      fail("each host of '" + group.name + "' has " + formatCount(std::ssize(group.devices)) +
           " devices. Give it 1 to " + formatCount(kMaxPerHost) + ".");
    if (group.nics < 1 || group.nics > kMaxPerHost)
      fail("each host of '" + group.name + "' has " + formatCount(group.nics) + " NICs. Give it 1 to " +
           formatCount(kMaxPerHost) + ".");
    devices += group.count * std::ssize(group.devices);
    if (devices > kMaxClusterDevices)
      fail("it has more than " + formatCount(kMaxClusterDevices) + " devices, too many to simulate. Give fewer.");
    for (const std::string& device : std::set(group.devices.begin(), group.devices.end()))
      (void)catalogue.device(device);
    (void)catalogue.link(group.link);
  }
  std::map<std::string, const SwitchSpec*> switches;
  for (const SwitchSpec& spec : cluster.switches) {
    if (spec.name.empty()) fail("a switch has no name. Give each one.");
    if (!switches.emplace(spec.name, &spec).second)
      fail("two switches are named '" + spec.name + "'. Give each its own name.");
    if (spec.uplinks < 1) fail("the switch '" + spec.name + "' has no uplinks. Give it at least one.");
    (void)catalogue.link(spec.link);
  }
  for (const SwitchSpec& spec : cluster.switches) (void)pathUp(switches, spec.name);
  // All hosts are in one tree: their paths upwards end at the same switch.
  std::set<std::string> tops;
  for (const HostGroup& group : cluster.hosts) {
    const std::vector<std::string> path = pathUp(switches, group.attachedTo);
    tops.insert(path.empty() ? "" : path.back());
  }
  if (tops.size() > 1) {
    const auto word = [](const std::string& top) { return top.empty() ? "no switch" : "'" + top + "'"; };
    fail("there is no path between all hosts: some end at " + word(*tops.begin()) + " and others at " +
         word(*tops.rbegin()) + ". Attach the one to the other.");
  }
  if (cluster.hostCount() > 1) {
    if (cluster.hostLink.empty())
      fail("there is no path between its hosts: no link between hosts is named. Name one, a key of the catalogue.");
    (void)catalogue.link(cluster.hostLink);
  }
}

ClusterSpec parseCluster(std::string_view text, const std::string& name, const Catalogue& catalogue) try {
  constexpr int kDepth = 6;
  const json document = parseJson(text, "'" + name + "'", kDepth);
  const ObjectReader top(document, "it");
  top.only({"hostLink", "transport", "hosts", "switches"});
  ClusterSpec cluster;
  cluster.hostLink = top.text("hostLink");
  if (const std::string transport = top.text("transport"); !transport.empty()) {
    const std::optional<NetTransport> known = findTransport(transport);
    if (!known) fail("'transport' is '" + transport + "'. Write auto, rdma, tcp or grpc.");
    cluster.transport = *known;
  }
  if (!top.at("hosts").is_array()) fail("'hosts' must be a list in brackets.");
  for (const json& entry : top.at("hosts")) {
    const ObjectReader host(entry, "an entry of 'hosts'");
    host.only({"name", "count", "devices", "link", "nics", "peerToPeer", "switch"});
    HostGroup group;
    group.name = host.text("name").empty() ? "hosts " + std::to_string(cluster.hosts.size()) : host.text("name");
    group.count = host.count("count", 1, kMaxClusterDevices);
    group.link = host.text("link");
    group.nics = host.count("nics", 1, kMaxPerHost);
    group.peerToPeer = host.flag("peerToPeer", true);
    group.attachedTo = host.text("switch");
    const json& devices = host.at("devices");
    if (!devices.is_object()) fail("'devices' of '" + group.name + R"(' must be like {"v100": 8}.)");
    const ObjectReader counts(devices, "'devices' of '" + group.name + "'");
    for (const auto& [key, value] : devices.items())
      group.devices.insert(group.devices.end(), static_cast<std::size_t>(counts.count(key.c_str(), 1, kMaxPerHost)),
                           key);
    cluster.hosts.push_back(std::move(group));
  }
  if (document.contains("switches")) {
    if (!document["switches"].is_array()) fail("'switches' must be a list in brackets.");
    for (const json& entry : document["switches"]) {
      const ObjectReader reader(entry, "an entry of 'switches'");
      reader.only({"name", "switch", "link", "uplinks"});
      cluster.switches.push_back(
          {reader.text("name"), reader.text("switch"), reader.text("link"), reader.count("uplinks", 1, kMaxPerHost)});
    }
  }
  checkCluster(cluster, catalogue);
  return cluster;
} catch (const UserError& error) {
  const std::string message = error.what();
  throw UserError(message.starts_with("'" + name + "'") ? message : "'" + name + "': " + message);
}

}  // namespace lab

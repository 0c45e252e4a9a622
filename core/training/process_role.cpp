// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/training/process_role.h"

#include <chrono>
#include <cstddef>
#include <memory>
#include <string>

#include "core/base/at.h"
#include "core/base/error.h"
#include "core/process/messages.h"
#include "core/process/peers.h"
#include "core/process/process_gpus.h"

namespace lab {
namespace {

using process::Peers;

// The longest time between the first and the last process that gets a stop signal sent to all.
constexpr std::chrono::seconds kMostBetweenSignals{2};

}  // namespace

void addProcesses(const ResolvedSettings& config, TopologySettings& topology) {
  const std::shared_ptr<Peers> peers = process::peers();
  if (!peers) throw UserError(say::notAmongProcesses, Option{"devices"});
  const auto each = config.replicas / config.hosts;
  for (const process::Place& place : peers->places()) {
    topology.machineOfHost.push_back(place.host);
    for (std::int64_t r = 0; r < each; ++r)
      topology.replicaHardware.push_back(place.host + " " + std::to_string(place.pid) + ", " + place.processor);
  }
  if (!areOnGpus(config)) return;
  const std::vector<ReplicaGpu> gpus = gpusOfReplicas(*peers, static_cast<int>(each));
  for (std::size_t r = 0; r < gpus.size(); ++r) {
    const process::Place& place = at(peers->places(), gpus[r].worker);
    topology.gpuOfReplica.push_back(gpus[r].worker == peers->rank() ? gpus[r].gpu : -1);
    topology.replicaHardware[r] =
        place.host + " " + std::to_string(place.pid) + ", GPU " + std::to_string(gpus[r].gpu) + " " + gpus[r].name;
  }
}

std::vector<ProcessFacts> processFacts(const SettingsBase& config) {
  std::vector<ProcessFacts> facts;
  const std::shared_ptr<Peers> peers = process::peers();
  if (config.devices != DeviceChoice::Processes || !peers) return facts;
  for (const process::Place& place : peers->places()) facts.push_back({place.host, place.pid});
  return facts;
}

bool isReporter(const SettingsBase& config) {
  if (config.devices != DeviceChoice::Processes) return true;
  const std::shared_ptr<Peers> peers = process::peers();
  return !peers || peers->isChief();
}

void withFiles(const SettingsBase& config, std::int64_t step, const std::function<void()>& work) {
  const std::shared_ptr<Peers> peers = config.devices == DeviceChoice::Processes ? process::peers() : nullptr;
  if (peers) peers->enter(process::Doing::Files, step);
  work();
  if (peers) peers->leave();
}

bool agreed(const SettingsBase& config, bool wish) {
  return agreedNext(config, wish ? Next::Stop : Next::Step) == Next::Stop;
}

Next agreedNext(const SettingsBase& config, Next wish) {
  const std::shared_ptr<Peers> peers = process::peers();
  if (config.devices != DeviceChoice::Processes || !peers) return wish;
  std::byte said{static_cast<unsigned char>(wish)};
  peers->broadcast(&said, 1);
  const auto next = static_cast<Next>(said);
  if (wish == Next::Stop && next != Next::Stop && !peers->isChief() && peers->sinceToldToEnd() > kMostBetweenSignals)
    throw UserError(UserError::Kind::Run, say::toldToEnd, peers->nameOf(peers->rank()));
  return next;
}

}  // namespace lab

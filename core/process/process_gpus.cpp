// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/process/process_gpus.h"

#include <cstddef>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <utility>

#include "core/base/error.h"
#include "core/device/cuda/gpu_module.h"
#include "core/process/failure_json.h"

namespace lab {
namespace {

using process::Content;
using process::Peers;

Content ownGpus() {
  nlohmann::json mine{{"addresses", nlohmann::json::array()}, {"names", nlohmann::json::array()}};
  const Message why = whyNoGpu();
  if (!why.empty()) mine["why"] = nlohmann::json::parse(failureLine(why));
  if (why.empty()) {
    for (const gpu::GpuInfo& info : gpuInfos()) {
      mine["addresses"].push_back(info.address);
      mine["names"].push_back(info.name);
    }
    if (const Message whyNot = whyNoNccl(); !whyNot.empty())
      mine["whyNoNccl"] = nlohmann::json::parse(failureLine(whyNot));
  }
  const std::string text = mine.dump();
  const auto* first = reinterpret_cast<const std::byte*>(text.data());
  return {first, first + text.size()};
}

WorkerGpus gpusFrom(const Content& content) {
  const auto* first = reinterpret_cast<const char*>(content.data());
  const nlohmann::json theirs = nlohmann::json::parse(first, first + content.size());
  WorkerGpus gpus;
  theirs.at("addresses").get_to(gpus.addresses);
  theirs.at("names").get_to(gpus.names);
  if (theirs.contains("why")) gpus.why = failureFrom(theirs.at("why"));
  if (theirs.contains("whyNoNccl")) gpus.whyNoNccl = failureFrom(theirs.at("whyNoNccl"));
  return gpus;
}

}  // namespace

const std::vector<WorkerGpus>& gpusOfWorkers(Peers& peers) {
  thread_local std::weak_ptr<Peers> of;
  thread_local std::vector<WorkerGpus> all;
  if (of.lock().get() == &peers) return all;
  all.clear();
  for (const Content& each : peers.allGather(ownGpus())) all.push_back(gpusFrom(each));
  of = process::peers();
  return all;
}

std::vector<ReplicaGpu> placeOnGpus(const std::vector<std::string>& hostOfWorker, const std::vector<WorkerGpus>& gpus,
                                    int replicasOfWorker) {
  std::map<std::pair<std::string, std::string>, int> taken;  // by host and address
  std::vector<ReplicaGpu> placed;
  for (std::size_t worker = 0; worker < gpus.size(); ++worker) {
    const std::string& host = hostOfWorker[worker];
    const std::vector<std::string>& addresses = gpus[worker].addresses;
    LAB_CHECK(!addresses.empty());
    for (int r = 0; r < replicasOfWorker; ++r) {
      std::size_t best = 0;
      for (std::size_t i = 1; i < addresses.size(); ++i)
        if (taken[{host, addresses[i]}] < taken[{host, addresses[best]}]) best = i;
      ++taken[{host, addresses[best]}];
      placed.push_back(
          {static_cast<int>(worker), static_cast<int>(best), host, addresses[best], gpus[worker].names[best]});
    }
  }
  return placed;
}

std::vector<ReplicaGpu> gpusOfReplicas(Peers& peers, int replicasOfWorker) {
  std::vector<std::string> hosts;
  for (const process::Place& place : peers.places()) hosts.push_back(place.host);
  return placeOnGpus(hosts, gpusOfWorkers(peers), replicasOfWorker);
}

}  // namespace lab

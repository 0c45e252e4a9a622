// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/run/processes.h"

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <nlohmann/json.hpp>

#include "core/base/digest.h"
#include "core/base/error.h"
#include "core/base/file.h"
#include "core/base/platform.h"
#include "core/device/backend.h"
#include "core/model/keras_json.h"
#include "core/process/messages.h"
#include "core/process/task_config.h"
#include "core/run/forwarded_inputs.h"
#include "core/run/messages.h"
#include "core/run/process_gpus.h"

namespace lab {
namespace {

using process::Content;
using process::Peers;

constexpr std::chrono::seconds kMostBetweenSignals{2};  // that all are sent, to one process and to another

std::string digestOf(const Examples& examples) {
  Digest digest(DigestKind::Sha256);
  digest.add(examples.pixels);
  digest.add(examples.labels);
  return digest.hex();
}

std::string digestOf(const std::string& text) {
  Digest digest(DigestKind::Sha256);
  digest.add({reinterpret_cast<const std::uint8_t*>(text.data()), text.size()});
  return digest.hex();
}

// TF_CONFIG, of its cluster the size and a digest alone: every address from everybody would grow with their square.
// One that cannot be read as it is, for all to say so alike.
nlohmann::json aboutTask(const std::string& content) {
  try {
    const process::TaskConfig task = process::parseTaskConfig(content, "TF_CONFIG");
    Digest cluster(DigestKind::Sha256);
    for (const std::string& worker : task.workers)
      for (const std::string& text : {worker, std::string("\n")})
        cluster.add({reinterpret_cast<const std::uint8_t*>(text.data()), text.size()});
    nlohmann::json about{{"type", task.type}, {"workers", task.workers.size()}, {"cluster", cluster.hex()}};
    if (task.index) about["index"] = *task.index;
    return about;
  } catch (const UserError&) {
    return content;
  }
}

// What must be the same everywhere.
nlohmann::json aboutThis(const RunConfig& config, const Dataset& dataset, const std::string& version) {
  nlohmann::json about{{"version", version},
                       {"dataset", dataset.name},
                       {"source", dataset.source},
                       {"digest", digestOf(dataset.train) + digestOf(dataset.test)}};
  const std::string layers = kerasJson(*networkOf(config));
  about["layers"] = digestOf(layers);
  const char* forced = std::getenv("STRATEGYLAB_CPU_PATH");
  about["kernels"] = forced != nullptr ? std::string(forced) : cpuIsas().front();
  about["runs"] = cpuIsas();
  for (const ConfigField& field : configFields())
    if (field.changesResults) about["settings"][field.name] = field.get(config);
  if (const char* text = std::getenv("TF_CONFIG")) about["task"] = aboutTask(text);
  return about;
}

Content contentOf(const std::string& text) {
  const auto* first = reinterpret_cast<const std::byte*>(text.data());
  return {first, first + text.size()};
}
nlohmann::json jsonOf(const Content& content) {
  const auto* first = reinterpret_cast<const char*>(content.data());
  return nlohmann::json::parse(first, first + content.size());
}

std::string commonKernels(const std::vector<nlohmann::json>& all) {
  for (const nlohmann::json& kernels : all.front().at("runs"))
    if (std::ranges::all_of(all, [&](const nlohmann::json& each) {
          return std::ranges::find(each.at("runs"), kernels) != each.at("runs").end();
        }))
      return kernels.get<std::string>();
  return "baseline";
}

void compareTasks(const Peers& peers, const std::vector<nlohmann::json>& all) {
  std::string cluster;
  for (int rank = 0; rank < peers.size(); ++rank) {
    const nlohmann::json& about = all[static_cast<std::size_t>(rank)];
    if (!about.contains("task")) continue;
    const nlohmann::json& task = about.at("task");
    if (task.is_string()) (void)process::parseTaskConfig(task.get<std::string>(), "TF_CONFIG");  // says what is wrong
    const Message who = peers.nameOf(rank);
    const std::string type = task.at("type").get<std::string>();
    if (task.contains("index") && (type != "worker" || task.at("index") != rank))
      throw UserError(UserError::Kind::Run, say::badTaskIndex, who, task.at("index").get<std::int64_t>(), type);
    if (task.at("workers") != peers.size())
      throw UserError(UserError::Kind::Run, say::badClusterSize, who, task.at("workers").get<std::int64_t>(),
                      peers.size());
    if (cluster.empty()) cluster = task.at("cluster").get<std::string>();
    if (task.at("cluster") != cluster) throw UserError(UserError::Kind::Run, say::otherCluster, who);
  }
}

}  // namespace

std::int64_t threadsOfProcess() {
  const std::shared_ptr<Peers> peers = process::peers();
  const int here = peers ? peers->here().onHost : 1;
  return std::max(1, processorCount() / here);
}

void resolveProcesses(RunConfig& config, const StrategyInfo& info) {
  const Option devices{"devices"};
  if (!info.synchronous) throw UserError(say::serversAmongProcesses, devices, Words{info.name});
  if (!info.severalMachines) throw UserError(say::processesNeedHosts, devices, Words{info.name});
  if (config.noiseScale) throw UserError(say::noiseAmongProcesses, Option{"noise-scale"});
  if (!config.slow.empty()) throw UserError(say::slowAmongProcesses, Option{"slow"});
  const std::shared_ptr<Peers> peers = process::peers();
  if (!peers) {  // that are yet to be started: one for each replica
    config.hosts = config.hosts.value_or(config.replicas.value_or(info.defaultReplicas));
    config.replicas = config.replicas.value_or(*config.hosts);
    return;
  }
  config.hosts = config.hosts.value_or(peers->size());
  if (*config.hosts != peers->size())
    throw UserError(say::hostsAreProcesses, Option{"hosts"}, *config.hosts, peers->size());
  config.replicas = config.replicas.value_or(*config.hosts);
}

void addProcesses(const RunConfig& config, TopologySettings& topology) {
  const std::shared_ptr<Peers> peers = process::peers();
  if (!peers) throw UserError(say::notAmongProcesses, Option{"devices"});
  const auto each = *config.replicas / *config.hosts;
  for (const process::Place& place : peers->places()) {
    topology.machineOfHost.push_back(place.host);
    for (std::int64_t r = 0; r < each; ++r)
      topology.replicaHardware.push_back(place.host + " " + std::to_string(place.pid) + ", " + place.processor);
  }
  if (!areOnGpus(config)) return;
  const std::vector<ReplicaGpu> gpus = gpusOfReplicas(*peers, static_cast<int>(each));
  for (std::size_t r = 0; r < gpus.size(); ++r) {
    const process::Place& place = peers->places()[static_cast<std::size_t>(gpus[r].worker)];
    topology.gpuOfReplica.push_back(gpus[r].worker == peers->rank() ? gpus[r].gpu : -1);
    topology.replicaHardware[r] =
        place.host + " " + std::to_string(place.pid) + ", GPU " + std::to_string(gpus[r].gpu) + " " + gpus[r].name;
  }
}

void checkProcessGpus(const RunConfig& config) {
  const std::shared_ptr<Peers> peers = process::peers();
  if (!peers || config.devices != DeviceChoice::Processes || !areOnGpus(config)) return;
  const std::vector<WorkerGpus>& all = gpusOfWorkers(*peers);
  for (std::size_t rank = 0; rank < all.size(); ++rank)
    if (!all[rank].why.empty())
      throw UserError(say::noGpuThere, Option{"worker-devices"}, peers->nameOf(static_cast<int>(rank)), all[rank].why);
  if (config.reducer != Reducer::Nccl) return;
  const Option reducer{"reducer"};
  const std::string_view given = toString(config.reducer);
  for (std::size_t rank = 0; rank < all.size(); ++rank)
    if (!all[rank].whyNoNccl.empty())
      throw UserError(say::noNcclThere, reducer, given, peers->nameOf(static_cast<int>(rank)), all[rank].whyNoNccl);
  const std::vector<ReplicaGpu> gpus = gpusOfReplicas(*peers, static_cast<int>(*config.replicas / *config.hosts));
  for (std::size_t r = 0; r < gpus.size(); ++r)
    for (std::size_t other = 0; other < r; ++other)
      if (gpus[other].host == gpus[r].host && gpus[other].address == gpus[r].address)
        throw UserError(say::ncclSharesGpu, reducer, given, static_cast<std::int64_t>(other),
                        static_cast<std::int64_t>(r), gpus[r].host);
}

std::vector<ProcessFacts> processFacts(const RunConfig& config) {
  std::vector<ProcessFacts> facts;
  const std::shared_ptr<Peers> peers = process::peers();
  if (config.devices != DeviceChoice::Processes || !peers) return facts;
  for (const process::Place& place : peers->places()) facts.push_back({place.host, place.pid});
  return facts;
}

bool isReporter(const RunConfig& config) {
  if (config.devices != DeviceChoice::Processes) return true;
  const std::shared_ptr<Peers> peers = process::peers();
  return !peers || peers->isChief();
}

bool agreed(const RunConfig& config, bool wish) {
  return agreedNext(config, wish ? Next::Stop : Next::Step) == Next::Stop;
}

Next agreedNext(const RunConfig& config, Next wish) {
  const std::shared_ptr<Peers> peers = process::peers();
  if (config.devices != DeviceChoice::Processes || !peers) return wish;
  std::byte said{static_cast<unsigned char>(wish)};
  peers->broadcast(&said, 1);
  const auto next = static_cast<Next>(said);
  if (wish == Next::Stop && next != Next::Stop && !peers->isChief() && peers->sinceToldToEnd() > kMostBetweenSignals)
    throw UserError(UserError::Kind::Run, say::toldToEnd, peers->nameOf(peers->rank()));
  return next;
}

void shareFiles(Peers& peers, RunConfig& config) {
  ForwardedInputs files;
  if (peers.isChief()) {
    readNetworkFile(config);
    files = {{"network", config.network}, {"layers", layersOfFile(config)}, {"init", config.init}};
    if (const std::string* given = handed("catalogue")) {
      files["catalogue"] = *given;
    } else if (!config.catalogue.empty()) {
      const std::vector<std::uint8_t> bytes = readFile(config.catalogue, kMostCatalogueBytes);
      files["catalogue"].assign(bytes.begin(), bytes.end());
    }
  }
  const Content all = peers.broadcast(contentOf(packed(files)));
  if (peers.isChief()) return;
  files = unpacked({reinterpret_cast<const char*>(all.data()), all.size()});
  if (files["network"] != config.network)
    throw UserError(UserError::Kind::Run, say::otherSettingThere, peers.nameOf(peers.rank()), Option{"network"},
                    config.network, files["network"]);
  if (!files["layers"].empty()) config.networkFile = {config.network, files["layers"]};
  if (config.init.empty()) config.init = files["init"];  // of a .keras file
  if (files.contains("catalogue")) setHanded({{"catalogue", files["catalogue"]}});
}

void compareProcesses(Peers& peers, const RunConfig& config, const Dataset& dataset, const std::string& version) {
  constexpr auto kRun = UserError::Kind::Run;
  // Names of folders and what a variable holds may be no UTF-8.
  const std::string mine =
      aboutThis(config, dataset, version).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
  std::vector<nlohmann::json> all;
  for (const Content& each : peers.allGather(contentOf(mine))) all.push_back(jsonOf(each));
  const nlohmann::json& chief = all.front();
  for (int rank = 1; rank < peers.size(); ++rank) {
    const nlohmann::json& about = all[static_cast<std::size_t>(rank)];
    const Message who = peers.nameOf(rank);
    const auto text = [](const nlohmann::json& value) { return value.get<std::string>(); };
    if (about["version"] != chief["version"])
      throw UserError(kRun, say::otherVersionThere, who, text(about["version"]), text(chief["version"]));
    for (const auto& [name, value] : about["settings"].items())
      if (value != chief["settings"].value(name, ""))
        throw UserError(kRun, say::otherSettingThere, who, Option{name}, text(value),
                        chief["settings"].value(name, ""));
    if (about["layers"] != chief["layers"]) throw UserError(kRun, say::otherNetworkThere, who);
    if (about["dataset"] != chief["dataset"] || about["digest"] != chief["digest"])
      throw UserError(kRun, say::otherDataThere, who, text(about["dataset"]), text(about["source"]),
                      text(chief["dataset"]), text(chief["source"]));
    if (about["kernels"] != chief["kernels"])
      throw UserError(kRun, say::otherKernelsThere, who, text(about["kernels"]), text(chief["kernels"]),
                      commonKernels(all));
  }
  compareTasks(peers, all);
}

}  // namespace lab

// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/classruns/class_info.h"

#include <algorithm>
#include <utility>

#include "core/base/error.h"
#include "core/base/messages.h"
#include "core/base/platform.h"
#include "core/options/derived_settings.h"
#include "core/options/learning_rate.h"
#include "core/options/network_of.h"
#include "core/protocol/class_settings.h"
#include "core/replicas/labels.h"
#include "core/strategy/placement.h"
#include "core/strategy/strategy.h"
#include "core/trace/messages.h"

namespace lab::serving {
namespace {

int addEndpoint(RunInfo& info, const Message& name, const std::string& hardware, bool isHost) {
  const int endpoint = static_cast<int>(info.legend.endpoints.size()), host = isHost ? endpoint : 0;
  info.legend.endpoints.push_back({name, host});
  info.legend.tracks.push_back({{say::deviceTrack, name, Message(say::verbatim, hardware)}, host, false, endpoint});
  info.links.emplace_back();
  info.devices.push_back({hardware, false, 1, 0});
  return endpoint;
}

void addServers(RunInfo& info) {
  const ResolvedSettings& config = info.config;
  info.parameterDevices = static_cast<int>(config.parameterServers);
  for (HeldVariables& held :
       placeVariables(*info.network, parsePartitioner(config.partitioner), info.parameterDevices)) {
    addEndpoint(info, {say::serverEndpoint, static_cast<int>(info.variableShards.size())}, processorName(), true);
    info.variableShards.push_back(std::move(held.trained));
    info.movingShards.push_back(std::move(held.moving));
  }
  info.hosts = info.replicas + info.parameterDevices;
}

void addLinks(RunInfo& info) {
  const auto& endpoints = info.legend.endpoints;
  for (int w = 0; w < info.replicas; ++w)
    for (int s = 0; s < std::max(1, info.parameterDevices); ++s)
      for (const bool pull : {false, true}) {
        const ClassEnds ends = classLink(info, w, s, pull);
        LAB_CHECK(ends.track == std::ssize(info.legend.tracks));
        const auto from = static_cast<std::size_t>(ends.from), to = static_cast<std::size_t>(ends.to);
        info.legend.tracks.push_back({{say::linkTrack, endpoints[from].name, endpoints[to].name, say::betweenMachines},
                                      endpoints[from].host,
                                      true,
                                      -1});
        info.links.push_back({say::betweenMachines, 0, 0});
      }
}

}  // namespace

ClassEnds classLink(const RunInfo& info, int worker, int server, bool pull) {
  const bool apart = info.parameterDevices > 0;
  const int end = apart ? info.replicas + server : 0, ends = std::max(1, info.parameterDevices);
  const int track = static_cast<int>(info.legend.endpoints.size()) + 2 * (worker * ends + server) + (pull ? 1 : 0);
  return {pull ? end : worker, pull ? worker : end, track};
}

std::shared_ptr<const RunInfo> classInfo(const ResolvedSettings& config, std::shared_ptr<const Dataset> dataset,
                                         const std::vector<ClassMember>& members) {
  auto info = std::make_shared<RunInfo>();
  info->isClass = true;
  const bool synchronous = strategyInfo(config.strategy).synchronous;
  const auto workers = std::max<std::size_t>(1, members.size());
  info->config = config;
  info->config.replicas = static_cast<std::int64_t>(workers);
  info->dataset = dataset->name;
  info->datasetSource = dataset->source;
  info->trainExamples = info->examplesPerEpoch = dataset->train.count;
  info->testExamples = dataset->test.count;
  info->network = networkOf(config);
  info->parameters = info->network->layout().size();
  info->stepsPerEpoch = stepsPerEpochOf(config, dataset->train.count);
  info->totalSteps = config.totalSteps(info->stepsPerEpoch);
  info->clock = TimeSource::Measured;
  info->data = std::move(dataset);
  info->replicas = static_cast<int>(workers);
  for (std::size_t w = 0; w < workers; ++w) {
    const ClassMember member = w < members.size() ? members[w] : ClassMember{};
    const Message numbered(say::workerEndpoint, static_cast<int>(w));
    addEndpoint(*info, member.name.empty() ? numbered : Message(say::verbatim, member.name), member.path, !synchronous);
  }
  if (synchronous) {
    // The server adds in the workers' order, as one device does.
    info->config.reducer = Reducer::OneDevice;
    info->reducer = workers > 1 ? toString(Reducer::OneDevice) : "";
    info->split = resolveSplit(splitOf(info->config));
    addEndpoint(*info, {say::hostEndpoint, 0}, processorName(), false);
  } else {
    addServers(*info);
  }
  addLinks(*info);
  info->legend.labels = labelNames(*info->network);
  return info;
}

}  // namespace lab::serving

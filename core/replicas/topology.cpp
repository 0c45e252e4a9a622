// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/replicas/topology.h"

#include <string>

#include "core/base/at.h"
#include "core/base/error.h"
#include "core/base/messages.h"
#include "core/base/platform.h"
#include "core/comm/schedule.h"
#include "core/replicas/labels.h"
#include "core/trace/messages.h"

namespace lab {

Topology::Topology(TopologySettings settings, const NeuralNetwork& network) : settings_(std::move(settings)) {
  const TopologySettings& s = settings_;
  LAB_CHECK(s.replicas >= 1 && s.hosts >= 1 && s.replicas % s.hosts == 0);
  hosts_ = s.separateHosts ? s.replicas + s.parameterDevices : s.hosts;
  const int perHost = s.replicas / s.hosts;
  const auto add = [this](const Message& name, int host, const Message& hardware) {
    const int endpoint = static_cast<int>(legend_.endpoints.size());
    legend_.endpoints.push_back({name, host});
    legend_.tracks.push_back({{say::deviceTrack, name, hardware}, host, false, endpoint});
  };
  const Message processor(say::verbatim, s.measured ? processorName() : s.hostProcessor.name);
  for (int r = 0; r < s.replicas; ++r)
    add({s.separateHosts ? say::workerEndpoint : say::replicaEndpoint, r}, s.separateHosts ? r : r / perHost,
        {say::verbatim, s.measured ? hardwareOf(r) : s.device.name});
  for (int i = 0; i < s.parameterDevices; ++i)
    add(s.separateHosts ? Message(say::serverEndpoint, i) : Message(say::parameterDevice),
        s.separateHosts ? s.replicas + i : 0, processor);
  // Workers and servers that are hosts themselves feed themselves; otherwise each host's processor is an endpoint of
  // its own.
  if (!s.separateHosts)
    for (int h = 0; h < s.hosts; ++h) add({say::hostEndpoint, h}, h, say::inputPipeline);
  legend_.labels = labelNames(network);
}

int Topology::linkTrack(int from, int to) {
  const auto [found, isNew] = linkTracks_.try_emplace({from, to}, static_cast<int>(legend_.tracks.size()));
  if (isNew) {
    const Message what = settings_.measured ? linkNameBetween(from, to) : Message(say::verbatim, link(from, to).name);
    const std::vector<TraceLegend::Endpoint>& endpoints = legend_.endpoints;
    legend_.tracks.push_back(
        {{say::linkTrack, at(endpoints, from).name, at(endpoints, to).name, what}, hostOf(from), true, -1});
  }
  return found->second;
}

std::string Topology::hardwareOf(int endpoint) const {
  const auto index = static_cast<std::size_t>(endpoint);
  return index < settings_.replicaHardware.size() ? settings_.replicaHardware[index] : processorName();
}

Message Topology::linkNameBetween(int from, int to) const {
  if (!settings_.machineOfHost.empty() && hostOf(from) != hostOf(to)) {
    const std::vector<std::string>& machines = settings_.machineOfHost;
    return at(machines, hostOf(from)) == at(machines, hostOf(to)) ? say::betweenProcesses : say::betweenMachines;
  }
  if (!settings_.machineOfHost.empty()) return say::sharedMemory;  // between GPUs too, through the host's copies
  const std::vector<int>& gpus = settings_.gpuOfReplica;
  const auto a = static_cast<std::size_t>(from), b = static_cast<std::size_t>(to);
  if (a >= gpus.size() && b >= gpus.size()) return say::sharedMemory;
  if (a >= gpus.size() || b >= gpus.size()) return say::hostToGpu;
  return gpus[a] == gpus[b] ? Message(say::gpuMemory, gpus[a]) : Message(say::gpuToGpu);
}

Span Topology::transferSpan(const Transfer& transfer, std::int64_t base, Label label, int pack, std::int64_t beginNs,
                            std::int64_t endNs) {
  Span span;
  span.startNs = beginNs;
  span.durationNs = endNs - beginNs;
  span.bytes = transfer.bytes();
  span.offset = base + transfer.offset;
  span.count = transfer.count;
  span.track = linkTrack(transfer.from, transfer.to);
  span.from = transfer.from;
  span.to = transfer.to;
  span.round = transfer.round;
  span.pack = pack;
  span.label = labelOf(label);
  span.kind = SpanKind::Transfer;
  span.clock = settings_.measured ? TimeSource::Measured : TimeSource::Modelled;
  span.add = transfer.add;
  return span;
}

Message Topology::linkNameOf(int track) const {
  for (const auto& [ends, linkTrack] : linkTracks_)
    if (linkTrack == track) return linkNameBetween(ends.first, ends.second);
  return {};
}

std::vector<Topology::TrackLink> Topology::linksOfTracks() const {
  std::vector<TrackLink> links(legend_.tracks.size());
  if (settings_.measured) return links;
  for (const auto& [ends, track] : linkTracks_)
    at(links, track) = {&link(ends.first, ends.second), ends.first, ends.second};
  return links;
}

const LinkModel& Topology::link(int from, int to) const {
  return hostOf(from) == hostOf(to) ? settings_.link : settings_.hostLink;
}

}  // namespace lab

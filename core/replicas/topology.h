// SPDX-License-Identifier: GPL-3.0-or-later
// The endpoints of a run and the links between them (replicas first, then parameter devices, then the hosts'
// processors that feed them), the modelled hardware of each, and the tracks of the trace, one per endpoint and one per
// link.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "core/base/at.h"
#include "core/base/message.h"
#include "core/hardware/catalogue.h"
#include "core/model/neural_network.h"
#include "core/trace/span.h"

namespace lab {

enum class Label : std::uint16_t;
struct Transfer;

struct TopologySettings {
  int replicas = 1;
  int hosts = 1;               // replica r is on host r / (replicas / hosts)
  int parameterDevices = 0;    // central storage's one, or the parameter servers
  bool separateHosts = false;  // every replica and every parameter device is a host of its own (parameter server)
  bool measured = false;       // everything runs on this machine, in real time
  // With real GPUs: the GPU of each replica, -1 if it is in another process; empty: replicas run on processors.
  std::vector<int> gpuOfReplica;
  std::vector<std::string> replicaHardware;  // the real hardware of each replica; empty: this processor
  std::vector<std::string> machineOfHost;    // the machine of each host's process; empty: all hosts are in this process
  DeviceModel device;                        // of the replicas
  DeviceModel hostProcessor;                 // of the parameter devices
  LinkModel link;                            // inside a host
  LinkModel hostLink;                        // between hosts
};

class Topology final {
 public:
  Topology(TopologySettings settings, const NeuralNetwork& network);  // the legend has the network's operations

  const TopologySettings& settings() const { return settings_; }
  int replicas() const { return settings_.replicas; }
  int parameterDevice(int i) const { return settings_.replicas + i; }                                   // endpoint
  int hostProcessor(int host) const { return settings_.replicas + settings_.parameterDevices + host; }  // endpoint
  int endpoints() const { return static_cast<int>(legend_.endpoints.size()); }
  int hostOf(int endpoint) const { return at(legend_.endpoints, endpoint).host; }
  int hosts() const { return hosts_; }

  // Returns the track of the link between two endpoints, made on first use. All links are declared before the first
  // step, so that the legend is complete when a run is recorded.
  int linkTrack(int from, int to);
  int deviceTrack(int endpoint) const { return endpoint; }
  // Returns the span of a transfer. `base`: the element at the schedule's offset 0.
  Span transferSpan(const Transfer& transfer, std::int64_t base, Label label, int pack, std::int64_t beginNs = 0,
                    std::int64_t endNs = 0);

  // Where time is measured: the real hardware of an endpoint, and the real link between two endpoints.
  std::string hardwareOf(int endpoint) const;
  Message linkNameOf(int track) const;  // `track` is a link's

  struct TrackLink {
    const LinkModel* model = nullptr;  // null for devices' tracks, and where time is measured
    int from = -1, to = -1;            // endpoints
  };
  std::vector<TrackLink> linksOfTracks() const;  // one per track

  const TraceLegend& legend() const { return legend_; }

  const LinkModel& link(int from, int to) const;

 private:
  Message linkNameBetween(int from, int to) const;

  TopologySettings settings_;
  int hosts_ = 1;
  TraceLegend legend_;
  std::map<std::pair<int, int>, int> linkTracks_;
};

}  // namespace lab

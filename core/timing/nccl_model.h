// SPDX-License-Identifier: GPL-3.0-or-later
// NCCL's own performance model of an all-reduce (NCCL 2.30 src/graph/tuning.cc; README.md, NCCL): latency + bytes /
// bandwidth for each algorithm and protocol, of which the cheapest is taken. The launch of one call, which NCCL's model
// lacks, is added.
#pragma once

#include <cstdint>
#include <string>

#include "core/hardware/network.h"

namespace lab {

enum class NcclGeneration { Volta, Ampere, Hopper, Blackwell };  // Volta includes earlier ones

// What NCCL would find out about a cluster.
struct NcclShape {
  int ranks = 1, nodes = 1;
  bool nvlink = false;       // inside a node; otherwise PCIe
  bool nvls = false;         // reduction inside the switch: NVSwitch of Hopper and later, one node
  double intraGbPerSec = 0;  // bus bandwidth inside a node
  double interGbPerSec = 0;  // from each node to the next, all at once (Network::ringBandwidth); 0 for one node
  double extraNetUs = 0;     // latency of a transfer between nodes beyond what NCCL's figures contain; 0 for one node
  NcclGeneration generation = NcclGeneration::Volta;
};
// Returns the shape of devices 0 … ranks − 1 of a network, with the slowest host's figures.
NcclShape ncclShape(const Network& network, int ranks, const TimingConstants& constants);

struct NcclCost {
  std::int64_t ns = 0;
  std::string algorithm, protocol;  // "ring", "LL128"
};
NcclCost ncclAllReduce(const NcclShape& shape, double bytes, const TimingConstants& constants);

}  // namespace lab

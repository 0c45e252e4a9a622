// SPDX-License-Identifier: GPL-3.0-or-later
// NCCL's own performance model of an all-reduce (NCCL 2.30 src/graph/tuning.cc; README.md, NCCL): for each algorithm
// and protocol latency + bytes / bandwidth, and the cheapest is taken. On top, the launch of one call, which NCCL's
// model lacks.
#pragma once

#include <cstdint>
#include <string>

#include "core/timing/network.h"

namespace lab {

enum class NcclGeneration { Volta, Ampere, Hopper, Blackwell };  // Volta: and earlier

// What NCCL would find out about a cluster.
struct NcclShape {
  int ranks = 1, nodes = 1;
  bool nvlink = false;       // inside a node; otherwise PCIe
  bool nvls = false;         // reduction inside the switch: NVSwitch of Hopper and later, one node
  double intraGbPerSec = 0;  // bus bandwidth inside a node
  double interGbPerSec = 0;  // of all NICs of a node; 0 on one node
  NcclGeneration generation = NcclGeneration::Volta;
};
// Of devices 0 … ranks − 1 of a network. The slowest host's figures.
NcclShape ncclShape(const Network& network, int ranks, const TimingConstants& constants);

struct NcclCost {
  std::int64_t ns = 0;
  std::string algorithm, protocol;  // "ring", "LL128"
};
NcclCost ncclAllReduce(const NcclShape& shape, double bytes, const TimingConstants& constants);

}  // namespace lab

// SPDX-License-Identifier: GPL-3.0-or-later
// Which algorithm adds the replicas' gradients, and the plan that follows from it: packs, each with its schedule.
// CollectiveAllReduce packs gradients, ReductionToOneDevice goes variable by variable (strategy/README.md).
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "core/comm/schedule.h"
#include "core/model/layout.h"

namespace lab {

enum class Reducer { Auto, Ring, Tree, HalvingDoubling, Hierarchical, Torus, OneDevice, Nccl };
std::string_view toString(Reducer reducer);  // "auto", "ring", …

// How one replica's loss gradients are scaled before they are summed over replicas (strategy/README.md).
enum class LossScaling {
  Fit,   // mean over the replica's own examples, divided by the replicas: Keras fit
  Loop,  // sum over the replica's examples divided by the global batch: a custom loop
};

struct PackedSchedule {
  Pack pack;
  Schedule schedule;
};
struct ReductionPlan {
  Reducer reducer = Reducer::Ring;  // resolved, never Auto
  std::vector<PackedSchedule> packs;
};

// NCCL's place is taken by the ring on devices that are not GPUs of this machine: its schedule, executed by us.
ReductionPlan makeReductionPlan(Reducer reducer, int replicas, int hosts, const Layout& layout,
                                std::int64_t bytesPerPack);

}  // namespace lab

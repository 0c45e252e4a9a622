// SPDX-License-Identifier: GPL-3.0-or-later
// Which algorithm adds the replicas' gradients, and the plan that follows from it: packs, each with its schedule.
// CollectiveAllReduce packs gradients, ReductionToOneDevice goes variable by variable (strategy/README.md).
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/cluster/labels.h"
#include "core/comm/schedule.h"
#include "core/model/layout.h"

namespace lab {

class Backend;

// What an all-reduce goes over, and what everybody has after it.
enum class ReduceTarget { Gradients, Weights };
enum class ReduceOp { Sum, Mean };

struct PackedSchedule {
  Pack pack;
  Schedule schedule;
  Schedule
      gather{};  // of the weights, where variables lie in parts: `schedule` then ends with each part's sum in place
};
struct ReductionPlan {
  Reducer reducer = Reducer::Ring;  // resolved, never Auto
  std::vector<PackedSchedule> packs;
  bool inParts = false;  // each replica keeps its chunk of the sums: makeShardedPlan()
  bool ofNeighbours() const { return reducer == Reducer::Neighbours; }
  Label label() const {
    return inParts ? Label::ReduceScatter : ofNeighbours() ? Label::ShareWeights : Label::AllReduce;
  }
};

// NCCL's place is taken by the ring on devices that are not GPUs of this machine: its schedule, executed by us.
ReductionPlan makeReductionPlan(Reducer reducer, int replicas, int hosts, const Layout& layout,
                                std::int64_t bytesPerPack);

// The ring's two halves for each pack, where each replica keeps its chunk of all packs (shard.h).
ReductionPlan makeShardedPlan(int replicas, const Layout& layout, std::int64_t bytesPerPack);
std::vector<Pack> piecesOf(const ReductionPlan& plan, int replica, int replicas);

// values / by, as ReduceOp::Mean has them on every kind of device: values − (1 − 1/by)·values, which is exact for two,
// four, ….
void divide(Backend& backend, int by, std::span<float> values);

}  // namespace lab

// SPDX-License-Identifier: GPL-3.0-or-later
// The algorithm that adds the replicas' gradients, and the resulting plan: packs, each with its schedule.
// CollectiveAllReduce packs gradients; ReductionToOneDevice goes variable by variable (strategy/README.md).
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/comm/schedule.h"
#include "core/config/exchange.h"
#include "core/model/layout.h"
#include "core/replicas/labels.h"

namespace lab {

class Backend;

// What an all-reduce combines, and what every replica has afterwards.
enum class ReduceTarget { Gradients, Weights };
enum class ReduceOp { Sum, Mean };

struct PackedSchedule {
  Pack pack;
  Schedule schedule;
  Schedule
      // gathers the weights where variables lie in parts: `schedule` then only leaves each part's sum in place
      gather{};
};
struct ReductionPlan {
  Reducer reducer = Reducer::Ring;  // resolved, never Auto
  std::vector<PackedSchedule> packs;
  bool inParts = false;  // each replica keeps its chunk of the sums: makeShardedPlan()
  Carried carried{};     // by the transfers of sums; gathered weights are whole
  void carry(const Carried& what);
  bool ofNeighbours() const { return reducer == Reducer::Neighbours; }
  Label label() const {
    return inParts ? Label::ReduceScatter : ofNeighbours() ? Label::ShareWeights : Label::AllReduce;
  }
  // Neighbours average their weights where gradients would be summed: before the update.
  Exchange exchange(ReduceTarget what) const {
    if (what == ReduceTarget::Gradients) return {.carried = carried};
    return {Exchange::What::Weights, !ofNeighbours(), isOverAll(reducer) ? Reducer::Auto : reducer, carried};
  }
  // Returns the replicas in each replica's sum, which are the same for all packs.
  std::vector<std::vector<int>> replicasInSums() const {
    return packs.empty() ? std::vector<std::vector<int>>() : ranksInSums(packs.front().schedule);
  }
};

// On devices that are not GPUs of this machine a ring replaces NCCL: NCCL's schedule, executed by this program.
ReductionPlan makeReductionPlan(Reducer reducer, int replicas, int hosts, const Layout& layout,
                                std::int64_t bytesPerPack);

// Makes a plan with the two halves of a ring for each pack; each replica keeps its chunk of every pack (shard.h).
ReductionPlan makeShardedPlan(int replicas, const Layout& layout, std::int64_t bytesPerPack);
std::vector<Pack> piecesOf(const ReductionPlan& plan, int replica, int replicas);

// values / by, computed as ReduceOp::Mean does on every kind of device: values − (1 − 1/by)·values, which is exact for
// two, four, ….
void divide(Backend& backend, std::size_t by, std::span<float> values);

}  // namespace lab

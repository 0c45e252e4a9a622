// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/replicas/reduction.h"

#include "core/device/backend.h"

namespace lab {
namespace {

// Returns sizes in memory order, the order in which gradients are packed.
std::vector<std::int64_t> sizesOf(const Layout& layout) {
  std::vector<std::int64_t> sizes;
  const std::vector<Variable>& created = layout.variables();
  for (auto variable = created.rbegin(); variable != created.rend(); ++variable) sizes.push_back(variable->size);
  return sizes;
}

}  // namespace

ReductionPlan makeReductionPlan(Reducer reducer, int replicas, int hosts, const Layout& layout,
                                std::int64_t bytesPerPack) {
  const std::vector<std::int64_t> sizes = sizesOf(layout);
  const std::vector<Pack> packs =
      reducer == Reducer::OneDevice ? packEachVariable(sizes) : packGradients(sizes, bytesPerPack);
  ReductionPlan plan{reducer, {}, false};
  for (const Pack& pack : packs) plan.packs.push_back({pack, makeAllReduce(reducer, replicas, hosts, pack.count)});
  return plan;
}

ReductionPlan makeShardedPlan(int replicas, const Layout& layout, std::int64_t bytesPerPack) {
  ReductionPlan plan{Reducer::Ring, {}, true};
  for (const Pack& pack : packGradients(sizesOf(layout), bytesPerPack))
    plan.packs.push_back({pack, makeRing(RingHalf::ReduceScatter, replicas, pack.count),
                          makeRing(RingHalf::AllGather, replicas, pack.count)});
  return plan;
}

void ReductionPlan::carry(const Carried& what) {
  carried = what;
  for (PackedSchedule& packed : packs)
    for (Transfer& transfer : packed.schedule.transfers) transfer.bytesPerElement = what.perElement();
}

std::vector<Pack> piecesOf(const ReductionPlan& plan, int replica, int replicas) {
  std::vector<Pack> pieces;
  for (const PackedSchedule& packed : plan.packs) {
    Pack chunk = ringChunk(replica, replicas, packed.pack.count);
    chunk.offset += packed.pack.offset;
    pieces.push_back(chunk);
  }
  return pieces;
}

void divide(Backend& backend, std::size_t by, std::span<float> values) {
  backend.sgd(std::ssize(values), 1.0F - 1.0F / static_cast<float>(by), 0, values.data(), nullptr, values.data());
}

}  // namespace lab

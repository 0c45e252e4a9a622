// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/cluster/reduction.h"

#include "core/device/backend.h"

namespace lab {
ReductionPlan makeReductionPlan(Reducer reducer, int replicas, int hosts, const Layout& layout,
                                std::int64_t bytesPerPack) {
  std::vector<std::int64_t> sizes;  // in memory order, which is the order in which gradients are packed
  const std::vector<Variable>& created = layout.variables();
  for (auto variable = created.rbegin(); variable != created.rend(); ++variable) sizes.push_back(variable->size);
  const std::vector<Pack> packs =
      reducer == Reducer::OneDevice ? packEachVariable(sizes) : packGradients(sizes, bytesPerPack);
  ReductionPlan plan{reducer, {}};
  for (const Pack& pack : packs) plan.packs.push_back({pack, makeAllReduce(reducer, replicas, hosts, pack.count)});
  return plan;
}

void divide(Backend& backend, int by, std::span<float> values) {
  backend.sgd(std::ssize(values), 1.0F - 1.0F / static_cast<float>(by), 0, values.data(), nullptr, values.data());
}

}  // namespace lab

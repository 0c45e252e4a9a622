// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/cluster/reduction.h"

#include "core/base/error.h"

namespace lab {
namespace {

ScheduleKind scheduleOf(Reducer reducer) {
  switch (reducer) {
    case Reducer::Ring:
    case Reducer::Nccl:
      return ScheduleKind::Ring;
    case Reducer::Tree:
      return ScheduleKind::Tree;
    case Reducer::HalvingDoubling:
      return ScheduleKind::HalvingDoubling;
    case Reducer::Hierarchical:
      return ScheduleKind::Hierarchical;
    case Reducer::Torus:
      return ScheduleKind::Torus;
    case Reducer::OneDevice:
      return ScheduleKind::OneDevice;
    case Reducer::Auto:
      break;
  }
  throwBrokenInvariant("reducer is resolved", __FILE__, __LINE__);
}

}  // namespace

std::string_view toString(Reducer reducer) {
  switch (reducer) {
    case Reducer::Auto:
      return "auto";
    case Reducer::Ring:
      return "ring";
    case Reducer::Tree:
      return "tree";
    case Reducer::HalvingDoubling:
      return "halving-doubling";
    case Reducer::Hierarchical:
      return "hierarchical";
    case Reducer::Torus:
      return "torus";
    case Reducer::OneDevice:
      return "one-device";
    case Reducer::Nccl:
      return "nccl";
  }
  throwBrokenInvariant("known reducer", __FILE__, __LINE__);
}

ReductionPlan makeReductionPlan(Reducer reducer, int replicas, int hosts, const Layout& layout,
                                std::int64_t bytesPerPack) {
  std::vector<std::int64_t> sizes;  // in memory order, which is the order in which gradients are packed
  const std::vector<Variable>& created = layout.variables();
  for (auto variable = created.rbegin(); variable != created.rend(); ++variable) sizes.push_back(variable->size);
  const std::vector<Pack> packs =
      reducer == Reducer::OneDevice ? packEachVariable(sizes) : packGradients(sizes, bytesPerPack);
  ReductionPlan plan{reducer, {}};
  for (const Pack& pack : packs)
    plan.packs.push_back({pack, makeAllReduce(scheduleOf(reducer), replicas, hosts, pack.count)});
  return plan;
}

}  // namespace lab

// SPDX-License-Identifier: GPL-3.0-or-later
// The table of strategies, in the order in which people are shown them.
#include "core/base/error.h"
#include "core/base/message.h"
#include "core/strategy/strategies.h"

namespace lab {
namespace {

const std::vector<Reducer> kCollectives{Reducer::Ring,         Reducer::Tree,  Reducer::HalvingDoubling,
                                        Reducer::Hierarchical, Reducer::Torus, Reducer::OneDevice,
                                        Reducer::Nccl};

std::vector<StrategyInfo> makeTable() {
  std::vector<StrategyInfo> table(7);
  table[0] = {.kind = StrategyKind::Default,
              .key = "default",
              .name = LAB_WORDS("Default strategy"),
              .sentence = LAB_WORDS("No distribution: the program runs as it is written, on one device."),
              .singleReplica = true,
              .defaultReplicas = 1,
              .make = makeDefaultStrategy};
  table[1] = {
      .kind = StrategyKind::OneDevice,
      .key = "one-device",
      .name = "OneDeviceStrategy",
      .sentence = LAB_WORDS("Everything is pinned to one named device, through the same interface as the others."),
      .singleReplica = true,
      .defaultReplicas = 1,
      .make = makeOneDeviceStrategy};
  table[2] = {
      .kind = StrategyKind::Mirrored,
      .key = "mirrored",
      .name = "MirroredStrategy",
      .sentence = LAB_WORDS("Every device of one machine keeps its own copy of the weights; gradients are summed by an "
                            "all-reduce."),
      .mirrored = true,
      .reducers = kCollectives,
      .make = makeMirroredStrategy};
  table[3] = {.kind = StrategyKind::MultiWorkerMirrored,
              .key = "multi-worker-mirrored",
              .name = "MultiWorkerMirroredStrategy",
              .sentence = LAB_WORDS("Mirrored over several machines: the all-reduce goes over the network as well."),
              .severalMachines = true,
              .mirrored = true,
              .defaultHosts = 2,
              .reducers = kCollectives,
              .make = makeMultiWorkerMirroredStrategy};
  table[4] = {
      .kind = StrategyKind::Tpu,
      .key = "tpu",
      .name = "TPUStrategy",
      .sentence = LAB_WORDS("TPU cores run one program in lock-step and sum gradients over their own torus, with "
                            "bfloat16 operands."),
      .mirrored = true,
      .defaultReplicas = 8,
      .defaultDeviceModel = "tpu_v3_core",
      .defaultLink = "tpu_v3_ici",
      .defaultHostLink = "tpu_v3_ici",
      .reducers = {Reducer::Torus},
      .make = makeTpuStrategy};
  table[5] = {.kind = StrategyKind::CentralStorage,
              .key = "central-storage",
              .name = "CentralStorageStrategy",
              .sentence = LAB_WORDS(
                  "The only copy of the weights is on the host; devices read it, and it is updated once a step."),
              .defaultLink = "pcie3_x16",
              .reducers = {Reducer::OneDevice},
              .make = makeCentralStorageStrategy};
  table[6] = {.kind = StrategyKind::ParameterServer,
              .key = "parameter-server",
              .name = "ParameterServerStrategy",
              .sentence = LAB_WORDS(
                  "Workers pull weights from parameter servers and push gradients back, each at its own pace."),
              .severalMachines = true,
              .synchronous = false,
              .make = makeParameterServerStrategy};
  return table;
}

}  // namespace

const std::vector<StrategyInfo>& strategies() {
  static const std::vector<StrategyInfo> table = makeTable();
  return table;
}

const StrategyInfo& strategyInfo(StrategyKind kind) {
  for (const StrategyInfo& info : strategies())
    if (info.kind == kind) return info;
  throwBrokenInvariant("every kind is in the table", __FILE__, __LINE__);
}

}  // namespace lab

// SPDX-License-Identifier: GPL-3.0-or-later
// The table of strategies, in the order in which people are shown them; StrategyKind's names follow it.
#include <algorithm>
#include <array>

#include "core/base/message.h"
#include "core/cluster/cluster.h"
#include "core/strategy/program_lines.h"
#include "core/strategy/strategy.h"

namespace lab {

// One file each.
using MakeStrategy = std::unique_ptr<Strategy>(const ResolvedSettings&);
MakeStrategy makeDefaultStrategy, makeOneDeviceStrategy, makeMirroredStrategy, makeMultiWorkerMirroredStrategy,
    makeTpuStrategy, makeCentralStorageStrategy, makeParameterServerStrategy, makeBackupWorkersStrategy;
using TellProgram = StrategyProgram(const ProgramRequest&);
TellProgram defaultProgram, oneDeviceProgram, mirroredProgram, multiWorkerMirroredProgram, tpuProgram,
    centralStorageProgram, parameterServerProgram, backupWorkersProgram;

namespace {

std::vector<StrategyInfo> ofOneReplica() {
  return {
      {.key = "default",
       .name = LAB_WORDS("Default strategy"),
       .sentence = LAB_WORDS("No distribution: the program runs as it is written, on one device."),
       .singleReplica = true,
       .defaultReplicas = 1,
       .costedAs = Reducer::None,
       .words = {{"frame", "default.frame"}, {"device", "default.device"}, {"check.alone", "default.check"}},
       .make = makeDefaultStrategy,
       .program = defaultProgram},
      {.key = "one-device",
       .name = "OneDeviceStrategy",
       .sentence = LAB_WORDS("Everything is pinned to one named device, through the same interface as the others."),
       .singleReplica = true,
       .defaultReplicas = 1,
       .costedAs = Reducer::None,
       .words = {{"frame", "one-device.frame"}, {"batch", "one-device.batch"}, {"check.alone", "one-device.check"}},
       .make = makeOneDeviceStrategy,
       .program = oneDeviceProgram},
  };
}

std::vector<StrategyInfo> withCopies() {
  std::vector<Reducer> collectives(kSchedules.begin(), kSchedules.end());
  collectives.push_back(Reducer::Nccl);
  return {
      {.key = "mirrored",
       .name = "MirroredStrategy",
       .sentence =
           LAB_WORDS("Every device of one machine keeps its own copy of the weights; gradients are summed by an "
                     "all-reduce."),
       .hasCopies = true,
       .reducers = collectives,
       .reducer = Reducer::Ring,
       .gpuReducer = Reducer::Nccl,
       .words = {{"note.aggregate.nccl", "mirrored.nccl"},
                 {"note.aggregate.nccl.simulated", "mirrored.nccl.simulated"},
                 {"note.aggregate.ring", "mirrored.ring"}},
       .make = makeMirroredStrategy,
       .program = mirroredProgram},
      {.key = "multi-worker-mirrored",
       .name = "MultiWorkerMirroredStrategy",
       .sentence = LAB_WORDS("Mirrored over several machines: the all-reduce goes over the network as well."),
       .severalMachines = true,
       .hosts = StrategyInfo::Hosts::Chosen,
       .tasks = StrategyInfo::Tasks::AllStop,
       .hasCopies = true,
       .defaultHosts = 2,
       .reducers = collectives,
       .reducer = Reducer::Ring,
       .words = {{"note.aggregate", "multi-worker-mirrored.auto"}},
       .make = makeMultiWorkerMirroredStrategy,
       .program = multiWorkerMirroredProgram},
      {.key = "tpu",
       .name = "TPUStrategy",
       .sentence =
           LAB_WORDS("TPU cores run one program in lock-step and sum gradients over their own torus, with bfloat16 "
                     "operands."),
       .hosts = StrategyInfo::Hosts::Chosen,
       .hasCopies = true,
       .simulatedOnly = true,
       .oneLaunchPerStep = true,
       .matmul = Precision::Bfloat16,
       .defaultReplicas = 8,
       .defaultDeviceModel = "tpu_v3_core",
       .defaultLink = "tpu_v3_ici",
       .defaultHostLink = "tpu_v3_ici",
       .reducers = {Reducer::Torus},
       .reducer = Reducer::Torus,
       .words = {{"frame", "tpu.frame"},
                 {"start-up", "tpu.start-up"},
                 {"forward", "tpu.forward"},
                 {"forward.apart", "tpu.forward.apart"},
                 {"note.forward.unequal", "tpu.unequal"},
                 {"aggregate", "tpu.aggregate"}},
       .make = makeTpuStrategy,
       .program = tpuProgram},
  };
}

std::vector<StrategyInfo> withOneCopy() {
  return {
      {.key = "central-storage",
       .name = "CentralStorageStrategy",
       .sentence =
           LAB_WORDS("The only copy of the weights is on the host; devices read it, and it is updated once a step."),
       .variables = StrategyInfo::VariablesOn::Host,
       .defaultLink = "pcie3_x16",
       .reducers = {Reducer::OneDevice},
       .costedAs = Reducer::CentralHost,
       .words = {{"aggregate", "central-storage.aggregate"},
                 {"check", "central-storage.check"},
                 {"check.alone", "central-storage.check.alone"},
                 {"note.check", "central-storage.one-gpu"}},
       .make = makeCentralStorageStrategy,
       .program = centralStorageProgram},
      {.key = "parameter-server",
       .name = "ParameterServerStrategy",
       .sentence =
           LAB_WORDS("Workers pull weights from parameter servers and push gradients back, each at its own pace."),
       .severalMachines = true,
       .synchronous = false,
       .hosts = StrategyInfo::Hosts::EachWorker,
       .tasks = StrategyInfo::Tasks::ClosureReturns,
       .variables = StrategyInfo::VariablesOn::Servers,
       .costedAs = Reducer::ServersAsync,
       .make = makeParameterServerStrategy,
       .program = parameterServerProgram},
  };
}

std::vector<StrategyInfo> beyondTensorFlow() {
  const StrategyInfo mirrored = withCopies().front();
  return {
      {.key = "backup-workers",
       .name = "Backup workers",
       .sentence = "As Mirrored, but a step waits for the first replicas alone: the last gradients to arrive are "
                   "dropped.",
       .beyondTensorFlow = true,
       .hasCopies = true,
       .reducers = mirrored.reducers,
       .reducer = mirrored.reducer,
       .gpuReducer = mirrored.gpuReducer,
       .settings = {{.name = "backups",
                     .caption = "Backups",
                     .help = "How many replicas a step does not wait for: the last to arrive are cancelled, and their "
                             "images are not used",
                     .minimum = 0,
                     .maximum = 1024,
                     .usual = 1}},
       .goesWithout = "backups",
       .words = {{"note.aggregate", "backup-workers.note"}},
       .make = makeBackupWorkersStrategy,
       .program = backupWorkersProgram},
  };
}

std::vector<StrategyInfo> makeTable() {
  std::vector<StrategyInfo> table;
  for (const std::vector<StrategyInfo>& rows :
       std::array{ofOneReplica(), withCopies(), withOneCopy(), beyondTensorFlow()})
    table.insert(table.end(), rows.begin(), rows.end());
  for (std::size_t i = 0; i < table.size(); ++i) table[i].kind = static_cast<StrategyKind>(i);
  return table;
}

}  // namespace

std::int64_t StrategyInfo::waitsFor(const SettingsBase& config, std::int64_t of) const {
  if (goesWithout.empty()) return of;
  const auto given = config.strategySettings.find(goesWithout);
  if (given != config.strategySettings.end()) return of - given->second;
  return of - std::ranges::find(settings, goesWithout, &OwnSetting::name)->usual;
}

void Strategy::restart(Cluster& cluster, std::int64_t atNs) {
  cluster.restart(atNs);
}

const std::vector<StrategyInfo>& strategies() {
  static const std::vector<StrategyInfo> table = makeTable();
  return table;
}

const StrategyInfo& strategyInfo(StrategyKind kind) {
  return strategies().at(static_cast<std::size_t>(kind));
}

}  // namespace lab

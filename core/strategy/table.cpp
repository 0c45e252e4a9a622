// SPDX-License-Identifier: GPL-3.0-or-later
// The table of strategies, in display order; StrategyKind's names follow it.
#include <algorithm>
#include <array>

#include "core/base/message.h"
#include "core/cluster/cluster.h"
#include "core/comm/schedule.h"
#include "core/strategy/messages.h"
#include "core/strategy/program_lines.h"
#include "core/strategy/strategy.h"

namespace lab {

// Each is defined in a file of its own.
using MakeStrategy = std::unique_ptr<Strategy>(const ResolvedSettings&);
MakeStrategy makeDefaultStrategy, makeOneDeviceStrategy, makeMirroredStrategy, makeMultiWorkerMirroredStrategy,
    makeTpuStrategy, makeCentralStorageStrategy, makeParameterServerStrategy, makeBackupWorkersStrategy,
    makeLocalSgdStrategy, makeShardedStrategy, makeGossipStrategy;
using TellProgram = StrategyProgram(const ProgramRequest&);
TellProgram defaultProgram, oneDeviceProgram, mirroredProgram, multiWorkerMirroredProgram, tpuProgram,
    centralStorageProgram, parameterServerProgram, backupWorkersProgram, localSgdProgram, shardedProgram, gossipProgram;
std::vector<std::string> localSgdSlots(const SettingsBase&);

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
       .served = true,
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
       .matmul = Precision::Bfloat16,
       .defaultReplicas = 8,
       .defaultDeviceModel = "tpu_v3_core",
       .defaultLink = "tpu_v3_ici",
       .defaultHostLink = "tpu_v3_ici",
       .reducers = {Reducer::Torus},
       .reducer = Reducer::Torus,
       .timing = [](const SettingsBase&, StepRequest& request) { request.oneLaunchPerStep = true; },
       .words = {{"frame", "tpu.frame"},
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
       .served = true,
       .hosts = StrategyInfo::Hosts::EachWorker,
       .tasks = StrategyInfo::Tasks::ClosureReturns,
       .variables = StrategyInfo::VariablesOn::Servers,
       .costedAs = Reducer::ServersAsync,
       .words = {{"worker.flow", "parameter-server.flow"},
                 {"worker.flow.link", "parameter-server.flow.link"},
                 {"worker.flow.links", "parameter-server.flow.links"},
                 {"worker.flow.measured", "parameter-server.flow.measured"},
                 {"worker.apply", "parameter-server.apply"},
                 {"worker.backward", "parameter-server.backward"},
                 {"worker.queued", "parameter-server.queued"},
                 {"worker.queue", "parameter-server.queue"},
                 {"worker.queue.links", "parameter-server.queue.links"},
                 {"worker.closure", "parameter-server.closure"}},
       .make = makeParameterServerStrategy,
       .program = parameterServerProgram},
  };
}

StrategyInfo localSgd(const StrategyInfo& mirrored) {
  StrategyInfo info{.key = "local-sgd",
                    .name = "Local SGD",
                    .sentence =
                        "Every replica updates its own copy with its own gradient; after a few steps the weights "
                        "are averaged.",
                    .beyondTensorFlow = true,
                    .severalMachines = true,
                    .hosts = StrategyInfo::Hosts::Chosen,
                    .hasCopies = true,
                    .own = StrategyInfo::Own::Weights,
                    .reducers = mirrored.reducers,
                    .reducer = mirrored.reducer,
                    .gpuReducer = mirrored.gpuReducer};
  info.settings = {{.name = "local-steps",
                    .caption = "Local steps",
                    .help = "Steps that each replica makes alone before the weights are averaged; 1: in every step",
                    .minimum = 1,
                    .maximum = 10000,
                    .usual = 4,
                    .mayChange = true},
                   {.name = "outer-optimizer",
                    .caption = "Outer optimizer",
                    .help = "What is done with the average: it is taken as it is, or SGD with momentum makes a step "
                            "towards it (rate 0.7, momentum 0.9), with Nesterov as in DiLoCo",
                    .choices = {"none", "momentum", "nesterov"}}};
  info.repeatsEvery = {"local-steps"};
  info.exchange = [](const SettingsBase& config, std::int64_t step) {
    const bool averages = step % strategyInfo(config.strategy).round(config) == 0;
    return averages ? Exchange{Exchange::What::Weights, true} : Exchange{Exchange::What::Nothing};
  };
  // Plain SGD is linear: the mean of the copies after one step is the step by the mean (README.md).
  info.isPlainMean = [](const ResolvedSettings& config) {
    const bool isLinear = strategyInfo(config.strategy).round(config) == 1 && config.optimizer == OptimizerKind::Sgd &&
                          config.momentum == 0 && config.sharesEvenly();
    return localSgdSlots(config).empty() && (config.replicas == 1 || isLinear);
  };
  info.besideSlots = localSgdSlots;
  info.words = {{"aggregate", "local-sgd.aggregate"},
                {"average.outer", "local-sgd.outer"},
                {"update", "local-sgd.update"},
                {"check.apart", "local-sgd.apart"},
                {"check.apart.last", "local-sgd.apart.last"},
                {"copies", "local-sgd.copies"},
                {"copies.always", "local-sgd.copies.always"},
                {"note.aggregate", "local-sgd.note"}};
  info.make = makeLocalSgdStrategy;
  info.program = localSgdProgram;
  return info;
}

StrategyInfo sharded() {
  return {.key = "sharded",
          .name = "Sharded",
          .sentence =
              "Like Mirrored, but every replica keeps and updates only its part of the optimizer's slots, of the "
              "gradients and of the weights.",
          .beyondTensorFlow = true,
          .severalMachines = true,
          .hosts = StrategyInfo::Hosts::Chosen,
          .hasCopies = true,
          .reducers = {Reducer::Ring},
          .reducer = Reducer::Ring,
          .settings = {{.name = "shard-stage",
                        .caption = "Shard stage",
                        .help = "What each replica keeps a part of: 1 the optimizer's slots, 2 the summed gradients "
                                "too, 3 the weights too (ZeRO's stages)",
                        .minimum = 1,
                        .maximum = 3,
                        .usual = 3}},
          .shards = "shard-stage",
          .words = {{"note.aggregate", "sharded.note"}},
          .make = makeShardedStrategy,
          .program = shardedProgram};
}

StrategyInfo gossip() {
  return {.key = "gossip",
          .name = "Gossip",
          .sentence =
              "Replicas form a ring: each averages its weights with its two neighbours' and applies its own "
              "gradient. There is no all-reduce.",
          .beyondTensorFlow = true,
          .severalMachines = true,
          .hosts = StrategyInfo::Hosts::Chosen,
          .hasCopies = true,
          .own = StrategyInfo::Own::Weights,
          .exchange =
              [](const SettingsBase&, std::int64_t) {
                return Exchange{Exchange::What::Weights, false, Reducer::Neighbours};
              },
          .notOn = {{DeviceChoice::Processes, &say::neighboursInOneProcess}},
          .reducer = Reducer::Neighbours,
          .isPlainMean = [](const ResolvedSettings& config) { return config.replicas == 1; },
          .words = {{"aggregate", "gossip.aggregate"},
                    {"update", "gossip.update"},
                    {"check", "gossip.check"},
                    {"copies", "gossip.copies"},
                    {"transfer", "gossip.transfer"},
                    {"note.aggregate", "gossip.note"}},
          .make = makeGossipStrategy,
          .program = gossipProgram};
}

std::vector<StrategyInfo> beyondTensorFlow() {
  const StrategyInfo mirrored = withCopies().front();
  return {
      {.key = "backup-workers",
       .name = "Backup workers",
       .sentence = "Like Mirrored, but a step waits only for the first replicas: the gradients that arrive last are "
                   "dropped.",
       .beyondTensorFlow = true,
       .served = true,
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
       .isPlainMean =
           [](const ResolvedSettings& config) {
             return strategyInfo(config.strategy).waitsFor(config, config.replicas) == config.replicas;
           },
       .words = {{"note.aggregate", "backup-workers.note"}},
       .make = makeBackupWorkersStrategy,
       .program = backupWorkersProgram},
      localSgd(mirrored),
      sharded(),
      gossip(),
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
  return goesWithout.empty() ? of : of - ownSetting(config, goesWithout);
}

std::int64_t StrategyInfo::ownSetting(const SettingsBase& config, const std::string& setting) const {
  const auto given = config.strategySettings.find(setting);
  if (given != config.strategySettings.end()) return given->second;
  return std::ranges::find(settings, setting, &OwnSetting::name)->usual;
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

Exchange exchangeAfter(const SettingsBase& config, std::int64_t step) {
  const StrategyInfo& info = strategyInfo(config.strategy);
  return info.exchange ? info.exchange(config, step) : Exchange{};
}

std::vector<std::vector<int>> replicasInSums(const SettingsBase& config, int replicas, int hosts, std::int64_t step) {
  const Exchange exchange = exchangeAfter(config, step);
  if (exchange.what == Exchange::What::Nothing || isOverAll(exchange.by)) return {};
  const Schedule schedule = makeAllReduce(exchange.by, replicas, hosts, 1);
  return schedule.averages ? std::vector<std::vector<int>>() : ranksInSums(schedule);
}

bool staysWithinHosts(const SettingsBase& config, int replicas, int hosts, std::int64_t step) {
  return areSumsOfHosts(replicasInSums(config, replicas, hosts, step), hosts);
}

std::int64_t nextExchange(const SettingsBase& config, std::int64_t step) {
  const std::int64_t last = step + strategyInfo(config.strategy).round(config);
  while (step < last && exchangeAfter(config, step).what == Exchange::What::Nothing) ++step;
  return step;
}

}  // namespace lab

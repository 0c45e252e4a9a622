// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/training/faults.h"

#include <algorithm>
#include <cmath>
#include <set>

#include "core/base/error.h"
#include "core/base/messages.h"
#include "core/config/resolved_settings.h"
#include "core/hardware/timing_constants.h"
#include "core/strategy/strategy.h"
#include "core/trace/messages.h"
#include "core/training/messages.h"

namespace lab {
namespace {

using Task = RunFault::Task;
using What = RunFault::What;
using Tasks = StrategyInfo::Tasks;

const Text& nameOfTask(Task task) {
  return task == Task::Worker ? say::taskWorker : task == Task::Chief ? say::taskChief : say::taskServer;
}

// There is one coordinator: it has no number.
Message nameOf(const RunFault& fault) {
  if (fault.task == Task::Chief) return say::taskChief;
  return {fault.task == Task::Worker ? say::workerEndpoint : say::serverEndpoint, fault.index};
}

void checkTask(const RunFault& fault, const ResolvedSettings& config) {
  const StrategyInfo& info = strategyInfo(config.strategy);
  if (info.tasks == Tasks::OneProcess && config.hosts > 1)
    throw UserError(say::faultsNotModelled, Words{info.name}, Option{"strategy"});
  if (info.tasks == Tasks::OneProcess) throw UserError(say::oneProcess, info.name);
  if (isReal(config.devices)) throw UserError(say::faultNeedsSimulated, Option{"devices"});
  const bool alone = info.tasks == Tasks::AllStop;
  const std::int64_t most = fault.task == Task::Worker   ? (alone ? config.hosts : config.replicas)
                            : alone                      ? 0
                            : fault.task == Task::Server ? config.parameterServers
                                                         : 1;
  if (fault.index < 0 || fault.index >= most)
    throw UserError(say::noSuchTask, Message(nameOfTask(fault.task)), fault.index);
  if (fault.what == What::Freeze && !alone) throw UserError(say::onlyFreezesCollectives);
}

}  // namespace

bool endsTraining(const RunFault& fault, const SettingsBase& config) {
  return fault.what != What::Revive &&
         (strategyInfo(config.strategy).tasks == Tasks::AllStop || fault.task != Task::Worker);
}

void checkFaults(const Lineage& lineage, std::span<const ResolvedSettings> children) {
  LAB_CHECK(children.size() == lineage.size());
  std::set<int> dead;             // workers that died while the others went on
  const RunFault* end = nullptr;  // the fault that ended training
  for (std::size_t i = 0; i < lineage.size(); ++i) {
    const RunBranch& branch = lineage[i];
    if (!branch.fault) {
      if (end != nullptr) throw UserError(say::trainingHasEnded);
      continue;
    }
    const RunFault& fault = *branch.fault;
    const ResolvedSettings& child = children[i];
    checkTask(fault, child);
    const bool revives = fault.what == What::Revive, restarts = fault.atNs > 0;
    if (fault.step != branch.step || branch.edit || restarts != (end != nullptr)) throw UserError(say::badFault);
    if (restarts) {
      if (!revives || fault.task != end->task || fault.index != end->index || fault.step > end->step)
        throw UserError(say::badFault);
      end = nullptr;
      dead.clear();
    } else if (endsTraining(fault, child)) {
      // nothing has been computed yet
      if (fault.task != Task::Worker && fault.step < 2) throw UserError(say::badFault);
      end = &fault;
    } else if (revives != dead.contains(fault.index) || fault.task != Task::Worker) {
      throw UserError(say::badFault);
    } else if (revives) {
      dead.erase(fault.index);
    } else {
      dead.insert(fault.index);
      if (std::ssize(dead) == child.replicas) throw UserError(say::lastWorker, fault.index);
    }
  }
}

Message describe(const RunFault& fault) {
  const Text& text = fault.atNs > 0 && fault.step == 1 ? say::faultBegunAnew
                     : fault.atNs > 0                  ? say::faultRestarted
                     : fault.what == What::Revive      ? say::faultRevived
                     : fault.what == What::Freeze      ? say::faultFrozen
                                                       : say::faultKilled;
  return {text, nameOf(fault), Count{fault.step}};
}

std::string tensorFlowError(const RunFault& fault, const SettingsBase& config) {
  const std::string task = std::to_string(fault.index);
  if (strategyInfo(config.strategy).tasks == Tasks::AllStop)
    return fault.what == What::Freeze
               ? "UnavailableError: … The following tasks are unhealthy (stopped sending heartbeats): "
                 "/job:worker/replica:0/task:" +
                     task + ". The tasks have crashed."
               : "UnavailableError: … node sgd/CollectiveReduceV2 … Collective ops is aborted by: recvmsg:Connection "
                 "reset by peer … The error could be from a previous operation. Restart your program to reset.";
  if (fault.task == Task::Worker)
    return "ERROR:tensorflow:Worker /job:worker/replica:0/task:" + task +
           " failed with UnavailableError():Socket closed";
  if (fault.task == Task::Server)
    return "UnavailableError: … failed to connect to all addresses … Connection refused … /job:ps/replica:0/task:" +
           task;
  return "";
}

std::int64_t backupBefore(std::int64_t step, std::int64_t stepsPerEpoch, std::int64_t saveEvery) {
  const std::int64_t every = saveEvery > 0 ? saveEvery : stepsPerEpoch;
  return every > 0 ? (step - 1) / every * every : 0;
}

std::int64_t restartNs(std::int64_t endedNs) {
  const TimingConstants& constants = TimingConstants::builtIn();
  return endedNs + std::llround((constants["fault.exit_ms"] - constants["fault.raise_ms"]) * 1e6);
}

}  // namespace lab

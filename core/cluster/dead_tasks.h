// SPDX-License-Identifier: GPL-3.0-or-later
// Tasks that die and come back, on the modelled clock: which fault is planned, and which tasks are dead. A collective
// that lacks one of its workers never ends: the others wait until they notice, and the step is given up
// (ModelledStep::abort). A parameter server's worker dies alone, with its closure; a lost server ends training
// (ServerWorkers). The time until the others notice was measured (resources/timing-constants.csv).
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "core/cluster/cluster_parts.h"
#include "core/trace/run_fault.h"

namespace lab {

// Thrown by a verb that waits for a dead task: the step has no result.
struct TaskLost {};

class DeadTasks {
 public:
  explicit DeadTasks(ClusterParts& parts) : parts_(parts) {}

  // Plans that a task dies or comes back in a later step.
  void setFault(const RunFault& fault) { fault_ = fault; }
  const RunFault& fault() const { return *fault_; }
  bool isOf(int replica) const;  // whether the fault hits this replica's task

  // Returns the fault of the step that begins, or null. If the fault ends the whole step, stopIfAborting() throws
  // TaskLost from now on; otherwise the fault hits one asynchronous worker.
  const RunFault* beginStep();
  bool isAborting() const { return aborting_; }
  void stopIfAborting() const {
    if (aborting_) throw TaskLost{};
  }

  const std::vector<DeadTask>& all() const { return dead_; }
  void add(const DeadTask& dead) { dead_.push_back(dead); }
  DeadTask takeWorker(int worker);  // removes the worker from the dead
  void clear() { dead_.clear(); }
  // `worker` asks for a closure at `nowNs`: gives it the closure of one dead worker whose death has been noticed,
  // because this closure is back in the queue then.
  void giveClosures(int worker, std::int64_t nowNs);
  void addSpans(std::int64_t fromNs, std::int64_t untilNs);  // adds spans to the dead workers' tracks

  nlohmann::json save() const;
  void load(const nlohmann::json& list);

 private:
  ClusterParts& parts_;
  std::optional<RunFault> fault_;  // planned
  bool aborting_ = false;          // the present step waits for a task that has died
  std::vector<DeadTask> dead_;
};

std::int64_t faultNs(const char* constant);  // "fault.reset_ms"
Span waitSpan(int track, std::int64_t fromNs, std::int64_t untilNs, Label label);
// Shortens a transfer that was under way when one of its two ends died.
void lose(Span& transfer, std::int64_t atNs);

}  // namespace lab

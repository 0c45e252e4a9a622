// SPDX-License-Identifier: GPL-3.0-or-later
// Tasks that die and come back, on the modelled clock: which fault is to come, and who is dead. A collective without
// one of its workers never ends: the others wait until they notice, and the step is given up (ModelledStep::abort). A
// parameter server's worker goes alone, with its closure; a lost server ends training (ServerWorkers). How long it
// takes to notice was measured (resources/timing-constants.csv).
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "core/cluster/cluster_parts.h"
#include "core/trace/run_fault.h"

namespace lab {

// Thrown by a verb that waits for a task which has died: no step comes of it.
struct TaskLost {};

class DeadTasks {
 public:
  explicit DeadTasks(ClusterParts& parts) : parts_(parts) {}

  // A task dies or comes back in a step to come.
  void setFault(const RunFault& fault) { fault_ = fault; }
  const RunFault& fault() const { return *fault_; }
  bool isOf(int replica) const;  // whether it is of the task that the fault is of

  // Returns the fault of the step that begins, or null. Where the whole step is given up for it, stopIfAborting()
  // throws TaskLost from now on; else it is of an asynchronous worker.
  const RunFault* beginStep();
  bool isAborting() const { return aborting_; }
  void stopIfAborting() const {
    if (aborting_) throw TaskLost{};
  }

  const std::vector<DeadTask>& all() const { return dead_; }
  void add(const DeadTask& dead) { dead_.push_back(dead); }
  DeadTask takeWorker(int worker);  // it is dead no more
  void clear() { dead_.clear(); }
  // The closures of the dead are in the queue again once that is noticed; who comes next gets one in their place.
  void giveClosures(int worker, std::int64_t nowNs);
  void addSpans(std::int64_t fromNs, std::int64_t untilNs);  // to the dead workers' lanes

  nlohmann::json save() const;
  void load(const nlohmann::json& list);

 private:
  ClusterParts& parts_;
  std::optional<RunFault> fault_;  // to come
  bool aborting_ = false;          // the present step waits for a task that has died
  std::vector<DeadTask> dead_;
};

std::int64_t faultNs(const char* constant);  // "fault.reset_ms"
Span waitSpan(int lane, std::int64_t fromNs, std::int64_t untilNs, Label label);
// A message that was under way as an end of it died.
void lose(Span& message, std::int64_t atNs);

}  // namespace lab

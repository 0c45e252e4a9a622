// SPDX-License-Identifier: GPL-3.0-or-later
// The cluster's asynchronous workers: messages between them and the servers in the order of AsyncServers, and the cycle
// of each worker on its clock. Times are the virtual clock's, or a fair order where time is measured.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "core/cluster/cluster_parts.h"
#include "core/cluster/dead_tasks.h"
#include "core/timing/async_servers.h"

namespace lab {

class ServerWorkers {
 public:
  ServerWorkers(ClusterParts& parts, DeadTasks& dead)
      : parts_(parts), dead_(dead), cycles_(static_cast<std::size_t>(parts.replicas())) {}

  // Starts all workers: a closure each, dispatched one after the other.
  void start();
  // What happens next.
  ServerMessage nextReady();
  // Carries out a message between a worker and a server: the server's weights to the worker, or its share of the
  // worker's gradients to the server.
  void copy(const ServerMessage& message);
  // A worker asks for the weights again: when it starts, and after each of its updates.
  void requestPull(int worker, std::int64_t nowNs);
  // The worker has all its weights: runs `body`, which computes its gradients, and sends them off.
  void compute(const ServerMessage& lastPull, const std::function<void(Replica&)>& body);
  // The server applies the gradients that have arrived; returns when it is done.
  std::int64_t applyUpdate(const ServerMessage& push);

  // The step is the cycle of the worker whose gradients have just been applied, from asking for the weights to the
  // update.
  StepEnd endStep();
  // A server, or the coordinator, is gone: what is under way to the living arrives, and nothing follows.
  StepEnd abort();
  int lastWorker() const { return lastWorker_; }  // whose gradients, or whose loss, the last step had
  std::vector<Span> underWay(std::int64_t ns);    // what has begun and is not over, where time is modelled
  // The run ends: messages that are under way join its spans, as they are in the last step's record.
  void recordUnderWay();

  void lose(int worker);  // it dies, with what it had in hand
  void revive(int worker);
  void restart(std::int64_t atNs);  // all start again, with the variables as they are

  void save(nlohmann::json& state) const;
  void load(const nlohmann::json& state);

 private:
  Span spanOf(const ServerMessage& message);
  void addRequestSpan(int worker, std::int64_t ns, Label label);
  void addQueueSpan(int worker, std::int64_t requestNs, std::int64_t untilNs);
  StepTimes& cycleOf(int worker) { return cycles_[static_cast<std::size_t>(worker)]; }

  ClusterParts& parts_;
  DeadTasks& dead_;
  AsyncServers servers_;
  std::vector<StepTimes> cycles_;  // per worker, what its cycle has taken; measured: so far
  int lastWorker_ = 0;
  // Modelled: the latest end of an update so far, and before the last one.
  std::int64_t doneNs_ = 0, previousDoneNs_ = 0;
};

}  // namespace lab

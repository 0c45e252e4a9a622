// SPDX-License-Identifier: GPL-3.0-or-later
// The cluster's asynchronous workers: their transfers to and from the servers, in the order of AsyncServers, and each
// worker's cycle on its clock. Times come from the virtual clock; where time is measured, AsyncServers only gives a
// fair order, with the same turns: the workers are then computed one after the other, by the thread that steps the run.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "core/base/at.h"
#include "core/cluster/cluster_parts.h"
#include "core/cluster/dead_tasks.h"
#include "core/timing/async_servers.h"

namespace lab {

class ServerWorkers {
 public:
  ServerWorkers(ClusterParts& parts, DeadTasks& dead)
      : parts_(parts), dead_(dead), cycles_(static_cast<std::size_t>(parts.replicas())), begunNs_(cycles_.size(), -1) {}

  // Starts all workers with one closure each, dispatched one after the other.
  void start();
  // Returns the transfer that comes next.
  ServerTransfer nextReady();
  // Carries out a transfer between a worker and a server: copies the server's weights to the worker, or this server's
  // share of the worker's gradients to the server.
  void copy(const ServerTransfer& transfer);
  // A worker asks for the weights again: at its start, and after each of its updates.
  void requestPull(int worker, std::int64_t nowNs);
  // Call when the worker has all its weights: runs `body`, which computes its gradients, and sends the gradients off.
  void compute(const ServerTransfer& lastPull, const std::function<void(Replica&)>& body);
  // The server applies the gradients that have arrived; returns the time when it is done.
  std::int64_t applyUpdate(const ServerTransfer& push);

  // Ends the step, which is the cycle of the worker whose gradients have just been applied: from the request for the
  // weights to the update.
  StepEnd endStep();
  // Ends the step when a server or the coordinator is gone: transfers to the living still arrive, and nothing follows.
  StepEnd abort();
  int lastWorker() const { return lastWorker_; }  // the worker whose gradients, or loss, the last step had
  std::vector<Span> underWay(std::int64_t ns);    // where time is modelled: what has begun but not ended
  // Returns each worker's memory over the last step, modelled; empty for a worker that has not computed since its
  // start.
  std::vector<MemoryTimeline> memory() const;
  // Call when the run ends: adds the transfers that are under way to its spans, as the last step's record has them.
  void recordUnderWay();

  void lose(int worker);  // the worker dies, with all that it had in hand
  void revive(int worker);
  void restart(std::int64_t atNs);  // all start again, with the present variables

  void save(nlohmann::json& state) const;
  void load(const nlohmann::json& state);

 private:
  Span spanOf(const ServerTransfer& transfer);
  void addRequestSpan(int worker, std::int64_t ns, Label label);
  void addQueueSpan(int worker, std::int64_t requestNs, std::int64_t untilNs);
  StepTimes& cycleOf(int worker) { return at(cycles_, worker); }

  ClusterParts& parts_;
  DeadTasks& dead_;
  AsyncServers servers_;
  std::vector<StepTimes> cycles_;      // per worker, the times of its cycle; measured: so far
  std::vector<std::int64_t> begunNs_;  // per worker, modelled: when it last began to compute; -1: never
  int lastWorker_ = 0;
  // Modelled: the latest end of an update so far, and the latest one before the last update.
  std::int64_t doneNs_ = 0, previousDoneNs_ = 0;
};

}  // namespace lab

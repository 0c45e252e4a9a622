// SPDX-License-Identifier: GPL-3.0-or-later
// What a cluster is made of: devices and links, their clocks, the group that computes, and the present step. The verbs
// (cluster.h) share these parts with modelled steps, asynchronous workers, moving statistics and checkpoints.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/base/at.h"
#include "core/base/thread_pool.h"
#include "core/cluster/modelled_clock.h"
#include "core/config/choices.h"
#include "core/replicas/parameter_device.h"
#include "core/replicas/reduction.h"
#include "core/replicas/replica_group.h"
#include "core/replicas/step_ledger.h"
#include "core/replicas/topology.h"
#include "core/timing/pull_turns.h"
#include "core/trace/telemetry.h"

namespace lab {

struct ClusterSettings {
  TopologySettings topology;
  std::shared_ptr<const NeuralNetwork> network;
  Precision precision = Precision::Float32;
  OptimizerSettings optimizer;
  std::vector<std::string> besideSlots;  // the strategy's own slots of each copy of the weights, after the optimizer's
  Sharding sharding = Sharding::None;    // which variables each replica keeps only a part of
  bool sharesCopies = false;             // all replicas share one copy of the variables in memory
  LossReduction lossReduction = LossReduction::Fit;
  std::int64_t globalBatch = 0;  // G: the denominator of LossReduction::Loop; a worker's batch for parameter server
  SplitRule splitRule = SplitRule::Legacy;  // by which hosts share the global batch
  int replicasInSync = 1;                   // N: how many replicas' gradients are summed into one update
  std::vector<double> slowdown;             // per replica, or empty
  std::shared_ptr<const StepModel> timing;  // computes how long a modelled step takes; null where time is measured
  int threads = 1;
  bool noiseScale = false;       // measure the gradients' noise in every step
  std::uint64_t seed = 0;        // seed of dropout
  Wire wire = Wire::Float32;     // between workers and parameter servers
  PullTurns turns;               // of asynchronous workers where time is measured; else `timing` has them
  Reducer sums = Reducer::Ring;  // how replicas add up what they exchange in the middle of a pass
  bool ncclForOne = false;       // NCCL was asked for by name: use it even for one replica, as one rank

  std::vector<std::string> slotNames() const {  // the slots of one copy, in the order of Variables::slotValues
    std::vector<std::string> names = optimizer.slotNames();
    names.insert(names.end(), besideSlots.begin(), besideSlots.end());
    return names;
  }
};

struct PresentStep {
  double learningRate = 0;
  // The following members determine the time of a synchronous step.
  std::vector<std::int64_t> batches;    // per replica
  const ReductionPlan* plan = nullptr;  // of the step's all-reduce
  Exchange exchange;                    // what the step's verbs have exchanged so far
  int waitsFor = 0;                     // how many replicas the sum waits for; 0: all
  std::vector<int> leftOut;             // the replicas that came too late
  std::vector<MemoryTimeline> memory;   // if wanted, the modelled memory: replicas first, then parameter devices
};

// A step whose work is done but whose books are not closed yet.
struct StepEnd {
  StepOutcome outcome;
  std::optional<int> worker;  // the worker whose cycle an asynchronous step is
  std::int64_t beginNs = 0, endNs = 0;
};

struct ClusterParts {
  ClusterParts(const ClusterSettings& ofCluster, std::shared_ptr<const Dataset> data, Telemetry& toTell);

  int replicas() const { return settings.topology.replicas; }
  Replica& replica(int i) const { return group->replica(i); }
  ParameterDevice& parameterDevice(int i) const { return *at(parameterDevices, i); }
  const Layout& layout() const { return settings.network->layout(); }
  TimeSource clock() const { return settings.topology.measured ? TimeSource::Measured : TimeSource::Modelled; }
  bool asynchronous() const { return settings.topology.separateHosts; }

  ClusterSettings settings;
  std::shared_ptr<const Dataset> dataset;
  Telemetry& telemetry;
  ThreadPool pool;
  std::unique_ptr<Backend> backend;
  Topology topology;
  StepLedger ledger;
  ReplicaSettings replicaSettings;
  std::vector<std::unique_ptr<ParameterDevice>> parameterDevices;
  std::vector<DeviceClock> hostClocks;
  std::unique_ptr<ReplicaGroup> group;      // destroyed before the memory that it has page-locked
  std::unique_ptr<ModelledClock> modelled;  // null where time is measured
  PresentStep present;

 private:
  void makeGroup();
};

}  // namespace lab

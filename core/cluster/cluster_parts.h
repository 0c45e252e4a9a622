// SPDX-License-Identifier: GPL-3.0-or-later
// What a cluster is made of: devices and links, their clocks, who computes, and what the present step does. The verbs
// (cluster.h) share it with modelled steps, asynchronous workers, moving statistics and the state in checkpoints.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/base/thread_pool.h"
#include "core/cluster/modelled_clock.h"
#include "core/cluster/parameter_device.h"
#include "core/cluster/reduction.h"
#include "core/cluster/replica_group.h"
#include "core/cluster/step_ledger.h"
#include "core/cluster/topology.h"
#include "core/trace/telemetry.h"

namespace lab {

struct ClusterSettings {
  TopologySettings topology;
  std::shared_ptr<const NeuralNetwork> network;
  Precision precision = Precision::Float32;
  OptimizerSettings optimizer;
  std::vector<std::string> besideSlots;  // of each copy of the weights, behind the optimizer's own: the strategy's
  Sharding sharding = Sharding::None;    // what each replica keeps a part of
  bool sharesCopies = false;             // all replicas' copies of the variables are one in memory
  LossReduction lossReduction = LossReduction::Fit;
  std::int64_t globalBatch = 0;  // G: the denominator of LossReduction::Loop; a worker's batch for parameter server
  int replicasInSync = 1;        // N: whose gradients are summed into one update
  std::vector<double> slowdown;  // per replica, or empty
  std::shared_ptr<const StepModel> timing;  // what says how long a modelled step takes; null where time is measured
  int threads = 1;
  bool noiseScale = false;       // measure the gradients' noise in every step
  std::uint64_t seed = 0;        // of dropout
  Wire wire = Wire::Float32;     // between workers and parameter servers
  Reducer sums = Reducer::Ring;  // by which replicas add up what they exchange in the middle of a pass
  bool ncclForOne = false;       // where it was asked for by name: with one replica too, as one rank

  std::vector<std::string> slotNames() const {  // of a copy, in the order of Variables::slotValues
    std::vector<std::string> names = optimizer.slotNames();
    names.insert(names.end(), besideSlots.begin(), besideSlots.end());
    return names;
  }
};

struct PresentStep {
  double learningRate = 0;
  // Synchronous: what its time follows from.
  std::vector<std::int64_t> batches;    // per replica
  const ReductionPlan* plan = nullptr;  // of its all-reduce
  ReduceTarget reduced = ReduceTarget::Gradients;
  int waitsFor = 0;                    // replicas, before its sum; 0: all
  std::vector<int> leftOut;            // that were later
  std::vector<MemoryTimeline> memory;  // modelled, where it is wanted: of replicas, then of parameter devices
};

// A step whose work is done, and whose books are not closed yet.
struct StepEnd {
  StepOutcome outcome;
  std::optional<int> worker;  // asynchronous: whose cycle it is
  std::int64_t beginNs = 0, endNs = 0;
};

struct ClusterParts {
  ClusterParts(const ClusterSettings& ofCluster, std::shared_ptr<const Dataset> data, Telemetry& toTell);

  int replicas() const { return settings.topology.replicas; }
  Replica& replica(int i) const { return group->replica(i); }
  ParameterDevice& parameterDevice(int i) const { return *parameterDevices[static_cast<std::size_t>(i)]; }
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
  std::unique_ptr<ReplicaGroup> group;      // freed before what it has page-locked
  std::unique_ptr<ModelledClock> modelled;  // null where time is measured
  PresentStep present;

 private:
  void makeGroup();
};

}  // namespace lab

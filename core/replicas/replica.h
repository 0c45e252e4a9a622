// SPDX-License-Identifier: GPL-3.0-or-later
// One replica: a device with its own variables, activations and clock. A replica computes its gradient from its own
// shard in its own buffers. It does not know that there are other replicas, nor where its group computes it.
#pragma once

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "core/base/aligned_buffer.h"
#include "core/config/run_edit.h"
#include "core/data/dataset.h"
#include "core/device/backend.h"
#include "core/device/device_clock.h"
#include "core/device/memory_tally.h"
#include "core/model/cnn.h"
#include "core/model/optimizer.h"
#include "core/replicas/prefetched_batch.h"
#include "core/replicas/shard.h"

namespace lab {

// Parameters, gradients and optimizer slots on one device: flat buffers that share one layout. Slots exist only on
// devices that update.
struct Variables {
  AlignedBuffer<float> weights;
  AlignedBuffer<float> gradients;
  std::vector<AlignedBuffer<float>> slotValues;  // one per ClusterSettings::slotNames()
  AlignedBuffer<float> statistics;   // NeuralNetwork::statistics(): this replica's own, never mirrored, never reduced
  Shard shard;                       // set if a replica keeps only a part of them; the whole buffers then come and go
  MemoryCounter* counter = nullptr;  // of the device that holds these variables

  // `size` floats each, with `lead` floats of padding in front (Layout::alignmentLead).
  void create(std::int64_t size, std::int64_t lead, std::size_t slotCount);
  // Creates only gradients; weights and slots are those of `first`, which outlives this object.
  void createBeside(Variables& first, std::int64_t lead);
};

// What the code that computes replicas must know about all of them; outlives this code.
struct ReplicaSettings {
  Backend* backend = nullptr;
  const Examples* train = nullptr;
  const NeuralNetwork* network = nullptr;
  Precision precision = Precision::Float32;
  OptimizerSettings optimizer;
  std::uint64_t seed = 0;       // seed of dropout
  std::size_t besideSlots = 0;  // slots of a copy of the weights besides the optimizer's
  Sharding sharding = Sharding::None;
  bool sharesCopies = false;  // all replicas use replica 0's weights and slots, which only replica 0 updates
};

class ReplicaGroup;

class Replica {
 public:
  // `group` computes this replica and outlives it.
  Replica(int index, ReplicaGroup& group, DeviceClock deviceClock, double slowdown)
      : clock(std::move(deviceClock)), index_(index), group_(group), slowdown_(slowdown) {
    variables.counter = &memory;
    prefetched_.countIn(memory);
  }

  int index() const { return index_; }
  bool isHere() const;  // whether its variables are in this process
  MemoryTally memory;   // of all buffers below, which are destroyed earlier
  Variables variables;
  Activations activations;
  DeviceClock clock;

  // Makes these training examples the replica's shard: takes the batch that was made ahead, or else gathers it now.
  PrefetchedBatch& prefetched() { return prefetched_; }
  void load(std::vector<std::int64_t> shard);
  const std::vector<std::int64_t>& shard() const { return shard_; }

  // Computes loss and gradients of the shard with the replica's own weights. Multiplies every example's gradient by
  // `scale`.
  void forwardBackward(float scale);
  std::int64_t globalOffset = 0;  // where its shard begins in the global batch; used by dropout
  std::int64_t version = -1;  // number of updates in the weights that it last computed with; -1: it has not computed
  bool hasComputed() const { return version >= 0; }
  bool leftOut = false;  // it came too late for this step's sum (Cluster::waitFor)

  // A change by hand to a value of this replica, made when its step comes.
  struct Edit {
    RunEdit what;
    int id = 0;                  // in checkpoints
    bool past = false;           // the edit is a parent run's: it is never applied from now on
    std::int64_t appliedIn = 0;  // the step; 0: not applied yet
  };
  std::vector<Edit> edits;
  void editWeights(std::int64_t step);
  // `again`: the gradients were computed anew, so this step's edits are repeated
  void editGradients(std::int64_t step, bool again);

  // Restores the state after forwardBackward in another run of the same step: the same bits, and no time passes.
  void restore(std::vector<std::int64_t> shard, float scale);

  // Applies update number `iteration` (from 1) to the replica's weights with its own gradients.
  void update(double learningRate, std::int64_t iteration);

  // Sums over the shard, of the last forwardBackward; the host must have its losses and predictions
  // (ReplicaGroup::look).
  double lossSum() const;
  std::int64_t correct() const;

  // Runs only the forward pass, on other examples and with any weights, and writes losses[i] and right[i] for
  // indices[i]. Keeps the shard's results of the last forwardBackward.
  void evaluate(const Examples& examples, std::span<const std::int64_t> indices, const float* weights, float* losses,
                std::uint8_t* right);

  double slowdown() const { return slowdown_; }

 private:
  int index_;
  ReplicaGroup& group_;
  double slowdown_;
  std::vector<std::int64_t> shard_;
  PrefetchedBatch prefetched_;
};

// Returns the cost of updating `parameters` variables.
OpCost updateCost(const OptimizerSettings& optimizer, std::int64_t parameters);

}  // namespace lab

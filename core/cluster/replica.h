// SPDX-License-Identifier: GPL-3.0-or-later
// One replica: a device with its own variables, its own activations and its own clock. It computes its gradient from
// its own shard in its own buffers; nothing here knows that there are others, nor where its group computes it.
#pragma once

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "core/base/aligned_buffer.h"
#include "core/cluster/prefetched_batch.h"
#include "core/cluster/shard.h"
#include "core/config/run_edit.h"
#include "core/data/dataset.h"
#include "core/device/backend.h"
#include "core/device/device_clock.h"
#include "core/device/memory_tally.h"
#include "core/model/cnn.h"
#include "core/model/optimizer.h"

namespace lab {

// Parameters, gradients and optimizer slots on one device: flat buffers sharing one layout. Slots exist only where
// this device updates.
struct Variables {
  AlignedBuffer<float> weights;
  AlignedBuffer<float> gradients;
  std::vector<AlignedBuffer<float>> slotValues;  // one per ClusterSettings::slotNames()
  AlignedBuffer<float> statistics;   // NeuralNetwork::statistics(): this replica's own, never mirrored, never reduced
  Shard shard;                       // where a replica keeps a part of them alone; the whole buffers then come and go
  MemoryCounter* counter = nullptr;  // of the device that they are on

  // `size` floats each, with `lead` floats of padding in front (Layout::alignmentLead).
  void create(std::int64_t size, std::int64_t lead, std::size_t slotCount);
  // Gradients of its own; weights and slots are `first`'s, which outlives it.
  void createBeside(Variables& first, std::int64_t lead);
};

// What whoever computes replicas knows of all of them; it outlives them.
struct ReplicaSettings {
  Backend* backend = nullptr;
  const Examples* train = nullptr;
  const NeuralNetwork* network = nullptr;
  Precision precision = Precision::Float32;
  OptimizerSettings optimizer;
  std::uint64_t seed = 0;       // of dropout
  std::size_t besideSlots = 0;  // of a copy of the weights, besides the optimizer's
  Sharding sharding = Sharding::None;
  bool sharesCopies = false;  // all replicas' weights and slots are replica 0's, which alone updates them
};

class ReplicaGroup;

class Replica {
 public:
  // The group computes it, and outlives it.
  Replica(int index, ReplicaGroup& group, DeviceClock deviceClock, double slowdown)
      : clock(std::move(deviceClock)), index_(index), group_(group), slowdown_(slowdown) {
    variables.counter = &memory;
    prefetched_.countIn(memory);
  }

  int index() const { return index_; }
  bool isHere() const;  // its variables are in this process
  MemoryTally memory;   // of all buffers below, which it outlives
  Variables variables;
  Activations activations;
  DeviceClock clock;

  // Takes these training examples as its shard: what has been made ahead, or gathers them into its own buffers now.
  PrefetchedBatch& prefetched() { return prefetched_; }
  void load(std::vector<std::int64_t> shard);
  const std::vector<std::int64_t>& shard() const { return shard_; }

  // Loss and gradients of the shard with its own weights. Every example's gradient is multiplied by `scale`.
  void forwardBackward(float scale);
  std::int64_t globalOffset = 0;  // of its shard in the global batch: of dropout
  std::int64_t version = -1;      // updates in the weights that it computed with; -1: it has not computed
  bool hasComputed() const { return version >= 0; }
  bool leftOut = false;  // of this step: it came too late for the sum (Cluster::waitFor)

  // Values of its own that are changed by hand, when their step has come.
  struct Edit {
    RunEdit what;
    int id = 0;                  // in checkpoints
    bool past = false;           // a parent's: made or not, it is not made any more
    std::int64_t appliedIn = 0;  // step; 0: not yet
  };
  std::vector<Edit> edits;
  void editWeights(std::int64_t step);
  void editGradients(std::int64_t step, bool again);  // `again`: computed anew, as they were in this step

  // Where another run of the same step was after forwardBackward: the same bits, without any time passing.
  void restore(std::vector<std::int64_t> shard, float scale);

  // Update number `iteration` (from 1) of its own weights with its own gradients.
  void update(double learningRate, std::int64_t iteration);

  // Of the last forwardBackward, over the shard, where the host has its losses and predictions (ReplicaGroup::look).
  double lossSum() const;
  std::int64_t correct() const;

  // Forward only, on other examples and with any weights: losses[i] and right[i] of indices[i]. What the last
  // forwardBackward said of the shard stays.
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

// What an update of `parameters` variables costs.
OpCost updateCost(const OptimizerSettings& optimizer, std::int64_t parameters);

}  // namespace lab

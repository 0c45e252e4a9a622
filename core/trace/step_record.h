// SPDX-License-Identifier: GPL-3.0-or-later
// One step, whole and immutable: everything that the window shows of it. Made only on request, because it copies every
// replica's gradients. Intermediate states of buffers in an aggregation are not stored: adding the recorded gradients
// along the recorded transfers, in their order, restores them bit by bit.
#pragma once

#include <cstdint>
#include <vector>

#include "core/trace/memory_timeline.h"
#include "core/trace/metric.h"
#include "core/trace/run_fault.h"
#include "core/trace/span.h"

namespace lab {

// Bytes of this program's own buffers that represent a device, as kept from step to step.
struct MemoryBreakdown {
  std::int64_t variables = 0, gradients = 0, optimizer = 0, activations = 0;
  std::int64_t total() const { return variables + gradients + optimizer + activations; }
};

// P: elements of the whole network's flat buffer, laid out as in model/layout.h.
struct ReplicaStep {
  std::vector<std::int64_t> shard;        // example numbers, in computing order
  std::vector<float> losses;              // (shard) before the update
  std::vector<std::uint8_t> predictions;  // (shard)
  std::vector<float> gradients;           // (P) of its own shard, before any addition; empty: not computed
  // (P) If weights were averaged: as they went into the step's all-reduce, weighed by shares, or to neighbours,
  // unweighed; empty if gradients were summed. For an asynchronous worker: the weights that it computes with; empty if
  // they are those at the step's beginning or end. For a copy that differs from the first one, without averaging: its
  // weights after the step.
  std::vector<float> ownWeights;
  std::vector<float> weightsAfter;  // (P) after the step, for a copy that then differs from the first one
  // (S) its own moving statistics after the step, laid out as NeuralNetwork::statistics(); mostly empty
  std::vector<float> statistics;
  std::uint64_t weightsDigest = 0;  // of the bits of the copy it computes with, after the step; 0: no copy yet
  // Largest |difference| of that copy, after the step, from replica 0's, or from the one on parameter devices.
  double weightsDistance = 0;
  std::int64_t version = 0;  // number of updates in the weights that `gradients` were computed with
  // For a class's asynchronous worker: how many batches were drawn before this one, which dropout takes for the step.
  std::int64_t batchesBefore = 0;
  double vote = 0;  // for a class: the weight of one of its images in the step's gradient
};

// A worker of a class that had no part in a step.
struct Absence {
  // NoPart: present without computing, like a worker that joins in the middle of a step, or sleeps.
  enum class Why : std::uint8_t { NoPart, NotJoined, Left };
  int replica = 0;
  Why why = Why::NoPart;

  bool operator==(const Absence&) const = default;
};

struct StepRecord {
  StepMetric metric;

  // The step on its clock. For a parameter-server step: from the previous update to this one, over all workers.
  std::int64_t beginNs = 0, endNs = 0;
  // All spans of the step, with transfers in execution order. Batches are prefetched, so Input spans lie before
  // beginNs. The first step's record begins with what came before it (step 0). A parameter-server step begins with
  // spans recorded by earlier steps that were not over at beginNs, and ends with messages under way at endNs. Spans
  // that begin between the arrival of its gradients and their application are in the next record, and so is a wait that
  // is not over.
  std::vector<Span> spans;

  std::vector<ReplicaStep> replicas;  // all; for a parameter server: what every worker holds when the step ends
  std::vector<float> gradients;       // (P) used by the optimizer: the sum, or one worker's
  std::vector<float> weightsBefore, weightsAfter;  // (P) of the first copy, the only copy, or the servers together
  std::vector<float> statistics;        // (S) for evaluation and saving, after the step: replica 0's, or the only ones
  std::vector<MemoryBreakdown> memory;  // per rank of the legend; zero for hosts' processors
  // Each device's memory over the step, also per rank. Modelled for simulated devices, otherwise the buffers as they
  // were allocated and freed. Empty if unknown: for GPUs, other processes, and workers of a parameter server that
  // have not computed yet.
  std::vector<MemoryTimeline> memoryOverStep;
  // For a parameter server: each worker's batch before the one in `replicas`, whose gradients have been applied. Has no
  // gradients and no digest; the shard is empty if there was no earlier batch. A worker that waits for weights still
  // has that batch; if the step was given up meanwhile, `replicas` has the same batch, without gradients.
  std::vector<ReplicaStep> previous;
  std::vector<DeadTask> dead;  // tasks that are dead when the step ends; if metric.aborted: those that it ended
  // A class's workers without a part, by number. For a parameter server only those not there: a step is one worker's.
  std::vector<Absence> absent;
  // For a class: recomputed on a processor path of this machine, because it lacks a worker's path.
  bool onOtherPath = false;
  // False for a class's recording without times: spans show only the order of events.
  bool timesKnown = true;

  std::int64_t bytes() const;  // in memory, roughly

  std::int64_t taking() const { return std::ssize(replicas) - std::ssize(absent); }  // replicas with a part in the step
  // Returns whether the replicas' weights were averaged, over all or with neighbours, instead of their gradients
  // summed.
  bool averagesWeights() const { return !metric.worker && !replicas.empty() && !replicas.front().ownWeights.empty(); }
};

}  // namespace lab

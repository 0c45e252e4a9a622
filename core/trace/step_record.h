// SPDX-License-Identifier: GPL-3.0-or-later
// One step, whole and immutable: everything the window shows of it. Made only on request, because it copies every
// replica's gradients. What a buffer held in the middle of an aggregation is not stored: adding the
// recorded gradients along the recorded transfers, in their order, gives it back bit by bit.
#pragma once

#include <cstdint>
#include <vector>

#include "core/trace/memory_timeline.h"
#include "core/trace/metric.h"
#include "core/trace/run_fault.h"
#include "core/trace/span.h"

namespace lab {

// Bytes of this program's own buffers that stand for a device, as it keeps them from step to step.
struct MemoryBreakdown {
  std::int64_t variables = 0, gradients = 0, optimizer = 0, activations = 0;
  std::int64_t total() const { return variables + gradients + optimizer + activations; }
};

// P elements is the whole network's flat buffer, laid out as model/layout.h says.
struct ReplicaStep {
  std::vector<std::int64_t> shard;        // example numbers, in the order in which they were computed
  std::vector<float> losses;              // (shard) before the update
  std::vector<std::uint8_t> predictions;  // (shard)
  std::vector<float> gradients;           // (P) of its own shard, before anything was added; empty: not computed
  // (P) as they went into the step's all-reduce, weighed by shares, or to neighbours, unweighed; empty where gradients
  // were summed. Of an asynchronous
  // worker: what it computes with, empty where that is what the step began with, or what it ended with. Of a copy that
  // differs from the first one, where no weights were averaged: what it is after the step.
  std::vector<float> ownWeights;
  std::vector<float> weightsAfter;  // (P) likewise after the step, of a copy that then differs from the first one
  // (S) its own moving statistics after the step, as NeuralNetwork::statistics() lays them out; mostly none
  std::vector<float> statistics;
  std::uint64_t weightsDigest = 0;  // of the bits of the copy it computes with, after the step; 0: it has none yet
  // Largest |difference| of that copy, after the step, to replica 0's, or to the one on parameter devices.
  double weightsDistance = 0;
  std::int64_t version = 0;  // updates in the weights that `gradients` were computed with
  double vote = 0;           // of a class: what one of its images counts in the step's gradient
};

// A worker of a class without a part in a step.
struct Absence {
  // NoPart: it was there and computed nothing of it, as whoever joins in the middle of a step, or sleeps.
  enum class Why : std::uint8_t { NoPart, NotJoined, Left };
  int replica = 0;
  Why why = Why::NoPart;

  bool operator==(const Absence&) const = default;
};

struct StepRecord {
  StepMetric metric;

  // The step on its clock. Of a parameter-server step: from the update before it to this one, over all workers.
  std::int64_t beginNs = 0, endNs = 0;
  // All that was recorded in the step, transfers in the order in which they were carried out. A batch is prefetched,
  // so Input spans lie before beginNs. The first step's record begins with what came before it (step 0).
  // A parameter-server step has, first, what earlier ones recorded and what was not over at beginNs; and last, messages
  // under way at endNs. Spans that begin between the receipt of its gradients and their application are in the next
  // record, and so is a wait that is not over.
  std::vector<Span> spans;

  std::vector<ReplicaStep> replicas;  // all of them; of parameter server: what every worker holds when the step ends
  std::vector<float> gradients;       // (P) what the optimizer used: the sum, or one worker's
  std::vector<float> weightsBefore, weightsAfter;  // (P) of the first copy, the only copy, or the servers together
  std::vector<float> statistics;  // (S) that are evaluated and saved, after the step: replica 0's, or the only ones
  std::vector<MemoryBreakdown> memory;  // per rank of the legend; zeros for hosts' processors
  // Per rank likewise: each device's memory over the step. Modelled of simulated devices, else the buffers as they were
  // allocated and freed. Empty ones where nothing is known: of GPUs, other processes, asynchronous workers on simulated
  // devices.
  std::vector<MemoryTimeline> memoryOverStep;
  // Of parameter server: each worker's batch before the one in `replicas`, whose gradients have been applied, without
  // them and without a digest; an empty shard where it has computed no other. It has that one while it waits for
  // weights.
  std::vector<ReplicaStep> previous;
  std::vector<DeadTask> dead;  // tasks that are, when the step ends; metric.aborted: of what it ended
  // Of a class, by their numbers. Of a parameter server's only those that were not there: each step is one worker's.
  std::vector<Absence> absent;
  // Of a class: computed again, on a processor path of this machine in place of a worker's that it does not have.
  bool onOtherPath = false;
  // False of a class's recording without them: spans have the order of what happened, and their times are nobody's.
  bool timesKnown = true;

  std::int64_t bytes() const;  // in memory, roughly

  std::int64_t taking() const { return std::ssize(replicas) - std::ssize(absent); }  // replicas with a part in it
  // Whether the replicas' weights were averaged, over all or with neighbours, instead of their gradients summed.
  bool averagesWeights() const { return !metric.worker && !replicas.empty() && !replicas.front().ownWeights.empty(); }
};

}  // namespace lab

// SPDX-License-Identifier: GPL-3.0-or-later
// The numbers of a run, one value per event, and the only source of `--metrics`, the run file and the charts. `clock`
// says whether a time is measured or modelled; one series never mixes the two.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "core/base/at.h"
#include "core/trace/memory_timeline.h"
#include "core/trace/span.h"

namespace lab {

struct StepMetric {
  std::int64_t step = 0;             // 1-based
  double epoch = 0;                  // epochs completed after this step
  std::int64_t examples = 0;         // delivered in this step, and used
  std::vector<std::int64_t> shards;  // examples per replica; one entry for a parameter-server worker's step
  // Replicas that came too late for the step's sum, in ascending order. Their images count in `shards`, but in no other
  // number here.
  std::vector<int> leftOut;
  double loss = 0;      // mean over these examples, before the update
  double accuracy = 0;  // over these examples, before the update; 0 to 1
  double learningRate = 0;
  std::int64_t bytesSent = 0;               // by all ranks together
  std::int64_t wallNs = 0;                  // steady clock: the whole step in this program, except copying its record
  TimeSource clock = TimeSource::Modelled;  // of the times below
  // For a worker's step: its own cycle, from asking for the weights until its gradients are applied.
  std::int64_t stepNs = 0;
  // Where the step went: these seven sum to it. Means over the replicas; for a worker's step, its own.
  std::int64_t computeNs = 0;
  std::int64_t communicationNs = 0;  // sending while nothing else was done
  std::int64_t inputNs = 0;          // waited for examples
  std::int64_t queueNs = 0;          // waited for a server: for its link while others used it, or for its update
  std::int64_t stragglerNs = 0;      // waited for slower replicas
  std::int64_t launchNs = 0;         // launching kernels
  std::int64_t faultNs = 0;          // waited for a task that had died, or was dead; also in a step that was given up
  std::int64_t overlappedNs = 0;     // part of computeNs: computed while gradients were sent; not in files, modelled
  // examples / stepNs; for a worker's step that is modelled or of a class: of all workers since the start, because
  // their cycles overlap
  double imagesPerSecond = 0;
  // A task died, and the step ended with an error: nothing was updated, and training ends. Loss and accuracy had been
  // computed before.
  bool aborted = false;
  std::optional<int> worker;              // parameter server: the worker that pushed
  std::optional<std::int64_t> staleness;  // parameter server: others' updates between its pull and its push
  // With --noise-scale, from the replicas' own gradients (timing/README.md): this step's estimates, which may be
  // negative, and the smoothed gradient noise scale in examples; nothing until there is enough data.
  std::optional<double> gradientSquared, gradientTrace, noiseScale;
  // Result of comparing the copies bit by bit after the update; nothing if there is only one copy, or all share one.
  std::optional<bool> mirrorsIdentical;
  bool copiesShared = false;

  bool leavesOut(int replica) const { return std::ranges::find(leftOut, replica) != leftOut.end(); }
  std::int64_t dropped() const {  // images of replicas that were left out
    std::int64_t sum = 0;
    for (const int replica : leftOut) sum += at(shards, replica);
    return sum;
  }
  std::int64_t distributed() const { return examples + dropped(); }
};

// One replica's part in an evaluation. An example that several had counts for the last of them.
struct EvalShare {
  std::int64_t examples = 0, correct = 0;
};

struct EvalMetric {
  std::int64_t step = 0;
  double testLoss = 0;
  double testAccuracy = 0;
  std::vector<EvalShare> shares{};  // per replica; not in files, so empty if read from one
};

// The most memory that a device held at any moment; of the device that held the most.
struct PeakMemory {
  TimeSource clock = TimeSource::Measured;
  std::string device;  // "replica 0"
  MemoryByKind bytes{};
};

struct EndMetric {
  std::int64_t steps = 0;
  double seconds = 0;          // wall time of the training loop, without evaluation
  double imagesPerSecond = 0;  // measured
  std::optional<double> modelledSeconds;
  std::optional<bool> mirrorsIdentical;  // as in StepMetric
  std::string dataset;
  std::int64_t parameters = 0;
  std::optional<PeakMemory> memory{};  // nothing if unknown: for GPUs and classes
  bool copiesShared = false;
};

using Metric = std::variant<StepMetric, EvalMetric, EndMetric>;

}  // namespace lab

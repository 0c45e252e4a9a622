// SPDX-License-Identifier: GPL-3.0-or-later
// Copies what a step does into a StepRecord while the cluster's verbs carry it out. Exists only during a step that
// somebody wants to see, so other steps cost nothing. No clock includes the time spent on copying: the cluster leaves
// it out of its measurements.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "core/cluster/reduction.h"
#include "core/trace/step_record.h"

namespace lab {

class Cluster;

class StepRecording {
 public:
  // Call when a step begins: keeps the present weights.
  explicit StepRecording(Cluster& cluster);

  // Call before a reduction adds anything. If a step has no reduction, finish() finds the replicas' gradients
  // untouched.
  void keepOwn(ReduceTarget what);

  // Call when the step is over. `worker`, for parameter server: the worker whose gradients the servers have applied.
  std::shared_ptr<StepRecord> finish(std::optional<int> worker, std::int64_t beginNs, std::int64_t endNs,
                                     std::vector<Span> spans);

 private:
  std::vector<float> primaryWeights() const;
  void describe(int replica);
  void keepStale();
  void keepBroken();
  void describeMemory();
  void gatherReplicas();

  Cluster& cluster_;
  std::shared_ptr<StepRecord> record_;
  bool ownGradientsKept_ = false;
};

}  // namespace lab

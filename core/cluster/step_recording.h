// SPDX-License-Identifier: GPL-3.0-or-later
// Copies what a step does into a StepRecord while the cluster's verbs carry it out. Exists only during a step that
// somebody wants to see, so a step that nobody wants costs nothing. The copying is on no clock: the cluster leaves it
// out of what it measures.
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
  // A step begins: keeps the weights as they are.
  explicit StepRecording(Cluster& cluster);

  // Before a reduction adds anything. Where none does, finish() finds the replicas' gradients untouched.
  void keepOwn(ReduceTarget what);

  // The step is over. `worker`: whose gradients the servers have applied, for parameter server.
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

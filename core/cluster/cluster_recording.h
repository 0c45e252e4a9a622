// SPDX-License-Identifier: GPL-3.0-or-later
// Copies what a cluster's step does into a StepRecord. No clock includes the time spent on copying: the cluster leaves
// it out of its measurements.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "core/replicas/step_recording.h"
#include "core/trace/step_record.h"

namespace lab {

class Cluster;

class ClusterRecording : public StepRecording {
 public:
  // Call when a step begins: keeps the present weights.
  explicit ClusterRecording(Cluster& cluster);

  void keepOwn(ReduceTarget what) override;
  std::shared_ptr<StepRecord> finish(std::optional<int> worker, std::int64_t beginNs, std::int64_t endNs,
                                     std::vector<Span> spans) override;

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

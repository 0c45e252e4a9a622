// SPDX-License-Identifier: GPL-3.0-or-later
// What copies a step into a StepRecord while the cluster's verbs carry it out (cluster/cluster_recording). Exists only
// during a step that somebody wants to see, so other steps cost nothing.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "core/replicas/reduction.h"
#include "core/trace/step_record.h"

namespace lab {

class StepRecording {
 public:
  virtual ~StepRecording() = default;

  // Call before a reduction adds anything. If a step has no reduction, finish() finds the replicas' gradients
  // untouched.
  virtual void keepOwn(ReduceTarget what) = 0;

  // Call when the step is over. `worker`, for parameter server: the worker whose gradients the servers have applied.
  virtual std::shared_ptr<StepRecord> finish(std::optional<int> worker, std::int64_t beginNs, std::int64_t endNs,
                                             std::vector<Span> spans) = 0;
};

}  // namespace lab

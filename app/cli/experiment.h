// SPDX-License-Identifier: GPL-3.0-or-later
// One run from the first step to the files on disk, and what came of it: what train, compare and bench have in common.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/config/resolved_settings.h"
#include "core/data/dataset.h"
#include "core/experiments/target.h"
#include "core/prediction/rates.h"
#include "core/trace/metric.h"
#include "core/trace/timeline.h"
#include "core/training/trainer.h"

namespace lab::cli {

struct Outcome {
  RunInfo info;
  EndMetric end;
  std::optional<EvalMetric> lastEval;
  std::optional<StepMetric> lastStep;
  LastFullStep lastFull;             // what breakdowns and bands rest on
  std::optional<SteadyStep> steady;  // nothing where time is measured
  RunTally tally;                    // its steps were taken here: fewer than end.steps where the run was resumed
  std::int64_t bytesSent = 0;
  std::int64_t stepNs = 0;  // summed, on info.clock
  std::int64_t stalenessSum = 0;
  bool hasStaleness = false;
  bool interrupted = false;
  // Of a run that is compared: the primary copy's, at the end; and of the second step (of a round of several, its
  // last), or the first where that has more examples, the link that carried the most (busiestLink()), nothing where
  // nothing was sent.
  std::vector<float> weights;
  std::string busiestLink;
  std::int64_t busiestLinkBytes = 0;
  std::optional<Timeline> trace;  // of that step
  std::int64_t traceStep = 0, traceExamples = 0, traceStepNs = 0;

  double perStep(std::int64_t sum) const;               // 0 where no step was taken
  std::optional<double> stalenessMean() const;          // parameter server
  std::optional<std::int64_t> divergedAt() const;       // the step in which it began, as the window says; Divergence
  std::optional<double> modelledMeanPerSecond() const;  // images, the mean of the run; nothing where time is measured
};

struct ExperimentOptions {
  bool quiet = false;   // no progress is shown
  bool silent = false;  // nothing at all is: another process tells of this run
  Target target;
  bool comparing = false;  // steps are recorded and weights copied for it
};

// Ends early, at a step boundary, when interrupted(). `sink` gets every metric in order.
Outcome runExperiment(const ResolvedSettings& config, std::shared_ptr<const Dataset> dataset,
                      const std::function<void(const Metric&)>& sink, const ExperimentOptions& options);

// That a step of `batch` examples a replica needs more memory than a device has, and how much at least.
std::string doesNotFit(const std::string& network, std::int64_t batch, const DeviceMemory& memory);

// "mirrored: 4 replicas (…), digits (embedded): 4,000 training images"
std::string describe(const RunInfo& info);

}  // namespace lab::cli

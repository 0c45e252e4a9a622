// SPDX-License-Identifier: GPL-3.0-or-later
// One run from the first step to the files on disk, and its results: shared by train, compare and bench.
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
#include "core/timeline/timeline.h"
#include "core/trace/metric.h"
#include "core/training/trainer.h"

namespace lab::cli {

struct Outcome {
  RunInfo info;
  EndMetric end;
  std::optional<EvalMetric> lastEval;
  std::optional<StepMetric> lastStep;
  LastFullStep lastFull;             // the basis of breakdowns and bands
  std::optional<SteadyStep> steady;  // nothing if time is measured
  RunTally tally;                    // only steps taken here: fewer than end.steps if the run was resumed
  std::int64_t bytesSent = 0;
  std::int64_t stepNs = 0;  // summed, on info.clock
  std::int64_t stalenessSum = 0;
  bool hasStaleness = false;
  bool interrupted = false;
  // For a compared run: the primary copy's weights at the end. The busiest link (busiestLink()) is that of the second
  // step (of a round of several, its last), or of the first if that has more examples; empty if nothing was sent.
  std::vector<float> weights;
  std::string busiestLink;
  std::int64_t busiestLinkBytes = 0;
  std::optional<Timeline> trace;  // of that step
  std::int64_t traceStep = 0, traceExamples = 0, traceStepNs = 0;

  double perStep(std::int64_t sum) const;               // 0 if no step was taken
  std::optional<double> stalenessMean() const;          // parameter server
  std::optional<std::int64_t> divergedAt() const;       // the step in which divergence began (Divergence)
  std::optional<double> modelledMeanPerSecond() const;  // images, the mean of the run; nothing if time is measured
};

struct ExperimentOptions {
  bool quiet = false;   // shows no progress
  bool silent = false;  // shows nothing at all: another process reports this run
  Target target;
  bool comparing = false;  // records steps and copies weights for a comparison
};

// Ends early, at a step boundary, if interrupted(). `sink` gets every metric in order.
Outcome runExperiment(const ResolvedSettings& config, std::shared_ptr<const Dataset> dataset,
                      const std::function<void(const Metric&)>& sink, const ExperimentOptions& options);

// Says that a step of `batch` examples per replica needs more memory than a device has, and how much at least.
std::string doesNotFit(const std::string& network, std::int64_t batch, const DeviceMemory& memory);

// Said after a run. `files`: whether any were asked for.
void tellStopped(std::int64_t step, bool files);
// What a run that fails leaves: its outputs have a name of their own only once they are whole.
void tellUnfinished(const std::vector<std::string>& outputs);
void tellNothingTrained(std::int64_t checkpointStep, std::int64_t totalSteps, const std::string& what);  // "run"

std::string dataText(const RunInfo& info);  // "mnist (FOLDER)", "digits (built-in)"
// "mirrored: 4 replicas (…), digits (built-in): 4,000 training images"
std::string describe(const RunInfo& info);

}  // namespace lab::cli

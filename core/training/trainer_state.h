// SPDX-License-Identifier: GPL-3.0-or-later
// The members of a trainer, for its own two sources: the steps (trainer.cpp), and the state between two steps, which
// can be saved, loaded, or kept alone while the memory is freed (trainer_state.cpp).
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/cluster/cluster.h"
#include "core/strategy/strategy.h"
#include "core/timing/noise_scale.h"
#include "core/training/checkpoint.h"
#include "core/training/trainer.h"
#include "core/training/training_input.h"

namespace lab {

struct Trainer::State {
  RunInfo info;
  std::shared_ptr<const Dataset> dataset;
  Telemetry& telemetry;
  std::unique_ptr<Cluster> cluster;
  std::unique_ptr<Strategy> strategy;
  std::unique_ptr<TrainingInput> input;

  std::int64_t steps = 0;
  std::int64_t examples = 0;      // delivered and used so far
  std::int64_t distributed = 0;   // the same with those of replicas that were left out
  std::int64_t wallNs = 0;        // in this process's steps, without evaluation
  std::int64_t examplesHere = 0;  // delivered by this process
  std::int64_t modelledNs = 0;
  std::int64_t evaluatedAt = -1;
  std::int64_t checkpointedAt = -1;
  std::vector<Message> notWritten;  // requested outputs that were skipped because the run diverged
  bool mirrorsIdentical = true;
  std::string examplesDigest;  // of the training examples, where there are checkpoints
  bool aborted = false;        // the last step was given up, and no other follows
  NoiseScale noise;
  // The last step, until its result is known, which is later on GPUs.
  struct Unreported {
    StepMetric metric;
    StepOutcome outcome;
    std::shared_ptr<StepRecord> record;
    std::int64_t doneNs = 0;  // for a worker's step
  };
  std::optional<Unreported> unreported;
  // The state while the memory is freed; cluster, strategy and input are null in the meantime.
  struct Released {
    ClusterSettings settings;
    Checkpoint state;
  };
  std::optional<Released> released;

  const ResolvedSettings& config() const { return info.config; }
  const StrategyInfo& strategyRow() const { return strategyInfo(config().strategy); }

  void make(const ClusterSettings& settings, const std::vector<float>& initialWeights);
  std::optional<PeakMemory> peakMemory() const;
  void release();
  void reacquire();
  Unreported account(const StepResult& result, FinishedStep step, std::int64_t stepWallNs);
  void settle(bool duringStep = false);
  Checkpoint save() const;
  void load(const Checkpoint& saved);
  void checkpoint();
  void resume();
  StepResult abortedResult();
  void addEdits();
};

}  // namespace lab

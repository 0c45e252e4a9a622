// SPDX-License-Identifier: GPL-3.0-or-later
// The training loop: batch, step, metrics, sometimes evaluation and checkpoint. One thread calls it; it reports through
// Telemetry and never waits for a reader.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "core/base/message.h"
#include "core/config/lineage.h"
#include "core/config/run_info.h"
#include "core/data/dataset.h"
#include "core/data/split.h"
#include "core/trace/messages.h"
#include "core/trace/telemetry.h"
#include "core/training/checkpoint.h"

namespace lab {

class Cluster;
class Strategy;

class Trainer {
 public:
  // Builds the cluster and the strategy, initialises or loads the weights, and resumes from the newest checkpoint if
  // asked to. UserError for problems that the user can solve. `dataset` must be the result of loadDataset and
  // firstExamples for this configuration (see openDataset). The trainer of a branch starts like a run from the
  // beginning, until startBranch() or loadState().
  Trainer(const ResolvedSettings& config, std::shared_ptr<const Dataset> dataset, Telemetry& telemetry,
          const Lineage& lineage = {});
  ~Trainer();
  Trainer(const Trainer&) = delete;
  Trainer& operator=(const Trainer&) = delete;

  const RunInfo& info() const;
  std::int64_t stepsDone() const;
  bool finished() const;        // all steps are done
  std::int64_t wallNs() const;  // time of this trainer's steps, without evaluations and checkpoints

  // Runs one step, then an evaluation and a checkpoint if they are due. Must not be called when finished().
  void step();

  // Waits for the last step's metric and reports it now; otherwise it is reported when its result is known, on GPUs
  // after the next step's launch. Evaluations, checkpoints, states and the end do this by themselves.
  void settle();

  // Between two steps, where time is modelled: frees the memory of replicas and servers and keeps only the state. The
  // next call allocates it again, which takes as long as a few steps; all later bits stay the same.
  void release();

  // Evaluates on the test examples, distributed by the same rules as training.
  EvalMetric evaluate();

  // Ends the run, complete or stopped early: evaluates if the last step was not evaluated (unless evaluation is off),
  // writes the requested weights and checkpoint, and emits and returns the EndMetric. After all this, throws a
  // UserError (kind Run) if the run has diverged and a requested output could not be read again.
  EndMetric finish();

  // Everything that later steps depend on; not during a step. Steps after loadState() equal, bit for bit, those of the
  // trainer that saved the state, whose settings must be the same except for outputs and threads. A state of another
  // run, or a damaged one, is an error that leaves this trainer unusable.
  Checkpoint saveState() const;
  void loadState(const Checkpoint& saved);
  // Continues from a state of the parent, whose settings may differ (checkLineage); see startBranch(). UserError if the
  // state does not fit the settings.
  void startFrom(const Checkpoint& parent);

  // Call between steps, if the next steps only lead to one that is recorded: where the copies of the variables must be
  // equal, one copy stands for all until then, which takes about half the time. The bits stay the same.
  void shareMirrorCopies();

  std::vector<float> weights() const;  // the primary copy, laid out as in model/layout.h

  Cluster& cluster();  // for tests that flip bits in it

 private:
  struct State;
  std::unique_ptr<State> state_;
};

// Opens the configuration's data set; `telemetry` receives the progress.
std::shared_ptr<const Dataset> openDataset(const SettingsBase& config, Telemetry* telemetry = nullptr);

}  // namespace lab

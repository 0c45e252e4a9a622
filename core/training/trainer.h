// SPDX-License-Identifier: GPL-3.0-or-later
// The training loop: batch, step, metrics, sometimes evaluate and checkpoint. One thread calls it; it reports what
// happens through Telemetry and waits for nobody.
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
  // asked to. UserError for what the user can mend. `dataset` must be what
  // loadDataset and firstExamples gave for this configuration (see openDataset). Of a branch this stands where a run
  // from the beginning would, until startBranch() or loadState().
  Trainer(const ResolvedSettings& config, std::shared_ptr<const Dataset> dataset, Telemetry& telemetry,
          const Lineage& lineage = {});
  ~Trainer();
  Trainer(const Trainer&) = delete;
  Trainer& operator=(const Trainer&) = delete;

  const RunInfo& info() const;
  std::int64_t stepsDone() const;
  bool finished() const;        // all steps are done
  std::int64_t wallNs() const;  // taken by this trainer's steps, without evaluations and checkpoints

  // One step; then an evaluation and a checkpoint where they are due. Not when finished().
  void step();

  // A step's metric is reported when its result is known: on GPUs after the next step's launch.
  // This waits and reports it now. Evaluation, checkpoints, states and the end do so by themselves.
  void settle();

  // Between two steps, where time is modelled: gives the memory of replicas and servers back and keeps only the state.
  // Whatever is called next takes it again, which lasts as long as a few steps; the bits to come stay the same.
  void release();

  // Evaluates on the test examples, distributed by the same rules as training.
  EvalMetric evaluate();

  // Ends the run, complete or stopped early: evaluates if the last step was not (unless evaluation is off), writes the
  // weights and the checkpoint that were asked for, and emits the EndMetric, which it returns. UserError (kind Run),
  // after all that, where the run has diverged and something that was asked for could not be read again.
  EndMetric finish();

  // Everything that the steps to come depend on; not during a step. Steps after loadState() are bit for bit those of
  // the trainer that saved the state, which must have had the same settings but for outputs and threads. A state that
  // is of another run, or damaged, is an error that leaves this trainer unusable.
  Checkpoint saveState() const;
  void loadState(const Checkpoint& saved);
  // Goes on from a state of the parent, whose settings may be others (checkLineage); see startBranch(). UserError where
  // the state does not fit them.
  void startFrom(const Checkpoint& parent);

  // The next steps are only on the way to one that is recorded: where the copies of the variables must be equal, one
  // stands for all until then, which takes about half the time. The bits stay the same. Between steps.
  void shareMirrorCopies();

  std::vector<float> weights() const;  // the primary copy, laid out as model/layout.h says

  Cluster& cluster();  // for tests, which flip bits in it

 private:
  struct State;
  std::unique_ptr<State> state_;
};

// The data set that a configuration asks for; `telemetry` gets its progress.
std::shared_ptr<const Dataset> openDataset(const SettingsBase& config, Telemetry* telemetry = nullptr);

}  // namespace lab

// SPDX-License-Identifier: GPL-3.0-or-later
// The training of a sweep's cell, in one go or in several with pauses between them, on any threads. A training that
// continues has the same bits as one that never paused; during a pause it is only a state and needs no more memory than
// that. One thread at a time.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "core/experiments/sweep.h"
#include "core/experiments/target.h"
#include "core/files/run_file.h"
#include "core/training/checkpoint.h"

namespace lab {

class CellTraining {
 public:
  CellTraining(const SweepCell& cell, std::shared_ptr<const Dataset> dataset)
      : cell_(cell), dataset_(std::move(dataset)) {}

  // `goOn` is called before each step; if it returns false, training ends for good, and this returns false. `until`
  // gets the number of all steps, and returns the step after which training pauses; the test loss there is known.
  // Metrics of modelled runs omit the times that the run took here.
  bool train(int threads, const std::function<bool()>& goOn,
             const std::function<std::int64_t(std::int64_t all)>& until = {});

  bool ended() const { return ended_; }  // otherwise it pauses
  double testLoss() const;               // the last; infinite if it is not a number, or was not evaluated
  // As at the end; during a pause, as if training stopped here.
  std::vector<Metric> metrics() const;
  RunTally tally() const;
  void write(const std::filesystem::path& folder) const;  // the run file of those metrics, whole or not at all

  // To save memory, the state can be forgotten: training then begins again when it continues, with the same bits.
  std::size_t stateBytes() const;
  void forgetState() { state_.reset(); }

 private:
  const SweepCell& cell_;
  std::shared_ptr<const Dataset> dataset_;
  std::optional<TargetWatch> watch_;
  std::vector<Metric> metrics_;
  std::vector<Metric> ifStopped_;  // metrics to add if training goes no further
  std::optional<Checkpoint> state_;
  double seconds_ = 0;  // time of its steps here, before the present piece
  RunHeader header_;
  bool ended_ = false;
};

}  // namespace lab

// SPDX-License-Identifier: GPL-3.0-or-later
// The training of a sweep's cell, in one go or in several with pauses between them, on any threads. Where it goes on,
// it has the bits of one that never paused; while it pauses, it is a state and needs no more memory than that. One
// thread at a time.
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

  // `goOn` is asked before each step; false, also returned here, ends it for good. With `until` it pauses after as many
  // steps as that says of all its steps, and the test loss there is known. Modelled runs are without the times that
  // they took here.
  bool train(int threads, const std::function<bool()>& goOn,
             const std::function<std::int64_t(std::int64_t all)>& until = {});

  bool ended() const { return ended_; }  // else it pauses
  double testLoss() const;               // the last; infinite where it is no number, or was not asked for
  // As they are at the end; of one that pauses, if it is stopped here.
  std::vector<Metric> metrics() const;
  RunTally tally() const;
  void write(const std::filesystem::path& folder) const;  // the run file of that, whole or not at all

  // It begins again where it goes on, to the same bits: for want of memory.
  std::size_t stateBytes() const;
  void forgetState() { state_.reset(); }

 private:
  const SweepCell& cell_;
  std::shared_ptr<const Dataset> dataset_;
  std::optional<TargetWatch> watch_;
  std::vector<Metric> metrics_;
  std::vector<Metric> ifStopped_;  // what comes besides where it goes no further
  std::optional<Checkpoint> state_;
  double seconds_ = 0;  // that its steps took here, until the present piece
  RunHeader header_;
  bool ended_ = false;
};

}  // namespace lab

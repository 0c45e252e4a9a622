// SPDX-License-Identifier: GPL-3.0-or-later
// A sweep that ends in time, whatever computes it and whatever else runs there. Cells begin until the last sixth of the
// time, and one that still trains near its end is given up. From the first second on, the speed so far says about how
// many of the plan's cells will be done. Cells come coarse first, so what is left out is refinement. What is done has
// the bits that it has without a limit. Any thread; time comes from a clock that is handed in.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <mutex>
#include <vector>

#include "core/experiments/sweep.h"

namespace lab {

class SweepLimit {
 public:
  using TimeSource = std::function<std::int64_t()>;  // ns, which never go back

  // `cells` in the order in which they begin. The time begins now.
  SweepLimit(double seconds, const std::vector<const SweepCell*>& cells, TimeSource clock);

  bool mayBegin(std::size_t number);  // of the cells
  // Before each step of a cell. False: time is up, and what it has trained is nothing.
  bool mayGoOn(std::size_t number);

  // While everything waits, no time passes.
  void pause();
  void resume();

  std::size_t planned() const;  // about so many of the cells will have begun, as fast as they went so far
  double secondsLeft() const;   // of the time in which anything trains

 private:
  std::int64_t elapsedNs() const;

  const double seconds_;
  const TimeSource clock_;
  std::vector<double> work_, stepWork_;  // expected of each cell; of a step of it
  mutable std::mutex mutex_;
  std::int64_t beginNs_, pausedNs_ = -1;  // guarded by mutex_, as all below
  std::int64_t firstStepNs_ = -1;
  double done_ = 0;        // work
  std::size_t begun_ = 0;  // cells
};

}  // namespace lab

// SPDX-License-Identifier: GPL-3.0-or-later
// A sweep that ends in time, on any machine and beside any other load. Cells may begin until the last sixth of the
// time, and a cell that still trains near the end is given up. From the first second on, the speed so far tells roughly
// how many of the plan's cells will finish. Cells come coarse first, so only refinement is left out. Finished cells
// have the same bits as without a limit. Any thread; the caller supplies the clock.
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
  using TimeSource = std::function<std::int64_t()>;  // ns, which never decrease

  // `cells`: in starting order. The time begins now.
  SweepLimit(double seconds, const std::vector<const SweepCell*>& cells, TimeSource clock);

  bool mayBegin(std::size_t number);  // index of the cell
  // Must be called before each step of a cell. False: time is up, and the cell is discarded.
  bool mayGoOn(std::size_t number);

  // No time passes during a pause.
  void pause();
  void resume();

  std::size_t planned() const;  // estimate of how many cells will have begun, at the speed so far
  double secondsLeft() const;   // until training ends

 private:
  std::int64_t elapsedNs() const;

  const double seconds_;
  const TimeSource clock_;
  std::vector<double> work_, stepWork_;  // expected work of each cell, and of one of its steps
  mutable std::mutex mutex_;
  std::int64_t beginNs_, pausedNs_ = -1;  // guarded by mutex_, as are all members below
  std::int64_t firstStepNs_ = -1;
  double done_ = 0;        // work done
  std::size_t begun_ = 0;  // cells begun
};

}  // namespace lab

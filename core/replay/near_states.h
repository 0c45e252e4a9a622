// SPDX-License-Identifier: GPL-3.0-or-later
// A few states of a run near the step that somebody looks at, in addition to the evenly spaced states of the history,
// because a person who looks at a step usually looks at its neighbours next. A new state replaces the one farthest from
// that step. The values lie in a scratch file. Used from one thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "core/replay/state_file.h"

namespace lab {

class NearStates {
 public:
  static constexpr std::size_t kMost = 16;

  void keep(std::shared_ptr<const Checkpoint> state, std::int64_t lookedAt);
  bool has(std::int64_t step) const;
  std::int64_t stepBefore(std::int64_t step) const;                       // step of the newest earlier state; -1: none
  std::shared_ptr<const Checkpoint> atOrBefore(std::int64_t step) const;  // returns that state
  std::size_t size() const { return kept_.size(); }

 private:
  const StateFile::Kept* before(std::int64_t step) const;

  StateFile file_;
  std::vector<StateFile::Kept> kept_;  // ascending
};

}  // namespace lab

// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/runview/present_class.h"

#include <algorithm>
#include <iterator>
#include <utility>

namespace lab {

void PresentClass::attach(WatchedClass* of) {
  of_ = of;
  run_ = dynamic_cast<ClassRun*>(of);
  left_.clear();
}

RunInfo PresentClass::fileInfo(const RunInfo& shown) const {
  return run_ != nullptr ? run_->fileInfo() : shown;
}

LiveRun::Origin::State PresentClass::stateBefore(std::int64_t step) const {
  return of_ != nullptr ? of_->stateBefore(step) : nullptr;
}

std::unique_ptr<Recomputer> PresentClass::recomputer(int threads) const {
  return of_ != nullptr ? of_->recomputer(threads) : nullptr;
}

std::vector<int> PresentClass::leftSince(const StepRecord* record) const {
  std::vector<int> left;
  if (run_ == nullptr || record == nullptr) return left;
  const auto wasGone = [&](int worker) {
    return std::ranges::any_of(record->absent, [worker](const Absence& each) {
      return each.replica == worker && each.why != Absence::Why::NoPart;
    });
  };
  for (const ClassMember& each : run_->latest())
    if (each.state == ClassMember::State::Left && each.worker < std::ssize(record->replicas) && !wasGone(each.worker))
      left.push_back(each.worker);
  // Asked afterwards: all have left a class that is over.
  const RunState state = run_->state();
  return state == RunState::Running || state == RunState::Paused ? left : std::vector<int>();
}

std::optional<double> PresentClass::slowdownOf(int worker) const {
  if (run_ != nullptr)
    for (const ClassMember& each : run_->latest())
      if (each.worker == worker && each.state != ClassMember::State::Left) return each.slowdown;
  return std::nullopt;
}

bool PresentClass::othersLeft(const StepRecord* record) {
  std::vector<int> now = leftSince(record);
  return std::exchange(left_, now) != now;
}

}  // namespace lab

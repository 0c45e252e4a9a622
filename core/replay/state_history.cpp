// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/replay/state_history.h"

#include <algorithm>
#include <cstddef>
#include <utility>

#include "core/base/error.h"

namespace lab {
namespace {

constexpr std::int64_t kShareOfDisk = 8;  // uses at most one part in this many of the free space

}  // namespace

StateHistory::StateHistory(std::int64_t budgetBytes)
    : budgetBytes_(std::min(budgetBytes, std::max(kMemoryBudget, file_.freeBytes() / kShareOfDisk))) {}

void StateHistory::keep(std::shared_ptr<const Checkpoint> state) {
  const std::lock_guard lock(mutex_);
  LAB_CHECK(kept_.empty() || kept_.back().step < stepOf(*state));
  kept_.push_back(file_.keep(std::move(state)));
  bytes_ += kept_.back().bytes;
  if (kept_.back().place < 0) budgetBytes_ = std::min(budgetBytes_, kMemoryBudget);
  while (bytes_ > budgetBytes_ && kept_.size() > 1) dropOne();
}

// The first and the newest state stay as long as there are others.
void StateHistory::dropOne() {
  const auto gapWithout = [this](std::size_t i) { return kept_[i + 1].step - kept_[i - 1].step; };
  std::size_t chosen = kept_.size() - 1;
  if (kept_.size() > 2) {
    const std::int64_t latest = kept_[chosen].step - kept_[chosen - 1].step;
    chosen = 1;
    for (std::size_t i = 2; i + 1 < kept_.size(); ++i)
      if (gapWithout(i) < gapWithout(chosen)) chosen = i;
    if (gapWithout(chosen) > 2 * latest) spacing_ *= 2;  // no kept states are as close together as the new ones
  }
  bytes_ -= kept_[chosen].bytes;
  file_.drop(kept_[chosen]);
  kept_.erase(kept_.begin() + static_cast<std::ptrdiff_t>(chosen));
}

std::vector<StateFile::Kept>::const_iterator StateHistory::before(std::int64_t step) const {
  const auto after = std::ranges::lower_bound(kept_, step, {}, &StateFile::Kept::step);
  return after == kept_.begin() ? kept_.end() : std::prev(after);
}

std::shared_ptr<const Checkpoint> StateHistory::atOrBefore(std::int64_t step) const {
  const std::lock_guard lock(mutex_);
  const auto found = before(step);
  return found == kept_.end() ? nullptr : file_.load(*found);
}

std::int64_t StateHistory::stepBefore(std::int64_t step) const {
  const std::lock_guard lock(mutex_);
  const auto found = before(step);
  return found == kept_.end() ? -1 : found->step;
}

std::int64_t StateHistory::spacing() const {
  const std::lock_guard lock(mutex_);
  return spacing_;
}
std::int64_t StateHistory::states() const {
  const std::lock_guard lock(mutex_);
  return std::ssize(kept_);
}
std::int64_t StateHistory::capacity() const {
  const std::lock_guard lock(mutex_);
  return kept_.empty() ? 0 : budgetBytes_ / std::max<std::int64_t>(1, kept_.front().bytes);
}
std::int64_t StateHistory::bytes() const {
  const std::lock_guard lock(mutex_);
  return bytes_;
}
std::int64_t StateHistory::memoryBytes() const {
  const std::lock_guard lock(mutex_);
  std::int64_t bytes = 0;
  for (const StateFile::Kept& kept : kept_) bytes += StateFile::memoryBytes(kept);
  return bytes;
}
std::int64_t StateHistory::fileBytes() const {
  const std::lock_guard lock(mutex_);
  return file_.bytes();
}

}  // namespace lab

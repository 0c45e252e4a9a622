// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/replay/near_states.h"

#include <algorithm>
#include <cstdlib>
#include <utility>

namespace lab {

void NearStates::keep(std::shared_ptr<const Checkpoint> state, std::int64_t lookedAt) {
  if (has(stepOf(*state))) return;
  while (kept_.size() >= kMost) {
    const auto away = [lookedAt](const StateFile::Kept& kept) { return std::abs(kept.step - lookedAt); };
    const auto farthest = std::ranges::max_element(kept_, {}, away);
    file_.drop(*farthest);
    kept_.erase(farthest);
  }
  StateFile::Kept added = file_.keep(std::move(state));
  kept_.insert(std::ranges::lower_bound(kept_, added.step, {}, &StateFile::Kept::step), std::move(added));
}

bool NearStates::has(std::int64_t step) const {
  return std::ranges::binary_search(kept_, step, {}, &StateFile::Kept::step);
}

const StateFile::Kept* NearStates::before(std::int64_t step) const {
  const auto after = std::ranges::lower_bound(kept_, step, {}, &StateFile::Kept::step);
  return after == kept_.begin() ? nullptr : &*std::prev(after);
}

std::int64_t NearStates::stepBefore(std::int64_t step) const {
  const StateFile::Kept* found = before(step);
  return found == nullptr ? -1 : found->step;
}

std::shared_ptr<const Checkpoint> NearStates::atOrBefore(std::int64_t step) const {
  const StateFile::Kept* found = before(step);
  return found == nullptr ? nullptr : file_.load(*found);
}

}  // namespace lab

// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/serving/link_turns.h"

#include <algorithm>

namespace lab::serving {

double LinkTurns::mostNs() const {
  return std::max(static_cast<double>(kLeastNs), kSlow * usualNs_);
}

int LinkTurns::counted(std::int64_t ns) const {
  const double most = mostNs();
  return static_cast<int>(
      std::ranges::count_if(since_, [&](const auto& each) { return static_cast<double>(ns - each.second) <= most; }));
}

int LinkTurns::free(std::int64_t ns) const {
  return waiting_.empty() ? std::max(0, kAtOnce - counted(ns)) : 0;
}

bool LinkTurns::begin(int connection, std::int64_t ns) {
  if (since_.contains(connection)) return true;
  const auto found = std::ranges::find(waiting_, connection);
  if (found == waiting_.end()) waiting_.push_back(connection);
  if (waiting_.front() != connection || counted(ns) >= kAtOnce) return false;
  waiting_.pop_front();
  since_[connection] = ns;
  return true;
}

void LinkTurns::end(int connection, std::int64_t ns) {
  constexpr double kNew = 0.1;  // weight of a new turn in the average
  std::erase(waiting_, connection);
  const auto found = since_.find(connection);
  if (found == since_.end()) return;
  const auto took = static_cast<double>(ns - found->second);
  // The bound keeps a few who sleep in their turns from raising the measure for all.
  usualNs_ = usualNs_ == 0 ? took : (1 - kNew) * usualNs_ + kNew * std::min(took, mostNs());
  since_.erase(found);
}

std::optional<int> LinkTurns::next(std::int64_t ns) const {
  if (waiting_.empty() || counted(ns) >= kAtOnce) return std::nullopt;
  return waiting_.front();
}

}  // namespace lab::serving

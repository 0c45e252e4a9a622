// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/serving/entry_turns.h"

#include <algorithm>

namespace lab::serving {

std::int64_t EntryTurns::turn(const std::string& address, std::int64_t ns) {
  const std::int64_t turn = std::max(ns, next_);
  next_ = turn + kBetweenNs;
  const auto found = waitUntil_.find(address);
  return found == waitUntil_.end() ? turn : std::max(turn, found->second);
}

void EntryTurns::wasOfNoUse(const std::string& address, std::int64_t ns) {
  std::erase_if(waitUntil_, [ns](const auto& each) { return each.second <= ns; });
  waitUntil_[address] = ns + kSecondTryNs;
}

}  // namespace lab::serving

// SPDX-License-Identifier: GPL-3.0-or-later
// Whose variables are on their way. On a link that a class shares, an access point, all streams at once leave some
// behind for a minute; a few at a time, first come, first served, fill it as well, and each worker gets through as
// quickly as the link allows. Where nobody gets a closure before there is a turn for it, variables are read then, and
// are as new as the link allows.
#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <optional>

#include "core/base/limits.h"

namespace lab::serving {

class LinkTurns {
 public:
  static constexpr int kAtOnce = kLinkTurns;
  // A turn that takes so many times as long as others is of a slow link, which is not what they share: it goes on, and
  // does not count any more.
  static constexpr int kSlow = 3;
  static constexpr std::int64_t kLeastNs = 250'000'000;

  int free(std::int64_t ns) const;  // turns that nobody has or waits for
  bool has(int connection) const { return since_.contains(connection); }
  // Whether `connection` may send, from now on or still. False: it waits, behind those that asked before.
  bool begin(int connection, std::int64_t ns);
  // It is through, or gone.
  void end(int connection, std::int64_t ns);
  // Who has waited longest and may begin now; to be told so.
  std::optional<int> next(std::int64_t ns) const;

 private:
  int counted(std::int64_t ns) const;

  std::map<int, std::int64_t> since_;  // of those that send
  std::deque<int> waiting_;
  double usualNs_ = 0;  // of a turn: a moving average
};

}  // namespace lab::serving

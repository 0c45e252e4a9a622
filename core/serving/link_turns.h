// SPDX-License-Identifier: GPL-3.0-or-later
// Whose variables are being sent. On a shared link such as an access point, sending all streams at once leaves some
// behind for a minute; a few at a time, first come, first served, use the link as well, and each worker is served as
// quickly as the link allows. If closures are only given when there is a turn, the variables are read then, and are as
// new as the link allows.
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
  // A turn that takes kSlow times as long as others has a slow link of its own, not the shared one: it continues, but
  // no longer counts as a turn.
  static constexpr int kSlow = 3;
  static constexpr std::int64_t kLeastNs = 250'000'000;

  int free(std::int64_t ns) const;  // turns that nobody has or waits for
  bool has(int connection) const { return since_.contains(connection); }
  // Returns whether `connection` may send now. If not, it waits behind earlier requests.
  bool begin(int connection, std::int64_t ns);
  // The connection has sent everything, or is gone.
  void end(int connection, std::int64_t ns);
  // Returns the connection that has waited longest and may begin now; the caller must tell it.
  std::optional<int> next(std::int64_t ns) const;

 private:
  double mostNs() const;  // for which a turn counts as one
  int counted(std::int64_t ns) const;

  std::map<int, std::int64_t> since_;  // when each sending connection began
  std::deque<int> waiting_;
  double usualNs_ = 0;  // of a turn: a moving average
};

}  // namespace lab::serving

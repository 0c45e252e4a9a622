// SPDX-License-Identifier: GPL-3.0-or-later
// When somebody may come in who asks for a WebSocket: one after the other, so that those who come and go take little
// time from those who train, and later from an address where somebody was in and of no use. Nobody is refused, and the
// wait does not grow: those who share an address, behind a school's router, all come in when it is over.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>

namespace lab::serving {

class EntryTurns {
 public:
  static constexpr std::int64_t kBetweenNs = 40'000'000;         // a class of 40 is in within two seconds
  static constexpr std::int64_t kSecondTryNs = 3'000'000'000LL;  // less than a worker waits for an answer

  // When: `ns` is at once.
  std::int64_t turn(const std::string& address, std::int64_t ns);
  // Somebody from there is gone, and no push of it counted.
  void wasOfNoUse(const std::string& address, std::int64_t ns);
  std::size_t remembered() const { return waitUntil_.size(); }  // addresses

 private:
  std::map<std::string, std::int64_t> waitUntil_;
  std::int64_t next_ = 0;
};

}  // namespace lab::serving

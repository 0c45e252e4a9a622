// SPDX-License-Identifier: GPL-3.0-or-later
// When somebody who asks for a WebSocket may come in: one at a time, so that those who come and go cost the others
// little time, and later for an address from which somebody came without contributing. Nobody is refused, and the wait
// does not grow: those who share an address, behind a school's router, all come in after it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>

namespace lab::serving {

class EntryTurns {
 public:
  static constexpr std::int64_t kBetweenNs = 40'000'000;         // lets in a class of 40 within two seconds
  static constexpr std::int64_t kSecondTryNs = 3'000'000'000LL;  // shorter than a worker waits for an answer

  // Returns the time to let in a request from `address`; `ns` means at once.
  std::int64_t turn(const std::string& address, std::int64_t ns);
  // A worker from this address has left, and no push of it counted.
  void wasOfNoUse(const std::string& address, std::int64_t ns);
  std::size_t remembered() const { return waitUntil_.size(); }  // number of addresses

 private:
  std::map<std::string, std::int64_t> waitUntil_;
  std::int64_t next_ = 0;
};

}  // namespace lab::serving

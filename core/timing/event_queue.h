// SPDX-License-Identifier: GPL-3.0-or-later
// What happens next: events in the order of integer nanoseconds, ties in the order in which they were added, so that a
// simulation is deterministic.
#pragma once

#include <algorithm>
#include <cstdint>
#include <tuple>
#include <vector>

namespace lab {

template <typename Payload>
class EventQueue {
 public:
  struct Event {
    std::int64_t timeNs = 0;
    std::int64_t sequence = 0;
    Payload payload{};
  };

  void add(std::int64_t timeNs, Payload payload) {
    events_.push_back({timeNs, sequence_++, std::move(payload)});
    std::push_heap(events_.begin(), events_.end(), kLater);
  }
  bool empty() const { return events_.empty(); }
  std::int64_t nextNs() const { return events_.front().timeNs; }
  Event pop() {
    std::pop_heap(events_.begin(), events_.end(), kLater);
    Event event = std::move(events_.back());
    events_.pop_back();
    return event;
  }

 private:
  static constexpr auto kLater = [](const Event& a, const Event& b) {
    return std::tie(a.timeNs, a.sequence) > std::tie(b.timeNs, b.sequence);
  };
  std::vector<Event> events_;
  std::int64_t sequence_ = 0;
};

}  // namespace lab

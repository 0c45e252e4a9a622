// SPDX-License-Identifier: GPL-3.0-or-later
// Bounded single-producer, single-consumer queue. The producer never blocks and never allocates: if the ring is full,
// the value is dropped and counted, because training must not wait for its observer.
#pragma once

#include <atomic>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <type_traits>
#include <vector>

namespace lab {

template <typename T>
class SpscRing {
  static_assert(std::is_trivially_copyable_v<T>);

 public:
  // Has room for at least `capacity` values (rounded up to a power of two). Only pushes touch its memory: most of a
  // large ring is never used, and clearing it took as long as a training step.
  explicit SpscRing(std::size_t capacity)
      : slots_(std::make_unique_for_overwrite<Slot[]>(std::bit_ceil(capacity))), mask_(std::bit_ceil(capacity) - 1) {}

  // Producer thread only. Returns false if the ring is full; the value is then dropped and counted.
  bool push(const T& value) {
    const std::uint64_t head = head_.load(std::memory_order_relaxed);
    // Acquire pairs with the consumer's release: the slot we are about to overwrite has been read.
    if (head - tail_.load(std::memory_order_acquire) == capacity()) {
      dropped_.fetch_add(1, std::memory_order_relaxed);
      return false;
    }
    slots_[head & mask_].value = value;
    head_.store(head + 1, std::memory_order_release);  // publishes the slot
    return true;
  }

  // Consumer thread only. Appends all values to `out` and returns their number.
  std::size_t drain(std::vector<T>& out) {
    const std::uint64_t tail = tail_.load(std::memory_order_relaxed);
    const std::uint64_t head = head_.load(std::memory_order_acquire);  // sees every slot published before it
    for (std::uint64_t i = tail; i != head; ++i) out.push_back(slots_[i & mask_].value);
    tail_.store(head, std::memory_order_release);  // gives the slots back
    return static_cast<std::size_t>(head - tail);
  }

  // Any thread.
  std::uint64_t dropped() const { return dropped_.load(std::memory_order_relaxed); }
  std::size_t capacity() const { return mask_ + 1; }

 private:
  union Slot {
    Slot() {}  // empty until something is pushed
    T value;
  };
  std::unique_ptr<Slot[]> slots_;
  std::size_t mask_;
  // On separate cache lines, so that the two threads do not share one.
  alignas(64) std::atomic<std::uint64_t> head_{0};
  alignas(64) std::atomic<std::uint64_t> tail_{0};
  alignas(64) std::atomic<std::uint64_t> dropped_{0};
};

}  // namespace lab

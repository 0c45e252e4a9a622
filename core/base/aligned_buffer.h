// SPDX-License-Identifier: GPL-3.0-or-later
// One contiguous, zero-initialised allocation on a cache-line boundary; every flat buffer of this program lives in one.
// Exactly one object owns it (apart from views); it can be moved, and nobody may resize it while others look at it.
// Large buffers lie in huge pages if the system has them: a step of several replicas walks through tens of megabytes,
// and looking up small pages took a third of its time (device/cpu/README.md). A MemoryScope counts the bytes, without
// those that only align.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <new>
#include <span>

#include "core/base/ceil_divide.h"
#include "core/base/memory_kind.h"
#include "core/base/platform.h"

namespace lab {

inline constexpr std::size_t kCacheLineBytes = 64;
inline constexpr std::size_t kLargeBufferBytes = std::size_t{1} << 20;  // buffers from this size on lie in huge pages

// Returns how many bytes a large buffer begins after its page's boundary. The number cycles through 32 values, so that
// the same element of several buffers (weights, gradients, slots, replicas) is not always in the same cache set.
std::size_t nextBufferOffset();

template <typename T>
class AlignedBuffer {
 public:
  AlignedBuffer() = default;

  // Skips `lead` elements at the front, so that, for floats, element (16 - lead) lies on a boundary.
  explicit AlignedBuffer(std::int64_t size, std::int64_t lead = 0) : size_(size), lead_(lead) {
    std::size_t total = static_cast<std::size_t>(size + lead), offset = 0;
    std::size_t bytes = std::max<std::size_t>(1, total) * sizeof(T), alignment = kCacheLineBytes;
    if (bytes >= kLargeBufferBytes) {
      offset = nextBufferOffset();
      bytes = ceilDivide(bytes + offset, kHugePageBytes) * kHugePageBytes;
      alignment = kHugePageBytes;
      lead_ += static_cast<std::int64_t>(offset / sizeof(T));
    }
    memory_ = {static_cast<T*>(::operator new(bytes, std::align_val_t(alignment))),
               Free{alignment, MemoryScope::present(), this->bytes()}};
    memory_.get_deleter().count(1);
    if (alignment == kHugePageBytes) adviseHugePages(memory_.get(), bytes);
    std::fill_n(memory_.get() + offset / sizeof(T), total, T{});
  }

  // Returns the same memory as a second buffer, valid as long as `owner` is; counts no bytes.
  static AlignedBuffer viewOf(AlignedBuffer& owner) {
    AlignedBuffer view;
    view.memory_ = {owner.memory_.get(), Free{.owns = false}};
    view.size_ = owner.size_;
    view.lead_ = owner.lead_;
    return view;
  }

  T* data() { return memory_.get() + lead_; }
  const T* data() const { return memory_.get() + lead_; }
  std::int64_t size() const { return size_; }
  std::int64_t bytes() const { return size_ * static_cast<std::int64_t>(sizeof(T)); }
  bool empty() const { return size_ == 0; }
  std::span<T> span() { return {data(), static_cast<std::size_t>(size_)}; }
  std::span<const T> span() const { return {data(), static_cast<std::size_t>(size_)}; }
  T& operator[](std::int64_t i) { return data()[i]; }
  const T& operator[](std::int64_t i) const { return data()[i]; }

 private:
  struct Free {
    std::size_t alignment = kCacheLineBytes;
    MemoryAccount account;
    std::int64_t bytes = 0;
    bool owns = true;
    void count(std::int64_t sign) const {
      if (account.counter != nullptr) account.counter->count(account.kind, sign * bytes);
    }
    void operator()(T* p) const {
      if (!owns) return;
      count(-1);
      ::operator delete(p, std::align_val_t(alignment));
    }
  };
  std::unique_ptr<T, Free> memory_;
  std::int64_t size_ = 0;
  std::int64_t lead_ = 0;
};

}  // namespace lab

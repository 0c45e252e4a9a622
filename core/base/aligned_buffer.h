// SPDX-License-Identifier: GPL-3.0-or-later
// One contiguous, zero-initialised allocation on a cache-line boundary: what every flat buffer of ours lives in.
// Owned by exactly one object, movable, never resized while somebody looks at it.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <new>
#include <span>

namespace lab {

inline constexpr std::size_t kCacheLineBytes = 64;

template <typename T>
class AlignedBuffer {
 public:
  AlignedBuffer() = default;

  // `lead` elements are skipped at the front, so that element (16 - lead) of floats, say, is the one on a boundary.
  explicit AlignedBuffer(std::int64_t size, std::int64_t lead = 0) : size_(size), lead_(lead) {
    const std::size_t total = static_cast<std::size_t>(size + lead);
    memory_.reset(static_cast<T*>(
        ::operator new(std::max<std::size_t>(1, total) * sizeof(T), std::align_val_t(kCacheLineBytes))));
    std::fill_n(memory_.get(), total, T{});
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
    void operator()(T* p) const { ::operator delete(p, std::align_val_t(kCacheLineBytes)); }
  };
  std::unique_ptr<T, Free> memory_;
  std::int64_t size_ = 0;
  std::int64_t lead_ = 0;
};

}  // namespace lab

// SPDX-License-Identifier: GPL-3.0-or-later
// What a device's memory holds, and who counts it. A MemoryScope counts an AlignedBuffer created inside it until the
// buffer is freed, wherever it is moved.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <utility>

#include "core/base/at.h"

namespace lab {

enum class MemoryKind : std::uint8_t {
  Variables,    // the ones that the device keeps: weights, moving statistics
  Gradients,    // the ones kept from step to step
  Optimizer,    // slots, and the strategy's own buffers beside them
  Activations,  // the batch and the layers' outputs
  Packs,        // temporary: gradients on their way to their sum, weights gathered for a pass
  Buffers,      // the prefetched batch; values received from others
};
inline constexpr std::size_t kMemoryKinds = 6;

using MemoryByKind = std::array<std::int64_t, kMemoryKinds>;  // bytes

inline std::int64_t sumOf(const MemoryByKind& bytes) {
  return std::accumulate(bytes.begin(), bytes.end(), std::int64_t{0});
}
inline std::int64_t& of(MemoryByKind& bytes, MemoryKind kind) {
  return at(bytes, kind);
}
inline std::int64_t of(const MemoryByKind& bytes, MemoryKind kind) {
  return at(bytes, kind);
}

class MemoryCounter {
 public:
  virtual ~MemoryCounter() = default;
  virtual void count(MemoryKind kind, std::int64_t bytes) = 0;  // negative: freed; any thread
};

// Null counter: nobody counts.
struct MemoryAccount {
  MemoryCounter* counter = nullptr;
  MemoryKind kind = MemoryKind::Variables;
};

// Counts what this thread allocates, as `kind`, until the scope ends; in nested scopes only the inner one counts.
class MemoryScope {
 public:
  MemoryScope(MemoryCounter* counter, MemoryKind kind) : before_(std::exchange(account(), {counter, kind})) {}
  ~MemoryScope() { account() = before_; }
  MemoryScope(const MemoryScope&) = delete;
  MemoryScope& operator=(const MemoryScope&) = delete;
  static const MemoryAccount& present() { return account(); }

 private:
  static MemoryAccount& account() {
    thread_local MemoryAccount present;
    return present;
  }

  MemoryAccount before_;
};

}  // namespace lab

// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/aligned_buffer.h"

#include <atomic>

namespace lab {

std::size_t nextBufferOffset() {
  // One more line in the first-level cache (sets repeat every 4 KiB), and 2 KiB more in the second.
  constexpr std::size_t kStride = 2048 + kCacheLineBytes, kOffsets = 32;
  static std::atomic<std::size_t> next{0};
  return next.fetch_add(1, std::memory_order_relaxed) % kOffsets * kStride;
}

}  // namespace lab

// SPDX-License-Identifier: GPL-3.0-or-later
// Scratch memory of the processor's operations, reused by later operations.
#pragma once

#include <cstdint>
#include <mutex>
#include <utility>
#include <vector>

#include "core/base/aligned_buffer.h"

namespace lab {

// Memory that an operation needs while it runs, kept for later operations. Operations that run at the same time get
// separate buffers.
class Scratch {
 public:
  AlignedBuffer<float> take(std::int64_t size) {
    {
      const std::lock_guard lock(mutex_);
      auto best = kept_.end();  // the smallest that is large enough, so that the large ones are left for others
      for (auto each = kept_.begin(); each != kept_.end(); ++each)
        if (each->size() >= size && (best == kept_.end() || each->size() < best->size())) best = each;
      if (best != kept_.end()) {
        AlignedBuffer<float> buffer = std::move(*best);
        kept_.erase(best);
        return buffer;
      }
    }
    return AlignedBuffer<float>(size);
  }
  void giveBack(AlignedBuffer<float> buffer) {
    const std::lock_guard lock(mutex_);
    kept_.push_back(std::move(buffer));
  }

 private:
  std::mutex mutex_;
  std::vector<AlignedBuffer<float>> kept_;
};

}  // namespace lab

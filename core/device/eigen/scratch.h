// SPDX-License-Identifier: GPL-3.0-or-later
// Memory of the processor's operations, which lasts from one to the next.
#pragma once

#include <cstdint>
#include <mutex>
#include <utility>
#include <vector>

#include "core/base/aligned_buffer.h"

namespace lab {

// Memory that an operation needs while it runs, kept for later ones. Operations that run at the same time have one
// each.
class Scratch {
 public:
  AlignedBuffer<float> take(std::int64_t size) {
    const std::lock_guard lock(mutex_);
    while (!kept_.empty()) {
      AlignedBuffer<float> buffer = std::move(kept_.back());
      kept_.pop_back();
      if (buffer.size() >= size) return buffer;
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

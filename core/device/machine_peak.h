// SPDX-License-Identifier: GPL-3.0-or-later
// This machine's measured peak, to read a throughput beside it. Other programs that run at the same time lower it.
#pragma once

#include <cstdint>
#include <vector>

#include "core/base/thread_pool.h"

namespace lab {

struct MachinePeak {
  // Of a += factor·b over two arrays of so many bytes together; three accesses an element are counted.
  struct Level {
    std::int64_t bytes = 0;
    double gbPerSec = 0;
  };

  double multiplyAddGflops = 0;  // multiply-adds in registers, two operations each, best ISA
  std::vector<Level> levels;     // from the smallest caches to beyond all of them, ascending; one at least

  double memoryGbPerSec() const { return levels.back().gbPerSec; }
  // The most that an operation can reach that moves `bytes` in all: what it moves may be half as large, where each
  // place is read and written.
  double gbPerSec(double bytes) const;
  void raiseTo(const MachinePeak& other);  // the higher of each figure; both of one machine
};

// Best of several short rounds on all of the pool's threads at once; about half a second.
MachinePeak measureMachinePeak(ThreadPool& pool);

}  // namespace lab

// SPDX-License-Identifier: GPL-3.0-or-later
// This machine's measured peak, for comparison with measured throughputs. Other running programs lower it.
#pragma once

#include <cstdint>
#include <vector>

#include "core/base/thread_pool.h"

namespace lab {

struct MachinePeak {
  // The rate of a += factor·b over two arrays of `bytes` bytes together; three accesses per element are counted.
  struct Level {
    std::int64_t bytes = 0;
    double gbPerSec = 0;
  };

  double multiplyAddGflops = 0;  // multiply-adds in registers, two operations each, with the best ISA
  std::vector<Level> levels;     // ascending, from the smallest caches to beyond all of them; at least one

  double memoryGbPerSec() const { return levels.back().gbPerSec; }
  // Returns the highest rate possible for an operation that moves `bytes` in all. Its data may be only half as large,
  // if each place is both read and written.
  double gbPerSec(double bytes) const;
  void raiseTo(const MachinePeak& other);  // takes the higher of each figure; both of the same machine
};

// Measures the best of several short rounds, each on all of the pool's threads at once; takes about half a second.
MachinePeak measureMachinePeak(ThreadPool& pool);

}  // namespace lab

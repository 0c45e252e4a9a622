// SPDX-License-Identifier: GPL-3.0-or-later
// This machine's measured peak, to read a throughput beside it. Other programs that run at the same time lower both.
#pragma once

#include "core/base/thread_pool.h"

namespace lab {

struct MachinePeak {
  double multiplyAddGflops = 0;  // multiply-adds in registers, two operations each, best ISA
  double triadGbPerSec = 0;      // a = b + factor·c over arrays beyond the caches, three arrays counted
};

// Best of several short rounds on all of the pool's threads at once; about 0.2 s for each of the two figures.
MachinePeak measureMachinePeak(ThreadPool& pool);

}  // namespace lab

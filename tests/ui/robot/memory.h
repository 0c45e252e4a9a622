// SPDX-License-Identifier: GPL-3.0-or-later
// What the process holds, and whether that has grown.
#pragma once

#include <cstddef>
#include <vector>

namespace lab::robot {

struct Memory {
  double residentMb = 0;
  double heapMb = 0;  // what was asked for and not given back
  std::size_t widgets = 0, objects = 0, windows = 0;
};

void sayWhereMemoryIs();  // under AddressSanitizer, by the stacks that asked for it
Memory memoryNow();       // after what is free has gone back to the system

// From the first three after ten minutes, or after a tenth of the time if that is longer, to the last three, by their
// medians. `checks` are `checkS` apart. 0 where there are too few for that.
double growthMb(const std::vector<Memory>& checks, double checkS, double Memory::*figure);

}  // namespace lab::robot

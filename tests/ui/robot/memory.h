// SPDX-License-Identifier: GPL-3.0-or-later
// The memory and objects of the process, and whether they have grown.
#pragma once

#include <QString>

#include <cstddef>
#include <vector>

namespace lab::robot {

struct Memory {
  double residentMb = 0;
  double heapMb = 0;  // allocated and not freed
  std::size_t widgets = 0, objects = 0, windows = 0;
};

void sayWhereMemoryIs();  // under AddressSanitizer, by the allocating stacks
Memory memoryNow();       // after returning free memory to the system

QString windowsByClass();  // "12 QMenu '', 2 QDialog 'name'": what there is more than one of, to see what grows

// The growth from the first three checks after ten minutes (or a tenth of the time, if longer) to the last three, by
// their medians. `checks` are `checkS` apart. Returns 0 if there are too few checks.
double growthMb(const std::vector<Memory>& checks, double checkS, double Memory::*figure);

}  // namespace lab::robot

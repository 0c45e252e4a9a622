// SPDX-License-Identifier: GPL-3.0-or-later
// A contiguous piece of one variable.
#pragma once

#include <cstdint>
#include <string>

namespace lab {

struct VariablePart {
  std::string name;         // "dense/kernel" or "dense/kernel/part_1"
  std::int64_t offset = 0;  // in the flat buffer of the whole network
  std::int64_t count = 0;
  std::int64_t localOffset = 0;  // in the buffers of the device that holds it
};

}  // namespace lab

// SPDX-License-Identifier: GPL-3.0-or-later
// Reads a batch of CIFAR-10's Python version, in the one form of pickle in which those files were published (protocol
// 2, written by Python 2): a dict with 'data', an array of bytes (count, 3072), and 'labels'. A pickle is a program:
// this reader executes none, knows only the three names that such a file needs, and refuses everything else.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace lab {

struct PickledBatch {
  std::vector<std::uint8_t> labels;    // (count), 0..9
  std::span<const std::uint8_t> data;  // (count, 3, 32, 32), within the bytes given
};

PickledBatch parsePickledBatch(std::span<const std::uint8_t> bytes, const std::string& name);  // UserError

}  // namespace lab

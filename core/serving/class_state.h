// SPDX-License-Identifier: GPL-3.0-or-later
// A class at one moment, between two updates: from it and from the order of what happened (class_order.h) the updates
// behind it are trained again to the bit. Beside variables and slots it has the versions that workers were computing
// with.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "core/serving/served_variables.h"
#include "core/training/checkpoint.h"

namespace lab::serving {

// A closure that a worker has, and nobody has pushed yet.
struct HeldClosure {
  int worker = 0;
  std::uint64_t closure = 0;
  std::int64_t version = 0;
  std::int64_t examples = 0;
  float scale = 0;
  std::string path;
  // On the class's clock: it was given the closure; the last byte of its variables went off, -1: not yet.
  std::int64_t givenNs = 0, sentNs = -1;
};

struct ClassState {
  std::int64_t step = 0;  // updates in it
  Snapshot variables;
  std::vector<std::vector<float>> optimizer;  // its variables, each laid out as the weights are
  std::map<std::int64_t, Snapshot> older;     // versions before `step` that closures are computed with
  std::vector<HeldClosure> held;
};

Checkpoint toCheckpoint(const ClassState& state);
ClassState classStateFrom(const Checkpoint& checkpoint);  // json::exception, std::out_of_range: it is none

}  // namespace lab::serving

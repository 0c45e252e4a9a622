// SPDX-License-Identifier: GPL-3.0-or-later
// A class at one moment between two updates. From this state and the order of events (class_order.h), the updates after
// it can be trained again to the bit. Besides variables and slots, it has the versions that workers were computing
// with.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "core/serving/served_variables.h"
#include "core/training/checkpoint.h"

namespace lab::serving {

// A closure that a worker has and that nobody has pushed yet.
struct HeldClosure {
  int worker = 0;
  std::uint64_t closure = 0;
  std::int64_t version = 0;
  std::int64_t examples = 0;
  float scale = 0;
  std::string path;
  // By the class's clock: when the worker got the closure, and when the last byte of its variables was sent (-1: not
  // yet).
  std::int64_t givenNs = 0, sentNs = -1;
};

struct ClassState {
  std::int64_t step = 0;  // number of updates in it
  Snapshot variables;
  std::vector<std::vector<float>> optimizer;  // the optimizer's variables, each laid out as the weights are
  std::map<std::int64_t, Snapshot> older;     // versions before `step` that closures are computed with
  std::vector<HeldClosure> held;
};

Checkpoint toCheckpoint(const ClassState& state);
ClassState classStateFrom(const Checkpoint& checkpoint);  // json::exception, std::out_of_range: not a class's state

}  // namespace lab::serving

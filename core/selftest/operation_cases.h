// SPDX-License-Identifier: GPL-3.0-or-later
// What every backend must compute, as a list of cases: each runs one operation on its own inputs and is compared with
// the reference. The operation tests and `strategylab-cli selftest` run the same list. It cannot run backends whose
// arrays are outside the host's memory. Most inputs are small multiples of 1/8, so that every sum is exact in float32
// and every backend must return exactly the same bits, including ties of a maximum; the "real" cases round, and are
// bounded by the magnitude of the summed values.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "core/device/backend.h"

namespace lab {

struct OperationOutputs {
  std::vector<std::vector<float>> floats;
  std::vector<std::vector<std::uint8_t>> bytes;
  bool guardsIntact = true;  // nothing was written around an output
  bool operator==(const OperationOutputs&) const = default;
};

struct OperationCase {
  std::string name;  // "dense 5408 to 64, n = 65, exact"
  std::function<OperationOutputs(Backend&)> run;
  double bound = 0;  // of the relative error; 0: the same bits
  // Per output float, the magnitude that its error is relative to. Empty: 1. Only computed by the reference.
  std::function<OperationOutputs(Backend& reference)> scale;
};

const std::vector<OperationCase>& operationCases();

struct CaseOutcome {
  double worstError = 0;
  double bound = 0;
  bool passed = false;
  std::string failure;  // what is wrong, if the case did not pass
};
CaseOutcome runCase(const OperationCase& operation, Backend& backend, Backend& reference);

}  // namespace lab

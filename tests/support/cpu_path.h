// SPDX-License-Identifier: GPL-3.0-or-later
// For tests that run once per ISA, forced by STRATEGYLAB_CPU_PATH (see tests/CMakeLists.txt).
#pragma once

#include <string>

namespace lab::test {

// Why the path that the environment forces cannot be tested here: "this processor has no …". Empty if it can be tested
// or if no path is forced.
std::string whyNoForcedCpuPath();

}  // namespace lab::test

// Belongs at the start of initTestCase: skips the whole program if the processor lacks the forced path.
#define LAB_SKIP_WITHOUT_FORCED_CPU_PATH() \
  if (const std::string why = lab::test::whyNoForcedCpuPath(); !why.empty()) QSKIP(why.c_str())

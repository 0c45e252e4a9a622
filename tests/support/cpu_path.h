// SPDX-License-Identifier: GPL-3.0-or-later
// Tests that are run once per ISA, forced by STRATEGYLAB_CPU_PATH (see tests/CMakeLists.txt).
#pragma once

#include <string>

namespace lab::test {

// Why the path that the environment forces cannot be tested here: "this processor has no …"; empty where it can be, or
// none is forced.
std::string whyNoForcedCpuPath();

}  // namespace lab::test

// First in initTestCase: skips the whole program where the processor lacks the forced path.
#define LAB_SKIP_WITHOUT_FORCED_CPU_PATH() \
  if (const std::string why = lab::test::whyNoForcedCpuPath(); !why.empty()) QSKIP(why.c_str())

// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/cpu_path.h"

#include <algorithm>
#include <cstdlib>

#include "core/device/backend.h"

namespace lab::test {

std::string whyNoForcedCpuPath() {
  const char* forced = std::getenv("STRATEGYLAB_CPU_PATH");
  if (forced == nullptr || *forced == '\0') return "";
  // An unknown name is a mistake in the tests, so the tests run and fail.
  if (const std::string path = forced; path != "avx512" && path != "avx2") return "";
  const std::vector<std::string> available = cpuIsas();
  if (std::ranges::find(available, forced) != available.end()) return "";
  return std::string("this processor has no ") + forced + ", which STRATEGYLAB_CPU_PATH asks for";
}

}  // namespace lab::test

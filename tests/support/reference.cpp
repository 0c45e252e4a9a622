// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/reference.h"

#include <cstdlib>

namespace lab::test {

std::filesystem::path referenceDir() {
  if (const char* named = std::getenv("STRATEGYLAB_REFERENCE_DIR"); named != nullptr && *named != '\0') {
    return std::filesystem::is_directory(named) ? std::filesystem::path(named) : std::filesystem::path();
  }
  const std::filesystem::path beside = std::filesystem::path(STRATEGYLAB_SOURCE_DIR).parent_path() / "shared";
  return std::filesystem::exists(beside / "DESIGN.md") ? beside : std::filesystem::path();
}

}  // namespace lab::test

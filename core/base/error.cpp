// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/error.h"

namespace lab {

void throwBrokenInvariant(const char* condition, const char* file, int line) {
  throw BrokenInvariant("internal error, please report it: " + std::string(condition) + " does not hold at " + file +
                        ":" + std::to_string(line));
}

}  // namespace lab

// SPDX-License-Identifier: GPL-3.0-or-later
// What stands alone ends as a sentence: a core text that is also written within others has no full stop of its own. A
// command at the end ("… --resume") stays as it can be typed.
#pragma once

#include <string>

namespace lab {

std::string sentence(std::string words);  // "" stays ""

}  // namespace lab

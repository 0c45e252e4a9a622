// SPDX-License-Identifier: GPL-3.0-or-later
// Turns a text that stands alone into a sentence: core texts that also occur inside others have no full stop of their
// own. A command at the end ("… --resume") stays as it can be typed.
#pragma once

#include <string>

namespace lab {

std::string sentence(std::string words);  // "" stays ""

}  // namespace lab

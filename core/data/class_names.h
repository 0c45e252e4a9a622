// SPDX-License-Identifier: GPL-3.0-or-later
// The names of a data set's classes. The names of published sets come from a table (LAB_WORDS), and the window
// translates them; a folder of pictures names its own classes.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/data/dataset.h"

namespace lab {

// Returns the names for published sets and sets of digits, by the set's name: "0" … "9", "T-shirt" …, "airplane" ….
const std::vector<std::string>& publishedClassNames(const std::string& dataset);

// Returns the name of a label: the set's own, or the published one, or else the number.
std::string className(const Dataset& dataset, std::int64_t label);
// Returns whether the set's names are words to be translated, rather than the user's own.
bool namesAreWords(const Dataset& dataset);

}  // namespace lab

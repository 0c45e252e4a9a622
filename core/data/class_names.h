// SPDX-License-Identifier: GPL-3.0-or-later
// What the classes of a data set are called. The names of published sets are words of a table (LAB_WORDS), which a
// window says in its language; a folder of pictures names its classes itself.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/data/dataset.h"

namespace lab {

// Of the published sets and those made of digits, by the set's name: "0" … "9", "T-shirt" …, "airplane" ….
const std::vector<std::string>& publishedClassNames(const std::string& dataset);

// The name of a label: the set's own, or the published one; the number where neither names it.
std::string className(const Dataset& dataset, std::int64_t label);
// Whether its names are words to be translated, not a person's own.
bool namesAreWords(const Dataset& dataset);

}  // namespace lab

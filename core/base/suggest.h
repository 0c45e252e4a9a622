// SPDX-License-Identifier: GPL-3.0-or-later
// "Did you mean …": finds the valid name nearest to a typed one, by edit distance.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "core/base/message.h"

namespace lab {

// Returns the candidate with the smallest Levenshtein distance to `typed`, or "" if none is close enough.
std::string nearestName(std::string_view typed, std::span<const std::string> candidates);

// "unknown strategy 'miror': did you mean 'mirrored'? One of: a b c". `what` is the kind of name, such as "strategy".
Message unknownName(const Message& what, std::string_view typed, std::span<const std::string> candidates);

}  // namespace lab

// SPDX-License-Identifier: GPL-3.0-or-later
// "Did you mean …": the nearest valid name to what somebody typed, by edit distance.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "core/base/message.h"

namespace lab {

// The candidate with the smallest Levenshtein distance to `typed`, or "" when none is near enough to be meant.
std::string nearestName(std::string_view typed, std::span<const std::string> candidates);

// "unknown strategy 'miror': did you mean 'mirrored'? One of: a b c". `what` are words for what it is not.
Message unknownName(const Message& what, std::string_view typed, std::span<const std::string> candidates);

}  // namespace lab

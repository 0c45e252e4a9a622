// SPDX-License-Identifier: GPL-3.0-or-later
// Errors in all-reduces. See core/base/message.h.
#pragma once

#include "core/base/message.h"

namespace lab::say {

LAB_TEXT(ranksDoNotFillHosts,
         "the reducer '%1' needs the same number of ranks on every host, and %2 ranks cannot be shared equally by %3 "
         "hosts: choose a number of hosts that divides the ranks");

LAB_TEXT(tooManyRanks, "an all-reduce over %1 ranks is too large to simulate: use at most %2 ranks");
LAB_TEXT(tooManyElements, "an all-reduce of %1 elements is too large to simulate: use at most %2 elements");

}  // namespace lab::say

// SPDX-License-Identifier: GPL-3.0-or-later
// What goes wrong with sweeps. See core/base/message.h.
#pragma once

#include "core/base/message.h"

namespace lab::say {

LAB_TEXT(tooManyCells, "%1 cells are too many for one sweep: give fewer values, at most %2 cells");

}  // namespace lab::say

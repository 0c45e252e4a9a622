// SPDX-License-Identifier: GPL-3.0-or-later
// What goes wrong with sweeps. See core/base/message.h.
#pragma once

#include "core/base/message.h"

namespace lab::say {

LAB_TEXT(tooManyCells, "%1 cells are too many for one sweep: give fewer values, at most %2 cells");
LAB_TEXT(notASweep, "this is no sweep: %1");
LAB_TEXT(noSweepInFile, "'%1' is an experiment without a sweep. Open it with File, or name another.");
LAB_TEXT(valueOutOfRange, "a value is out of range");
LAB_TEXT(notAnObject, "it is not an object");

}  // namespace lab::say

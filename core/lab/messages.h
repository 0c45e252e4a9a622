// SPDX-License-Identifier: GPL-3.0-or-later
// What goes wrong with sweeps. See core/base/message.h.
#pragma once

#include "core/base/message.h"

namespace lab::say {

LAB_TEXT(tooManyCells, "%1 cells are too many for one sweep: give fewer values, at most %2 cells");
LAB_TEXT(
    tooLargeAtOnce,
    "%1 replicas with a batch of %2 each need about %3 of memory, and %4 such cells at once more than this machine's "
    "%5. Run fewer cells at once, or lower the batch.");
LAB_TEXT(notASweep, "this is no sweep: %1");
LAB_TEXT(valueOutOfRange, "a value is out of range");
LAB_TEXT(notAnObject, "it is not an object");

}  // namespace lab::say

// SPDX-License-Identifier: GPL-3.0-or-later
// What the class's program says on standard error: to the command line, in English.
#pragma once

#include "core/base/message.h"

namespace lab::say {

LAB_TEXT(classNotListening, "cannot listen on %1: %2. Choose another address or port with --listen.");
LAB_TEXT(classNotStartedBy, "strategylab-class is started by `strategylab-cli serve` and `join`.");
LAB_TEXT(classUnreachable, "the class at %1 cannot be reached: %2. See that it is on, and that this network lets you.");
LAB_TEXT(classConnectionLost, "the connection to the class at %1 broke, and it was not found again: %2.");
LAB_TEXT(classNoRandom, "there are no random numbers here (/dev/urandom), and so no key for a class.");
LAB_TEXT(classSentAway, "this worker was sent away: %1");

}  // namespace lab::say

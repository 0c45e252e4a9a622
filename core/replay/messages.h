// SPDX-License-Identifier: GPL-3.0-or-later
// Errors of steps that cannot be replayed. See core/base/message.h.
#pragma once

#include "core/base/message.h"

namespace lab::say {

LAB_TEXT(noSuchStep, "there is no step %1 in a run of %2 steps. Choose one from 1 to %2.");
LAB_TEXT(stepBeforeResumed, "step %1 is not stored, since this run resumed at step %2. Choose a later step.");

}  // namespace lab::say

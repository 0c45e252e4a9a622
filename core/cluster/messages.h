// SPDX-License-Identifier: GPL-3.0-or-later
// Errors in a saved state. See core/base/message.h.
#pragma once

#include "core/base/message.h"

namespace lab::say {

LAB_TEXT(olderAsyncCheckpoint,
         "the checkpoint was written by an older version, whose modelled time put the workers' updates in another "
         "order. Start over without --resume.");

}  // namespace lab::say

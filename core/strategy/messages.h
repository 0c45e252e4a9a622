// SPDX-License-Identifier: GPL-3.0-or-later
// Errors in a strategy's settings. See core/base/message.h.
#pragma once

#include "core/base/message.h"

namespace lab::say {

LAB_TEXT(badPartitioner,
         "%1 is '%2', but must be none, fixed:N, min-size:BYTES or max-size:BYTES, with a whole number above 0.");

}  // namespace lab::say

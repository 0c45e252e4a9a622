// SPDX-License-Identifier: GPL-3.0-or-later
// Messages for what is wrong with a request for a program. See core/base/message.h.
#pragma once

#include "core/base/message.h"

namespace lab::say {

LAB_TEXT(checkNeedsData,
         "--check compares losses on the same examples, but the built-in digits are not in a file that TensorFlow "
         "could read. Name a folder with the four IDX files with %1.");

LAB_TEXT(checkNotOnPictures,
         "--check compares losses on the same examples, but TensorFlow chooses and scales a folder's pictures in its "
         "own way. Leave --check out, or choose mnist, fashion-mnist or cifar10 with %1.");

LAB_TEXT(checkCannotCompare,
         "--check compares losses, and the layer '%1' computes other numbers in TensorFlow: its own random units, or "
         "statistics of its own. Leave --check out.");

}  // namespace lab::say

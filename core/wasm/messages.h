// SPDX-License-Identifier: GPL-3.0-or-later
// What a browser's replica refuses. See core/base/message.h.
#pragma once

#include "core/base/message.h"

namespace lab::say {

LAB_TEXT(batchOutside, "a batch of %1 examples cannot be computed here. Use 1 to %2.");
LAB_TEXT(batchTooLarge, "the batch has %1 examples, but there is room for only %2. Reserve more room first.");
LAB_TEXT(labelOutside, "example %1 has the label %2, and this network tells %3 classes apart. Use labels from 0 on.");
LAB_TEXT(optimizerOutside, "these are not settings of an optimizer. Use SGD (0) or Adam (1), and finite numbers.");
LAB_TEXT(pageMemoryUsedUp,
         "the browser gives this page no more memory. Use a smaller batch or network, or close other pages.");
LAB_TEXT(updateOutside, "there is no update number %1. Count updates from 1, and use a finite learning rate.");

}  // namespace lab::say

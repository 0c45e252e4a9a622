// SPDX-License-Identifier: GPL-3.0-or-later
// Errors in a text of the gallery, the glossary or the quiz. See core/base/message.h.
#pragma once

#include "core/base/message.h"

namespace lab::say {
LAB_TEXT(guideMissing, "[%1] needs '%2'.");
LAB_TEXT(guideKind, "'kind' must be one, several, number or order, not '%1'.");
LAB_TEXT(guideNumber, "'%1' must be a number, not '%2'.");
LAB_TEXT(guideOneRight, "a question of this kind has one right answer.");
LAB_TEXT(guideMomentsNewer, "its moments come from a newer version of StrategyLab and stay unchanged.");
}  // namespace lab::say

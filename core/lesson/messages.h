// SPDX-License-Identifier: GPL-3.0-or-later
// What is wrong with a lesson's text. See core/base/message.h.
#pragma once

#include "core/base/message.h"

namespace lab::say {
LAB_TEXT(lessonTooLarge, "the text is larger than %1. Split it.");
LAB_TEXT(lessonNotText, "this is not text in UTF-8. Save it as UTF-8.");
LAB_TEXT(lessonNoHead, "nothing has begun yet. Begin a block before it: [page NAME].");
LAB_TEXT(lessonBadHead, "a block begins with [KIND] or [KIND NAME], of letters, digits and '-'.");
LAB_TEXT(lessonNoKey, "a line is 'key: value', begins with '#', or goes on with spaces before it.");
LAB_TEXT(lessonUnknownKey, "'%1' means nothing in [%2]. Take it out.");
LAB_TEXT(lessonTwice, "'%1' is there twice. Leave one out.");
LAB_TEXT(lessonNumber, "'%1' is a number from %2 to %3, not '%4'.");
LAB_TEXT(lessonName, "'%1' is a name of letters, digits and '-', not '%2'.");
LAB_TEXT(lessonBadSettings, "'settings' cannot be: %1");
}  // namespace lab::say

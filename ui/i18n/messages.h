// SPDX-License-Identifier: GPL-3.0-or-later
// Messages about errors with the window's sessions, files and pictures. See core/base/message.h.
#pragma once

#include "core/base/message.h"

namespace lab::say {
LAB_TEXT(sessionTooLarge,
         "the session cannot be stored: its settings, names and notes exceed the size limit (%1). Shorten the notes.");
LAB_TEXT(sessionWithoutFolder,
         "'%1' cannot be created: this session will not be stored. Make room, or check the permissions of your home "
         "folder.");
LAB_TEXT(tooManyWindows, "too many windows are open, so this session will not be stored. Close some.");

LAB_TEXT(journalTooLarge,
         "a run is too long to be stored in full with the session: '%1' would exceed the size limit (%2). Save the run "
         "as a recording.");
LAB_TEXT(journalNotWritten,
         "the session cannot be stored: '%1' cannot be written: %2. Make room, or save what matters elsewhere.");

LAB_TEXT(pictureNotMade, "the picture '%1' cannot be made: name a file that ends with .png, .svg or .pdf");

LAB_TEXT(posterNotMade, "the poster '%1' cannot be made: name a file that ends with .pdf or .svg");
LAB_TEXT(noStepForPoster, "there is no step on the stage yet: a poster shows the step on the stage. Press play first.");

LAB_TEXT(movieNotMade, "the movie cannot be made: %1. Choose a smaller picture, or the other format.");
LAB_TEXT(movieTooLarge,
         "the movie would be larger than %1. Choose a shorter part, a smaller picture or fewer pictures per second.");

LAB_TEXT(experimentLargerThanAny, "'%1' is larger than any experiment. Name the right file.");

}  // namespace lab::say

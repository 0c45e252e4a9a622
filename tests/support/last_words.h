// SPDX-License-Identifier: GPL-3.0-or-later
// What a program says when it crashes: a heading, the last lines that were noted, and the stack of the thread that did
// it. For tests whose way is long and random: a crash that shows once in hundreds of runs must tell how it came about.
#pragma once

#include <string>

namespace lab::test {

// From here on a fatal signal prints `heading` and the notes to stderr before it ends the program. Takes the place of
// Qt Test's handler, which prints the stacks of all threads and can bury the one that counts.
void giveLastWords(const std::string& heading);

// Only the latest lines are kept, each cut to what fits. Main thread.
void note(const std::string& line);

}  // namespace lab::test

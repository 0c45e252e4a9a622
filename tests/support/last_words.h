// SPDX-License-Identifier: GPL-3.0-or-later
// What a program prints when it crashes: a heading, the last noted lines, and the stack of the thread that crashed.
// For long random tests: a crash that happens once in hundreds of runs must tell how it came about.
#pragma once

#include <string>

namespace lab::test {

// From here on a fatal signal prints `heading` and the notes to stderr before it ends the program. Takes the place of
// Qt Test's handler, which prints the stacks of all threads and can bury the one that counts.
void giveLastWords(const std::string& heading);

// Notes a line. Only the latest lines are kept, each cut to the room there is. Main thread.
void note(const std::string& line);

}  // namespace lab::test

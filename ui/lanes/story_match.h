// SPDX-License-Identifier: GPL-3.0-or-later
// Maps a moment of one step's story to the matching moment of another's: the same beat at the same fraction. Pure
// functions; the two directions are inverse to each other, as far as both stories have something to show.
#pragma once

#include "ui/playback/story.h"

namespace lab {

// What only the other story has is shown within the beat before it, so that nothing is skipped; where the other lacks a
// beat, it waits at the boundary before. Stories with nothing in common, such as a synchronous step's and a parameter
// server's, go at the same share of their lengths.
double matchedSeconds(const Story& story, double seconds, const Story& other);

}  // namespace lab

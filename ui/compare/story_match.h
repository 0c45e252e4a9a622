// SPDX-License-Identifier: GPL-3.0-or-later
// Which moment of one step's story belongs to a moment of another's: the same beat at the same fraction. Pure
// functions; each way is the other's inverse, as far as both have something to show.
#pragma once

#include "ui/playback/story.h"

namespace lab {

// What the other story has in addition is shown within the beat before it, so that nothing is skipped; where it lacks a
// beat it waits at the boundary before. Stories without anything in common, as those of a synchronous step and of a
// parameter server's, go at the same share of their lengths.
double matchedSeconds(const Story& story, double seconds, const Story& other);

}  // namespace lab

// SPDX-License-Identifier: GPL-3.0-or-later
// Where single steps lead within one story: the moments at which a message has arrived or a phase begins. The end of a
// story is no boundary of it: it is the beginning of the next step.
#pragma once

#include <optional>

#include "ui/playback/playback.h"

namespace lab {

// The first boundary after `seconds`; nothing where that is the end of the story.
std::optional<double> boundaryAfter(const Story& story, double seconds, Playback::Unit unit);

// The last boundary before `seconds`; nothing at the story's beginning.
std::optional<double> boundaryBefore(const Story& story, double seconds, Playback::Unit unit);

}  // namespace lab

// SPDX-License-Identifier: GPL-3.0-or-later
// The question in a page's block:
//   ask: How many digits does replica 2 get?
//   right: 3            wrong: 2           each may be followed by feedback: …
//   range: 0 to 10      truth: shard(2)    tolerance: 0     unit: ms
//   curve: loss         height: 0 to 3     steps: 20
#pragma once

#include "core/lesson/lesson.h"

namespace lab {

LessonQuestion readQuestion(Block& block, std::vector<LineProblem>& problems);

}  // namespace lab

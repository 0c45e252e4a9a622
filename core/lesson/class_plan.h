// SPDX-License-Identifier: GPL-3.0-or-later
// Prepared classes (resources/guide/classes.txt): stations, each with its minute, what the teacher says, what the class
// answers, what is seen, and the moment that shows it. The handbook prints them; a teacher can take one as the list of
// moments.
//   [class devices]
//   title: One model, many devices
//   about: For a first class.
//   [station devices-one]
//   of: devices
//   minute: 0
//   title: The program as it is
//   say: What does a step do?
//   answer: Forward, loss, backward, update.
//   seen: The beats below the stage.
#pragma once

#include <string>
#include <vector>

#include "core/lesson/moment.h"

namespace lab {

struct ClassStation {
  int minute = 0;
  LessonText title, say, answer, seen;
  Moment moment;
};

struct ClassPlan {
  std::string name;
  LessonText title, about;
  std::vector<ClassStation> stations;  // in order of their minutes
};

inline constexpr int kClassMinutes = 45;

// `classes` and `stations`: the blocks of these kinds, in their order in the text. Adds problems to `problems`.
std::vector<ClassPlan> readClassPlans(std::vector<Block> classes, std::vector<Block> stations,
                                      std::vector<LineProblem>& problems);

}  // namespace lab

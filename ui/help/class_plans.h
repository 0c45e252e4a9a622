// SPDX-License-Identifier: GPL-3.0-or-later
// The three prepared classes (resources/guide/classes.txt), in the forms for the handbook and for a list of moments.
#pragma once

#include <QString>

#include <vector>

#include "core/lesson/class_plan.h"

namespace lab {

const std::vector<ClassPlan>& shippedClasses();

// One line each for what the teacher says at a station, what the class answers and what is seen; in the window's
// language.
QString classNote(const ClassStation& station);

// All of them in a language: "de"; any other value means English.
QString classesMarkdown(const QString& language);

}  // namespace lab

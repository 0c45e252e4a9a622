// SPDX-License-Identifier: GPL-3.0-or-later
// The three prepared classes (resources/guide/classes.txt), as the handbook prints them and as a list of moments takes
// them.
#pragma once

#include <QString>

#include <vector>

#include "core/lesson/class_plan.h"

namespace lab {

const std::vector<ClassPlan>& shippedClasses();

// What is said at a station, what the class answers, what is seen: a line each, in the window's language.
QString classNote(const ClassStation& station);

// All of them, in a language: "de"; everything else is English.
QString classesMarkdown(const QString& language);

}  // namespace lab

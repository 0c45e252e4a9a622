// SPDX-License-Identifier: GPL-3.0-or-later
// What the classes of a run's examples are called, in the window's language: "7", "airplane", or the names of the
// user's own folders.
#pragma once

#include <QString>
#include <QStringList>

#include "core/data/dataset.h"

namespace lab {

QString classWords(const Dataset& data, int label);
QStringList classList(const Dataset& data, std::int64_t classes);  // of all classes that a network tells apart
bool classesAreNamed(const Dataset& data);                         // false if they have only numbers

}  // namespace lab

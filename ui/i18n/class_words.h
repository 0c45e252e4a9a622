// SPDX-License-Identifier: GPL-3.0-or-later
// What the classes of a run's examples are called, in the window's language: "7", "airplane", or as a person's own
// folders are named.
#pragma once

#include <QString>
#include <QStringList>

#include "core/data/dataset.h"

namespace lab {

QString classWords(const Dataset& data, int label);
QStringList classList(const Dataset& data, std::int64_t classes);  // of those that a network tells apart
bool classesAreNamed(const Dataset& data);                         // by more than their numbers

}  // namespace lab

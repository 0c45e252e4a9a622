// SPDX-License-Identifier: GPL-3.0-or-later
// Names of runs that the user has not named: their differences from the other kept runs, in the abbreviations of
// papers. Pure functions.
#pragma once

#include <QString>

#include <map>
#include <vector>

#include "core/config/lineage.h"

namespace lab {

struct KeptRun;

// By id, for runs without a name from the user: "Mirrored ×4", "b512 lr0.4"; if runs differ in nothing, the later ones
// are numbered.
std::map<int, QString> namesByDifference(const std::vector<KeptRun>& runs);
// Marks the name of a run in which a value was changed by hand, or a task died; marks it only once.
QString markedRunName(QString name, const Lineage& lineage);
QString unmarkedRunName(QString name);  // for files, which must not depend on the language

}  // namespace lab

// SPDX-License-Identifier: GPL-3.0-or-later
// What a run is called as long as nobody has named it: that in which it differs from the other kept runs, in the short
// forms of papers. Pure functions.
#pragma once

#include <QString>

#include <map>
#include <vector>

#include "core/config/lineage.h"

namespace lab {

struct KeptRun;

// By id, for those without a name of their own: "Mirrored ×4", "b512 lr0.4"; of runs that differ in nothing the later
// ones are numbered.
std::map<int, QString> namesByDifference(const std::vector<KeptRun>& runs);
// A run in which a value was changed by hand, or a task died, says so wherever it is named; once.
QString markedRunName(QString name, const Lineage& lineage);
QString unmarkedRunName(QString name);  // for files, which every language reads

}  // namespace lab

// SPDX-License-Identifier: GPL-3.0-or-later
// The lanes as a report, like that of `strategylab-cli compare --report`, in the window's language and about what the
// lanes show now. It takes its table from LaneTable, so that no number appears in two versions.
#pragma once

#include <QString>

#include "core/experiments/report.h"

namespace lab {

class LaneTable;
class Lanes;

// Reports each lane up to the step that it shows. A lane without a step is left out, and the report says so.
Report reportOf(const Lanes& lanes, const LaneTable& table);
ReportLanguage windowReportLanguage();

// Writes PDF, with charts as pictures, if the name ends so; else HTML. Throws UserError if the file cannot be written.
void saveReport(const Report& report, const QString& path);

}  // namespace lab

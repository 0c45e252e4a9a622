// SPDX-License-Identifier: GPL-3.0-or-later
// The lanes as a report: what `strategylab-cli compare --report` writes, in the window's language, of what the lanes
// show now. Its table is the one under the lanes, so that no number is in two versions.
#pragma once

#include <QString>

#include "core/experiments/report.h"

namespace lab {

class LaneTable;
class Lanes;

// Of each lane up to the step that it shows. A lane without a step is left out, and said.
Report reportOf(const Lanes& lanes, const LaneTable& table);
ReportLanguage windowReportLanguage();

// HTML, or PDF where the name ends so: there the charts are pictures. UserError where it cannot be written.
void saveReport(const Report& report, const QString& path);

}  // namespace lab

// SPDX-License-Identifier: GPL-3.0-or-later
// What the chart of staleness shows, in a sentence with its numbers. A pure function of the chart's points.
#pragma once

#include <QString>

#include <vector>

#include "ui/sweep/sweep_plots.h"

namespace lab {

// Where there is one curve of workers with the rate kept, from the fewest to the most, with what the same workers reach
// with the rate divided and what a synchronous strategy reaches, as far as those are there; else what to look for.
QString stalenessCaption(const SweepPlot& plot, const std::vector<SweepRun::Cell>& cells);

}  // namespace lab

// SPDX-License-Identifier: GPL-3.0-or-later
// Describes the chart of staleness in a sentence with its numbers. A pure function of the chart's points.
#pragma once

#include <QString>

#include <vector>

#include "ui/sweep/sweep_plots.h"

namespace lab {

// If there is one curve of workers with the rate kept, describes it from the fewest workers to the most, with what the
// same workers reach with the rate divided and what a synchronous strategy reaches. Otherwise says what to look for.
QString stalenessCaption(const SweepPlot& plot, const std::vector<SweepRun::Cell>& cells);

}  // namespace lab

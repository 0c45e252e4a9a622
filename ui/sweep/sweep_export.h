// SPDX-License-Identifier: GPL-3.0-or-later
// A sweep for elsewhere: its chart as a picture, its plan as an experiment's file, and the same read again.
#pragma once

#include <QString>

#include "ui/sweep/sweep_request.h"

namespace lab {

class SweepChart;
class SweepCoordinates;

// As shown; the name's ending says which: .png (at twice the size), .svg or .pdf. UserError where it cannot be written.
void saveChart(const SweepChart& chart, const QString& path);
void saveChart(const SweepCoordinates& chart, const QString& path);

// An experiment with the plan's settings, and under "sweep" the plan. What else is in a file of that name is kept.
void saveSweep(const SweepRequest& request, const QString& path);
SweepRequest readSweep(const QString& path);  // UserError, also for an experiment without a sweep

}  // namespace lab

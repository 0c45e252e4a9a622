// SPDX-License-Identifier: GPL-3.0-or-later
// Exports a sweep: its chart as a picture, and its plan as an experiment's file, which can be read again.
#pragma once

#include <QString>

#include "ui/sweep/sweep_request.h"

namespace lab {

class SweepChart;
class SweepCoordinates;

// Saves the chart as shown, by the name's ending: .png (at twice the size), .svg or .pdf. Throws UserError on failure.
void saveChart(const SweepChart& chart, const QString& path);
void saveChart(const SweepCoordinates& chart, const QString& path);

inline constexpr const char* kSweepKey = "sweep";  // a plan stands under it in an experiment's file

// Saves an experiment with the plan's settings, and the plan under kSweepKey. Only adds the plan to an existing file,
// which is left as it is if it cannot be read, such as one of a newer version. Throws UserError.
void saveSweep(const SweepRequest& request, const QString& path);
SweepRequest readSweep(const QString& path);  // throws UserError, also for an experiment without a sweep

}  // namespace lab

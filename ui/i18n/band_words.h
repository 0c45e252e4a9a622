// SPDX-License-Identifier: GPL-3.0-or-later
// How far a modelled time may be off, in the window's language.
#pragma once

#include <QString>

#include "core/prediction/run_bound.h"
#include "core/training/trainer.h"

namespace lab {

QString bandText(BoundBy bound);  // "9 in 10 published steps like this are within -8 … +21 %"
// The same of a run's step, or why it is extrapolated and has no band, behind what else it takes for granted; "" where
// its time is measured.
QString bandText(const RunInfo& info, const StepMetric& step);

}  // namespace lab

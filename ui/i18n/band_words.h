// SPDX-License-Identifier: GPL-3.0-or-later
// Words for how far a modelled time may be off, in the window's language.
#pragma once

#include <QString>

#include "core/prediction/run_bound.h"
#include "core/training/trainer.h"

namespace lab {

QString bandText(BoundBy bound);  // "9 in 10 published steps like this are within -8 … +21 %"
// The same for a run's step, or why the step is extrapolated and has no band, preceded by the model's other
// assumptions. "" if the step's time is measured.
QString bandText(const RunInfo& info, const StepMetric& step);

}  // namespace lab

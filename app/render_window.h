// SPDX-License-Identifier: GPL-3.0-or-later
// Draws the window as a picture, without a display: a run, lanes side by side, or a lesson's page, at the requested
// moment; or the plot of a table. The same request gives the same picture.
#pragma once

#include <QSize>
#include <QString>

#include "app/options.h"

namespace lab {

inline constexpr QSize kPictureSize(1280, 800);

// Needs a QApplication. Returns a sentence if the run failed, "" if all is as requested. Throws a UserError for what
// the step does not have, and if the picture cannot be written.
QString renderWindow(const WindowOptions& options);

}  // namespace lab

// SPDX-License-Identifier: GPL-3.0-or-later
// The window as a picture, without a display: a run, lanes side by side, or a lesson's page, at the moment that was
// asked for; or the plot of a table. The same request gives the same picture.
#pragma once

#include <QSize>
#include <QString>

#include "app/options.h"

namespace lab {

inline constexpr QSize kPictureSize(1280, 800);

// Needs a QApplication. A sentence where the run failed, "" where all is as it was asked for. UserError for what the
// step does not have, and where the picture cannot be written.
QString renderWindow(const WindowOptions& options);

}  // namespace lab

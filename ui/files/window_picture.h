// SPDX-License-Identifier: GPL-3.0-or-later
// A widget as a file for slides and handouts: PNG as it is on the screen, or PDF, whose letters and lines stay sharp.
#pragma once

#include <QString>

class QWidget;

namespace lab {

// By the path's ending. UserError (kind Run) where it cannot be written; a file that was there is then as it was.
void writePicture(QWidget& widget, const QString& path);

}  // namespace lab

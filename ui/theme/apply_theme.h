// SPDX-License-Identifier: GPL-3.0-or-later
// Dresses the program in the theme in force: palette, font, style and style sheet. UI thread only.
#pragma once

#include <QColor>

class QApplication;

namespace lab::theme {

// Dear: every widget is laid out anew. Does nothing where nothing has changed.
void apply(QApplication& app);
// All of apply() but the style sheet, for a window that is made before apply(): under a sheet Qt styles a widget and
// all its children again with each parent that it is given, a third of the time that the window takes to be made.
void applyColours(QApplication& app);
QColor disabledInk();  // of words and icons that cannot be pressed now

}  // namespace lab::theme

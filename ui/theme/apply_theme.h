// SPDX-License-Identifier: GPL-3.0-or-later
// Applies the current theme to the program: palette, font, style and style sheet. UI thread only.
#pragma once

#include <QColor>

class QApplication;

namespace lab::theme {

// Expensive: lays out every widget again. Does nothing if nothing has changed.
void apply(QApplication& app);
// All of apply() except the style sheet, for a window that is made before apply(): with a sheet, Qt styles a widget and
// all its children again for each parent that it gets, which takes a third of the time for making the window.
void applyColours(QApplication& app);
QColor disabledInk();  // for words and icons of disabled controls

}  // namespace lab::theme

// SPDX-License-Identifier: GPL-3.0-or-later
// The part of a page for reading: it scrolls separately, between the controls above and those below.
#pragma once

#include <QString>

class QScrollArea;
class QWidget;

namespace lab {

inline constexpr int kReadingFrame = 2;  // width of its focus frame in pixels, which theme/apply_theme.cpp draws

// An area around `read`, which has the height that is left. The keyboard can reach it, and its focus has a frame.
QScrollArea* readingArea(QWidget& read, const QString& objectName, const QString& accessibleName);

}  // namespace lab

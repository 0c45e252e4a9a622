// SPDX-License-Identifier: GPL-3.0-or-later
// The part of a page that is read: it scrolls by itself, between what leads away and what leads on.
#pragma once

#include <QString>

class QScrollArea;
class QWidget;

namespace lab {

inline constexpr int kReadingFrame = 2;  // pixels of its focus's frame, which theme/apply_theme.cpp draws

// Around `read`, as high as that needs. The keyboard reaches it, and its focus has a frame.
QScrollArea* readingArea(QWidget& read, const QString& objectName, const QString& accessibleName);

}  // namespace lab

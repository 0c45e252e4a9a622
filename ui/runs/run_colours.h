// SPDX-License-Identifier: GPL-3.0-or-later
// Colours of runs that are shown together: none is a replica's hue, each has 3:1 or more on the background of charts in
// all themes, and eight are as distinct as possible for the common kinds of colour blindness. After these, the same
// colours repeat with another line style.
#pragma once

#include <QColor>
#include <QPointF>

#include "ui/theme/theme_tables.h"

class QPainter;
class QPixmap;

namespace lab {

inline constexpr int kRunColours = 8, kRunStyles = 4, kRunLooks = kRunColours * kRunStyles;
QColor runColour(int place);                    // in the current theme; repeats from 8 on
QColor runColour(int place, theme::Kind kind);  // in that theme
Qt::PenStyle runStyle(int place);               // solid, dashed, dotted, dashed and dotted; repeats from 32 on

// The mark beside a run's name: a dot, or a piece of its line if that is not solid. Its width is `kRunMarkEm`.
inline constexpr double kRunMarkEm = 1.5;
void paintRunMark(QPainter& painter, const QPointF& centre, double em, const QColor& colour, Qt::PenStyle style);
QPixmap runSwatch(int place);  // the same mark for the front of a row

}  // namespace lab

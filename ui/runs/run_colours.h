// SPDX-License-Identifier: GPL-3.0-or-later
// Colours of runs that are shown together: none of them a replica's hue, each at 3:1 or more on the ground of charts in
// all themes, and as far apart as eight can be for the common kinds of colour blindness. When they end, the same
// colours come again with another style of line.
#pragma once

#include <QColor>
#include <QPointF>

#include "ui/theme/theme_tables.h"

class QPainter;
class QPixmap;

namespace lab {

inline constexpr int kRunColours = 8, kRunStyles = 4, kRunLooks = kRunColours * kRunStyles;
QColor runColour(int place);                    // in the theme in force; repeats from 8 on
QColor runColour(int place, theme::Kind kind);  // in that theme
Qt::PenStyle runStyle(int place);               // solid, dashed, dotted, dashed and dotted; repeats from 32 on

// What stands beside a run's name: a dot, or a piece of its line where that is not solid. As wide as `kRunMarkEm`.
inline constexpr double kRunMarkEm = 1.5;
void paintRunMark(QPainter& painter, const QPointF& centre, double em, const QColor& colour, Qt::PenStyle style);
QPixmap runSwatch(int place);  // the same in front of a row

}  // namespace lab

// SPDX-License-Identifier: GPL-3.0-or-later
// Colours of runs that are shown together: none of them a replica's hue, each at 3:1 or more on the ground of charts in
// all themes, and as far apart as eight can be for the common kinds of colour blindness.
#pragma once

#include <QColor>

#include "ui/theme_tables.h"

namespace lab {

inline constexpr int kRunColours = 8;
QColor runColour(int place);                    // in the theme in force; repeats from 8 on
QColor runColour(int place, theme::Kind kind);  // in that theme

}  // namespace lab

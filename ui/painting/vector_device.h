// SPDX-License-Identifier: GPL-3.0-or-later
// A scene is mostly painted on pixels, from cached pictures. On paper (PDF, SVG) it is drawn as lines, areas and words
// instead; only pictures (digits, values) stay pictures.
#pragma once

#include <QPaintDevice>
#include <QPainter>

#include "ui/theme/paper.h"

namespace lab {

// Pixels of a picture per unit of the painter. On paper, where a unit is a point: 288 per inch.
inline double pixelsIn(const QPainter& painter) {
  constexpr double kOnPaper = 4;
  return isPaper(painter) ? kOnPaper : painter.device()->devicePixelRatioF();
}

}  // namespace lab

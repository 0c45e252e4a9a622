// SPDX-License-Identifier: GPL-3.0-or-later
// A scene is mostly painted on pixels, from cached pictures. On paper (PDF, SVG) it is drawn as lines, areas and words
// instead; only pictures (digits, values) stay pictures.
#pragma once

#include <QPaintDevice>
#include <QPaintEngine>
#include <QPainter>

namespace lab {

inline bool isPaper(const QPainter& painter) {
  return painter.paintEngine() != nullptr && painter.paintEngine()->type() != QPaintEngine::Raster;
}

// Pixels of a picture per unit of the painter. On paper, where a unit is a point: 288 per inch.
inline double pixelsIn(const QPainter& painter) {
  constexpr double kOnPaper = 4;
  return isPaper(painter) ? kOnPaper : painter.device()->devicePixelRatioF();
}

}  // namespace lab

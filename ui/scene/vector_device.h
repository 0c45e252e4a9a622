// SPDX-License-Identifier: GPL-3.0-or-later
// A scene is mostly painted on pixels, from pictures that are kept. On paper (PDF, SVG) the same is drawn as lines,
// areas and words, and only what is a picture, a digit or values, stays one.
#pragma once

#include <QPaintDevice>
#include <QPaintEngine>
#include <QPainter>

namespace lab {

inline bool isPaper(const QPainter& painter) {
  return painter.paintEngine() != nullptr && painter.paintEngine()->type() != QPaintEngine::Raster;
}

// Pixels of a picture in a unit of the painter's. On paper whose unit is a point: 288 an inch.
inline double pixelsIn(const QPainter& painter) {
  constexpr double kOnPaper = 4;
  return isPaper(painter) ? kOnPaper : painter.device()->devicePixelRatioF();
}

}  // namespace lab

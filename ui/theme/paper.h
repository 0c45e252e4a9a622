// SPDX-License-Identifier: GPL-3.0-or-later
// Tells paper (PDF, SVG) from pixels. A widget that keeps a picture of itself draws lines and words on paper instead,
// where the picture's pixels would be large.
#pragma once

#include <QPaintEngine>
#include <QPainter>
#include <QPixmap>

namespace lab {

inline bool isPaper(const QPainter& painter) {
  return painter.paintEngine() != nullptr && painter.paintEngine()->type() != QPaintEngine::Raster;
}

// Draws the picture, or on paper calls `paint` to draw what the picture is made of.
template <typename Paint>
void drawPicture(QPainter& painter, const QPixmap& picture, const Paint& paint) {
  if (!isPaper(painter)) return painter.drawPixmap(0, 0, picture);
  painter.save();
  paint();
  painter.restore();
}

}  // namespace lab

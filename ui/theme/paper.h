// SPDX-License-Identifier: GPL-3.0-or-later
// Tells paper (PDF, SVG) from pixels. A widget that keeps a picture of itself draws lines and words on paper instead,
// where the picture's pixels would be large.
#pragma once

#include <QPaintEngine>
#include <QPainter>

namespace lab {

inline bool isPaper(const QPainter& painter) {
  return painter.paintEngine() != nullptr && painter.paintEngine()->type() != QPaintEngine::Raster;
}

}  // namespace lab

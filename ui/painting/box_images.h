// SPDX-License-Identifier: GPL-3.0-or-later
// Boxes with round corners, put together from whole device pixels: the corners are pictures, the rest is filled.
// Qt's antialiasing rasterizer took 50 us for a device's panel at 1920 x 1080, and there are dozens of boxes in a
// frame.
#pragma once

#include <QCache>
#include <QColor>
#include <QImage>
#include <QRectF>

class QPainter;

namespace lab {

class BoxImages {
 public:
  struct Style {
    QColor fill;
    QColor edge;           // invalid: the box has no edge
    double edgeWidth = 1;  // half of the edge lies outside the box
    double radius = 0;     // at most half of the shorter side
  };

  // The painter may be translated by whole device pixels, but not scaled or rotated. Does not restore its pen and
  // brush.
  void draw(QPainter& painter, const QRectF& box, const Style& style);

  void clear() { cache_.clear(); }

 private:
  struct Key {  // in device pixels
    QRgb fill = 0, edge = 0;
    int edgeWidth = 0, corner = 0;
    double radius = 0;
    bool operator==(const Key&) const = default;
    friend size_t qHash(const Key& key, size_t seed = 0) {
      return qHashMulti(seed, key.fill, key.edge, key.edgeWidth, key.corner, key.radius);
    }
  };
  static QImage corners(const Key& key);

  QCache<Key, QImage> cache_{4 * 1024};  // KiB
};

}  // namespace lab

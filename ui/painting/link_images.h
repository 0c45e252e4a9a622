// SPDX-License-Identifier: GPL-3.0-or-later
// Links as pictures. Qt's antialiasing rasterizer walks a list of all pixels of a line that it has visited so far, so a
// flat curve a thousand pixels wide is expensive: at 1920 x 1080 a link took 240 us on average, and links took half of
// all painting time.
#pragma once

#include <QCache>
#include <QColor>
#include <QImage>
#include <QPainterPath>

class QPainter;

namespace lab {

class LinkImages {
 public:
  struct Style {
    QColor colour;
    double width = 1;
    bool dashed = false, broken = false;
    bool operator==(const Style&) const = default;
  };

  // The painter may be translated and scaled, but not rotated.
  void draw(QPainter& painter, const QPainterPath& path, const Style& style);

  void clear() { cache_.clear(); }

 private:
  struct Key {
    QPainterPath path;
    Style style;
    double ratio = 1;
    bool operator==(const Key&) const = default;
    friend size_t qHash(const Key& key, size_t seed = 0) {
      seed = qHashMulti(seed, key.style.colour.rgba(), key.style.width, key.style.dashed, key.style.broken, key.ratio);
      for (int i = 0; i < key.path.elementCount(); ++i)
        seed = qHashMulti(seed, key.path.elementAt(i).x, key.path.elementAt(i).y);
      return seed;
    }
  };
  struct Picture {
    QImage image;
    QPointF corner;
  };
  static Picture make(const Key& key);

  QCache<Key, Picture> cache_{16 * 1024};  // KiB
};

}  // namespace lab

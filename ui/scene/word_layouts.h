// SPDX-License-Identifier: GPL-3.0-or-later
// Words fitted into boxes: smaller where they would not fit, in two lines rather than half of them, cut off with "…" at
// the last. Fitting and shaping took 55 us for a text, as long as a box, so what was fitted is kept.
#pragma once

#include <QCache>
#include <QFont>
#include <QRectF>
#include <QStaticText>
#include <QString>

class QPainter;

namespace lab {

class WordLayouts {
 public:
  struct Words {
    QString words;
    double fontPx = 12;  // at most
    bool bold = false;
    Qt::Alignment align = Qt::AlignCenter;
    bool operator==(const Words&) const = default;
  };

  // All words are in this font from now on, but for size and weight.
  // What does not fit at `smallest` pixels is cut short.
  void setFont(const QFont& font, double smallest = 9);
  // In the painter's pen; leaves it another font. Boxes count in half pixels.
  void draw(QPainter& painter, const QRectF& box, const Words& words);

  void clear() { cache_.clear(); }

 private:
  struct Key {
    Words words;
    int halfWidth = 0, halfHeight = 0;  // of the box, in half pixels
    double ratio = 1;
    bool operator==(const Key&) const = default;
    friend size_t qHash(const Key& key, size_t seed = 0) {
      return qHashMulti(seed, key.words.words, key.words.fontPx, key.words.bold, key.words.align.toInt(), key.halfWidth,
                        key.halfHeight, key.ratio);
    }
  };
  struct Layout {
    QFont font;
    QStaticText text;
    QPointF corner;  // from the box's
  };
  class Fitting;
  Layout fit(const Key& key, QPainter& painter) const;

  QFont font_;
  double smallest_ = 9;  // pixels
  QCache<Key, Layout> cache_{2000};
};

}  // namespace lab

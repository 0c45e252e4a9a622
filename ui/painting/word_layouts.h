// SPDX-License-Identifier: GPL-3.0-or-later
// Fits words into boxes: smaller if they are too large, in two lines rather than at half size, and cut off with "…" as
// a last resort. Fitting and shaping a text took 55 us, as long as drawing a box, so the results are cached.
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

  // Sets the font of all words, except for size and weight. Words that do not fit at `smallest` pixels are cut short.
  void setFont(const QFont& font, double smallest = 9);
  // Draws in the painter's pen and changes its font. Box sizes are rounded to half pixels.
  void draw(QPainter& painter, const QRectF& box, const Words& words);

  void clear() { cache_.clear(); }

 private:
  struct Key {
    Words words;
    int halfWidth = 0, halfHeight = 0;  // the box's size in half pixels
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
    QPointF corner;  // relative to the box's corner
  };
  class Fitting;
  Layout fit(Key key, QPainter& painter) const;

  QFont font_;
  double smallest_ = 9;  // pixels
  QCache<Key, Layout> cache_{2000};
};

}  // namespace lab

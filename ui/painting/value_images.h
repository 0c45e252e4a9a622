// SPDX-License-Identifier: GPL-3.0-or-later
// Pictures of values at the sizes they are drawn at, in the current theme's colours: whole device pixels without
// smoothing, so that a colour can be read back as a value.
#pragma once

#include <QCache>
#include <QImage>

#include "ui/step/value_map.h"
#include "ui/theme/theme_tables.h"

class QPainter;

namespace lab {

class ValueImages {
 public:
  // Fills `box`, rounded to whole device pixels; unknown values leave the background.
  void draw(QPainter& painter, const QRectF& box, const Values& values);
  void clear() { cache_.clear(); }

 private:
  struct Key {
    std::uint64_t id;
    int width, height;
    theme::Kind theme;
    bool operator==(const Key&) const = default;
    friend size_t qHash(const Key& key, size_t seed = 0) {
      return qHashMulti(seed, key.id, key.width, key.height, static_cast<int>(key.theme));
    }
  };

  QCache<Key, QImage> cache_{16 * 1024};  // KiB
};

// The values as an image of `size` pixels, each in the colour of the value at its middle; transparent if not known.
QImage imageOf(const ValueMap& values, const QSize& size);

}  // namespace lab

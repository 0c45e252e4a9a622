// SPDX-License-Identifier: GPL-3.0-or-later
// The examples' images at the sizes they are drawn at, in the current theme's colours, ink on paper, each in its frame.
// Most of what moves is images, so drawing one is a single copy of whole pixels.
#pragma once

#include <QCache>
#include <QImage>

#include <cstdint>
#include <memory>

#include "core/data/dataset.h"
#include "ui/theme/theme_tables.h"

namespace lab {

class DigitImages {
 public:
  struct Frame {
    QRgb colour = 0;
    int width = 1;  // in device pixels
    int outside() const { return width / 2; }
  };
  // A square of `side` device pixels, plus the part of the frame that lies outside of it. Returns an empty picture for
  // an example that the data set does not have.
  QImage picture(const Dataset& data, std::int64_t example, int side, const Frame& frame);

  // Cached pictures are identified by the data set's address, so they must not outlive the data set.
  void clear() {
    framed_.clear();
    scaled_.clear();
  }

 private:
  struct Key {
    const Dataset* data;
    std::int64_t example;
    int side, frameWidth;
    QRgb frame;
    theme::Kind theme;
    bool operator==(const Key&) const = default;
    friend size_t qHash(const Key& key, size_t seed = 0) {
      return qHashMulti(seed, key.data, key.example, key.side, key.frameWidth, key.frame, static_cast<int>(key.theme));
    }
  };
  QImage scaled(const Dataset& data, std::int64_t example, int side);

  QCache<Key, QImage> framed_{8 * 1024}, scaled_{4 * 1024};  // KiB
};

// An example's image in its original size: ink for a grey one, its own colours otherwise.
QImage exampleImage(const Examples& examples, std::int64_t example);

}  // namespace lab

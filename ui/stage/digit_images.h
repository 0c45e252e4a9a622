// SPDX-License-Identifier: GPL-3.0-or-later
// The examples' images at the sizes they are drawn at, in the colours in force: ink on paper.
#pragma once

#include <QCache>
#include <QPixmap>

#include <cstdint>
#include <memory>

#include "core/data/dataset.h"

namespace lab {

class DigitImages {
 public:
  // Square, `side` device pixels. An empty picture for an example that the data set does not have.
  QPixmap picture(const Dataset& data, std::int64_t example, int side);

 private:
  struct Key {
    const Dataset* data;
    std::int64_t example;
    int side;
    bool dark;
    bool operator==(const Key&) const = default;
    friend size_t qHash(const Key& key, size_t seed = 0) {
      return qHashMulti(seed, key.data, key.example, key.side, key.dark);
    }
  };
  QCache<Key, QPixmap> cache_{32 * 1024};  // KiB
};

// 28 × 28, ink on the panel's ground.
QImage digitImage(const std::uint8_t* pixels);

}  // namespace lab

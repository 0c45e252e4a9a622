// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/stage/digit_images.h"

#include <array>

#include "ui/theme.h"

namespace lab {
namespace {

// The colour of each grey, in the theme in force.
const std::array<QRgb, 256>& inkScale() {
  static std::array<std::array<QRgb, 256>, 2> scales{};  // light, dark; all zero: not made yet
  std::array<QRgb, 256>& scale = scales.at(theme::colours().dark ? 1 : 0);
  for (std::size_t value = 0; scale.back() == 0 && value < scale.size(); ++value)
    scale[value] = theme::mix(theme::colours().ink, theme::colours().panel, static_cast<double>(value) / 255).rgb();
  return scale;
}

}  // namespace

QImage digitImage(const std::uint8_t* pixels) {
  constexpr int kSide = 28;
  const std::array<QRgb, 256>& inkOf = inkScale();
  QImage image(kSide, kSide, QImage::Format_RGB32);
  for (int y = 0; y < kSide; ++y) {
    auto* line = reinterpret_cast<QRgb*>(image.scanLine(y));
    for (int x = 0; x < kSide; ++x) line[x] = inkOf[pixels[y * kSide + x]];
  }
  return image;
}

QPixmap DigitImages::picture(const Dataset& data, std::int64_t example, int side) {
  if (example < 0 || example >= data.train.count || side < 1) return {};
  const Key key{&data, example, side, theme::colours().dark};
  if (const QPixmap* known = cache_.object(key)) return *known;
  const QPixmap made = QPixmap::fromImage(
      digitImage(data.train.image(example)).scaled(side, side, Qt::IgnoreAspectRatio, Qt::SmoothTransformation));
  cache_.insert(key, new QPixmap(made), std::max(1, side * side * 4 / 1024));
  return made;
}

}  // namespace lab

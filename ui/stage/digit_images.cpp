// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/stage/digit_images.h"

#include "ui/theme.h"

namespace lab {

QImage digitImage(const std::uint8_t* pixels) {
  constexpr int kSide = 28;
  const QColor ground = theme::colours().panel, ink = theme::colours().ink;
  QImage image(kSide, kSide, QImage::Format_RGB32);
  for (int y = 0; y < kSide; ++y) {
    auto* line = reinterpret_cast<QRgb*>(image.scanLine(y));
    for (int x = 0; x < kSide; ++x) {
      const int value = pixels[y * kSide + x];
      const auto mix = [value](int a, int b) { return a + (b - a) * value / 255; };
      line[x] = qRgb(mix(ground.red(), ink.red()), mix(ground.green(), ink.green()), mix(ground.blue(), ink.blue()));
    }
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

// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/stage/digit_images.h"

#include <QPainter>

#include <algorithm>
#include <array>

#include "ui/theme.h"

namespace lab {
namespace {

// The colour of each grey, in the theme in force.
const std::array<QRgb, 256>& inkScale() {
  static std::array<std::array<QRgb, 256>, theme::kKinds.size()> scales{};  // all zero: not made yet
  std::array<QRgb, 256>& scale = scales.at(static_cast<std::size_t>(theme::kind()));
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

QImage DigitImages::scaled(const Dataset& data, std::int64_t example, int side) {
  const Key key{&data, example, side, 0, 0, theme::kind()};
  if (const QImage* known = scaled_.object(key)) return *known;
  const QImage made = digitImage(data.train.image(example))
                          .scaled(side, side, Qt::IgnoreAspectRatio, Qt::SmoothTransformation)
                          .convertToFormat(QImage::Format_RGB32);
  scaled_.insert(key, new QImage(made), std::max(1, static_cast<int>(made.sizeInBytes() / 1024)));
  return made;
}

QImage DigitImages::picture(const Dataset& data, std::int64_t example, int side, const Frame& frame) {
  if (example < 0 || example >= data.train.count || side < 1) return {};
  const Key key{&data, example, side, frame.width, frame.colour, theme::kind()};
  if (const QImage* known = framed_.object(key)) return *known;
  const int outside = frame.outside(), inside = frame.width - outside;
  QImage made(side + 2 * outside, side + 2 * outside, QImage::Format_RGB32);
  made.fill(frame.colour);
  const int shown = side - 2 * inside;
  if (shown > 0) {
    QPainter painter(&made);
    painter.setCompositionMode(QPainter::CompositionMode_Source);
    painter.drawImage(QPoint(frame.width, frame.width), scaled(data, example, side),
                      QRect(inside, inside, shown, shown));
  }
  framed_.insert(key, new QImage(made), std::max(1, static_cast<int>(made.sizeInBytes() / 1024)));
  return made;
}

}  // namespace lab

// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/painting/digit_images.h"

#include <algorithm>
#include <array>
#include <vector>

#include "core/base/at.h"
#include "ui/theme/theme.h"

namespace lab {
namespace {

constexpr int kSide = 28;

// The colour of each grey level in the current theme.
const std::array<QRgb, 256>& inkScale() {
  static std::array<std::array<QRgb, 256>, theme::kKinds.size()> scales{};  // all zero: not made yet
  std::array<QRgb, 256>& scale = scales.at(static_cast<std::size_t>(theme::kind()));
  for (std::size_t value = 0; scale.back() == 0 && value < scale.size(); ++value)
    scale[value] = theme::mix(theme::colours().ink, theme::colours().panel, static_cast<double>(value) / 255).rgb();
  return scale;
}

// Shrinks an image by averaging each pixel's area, like QImage::scaled(), but ten times as fast: while hundreds of
// images are distributed they are needed in every intermediate size. `side` is at most kSide.
QImage smaller(const std::uint8_t* pixels, int side) {
  struct Share {
    int first = 0, count = 0;
    std::array<float, kSide> weight{};
  };
  static std::array<std::vector<Share>, kSide + 1> sharesOf;
  std::vector<Share>& shares = sharesOf.at(static_cast<std::size_t>(side));
  const float scale = static_cast<float>(kSide) / static_cast<float>(side);
  for (int i = static_cast<int>(shares.size()); i < side; ++i) {
    const float begin = static_cast<float>(i) * scale, end = std::min(begin + scale, static_cast<float>(kSide));
    Share share{.first = static_cast<int>(begin)};
    for (int at = share.first; at < kSide && static_cast<float>(at) < end - 1e-4F; ++at) {
      const float within = std::min(end, static_cast<float>(at + 1)) - std::max(begin, static_cast<float>(at));
      share.weight.at(static_cast<std::size_t>(share.count++)) = within / scale;
    }
    shares.push_back(share);
  }
  const std::array<QRgb, 256>& inkOf = inkScale();
  QImage image(side, side, QImage::Format_RGB32);
  for (int y = 0; y < side; ++y) {
    const Share& rows = at(shares, y);
    std::array<float, kSide> mean{};
    for (int row = 0; row < rows.count; ++row) {
      const std::uint8_t* line = pixels + (rows.first + row) * kSide;
      const float weight = at(rows.weight, row);
      for (std::size_t x = 0; x < kSide; ++x) mean[x] += weight * static_cast<float>(line[x]);
    }
    auto* out = reinterpret_cast<QRgb*>(image.scanLine(y));
    for (int x = 0; x < side; ++x) {
      const Share& columns = at(shares, x);
      float value = 0.5F;
      for (int i = 0; i < columns.count; ++i) value += at(columns.weight, i) * at(mean, columns.first + i);
      out[x] = at(inkOf, std::clamp(static_cast<int>(value), 0, 255));
    }
  }
  return image;
}

}  // namespace

QImage exampleImage(const Examples& examples, std::int64_t example) {
  const std::uint8_t* pixels = examples.image(example);
  const auto [height, width, channels] = examples.shape;
  QImage image(static_cast<int>(width), static_cast<int>(height), QImage::Format_RGB32);
  const std::array<QRgb, 256>& inkOf = inkScale();
  for (int y = 0; y < image.height(); ++y) {
    auto* line = reinterpret_cast<QRgb*>(image.scanLine(y));
    for (int x = 0; x < image.width(); ++x, pixels += channels)
      line[x] = channels == 3 ? qRgb(pixels[0], pixels[1], pixels[2]) : inkOf[*pixels];
  }
  return image;
}

QImage DigitImages::scaled(const Dataset& data, std::int64_t example, int side) {
  if (side <= kSide && data.train.shape == Examples{}.shape) return smaller(data.train.image(example), side);
  const Key key{&data, example, side, 0, 0, theme::kind()};
  if (const QImage* known = scaled_.object(key)) return *known;
  const QImage made = exampleImage(data.train, example)
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
  const QImage image = shown > 0 ? scaled(data, example, side) : QImage();
  for (int y = 0; y < shown; ++y)
    std::copy_n(reinterpret_cast<const QRgb*>(image.constScanLine(inside + y)) + inside, shown,
                reinterpret_cast<QRgb*>(made.scanLine(frame.width + y)) + frame.width);
  framed_.insert(key, new QImage(made), std::max(1, static_cast<int>(made.sizeInBytes() / 1024)));
  return made;
}

}  // namespace lab

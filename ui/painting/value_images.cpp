// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/painting/value_images.h"

#include <QPainter>

#include <algorithm>
#include <cmath>

#include "ui/painting/vector_device.h"
#include "ui/theme/theme.h"
#include "ui/theme/value_colour.h"

namespace lab {
namespace {

constexpr int kCheck = 3;  // pixels

}  // namespace

QImage imageOf(const ValueMap& values, const QSize& size) {
  QImage image(size, QImage::Format_ARGB32_Premultiplied);
  const auto placeOf = [](int pixel, int pixels, int count) {
    return static_cast<std::size_t>((2 * pixel + 1) * count / (2 * pixels));
  };
  for (int y = 0; y < size.height(); ++y) {
    auto* line = reinterpret_cast<QRgb*>(image.scanLine(y));
    const std::size_t row = placeOf(y, size.height(), values.height) * static_cast<std::size_t>(values.width);
    for (int x = 0; x < size.width(); ++x) {
      const float value = values.values[row + placeOf(x, size.width(), values.width)];
      const auto colour = values.colours == ValueMap::Colours::Grey ? theme::strengthColour : theme::valueColour;
      // NaN is drawn as a checkerboard, which no value looks like, not even zero.
      line[x] = isNoValue(value) ? qRgba(0, 0, 0, 0)
                : std::isnan(value)
                    ? ((x / kCheck + y / kCheck) % 2 == 0 ? theme::colours().ink : theme::colours().panel).rgb()
                    : colour(static_cast<double>(value), values.scale);
    }
  }
  return image;
}

void ValueImages::draw(QPainter& painter, const QRectF& box, const Values& values) {
  if (values == nullptr || values->width < 1 || values->height < 1) return;
  const double ratio = pixelsIn(painter);
  const auto pixels = [ratio](double logical) { return static_cast<int>(std::lround(logical * ratio)); };
  const QPoint first(pixels(box.left()), pixels(box.top()));
  const QSize size(std::max(1, pixels(box.right()) - first.x()), std::max(1, pixels(box.bottom()) - first.y()));
  const Key key{values->id, size.width(), size.height(), theme::kind()};
  const QImage* known = cache_.object(key);
  const QImage image = known != nullptr ? *known : imageOf(*values, size);
  painter.drawImage(QRectF(QPointF(first) / ratio, QSizeF(size) / ratio), image);
  if (known == nullptr) cache_.insert(key, new QImage(image), std::max<qsizetype>(1, image.sizeInBytes() / 1024));
}

}  // namespace lab

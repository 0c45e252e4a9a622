// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/inspect/heat_map.h"

#include <QPainter>

#include <algorithm>
#include <cmath>

#include "core/base/ceil_divide.h"
#include "ui/inspect/describer.h"
#include "ui/theme/painted_words.h"
#include "ui/theme/theme.h"
#include "ui/theme/value_colour.h"

namespace lab {
namespace {

constexpr double kPicture = 7.5, kLegend = 1.6;  // heights, of the text size
constexpr std::int64_t kVectorColumns = 16;      // a vector is broken into lines of so many

}  // namespace

double largestMagnitude(const TensorPart& part) {
  float largest = 0;
  for (const float value : part.values) largest = std::max(largest, std::abs(value));
  return static_cast<double>(largest);
}

QImage heatImage(const TensorPart& part, double scale, QSize most) {
  const auto values = static_cast<std::int64_t>(part.values.size());
  if (values == 0 || most.isEmpty()) return {};
  std::int64_t columns = std::clamp<std::int64_t>(part.columns, 1, values);
  if (columns == values) columns = std::min(values, kVectorColumns);
  const std::int64_t rows = ceilDivide(values, columns);
  const bool lying = rows > 2 * columns;
  const std::int64_t across = lying ? rows : columns, down = lying ? columns : rows;
  const int width = static_cast<int>(std::min<std::int64_t>(across, most.width()));
  const int height = static_cast<int>(std::min<std::int64_t>(down, most.height()));
  std::vector<float> shown(static_cast<std::size_t>(width) * static_cast<std::size_t>(height), 0.0F);
  for (std::int64_t i = 0; i < values; ++i) {
    const std::int64_t row = i / columns, column = i % columns;
    const auto x = static_cast<std::size_t>((lying ? row : column) * width / across);
    const auto y = static_cast<std::size_t>((lying ? column : row) * height / down);
    float& pixel = shown[y * static_cast<std::size_t>(width) + x];
    const float value = part.values[static_cast<std::size_t>(i)];
    if (std::abs(value) > std::abs(pixel)) pixel = value;
  }
  QImage image(width, height, QImage::Format_RGB32);
  for (int y = 0; y < height; ++y) {
    auto* line = reinterpret_cast<QRgb*>(image.scanLine(y));
    for (int x = 0; x < width; ++x)
      line[x] = theme::valueColour(
          static_cast<double>(
              shown[static_cast<std::size_t>(y) * static_cast<std::size_t>(width) + static_cast<std::size_t>(x)]),
          scale);
  }
  return image;
}

HeatMap::HeatMap(QWidget* parent) : QWidget(parent) {
  setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
  setAccessibleName(tr("Values as colours"));
}

QSize HeatMap::sizeHint() const {
  return {theme::em(14), theme::em(kPicture + kLegend)};
}

void HeatMap::show(const TensorPart& part, double scale) {
  part_ = part;
  scale_ = scale;
  setVisible(true);
  update();
}

void HeatMap::clear() {
  part_ = {};
  setVisible(false);
}

void HeatMap::paintEvent(QPaintEvent*) {
  const theme::Colours& colours = theme::colours();
  QPainter painter(this);
  keepLeftToRight(painter);
  const QRect place(0, 0, width(), theme::em(kPicture));
  const double ratio = devicePixelRatioF();
  const QImage image = heatImage(part_, scale_, (QSizeF(place.size()) * ratio).toSize());
  if (image.isNull()) return;
  painter.drawImage(place, image);
  painter.setPen(QPen(colours.line, 1));
  painter.drawRect(place.adjusted(0, 0, -1, -1));

  const QRectF bar(width() * 0.3, place.bottom() + theme::em(0.65), width() * 0.4, theme::em(0.5));
  const int steps = static_cast<int>(bar.width());
  for (int i = 0; i < steps; ++i)
    painter.fillRect(QRectF(bar.left() + i, bar.top(), 1, bar.height()),
                     QColor(theme::valueColour(scale_ * (2.0 * i / (steps - 1) - 1), scale_)));
  painter.drawRect(bar);
  painter.setPen(colours.quietInk);
  const QRectF left(0, place.bottom(), bar.left() - theme::em(0.4), theme::em(kLegend + 0.2));
  const QRectF right(bar.right() + theme::em(0.4), left.top(), left.width(), left.height());
  painter.drawText(left, Qt::AlignRight | Qt::AlignVCenter, describeNumber(-scale_));
  painter.drawText(right, Qt::AlignLeft | Qt::AlignVCenter, describeNumber(scale_));
}

}  // namespace lab

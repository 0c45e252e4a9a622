// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/inspect/heat_map.h"

#include <QPainter>

#include <algorithm>
#include <cmath>
#include <utility>

#include "core/base/at.h"
#include "core/base/ceil_divide.h"
#include "ui/inspect/describer.h"
#include "ui/painting/value_images.h"
#include "ui/theme/painted_words.h"
#include "ui/theme/theme.h"

namespace lab {
namespace {

constexpr double kPicture = 7.5, kLegend = 1.6;  // heights, in text sizes
constexpr std::int64_t kVectorColumns = 16;      // a vector is broken into lines of this length

}  // namespace

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
    const float value = at(part.values, i);
    if (std::abs(value) > std::abs(pixel) || std::isnan(value)) pixel = value;
  }
  return imageOf({.width = width, .height = height, .scale = scale, .values = std::move(shown)}, {width, height});
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
  painter.drawImage(bar, imageOf(*rampValues(), bar.size().toSize()));
  painter.drawRect(bar);
  painter.setPen(colours.quietInk);
  const QRectF left(0, place.bottom(), bar.left() - theme::em(0.4), theme::em(kLegend + 0.2));
  const QRectF right(bar.right() + theme::em(0.4), left.top(), left.width(), left.height());
  painter.drawText(left, Qt::AlignRight | Qt::AlignVCenter, describeNumber(-scale_));
  painter.drawText(right, Qt::AlignLeft | Qt::AlignVCenter, describeNumber(scale_));
}

}  // namespace lab

// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/tryout/filter_grid.h"

#include <QPainter>

#include <algorithm>
#include <cmath>
#include <utility>

#include "core/base/ceil_divide.h"
#include "ui/i18n/words.h"
#include "ui/inspect/heat_map.h"
#include "ui/step/value_map.h"
#include "ui/theme/painted_words.h"
#include "ui/theme/theme.h"

namespace lab {
namespace {

constexpr int kMostFilters = 512;

}  // namespace

Filters filtersOf(const NeuralNetwork& network, std::span<const float> weights) {
  using Kind = NetworkLayer::Kind;
  std::vector<std::int64_t> image = network.input();
  for (std::size_t i = 0; i < network.layers().size(); ++i) {
    const NetworkLayer& layer = network.layers()[i];
    if (network.inputOf(i).size() == 3) image = network.inputOf(i);
    if (layer.kind != Kind::Conv2D && layer.kind != Kind::Dense) continue;
    const Variable& kernel = network.layout().find(layer.name + "/kernel");
    Filters filters;
    filters.layer = QString::fromStdString(layer.name);
    filters.convolution = layer.kind == Kind::Conv2D;
    if (image.size() != 3 || (image[2] != 1 && image[2] != 3)) return {};
    filters.height = static_cast<int>(filters.convolution ? layer.side : image[0]);
    filters.width = static_cast<int>(filters.convolution ? layer.width : image[1]);
    filters.channels = static_cast<int>(image[2]);
    filters.count = static_cast<int>(layer.units);
    const std::int64_t size = std::int64_t{1} * filters.height * filters.width * filters.channels * filters.count;
    if (size != kernel.size || kernel.offset + kernel.size > std::ssize(weights)) return {};
    const auto begin = weights.begin() + kernel.offset;
    filters.weights.assign(begin, begin + kernel.size);
    return filters;
  }
  return {};
}

FilterGrid::FilterGrid(QWidget* parent) : QWidget(parent) {
  setAccessibleName(tr("What the units of the first layer look for"));
  setMinimumSize(theme::em(14), theme::em(8));
}

int FilterGrid::shown() const {
  return std::min(filters_.count, kMostFilters);
}

void FilterGrid::show(Filters filters) {
  filters_ = std::move(filters);
  scale_ = largestMagnitude(filters_.weights);
  const QString size = QStringLiteral("%1×%2").arg(filters_.height).arg(filters_.width);
  const QString colours = filters_.channels == 3
                              ? tr("the weights of red, green and blue; grey is zero, one scale for all")
                              : tr("purple below zero, green above, one scale for all");
  const QString what = filters_.convolution ? tr("The %Ln filters of %1, %2 each: %3", nullptr, plural(filters_.count))
                                            : tr("The %Ln units of %1, and how each weighs the %2 pixels: %3", nullptr,
                                                 plural(filters_.count));
  setToolTip(filters_.count > 0 ? what.arg(filters_.layer, size, colours) : QString());
  setWhatsThis(toolTip());
  setAccessibleDescription(toolTip());
  update();
}

QSize FilterGrid::sizeHint() const {
  return {theme::em(26), theme::em(14)};
}

QImage FilterGrid::pictureOf(int unit) const {
  const int pixels = filters_.height * filters_.width, channels = filters_.channels;
  const auto weight = [&](int pixel, int channel) {
    return filters_.weights[(static_cast<std::size_t>(pixel) * static_cast<std::size_t>(channels) +
                             static_cast<std::size_t>(channel)) *
                                static_cast<std::size_t>(filters_.count) +
                            static_cast<std::size_t>(unit)];
  };
  if (channels == 1) {
    TensorPart part;
    part.columns = filters_.width;
    for (int i = 0; i < pixels; ++i) part.values.push_back(weight(i, 0));
    return heatImage(part, scale_, QSize(filters_.width, filters_.height));
  }
  QImage image(filters_.width, filters_.height, QImage::Format_RGB32);
  const auto level = [&](int pixel, int channel) {
    return qRound(127.5 + 127.5 * std::clamp(static_cast<double>(weight(pixel, channel)) / scale_, -1.0, 1.0));
  };
  for (int i = 0; i < pixels; ++i)
    image.setPixel(i % filters_.width, i / filters_.width, qRgb(level(i, 0), level(i, 1), level(i, 2)));
  return image;
}

void FilterGrid::paintEvent(QPaintEvent*) {
  const int filters = shown();
  if (filters == 0) return;
  const theme::Colours& colours = theme::colours();
  QPainter painter(this);
  keepLeftToRight(painter);
  painter.setFont(theme::smallFont(font()));
  const double line = 1.2 * theme::textSize(), shape = static_cast<double>(filters_.height) / filters_.width;
  // Chooses the number of columns that makes the pictures largest; numbers stand below them if there is room.
  int columns = 1;
  double side = 0, label = line;
  for (const double below : {line, 0.0}) {
    for (int wanted = 1; wanted <= filters; ++wanted) {
      const int rows = ceilDivide(filters, wanted);
      const double fits = std::min(width() / double(wanted), (height() / double(rows) - below) / shape);
      if (fits <= side) continue;
      side = fits;
      columns = wanted;
      label = below;
    }
    if (side >= 1.6 * line) break;
  }
  if (side < 4) return;
  shrinkFont(painter, QStringLiteral("00 "), side);
  for (int f = 0; f < filters; ++f) {
    const QRectF box(f % columns * side + 2, f / columns * (side * shape + label) + 2, side - 4, side * shape - 4);
    painter.drawImage(box, pictureOf(f));
    painter.setPen(colours.edge);
    painter.drawRect(box);
    painter.setPen(colours.quietInk);
    if (label > 0)
      painter.drawText(QRectF(box.left(), box.bottom(), box.width(), label), Qt::AlignCenter, QString::number(f + 1));
  }
}

}  // namespace lab

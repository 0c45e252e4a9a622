// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/painting/link_images.h"
#include "ui/painting/vector_device.h"

#include <QPaintDevice>
#include <QPainter>

#include <algorithm>
#include <cmath>

namespace lab {

namespace {

QPen penOf(const LinkImages::Style& style) {
  QPen pen(style.colour, style.width);
  if (style.dashed) pen.setDashPattern({2.2, 1.1});
  if (style.broken) pen.setDashPattern({1, 2.4});
  pen.setCapStyle(Qt::FlatCap);
  return pen;
}

}  // namespace

// The picture starts at a whole device pixel, so that it lies exactly where the path would.
LinkImages::Picture LinkImages::make(const Key& key) {
  const double margin = key.style.width + 1;
  const QRectF bounds = key.path.boundingRect().adjusted(-margin, -margin, margin, margin);
  const QPoint first(static_cast<int>(std::floor(bounds.left() * key.ratio)),
                     static_cast<int>(std::floor(bounds.top() * key.ratio)));
  const QPoint last(static_cast<int>(std::ceil(bounds.right() * key.ratio)),
                    static_cast<int>(std::ceil(bounds.bottom() * key.ratio)));
  QImage image(last.x() - first.x(), last.y() - first.y(), QImage::Format_ARGB32_Premultiplied);
  image.fill(Qt::transparent);
  image.setDevicePixelRatio(key.ratio);
  const QPointF corner = QPointF(first) / key.ratio;
  QPainter painter(&image);
  painter.setRenderHint(QPainter::Antialiasing);
  painter.translate(-corner);
  painter.strokePath(key.path, penOf(key.style));
  return {image, corner};
}

void LinkImages::draw(QPainter& painter, const QPainterPath& path, const Style& style) {
  if (isPaper(painter)) return painter.strokePath(path, penOf(style));
  const Key key{path, style, painter.device()->devicePixelRatioF()};
  Picture* known = cache_.object(key);
  if (known == nullptr) {
    const Picture made = make(key);
    painter.drawImage(made.corner, made.image);
    cache_.insert(key, new Picture(made), std::max<qsizetype>(1, made.image.sizeInBytes() / 1024));
    return;
  }
  painter.drawImage(known->corner, known->image);
}

}  // namespace lab

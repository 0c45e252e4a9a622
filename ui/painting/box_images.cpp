// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/painting/box_images.h"
#include "ui/painting/vector_device.h"
#include "ui/theme/painted_words.h"

#include <QPaintDevice>
#include <QPainter>

#include <algorithm>
#include <cmath>

namespace lab {

// The four corners side by side, as a box of the smallest size that has all four.
QImage BoxImages::corners(const Key& key) {
  const int side = 2 * key.corner;
  QImage image(side, side, QImage::Format_ARGB32_Premultiplied);
  image.fill(Qt::transparent);
  QPainter painter(&image);
  keepLeftToRight(painter);
  painter.setRenderHint(QPainter::Antialiasing);
  painter.setPen(Qt::NoPen);
  const auto fill = [&](double inset, QRgb colour) {
    painter.setBrush(QColor::fromRgba(colour));
    const double radius = std::max(0.0, key.radius - inset);
    painter.drawRoundedRect(QRectF(inset, inset, side - 2 * inset, side - 2 * inset), radius, radius);
  };
  if (key.edgeWidth > 0) fill(0, key.edge);
  if (qAlpha(key.fill) == 255 || key.edgeWidth == 0) {
    fill(key.edgeWidth, key.fill);
    return image;
  }
  painter.setCompositionMode(QPainter::CompositionMode_Source);  // a translucent fill shows what lies behind the edge
                                                                 // too
  fill(key.edgeWidth, key.fill);
  return image;
}

namespace {

// Half of the edge lies outside the box, as in pixels, if the edge is at least one pixel wide.
void drawOnPaper(QPainter& painter, const QRectF& box, const BoxImages::Style& style) {
  const bool edged = style.edge.isValid() && style.edge.alpha() > 0;
  const double radius = std::min(style.radius, 0.5 * std::min(box.width(), box.height()));
  if (box.width() <= 0 || box.height() <= 0) return;
  painter.setPen(edged ? QPen(style.edge, style.edgeWidth) : QPen(Qt::NoPen));
  painter.setBrush(style.fill.alpha() > 0 ? QBrush(style.fill) : QBrush(Qt::NoBrush));
  radius > 0 ? painter.drawRoundedRect(box, radius, radius) : painter.drawRect(box);
}

}  // namespace

void BoxImages::draw(QPainter& painter, const QRectF& box, const Style& style) {
  if (isPaper(painter)) return drawOnPaper(painter, box, style);
  const double ratio = painter.device()->devicePixelRatioF();
  const bool edged = style.edge.isValid() && style.edge.alpha() > 0;
  const int edge = edged ? std::max(1, static_cast<int>(std::lround(style.edgeWidth * ratio))) : 0;
  const double out = edged ? 0.5 * style.edgeWidth * ratio : 0;
  const int left = static_cast<int>(std::lround(box.left() * ratio - out));
  const int top = static_cast<int>(std::lround(box.top() * ratio - out));
  const int right = static_cast<int>(std::lround(box.right() * ratio + out));
  const int bottom = static_cast<int>(std::lround(box.bottom() * ratio + out));
  const int width = right - left, height = bottom - top;
  if (width <= 0 || height <= 0) return;
  const double radius = std::min(style.radius * ratio + out, 0.5 * std::min(width, height));
  const int corner = std::min({static_cast<int>(std::ceil(radius)) + edge, width / 2, height / 2});

  // The rest works in device pixels; adjacent parts share no pixel. With antialiasing on, Qt would send even a
  // rectangle of whole pixels through its rasterizer.
  const bool smooth = painter.testRenderHint(QPainter::Antialiasing);
  painter.setRenderHint(QPainter::Antialiasing, false);
  const auto fill = [&](int x, int y, int w, int h, const QColor& colour) {
    if (w > 0 && h > 0 && colour.alpha() > 0)
      painter.fillRect(QRectF(x / ratio, y / ratio, w / ratio, h / ratio), colour);
  };
  const int inner = std::min(edge, corner);
  if (corner > 0) {
    const Key key{style.fill.rgba(), edged ? style.edge.rgba() : 0, edge, corner, radius};
    QImage* image = cache_.object(key);
    if (image == nullptr) {
      image = new QImage(corners(key));
      cache_.insert(key, image, std::max<qsizetype>(1, image->sizeInBytes() / 1024));
    }
    const auto put = [&](int x, int y, int fromX, int fromY) {
      painter.drawImage(QRectF(x / ratio, y / ratio, corner / ratio, corner / ratio), *image,
                        QRectF(fromX, fromY, corner, corner));
    };
    put(left, top, 0, 0);
    put(right - corner, top, corner, 0);
    put(left, bottom - corner, 0, corner);
    put(right - corner, bottom - corner, corner, corner);
  }
  const int across = width - 2 * corner, down = height - 2 * corner;
  if (edged) {
    fill(left + corner, top, across, inner, style.edge);
    fill(left + corner, bottom - inner, across, inner, style.edge);
    fill(left, top + corner, inner, down, style.edge);
    fill(right - inner, top + corner, inner, down, style.edge);
  }
  fill(left + corner, top + inner, across, corner - inner, style.fill);
  fill(left + corner, bottom - corner, across, corner - inner, style.fill);
  fill(left + inner, top + corner, width - 2 * inner, down, style.fill);
  painter.setRenderHint(QPainter::Antialiasing, smooth);
}

}  // namespace lab

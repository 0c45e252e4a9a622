// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/serving/qr_view.h"

#include <qrencode.h>

#include <QPainter>

#include <algorithm>
#include <memory>
#include <utility>

namespace lab {

QImage qrCode(const QString& text) {
  const QByteArray bytes = text.toUtf8();
  const auto free = [](QRcode* code) { QRcode_free(code); };
  const std::unique_ptr<QRcode, decltype(free)> code(QRcode_encodeString8bit(bytes.constData(), 0, QR_ECLEVEL_M), free);
  if (!code) return {};
  QImage image(code->width, code->width, QImage::Format_RGB32);
  for (int y = 0; y < code->width; ++y)
    for (int x = 0; x < code->width; ++x)
      image.setPixel(x, y, (code->data[y * code->width + x] & 1) != 0 ? qRgb(0, 0, 0) : qRgb(255, 255, 255));
  return image;
}

QrView::QrView(QImage code) : code_(std::move(code)) {
  setObjectName(QStringLiteral("qrCode"));
  setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Expanding);
}

QSize QrView::minimumSizeHint() const {
  const int side = 2 * (code_.width() + 2 * kQuietModules);  // modules smaller than two pixels cannot be told apart
  return {side, side};
}

QSize QrView::sizeHint() const {
  return minimumSizeHint() * 6;
}

// Modules are whole pixels, because blurred edges are misread from afar.
void QrView::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  painter.fillRect(rect(), Qt::white);
  const int modules = code_.width() + 2 * kQuietModules, side = std::max(1, std::min(width(), height()) / modules);
  QRect place(0, 0, side * code_.width(), side * code_.width());
  place.moveCenter(rect().center());
  painter.drawImage(place, code_);
}

void QrView::setCode(const QImage& code) {
  code_ = code;
  updateGeometry();
  update();
}

}  // namespace lab

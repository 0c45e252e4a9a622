// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/files/window_picture.h"

#include <QBuffer>
#include <QCoreApplication>
#include <QPageSize>
#include <QPainter>
#include <QPdfWriter>
#include <QPixmap>
#include <QWidget>

#include "core/base/file.h"

namespace lab {

void writePicture(QWidget& widget, const QString& path) {
  QByteArray bytes;
  QBuffer buffer(&bytes);
  buffer.open(QIODevice::WriteOnly);
  if (path.endsWith(QStringLiteral(".pdf"), Qt::CaseInsensitive)) {
    constexpr double kPointsPerPixel = 0.75;  // 96 pixels and 72 points an inch
    QPdfWriter pdf(&buffer);
    pdf.setTitle(widget.windowTitle().remove(QStringLiteral("[*]")));
    pdf.setCreator(QCoreApplication::applicationName());
    pdf.setPageSize(QPageSize(QSizeF(widget.size()) * kPointsPerPixel, QPageSize::Point));
    pdf.setPageMargins(QMarginsF());
    QPainter painter(&pdf);
    const double scale = painter.viewport().width() / static_cast<double>(widget.width());
    painter.scale(scale, scale);
    widget.render(&painter);
    painter.end();
  } else {
    widget.grab().save(&buffer, "PNG");
  }
  writeFileAtomically(path.toStdString(), std::string_view(bytes.constData(), static_cast<std::size_t>(bytes.size())));
}

}  // namespace lab

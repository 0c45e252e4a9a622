// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/theme/picture_file.h"

#include <QBuffer>
#include <QPageSize>
#include <QPainter>
#include <QPdfWriter>
#include <QRegularExpression>
#include <QSvgGenerator>

#include "core/base/error.h"
#include "core/base/file.h"
#include "ui/i18n/messages.h"
#include "ui/theme/painted_words.h"

namespace lab {
namespace {

constexpr int kScale = 2, kPdfDpi = 96;

void paintOn(QPaintDevice& device, const Painted& painted) {
  QPainter painter(&device);
  keepLeftToRight(painter);
  painted.paint(painter);
}

}  // namespace

QImage imageOf(const Painted& painted) {
  QImage image(painted.size * kScale, QImage::Format_RGB32);
  image.setDevicePixelRatio(kScale);
  paintOn(image, painted);
  return image;
}

void addUsualFont(QByteArray& svg) {
  static const QRegularExpression family(QStringLiteral("(font-family=\"[^\"]*)\""));
  svg = QString::fromUtf8(svg).replace(family, QStringLiteral("\\1, sans-serif\"")).toUtf8();
}

void writePainted(const Painted& painted, const QString& path) {
  const auto ends = [&](const char* with) { return path.endsWith(QLatin1String(with), Qt::CaseInsensitive); };
  QByteArray bytes;
  QBuffer buffer(&bytes);
  buffer.open(QIODevice::WriteOnly);
  if (ends(".svg")) {
    QSvgGenerator generator;
    generator.setOutputDevice(&buffer);
    generator.setSize(painted.size);
    generator.setViewBox(QRect(QPoint(0, 0), painted.size));
    generator.setTitle(painted.title);
    generator.setDescription(painted.description);
    paintOn(generator, painted);
    addUsualFont(bytes);
  } else if (ends(".pdf")) {
    QPdfWriter writer(&buffer);
    writer.setTitle(painted.title);
    writer.setResolution(kPdfDpi);
    writer.setPageMargins({});
    writer.setPageSize(QPageSize(QSizeF(painted.size) / kPdfDpi, QPageSize::Inch, QString(), QPageSize::ExactMatch));
    paintOn(writer, painted);
  } else if (!ends(".png") || !imageOf(painted).save(&buffer, "PNG")) {
    throw UserError(UserError::Kind::Run, say::pictureNotMade, File{path.toStdString()});
  }
  buffer.close();
  writeFileAtomically(path.toStdString(), {bytes.constData(), static_cast<std::size_t>(bytes.size())});
}

}  // namespace lab

// SPDX-License-Identifier: GPL-3.0-or-later
// Draws the program's icon in the sizes that a desktop's icon theme has: render_icon ICON.svg SIZE OUT.png
#include <QByteArray>
#include <QImage>
#include <QPainter>
#include <QSvgRenderer>

#include <cstdio>

int main(int argc, char** argv) {
  if (argc != 4) {
    std::fputs("usage: render_icon ICON.svg SIZE OUT.png\n", stderr);
    return 2;
  }
  QSvgRenderer drawing(QString::fromLocal8Bit(argv[1]));
  const int side = QByteArray(argv[2]).toInt();
  if (!drawing.isValid() || side < 1 || side > 4096) {
    std::fprintf(stderr, "render_icon: '%s' is no drawing, or '%s' no size\n", argv[1], argv[2]);
    return 1;
  }
  QImage image(side, side, QImage::Format_ARGB32);
  image.fill(Qt::transparent);
  QPainter painter(&image);
  painter.setRenderHint(QPainter::Antialiasing);
  drawing.render(&painter);
  painter.end();
  if (image.save(QString::fromLocal8Bit(argv[3]), "PNG")) return 0;
  std::fprintf(stderr, "render_icon: '%s' cannot be written\n", argv[3]);
  return 1;
}

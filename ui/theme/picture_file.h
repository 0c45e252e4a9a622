// SPDX-License-Identifier: GPL-3.0-or-later
// What a widget paints, as a picture for elsewhere: an image, or a file whose name's ending says its kind.
#pragma once

#include <QImage>
#include <QSize>
#include <QString>

#include <functional>

class QPainter;

namespace lab {

struct Painted {
  QSize size;  // pixels
  QString title, description;
  std::function<void(QPainter&)> paint;
};

QImage imageOf(const Painted& painted);  // at twice the size

// .png, .svg or .pdf. UserError (kind Run) for any other ending, and where it cannot be written; a file that was there
// is then as it was.
void writePainted(const Painted& painted, const QString& path);

}  // namespace lab

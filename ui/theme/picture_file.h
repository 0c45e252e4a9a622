// SPDX-License-Identifier: GPL-3.0-or-later
// A widget's painting as a picture for export: an image, or a file whose kind follows from the name's ending.
#pragma once

#include <QByteArray>
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

// Names a font that every viewer has after Qt's own ("Sans Serif"), which only Qt knows: a browser would take one with
// serifs.
void addUsualFont(QByteArray& svg);

// .png, .svg or .pdf. Throws UserError (kind Run) for any other ending, and if the file cannot be written; an existing
// file is then unchanged.
void writePainted(const Painted& painted, const QString& path);

}  // namespace lab

// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/look/painted_words.h"

#include <QPainter>

#include <algorithm>

namespace lab {

void keepLeftToRight(QPainter& painter) {
  painter.setLayoutDirection(Qt::LayoutDirectionAuto);
}

void drawElided(QPainter& painter, const QRectF& box, int alignment, const QString& words) {
  painter.drawText(box, alignment,
                   painter.fontMetrics().elidedText(words, Qt::ElideRight, static_cast<int>(box.width())));
}

void shrinkFont(QPainter& painter, const QString& words, double room, double least) {
  const double wanted = painter.fontMetrics().horizontalAdvance(words);
  if (wanted <= room || room <= least * wanted) return;
  QFont font = painter.font();
  font.setPixelSize(std::max(1, static_cast<int>(font.pixelSize() * room / wanted)));
  painter.setFont(font);
}

}  // namespace lab

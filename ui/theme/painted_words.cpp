// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/theme/painted_words.h"

#include "ui/theme/projected.h"

#include <QFontMetrics>
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
  if (theme::isProjected()) {  // narrower letters rather than lower ones
    for (int stretch = 95; stretch >= kNarrowestLetters; stretch -= 5) {
      font.setStretch(stretch);
      if (QFontMetrics(font).horizontalAdvance(words) <= room) return painter.setFont(font);
    }
    return;
  }
  font.setPixelSize(std::max(1, static_cast<int>(font.pixelSize() * room / wanted)));
  // Letters at whole pixels do not shrink in proportion, and elidedText() is stricter.
  const auto isCut = [&] {
    return QFontMetrics(font).elidedText(words, Qt::ElideRight, static_cast<int>(room)) != words;
  };
  while (font.pixelSize() > 1 && isCut()) font.setPixelSize(font.pixelSize() - 1);
  painter.setFont(font);
}

}  // namespace lab

// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/theme/wrapped_words.h"

#include <QStringList>

namespace lab {

QString wrappedWords(const QFontMetricsF& metrics, const QString& words, const QSizeF& room) {
  constexpr double kMuch = 1e5;
  const auto fits = [&](const QString& text) {
    const QSizeF taken = metrics.boundingRect(QRectF(0, 0, room.width(), kMuch), Qt::TextWordWrap, text).size();
    return taken.height() <= room.height() && taken.width() <= room.width();
  };
  if (fits(words)) return words;
  const QStringList all = words.split(QLatin1Char(' '));
  const auto first = [&](qsizetype count) { return all.first(count).join(QLatin1Char(' ')) + QChar(0x2026); };
  qsizetype few = 0, many = all.size();  // so few fit; so many do not
  while (many - few > 1) {
    const qsizetype middle = few + (many - few) / 2;
    (fits(first(middle)) ? few : many) = middle;
  }
  return few > 0 ? first(few) : metrics.elidedText(words, Qt::ElideRight, room.width());
}

}  // namespace lab

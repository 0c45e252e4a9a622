// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/theme/wrapped_words.h"

#include <QRegularExpression>
#include <QStringList>

#include <vector>

namespace lab {
namespace {

// The ends of sentences, or of clauses before a semicolon, the last first. Short ones such as "z. B." do not count.
std::vector<qsizetype> endsOf(const QString& words) {
  constexpr qsizetype kShort = 3;
  std::vector<qsizetype> ends;
  for (qsizetype i = words.size() - 2; i > kShort; --i)
    if (words[i + 1] == QLatin1Char(' ') && QStringLiteral(".!?;").contains(words[i]) &&
        i - words.lastIndexOf(QLatin1Char(' '), i - 1) > kShort)
      ends.push_back(i);
  return ends;
}

}  // namespace

QString wrappedWords(const QFontMetricsF& metrics, const QString& words, const QSizeF& room) {
  constexpr double kMuch = 1e5;
  const auto fits = [&](const QString& text) {
    const QSizeF taken = metrics.boundingRect(QRectF(0, 0, room.width(), kMuch), Qt::TextWordWrap, text).size();
    return taken.height() <= room.height() && taken.width() <= room.width();
  };
  if (fits(words)) return words;
  for (const qsizetype end : endsOf(words)) {
    const QString whole = words.first(end) + (words[end] == QLatin1Char(';') ? QLatin1Char('.') : words[end]);
    if (fits(whole)) return whole;
  }
  const QStringList all = words.split(QLatin1Char(' '));
  const auto first = [&](qsizetype count) { return all.first(count).join(QLatin1Char(' ')) + QChar(0x2026); };
  qsizetype few = 0, many = all.size();  // `few` words fit, `many` do not
  while (many - few > 1) {
    const qsizetype middle = few + (many - few) / 2;
    (fits(first(middle)) ? few : many) = middle;
  }
  return few > 0 ? first(few) : metrics.elidedText(words, Qt::ElideRight, room.width());
}

QString withWholeQuantities(QString words) {
  static const QRegularExpression between(QStringLiteral(R"((?<=[0-9]) (?=([kMGT]?B|[nµm]?s|%)(?!\w)))"));
  return words.replace(between, QString(QChar::Nbsp));
}

}  // namespace lab

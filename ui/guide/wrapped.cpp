// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/guide/wrapped.h"

#include <QLabel>

namespace lab {
namespace {

constexpr qsizetype kLongWord = 16;
constexpr QChar kMayBreak(0x200B);  // Unicode's space of no width

}  // namespace

QString breakable(const QString& text) {
  QString out;
  for (qsizetype at = 0; at < text.size();) {
    qsizetype end = at;
    while (end < text.size() && !text[end].isSpace()) ++end;
    const bool isLong = end - at > kLongWord;
    for (qsizetype i = at; i < end; ++i) {
      const bool hump = i > at && text[i].isUpper() && text[i - 1].isLower();
      if (isLong && hump) out += kMayBreak;
      out += text[i];
      if (isLong && i + 1 < end && QStringLiteral("._/(").contains(text[i])) out += kMayBreak;
    }
    if (end < text.size()) out += text[end++];
    at = end;
  }
  return out;
}

QLabel* wrappedLabel(const char* name, const char* role) {
  auto* label = new QLabel;
  label->setObjectName(QLatin1String(name));
  label->setWordWrap(true);
  label->setTextFormat(Qt::PlainText);
  if (role != nullptr) label->setProperty("role", QLatin1String(role));
  return label;
}

}  // namespace lab

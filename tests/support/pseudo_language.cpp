// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/pseudo_language.h"

#include <QGuiApplication>
#include <QTranslator>

#include <algorithm>
#include <memory>
#include <utility>
#include <vector>

#include "ui/i18n/language.h"

namespace lab::test {
namespace {

constexpr double kStretch = 0.4;

QChar accented(QChar letter) {
  static const QString plain = QStringLiteral("ABCDEGHIJKLNORSTUWYZabcdeghijklnorstuwyz");
  static const QString other = QStringLiteral("ÀƁÇÐÉĜĤÎĴĶĻÑÖŔŠŢÛŴÝŽàƀçðéĝĥîĵķļñöŕšţûŵýž");
  const qsizetype at = plain.indexOf(letter);
  return at < 0 ? letter : other[at];
}

// The length of the code at `at` that no reader sees as text: %1, %n, %L1, &amp;, <p>, (*.slab), a lesson's {loss}.
qsizetype codeAt(const QString& text, qsizetype at) {
  const QChar c = text[at];
  const auto next = [&](qsizetype i) { return i < text.size() ? text[i] : QChar(); };
  if (c == QLatin1Char('%')) {
    const qsizetype letter = next(at + 1) == QLatin1Char('L') ? at + 2 : at + 1;
    return next(letter).isDigit() || next(letter) == QLatin1Char('n') ? letter - at + 1 : 1;
  }
  if (c == QLatin1Char('<') && (next(at + 1).isLetter() || next(at + 1) == QLatin1Char('/'))) {
    const qsizetype end = text.indexOf(QLatin1Char('>'), at);
    return end < 0 ? 1 : end - at + 1;
  }
  if (c == QLatin1Char('{')) {
    const qsizetype end = text.indexOf(QLatin1Char('}'), at);
    if (end >= 0) return end - at + 1;
  }
  if (c == QLatin1Char('(') && next(at + 1) == QLatin1Char('*')) {
    const qsizetype end = text.indexOf(QLatin1Char(')'), at);
    return end < 0 ? 1 : end - at + 1;
  }
  return 0;
}

}  // namespace

QString stretched(const QString& english) {
  // Each filter of a file dialog is translated by itself and keeps its pattern at the end.
  if (english.contains(QStringLiteral("(*"))) {
    QStringList filters;
    for (const QString& filter : english.split(QStringLiteral(";;"))) {
      const qsizetype pattern = filter.indexOf(QStringLiteral(" (*"));
      filters << stretched(filter.left(pattern)) + filter.mid(pattern);
    }
    return filters.join(QStringLiteral(";;"));
  }
  QString text = QStringLiteral("⟦");
  qsizetype letters = 0;
  for (qsizetype at = 0; at < english.size();) {
    const qsizetype code = codeAt(english, at);
    if (code > 0) {
      text += english.mid(at, code);
      at += code;
      continue;
    }
    // The letter after & is a shortcut key, so it stays.
    const bool key = at > 0 && english[at - 1] == QLatin1Char('&');
    text += key ? english[at] : accented(english[at]);
    ++letters;
    ++at;
  }
  // Adds words of at most six letters, so that the text breaks into lines as other texts do.
  const auto more = static_cast<qsizetype>(static_cast<double>(letters) * kStretch + 0.9);
  for (qsizetype i = 0; i < more; ++i) text += letters > 12 && i % 7 == 0 ? QLatin1Char(' ') : QChar(u'ö');
  return text + QStringLiteral("⟧");
}

// Runs from right to left as such a script would; letters keep their shapes, so that people can still read them.
QString fromTheRight(const QString& english) {
  constexpr QChar kMark(0x200F), kOverride(0x202E), kEnd(0x202C);  // Unicode's: right-to-left mark, override, its end
  const QString text = stretched(english);
  QString turned(kMark);
  bool within = false;
  const auto turn = [&](bool word) {
    if (std::exchange(within, word) != word) turned += word ? kOverride : kEnd;
  };
  for (qsizetype at = 0; at < text.size();) {
    const qsizetype code = text.mid(at, 2) == QStringLiteral("(*") ? text.size() - at : codeAt(text, at);
    const bool key = text[at] == QLatin1Char('&') && at + 1 < text.size() && text[at + 1].isLetter();
    turn(code == 0 && (key || text[at].isLetter()));
    turned += text.mid(at, std::max<qsizetype>(code, 1));
    at += std::max<qsizetype>(code, 1);
  }
  turn(false);
  return turned;
}

namespace {

class Pseudo final : public QTranslator {
 public:
  explicit Pseudo(bool rightToLeft) : rightToLeft_(rightToLeft) {}
  bool isEmpty() const override { return false; }
  QString translate(const char* context, const char* text, const char* note, int n) const override {
    // Names of keys stay, so that shortcuts can be read.
    if (context == nullptr || text == nullptr || qstrcmp(context, "QShortcut") == 0) return {};
    for (const auto& translator : known_)
      if (!translator->translate(context, text, note, n).isEmpty())
        return rightToLeft_ ? fromTheRight(QString::fromUtf8(text)) : stretched(QString::fromUtf8(text));
    return {};
  }

 private:
  // A complete language, which shows what texts can be translated.
  std::vector<std::unique_ptr<QTranslator>> known_ = language::translatorsOf(QStringLiteral("de"));
  bool rightToLeft_;
};

}  // namespace

void useLanguage(const QString& name) {
  static std::unique_ptr<Pseudo> pseudo;
  pseudo.reset();
  const bool rightToLeft = name == QStringLiteral("pseudo-rtl"),
             known = !rightToLeft && name != QStringLiteral("pseudo");
  language::use(known ? name
                      : QStringLiteral("en"));  // English has the plurals, and what the pseudo-language does not know
  if (!known) pseudo = std::make_unique<Pseudo>(rightToLeft);
  if (!known) QCoreApplication::installTranslator(pseudo.get());
  if (qGuiApp != nullptr) QGuiApplication::setLayoutDirection(rightToLeft ? Qt::RightToLeft : Qt::LeftToRight);
}

}  // namespace lab::test

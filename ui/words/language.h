// SPDX-License-Identifier: GPL-3.0-or-later
// The window's language: the system's where it is one of ours, else English; or the one that was asked for. Its locale
// writes the numbers. Widgets take their texts when they are made, so a language is chosen before the window is.
#pragma once

#include <QString>
#include <QStringList>
#include <QTranslator>

#include <memory>
#include <vector>

namespace lab::language {

// A language for tests: each English text that has a translation comes back with accents, 40 % longer, between ⟦ and ⟧;
// one that has none stays as it is, and so gives itself away. It can run from right to left, as Arabic does.
class Pseudo final : public QTranslator {
 public:
  // `known` are the translators of a complete language, which tell what there is to translate.
  explicit Pseudo(std::vector<std::unique_ptr<QTranslator>> known, bool rightToLeft = false);
  bool isEmpty() const override { return false; }
  QString translate(const char* context, const char* text, const char* note, int n) const override;

 private:
  std::vector<std::unique_ptr<QTranslator>> known_;
  bool rightToLeft_;
};

QString stretched(const QString& english);     // "⟦Ŝéţûþ··⟧"; %1, %n, &, tags and patterns of files stay
QString fromTheRight(const QString& english);  // the same, each word of it written from right to left

// "en", "de", "pseudo" or "pseudo-rtl"; "" is the system's. Installs translators and sets the default locale and the
// direction of layouts of the application, in place of what was used before. What is none of these counts as "".
void use(const QString& name);
QString used();  // "en", "de", "pseudo", "pseudo-rtl"

QStringList names();                   // that people may choose: "en", "de"
QString ownName(const QString& name);  // "English", "Deutsch"

}  // namespace lab::language

// SPDX-License-Identifier: GPL-3.0-or-later
// The window's language: the one that was asked for, else the system's if the program has it, else English. Its locale
// formats numbers. Widgets take their texts when they are made, so the language must be chosen before the window is.
#pragma once

#include <QString>
#include <QStringList>
#include <QTranslator>

#include <memory>
#include <vector>

namespace lab::language {

// "en" or "de"; "" or any other name means the system's language. Installs translators and sets the application's
// default locale, in place of those used before.
void use(const QString& name);
QString used();  // "en" or "de"
// What use() installs, in the order in which Qt asks them. Tests build languages of their own from them
// (tests/support/pseudo_language.h).
std::vector<std::unique_ptr<QTranslator>> translatorsOf(const QString& name);

QStringList names();                   // those that users can choose: "en", "de"
QString ownName(const QString& name);  // "English", "Deutsch"

}  // namespace lab::language

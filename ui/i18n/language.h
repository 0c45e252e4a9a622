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

// "en" or "de"; "" is the system's. Installs translators and sets the default locale of the application, in place of
// what was used before. What is none of these counts as "".
void use(const QString& name);
QString used();  // "en" or "de"
// What use() installs, in the order in which they are asked. Tests make languages of their own of them
// (tests/support/pseudo_language.h).
std::vector<std::unique_ptr<QTranslator>> translatorsOf(const QString& name);

QStringList names();                   // that people may choose: "en", "de"
QString ownName(const QString& name);  // "English", "Deutsch"

}  // namespace lab::language

// SPDX-License-Identifier: GPL-3.0-or-later
// A language for tests: each English text that has a translation comes back with accents, 40 % longer, between ⟦ and ⟧;
// one that has none stays as it is, and so gives itself away. It can run from right to left, as Arabic does.
#pragma once

#include <QString>

namespace lab::test {

QString stretched(const QString& english);     // "⟦Ŝéţûþ··⟧"; %1, %n, &, tags and patterns of files stay
QString fromTheRight(const QString& english);  // the same, but each word is written from right to left

// Like language::use(), which does not know "pseudo" and "pseudo-rtl". Once a test has used one of these, it must
// switch languages with this function only.
void useLanguage(const QString& name);

}  // namespace lab::test

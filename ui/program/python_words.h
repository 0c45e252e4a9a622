// SPDX-License-Identifier: GPL-3.0-or-later
// The coloured words in a line of Python, and their colours: each is legible on every background that a line may have.
#pragma once

#include <QColor>
#include <QStringView>

#include <vector>

#include "ui/theme/theme_tables.h"

namespace lab {

struct PythonWord {
  enum class Kind { Keyword, Text, Number, Comment };
  Kind kind = Kind::Keyword;
  qsizetype begin = 0, count = 0;

  bool operator==(const PythonWord&) const = default;
};

// For a single line: the programs have no strings over several lines.
std::vector<PythonWord> pythonWords(QStringView line);

struct CodeColours {
  QColor keyword, text, number, comment;
  QColor lit, pointed;  // backgrounds of lines: what runs now; what the object or the pointer is on

  const QColor& of(PythonWord::Kind kind) const;
};
CodeColours codeColoursOf(theme::Kind kind);

}  // namespace lab

// SPDX-License-Identifier: GPL-3.0-or-later
// What is coloured in a line of Python, and the colours: each can be read on every ground that a line may have.
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

// Of a line by itself: the programs have no text that goes over several.
std::vector<PythonWord> pythonWords(QStringView line);

struct CodeColours {
  QColor keyword, text, number, comment;
  QColor lit, pointed;  // grounds of lines: what is being done now; what the object or the pointer is on

  const QColor& of(PythonWord::Kind kind) const;
};
CodeColours codeColoursOf(theme::Kind kind);

}  // namespace lab

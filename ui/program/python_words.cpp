// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/program/python_words.h"

#include <algorithm>
#include <array>

namespace lab {
namespace {

constexpr std::array kKeywords{u"and",    u"as",     u"assert", u"break",  u"class",   u"continue", u"def",  u"del",
                               u"elif",   u"else",   u"except", u"False",  u"finally", u"for",      u"from", u"if",
                               u"import", u"in",     u"is",     u"lambda", u"None",    u"not",      u"or",   u"pass",
                               u"raise",  u"return", u"True",   u"try",    u"while",   u"with",     u"yield"};
constexpr double kMoreContrast = 7;  // the contrast that the high-contrast theme promises

bool isWordLetter(QChar letter) {
  return letter.isLetterOrNumber() || letter == QLatin1Char('_');
}

// The position after the string literal that begins at `begin` with one quote or three.
qsizetype endOfText(QStringView line, qsizetype begin) {
  const QChar quote = line[begin];
  const bool three = line.mid(begin, 3) == QString(3, quote);
  qsizetype at = begin + (three ? 3 : 1);
  for (; at < line.size(); ++at) {
    if (line[at] == QLatin1Char('\\')) {
      ++at;
    } else if (line[at] == quote) {
      if (!three) return at + 1;
      if (line.mid(at, 3) == QString(3, quote)) return at + 3;
    }
  }
  return line.size();
}

bool isPrefixOfText(QStringView word) {
  return word.size() <= 2 &&
         std::ranges::all_of(word, [](QChar letter) { return QStringLiteral("rRbBfFuU").contains(letter); });
}

// `colour`, mixed with as much ink as it needs to be readable on all of these backgrounds.
QColor readable(const QColor& colour, const QColor& ink, const std::array<QColor, 3>& grounds, double least) {
  QColor mixed = colour;
  for (int share = 100; share >= 0; share -= 4) {
    mixed = theme::mix(colour, ink, share / 100.0);
    if (std::ranges::all_of(grounds, [&](const QColor& ground) { return theme::contrast(mixed, ground) >= least; }))
      break;
  }
  return mixed;
}

}  // namespace

std::vector<PythonWord> pythonWords(QStringView line) {
  using Kind = PythonWord::Kind;
  std::vector<PythonWord> words;
  for (qsizetype at = 0; at < line.size();) {
    const QChar letter = line[at];
    qsizetype end = at + 1;
    if (letter == QLatin1Char('#')) {
      words.push_back({Kind::Comment, at, line.size() - at});
      break;
    }
    if (letter == QLatin1Char('"') || letter == QLatin1Char('\'')) {
      end = endOfText(line, at);
      words.push_back({Kind::Text, at, end - at});
    } else if (letter.isDigit()) {
      while (end < line.size() && (isWordLetter(line[end]) || line[end] == QLatin1Char('.') ||
                                   (line[end] == QLatin1Char('-') && line[end - 1].toLower() == QLatin1Char('e'))))
        ++end;
      words.push_back({Kind::Number, at, end - at});
    } else if (isWordLetter(letter)) {
      while (end < line.size() && isWordLetter(line[end])) ++end;
      const QStringView word = line.mid(at, end - at);
      const bool quoted = end < line.size() && (line[end] == QLatin1Char('"') || line[end] == QLatin1Char('\''));
      if (quoted && isPrefixOfText(word)) {
        end = endOfText(line, end);
        words.push_back({Kind::Text, at, end - at});
      } else if (std::ranges::any_of(kKeywords, [&](const char16_t* each) { return word == QStringView(each); })) {
        words.push_back({Kind::Keyword, at, end - at});
      }
    }
    at = end;
  }
  return words;
}

const QColor& CodeColours::of(PythonWord::Kind kind) const {
  switch (kind) {
    case PythonWord::Kind::Keyword:
      return keyword;
    case PythonWord::Kind::Text:
      return text;
    case PythonWord::Kind::Number:
      return number;
    case PythonWord::Kind::Comment:
      return comment;
  }
  return comment;
}

CodeColours codeColoursOf(theme::Kind kind) {
  const theme::Colours& c = theme::coloursOf(kind);
  const double least = kind == theme::Kind::HighContrast ? kMoreContrast : theme::kLeastText;
  CodeColours code;
  code.lit = theme::tint(c.accent, 0.3, c.panel, c.ink);
  code.pointed = theme::tint(c.ink, 0.12, c.panel, c.ink);
  const std::array grounds{c.panel, code.lit, code.pointed};
  code.keyword = readable(c.accent, c.ink, grounds, least);
  code.text = readable(theme::replicaColour(2, kind), c.ink, grounds, least);
  code.number = readable(c.second, c.ink, grounds, least);
  code.comment = readable(c.quietInk, c.ink, grounds, least);
  return code;
}

}  // namespace lab

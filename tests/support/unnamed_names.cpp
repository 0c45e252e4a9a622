// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/unnamed_names.h"

#include <QRegularExpression>

#include <iterator>

namespace lab::test {
namespace {

QRegularExpression pattern(const char* text) {
  return QRegularExpression(QString::fromLatin1(text), QRegularExpression::DotMatchesEverythingOption);
}

// Removes comments, the contents of strings and characters, and lines of the preprocessor.
QString code(QString source) {
  static const QRegularExpression digits = pattern(R"((?<=[0-9])'(?=[0-9]))");
  static const QRegularExpression text =
      pattern(R"x(R"([^()\\ ]*)\(.*?\)\1"|"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])+'|//[^\n]*|/\*.*?\*/)x");
  static const QRegularExpression directive(QStringLiteral(R"(^[ \t]*#(?:[^\n]*\\\n)*[^\n]*$)"),
                                            QRegularExpression::MultilineOption);
  source.remove(digits);
  QString result;
  qsizetype from = 0;
  for (auto each = text.globalMatch(source); each.hasNext();) {
    const auto match = each.next();
    result += source.mid(from, match.capturedStart() - from);
    result += match.capturedView().startsWith(QLatin1Char('/')) ? QStringLiteral(" ") : QStringLiteral("0");
    from = match.capturedEnd();
  }
  result += source.mid(from);
  return result.remove(directive);
}

// Returns the place after the bracket that closes the one at `open`.
qsizetype afterBlock(const QString& text, qsizetype open, QChar opening, QChar closing) {
  int depth = 0;
  for (qsizetype i = open; i < text.size(); ++i) {
    if (text[i] == opening) ++depth;
    if (text[i] == closing && --depth == 0) return i + 1;
  }
  return text.size();
}

bool isFunctionHead(QString head) {
  static const QRegularExpression words = pattern(R"(\b(?:const|noexcept|override|final)\b)");
  static const QRegularExpression ends = pattern(R"(\)\s*(?:->[\w:<>,&*\s]+)?$)");
  static const QRegularExpression inner = pattern(R"(\([^()]*\))");
  if (!ends.match(head.remove(words).trimmed()).hasMatch()) return false;
  for (qsizetype before = -1; before != head.size();) {
    before = head.size();
    head.remove(inner);
  }
  return !head.contains(QLatin1Char('=')) || head.contains(QStringLiteral("operator"));
}

// The declarations in a namespace's body, blocks as {}. A function ends with its block, all else with a semicolon.
QStringList declarations(const QString& body) {
  QStringList found;
  QString now;
  int parens = 0;
  for (qsizetype i = 0; i < body.size(); ++i) {
    const QChar c = body[i];
    if (c == QLatin1Char('(')) ++parens;
    if (c == QLatin1Char(')')) --parens;
    if (c == QLatin1Char('{') && parens == 0) {
      i = afterBlock(body, i, QLatin1Char('{'), QLatin1Char('}')) - 1;
      const bool ends = isFunctionHead(now.trimmed());
      now += QStringLiteral("{}");
      if (!ends) continue;
    } else if (c != QLatin1Char(';') || parens > 0) {
      now += c;
      continue;
    }
    if (!now.trimmed().isEmpty()) found << now.simplified();
    now.clear();
  }
  return found;
}

QStringList splitAtCommas(const QString& text, const QString& opening, const QString& closing) {
  QStringList parts(QString{});
  int depth = 0;
  for (const QChar c : text) {
    if (opening.contains(c)) ++depth;
    if (closing.contains(c)) --depth;
    if (c == QLatin1Char(',') && depth == 0)
      parts << QString();
    else
      parts.back() += c;
  }
  return parts;
}

QString parameterTypes(const QString& parameters) {
  static const QRegularExpression value = pattern(R"(\s*=.*$)"), name = pattern(R"(^(.*[&*>\s])\w+$)");
  QStringList types;
  for (QString one : splitAtCommas(parameters, QStringLiteral("({[<"), QStringLiteral(")}]>"))) {
    one = one.remove(value).simplified();
    const auto match = name.match(one);
    const QString type = match.captured(1).simplified();
    types << (match.hasMatch() && type != QStringLiteral("const") ? type : one);
  }
  return types.join(QStringLiteral(", "));
}

QString withoutTemplate(QString text) {
  static const QRegularExpression attribute = pattern(R"(\[\[.*?\]\])"), constraint = pattern(R"(^requires \S+ )");
  text = text.remove(attribute).trimmed();
  while (text.startsWith(QStringLiteral("template"))) {
    text = text.mid(afterBlock(text, text.indexOf(QLatin1Char('<')), QLatin1Char('<'), QLatin1Char('>'))).trimmed();
    text.remove(constraint);
  }
  return text;
}

void addVariables(const QString& text, std::vector<UnnamedName>& found) {
  static const QRegularExpression declarator = pattern(R"(^[^=({\[]*?(\w+)\s*(?:[=({\[]|$))");
  for (const QString& part : splitAtCommas(text, QStringLiteral("({["), QStringLiteral(")}]")))
    if (const auto match = declarator.match(part.trimmed()); match.hasMatch())
      found.push_back({match.captured(1), text, false, false});
}

void addNames(const QString& declaration, std::vector<UnnamedName>& found) {
  static const QRegularExpression type = pattern(R"(^(?:struct|class|union|enum(?: class| struct)?) (\w+)(.*))");
  static const QRegularExpression alias = pattern(R"(^(?:using|namespace) (\w+) =)");
  static const QRegularExpression ignored = pattern(R"(^(?:using|static_assert|extern|namespace)\b)");
  static const QRegularExpression arguments = pattern(R"(<[^<>()=]*>)");
  static const QRegularExpression function =
      pattern(R"(^[^=({\[]*?((?:\w+::)*(?:operator\s*[^\s(]+|operator\s*\(\)|\w+))\s*\()");
  QString text = withoutTemplate(declaration);
  const auto ofType = type.match(text);
  if (ofType.hasMatch() && ofType.captured(2).trimmed().isEmpty()) return;  // only declared
  if (ofType.hasMatch() && ofType.captured(2).contains(QLatin1Char('{')))
    return found.push_back({ofType.captured(1), text, false, false});
  if (const auto match = alias.match(text); match.hasMatch())
    return found.push_back({match.captured(1), text, true, false});
  if (ignored.match(text).hasMatch()) return;
  const QString whole = text;
  for (qsizetype before = -1; before != text.size();) {
    before = text.size();
    text.remove(arguments);
  }
  const auto match = function.match(text);
  if (!match.hasMatch()) return addVariables(text, found);
  if (match.captured(1).contains(QStringLiteral("::"))) return;  // a member of a type, which is there already
  const QRegularExpression call(QStringLiteral("\\b%1\\s*\\(").arg(QRegularExpression::escape(match.captured(1))));
  const qsizetype open = whole.indexOf(QLatin1Char('('), whole.indexOf(call) + match.captured(1).size());
  const qsizetype end = afterBlock(whole, open, QLatin1Char('('), QLatin1Char(')'));
  found.push_back({match.captured(1), parameterTypes(whole.mid(open + 1, end - open - 2)), false, true});
}

}  // namespace

std::vector<UnnamedName> unnamedNames(const QString& source) {
  static const QRegularExpression begin = pattern(R"(\bnamespace\s*\{)");
  const QString text = code(source);
  std::vector<UnnamedName> found;
  for (auto each = begin.globalMatch(text); each.hasNext();) {
    const qsizetype open = each.next().capturedEnd() - 1;
    const qsizetype end = afterBlock(text, open, QLatin1Char('{'), QLatin1Char('}'));
    for (const QString& one : declarations(text.mid(open + 1, end - open - 2))) addNames(one, found);
  }
  return found;
}

bool clash(const UnnamedName& a, const UnnamedName& b) {
  if (a.name != b.name) return false;
  if (a.again && b.again) return a.text != b.text;
  if (a.overloads && b.overloads) return a.text == b.text;
  return true;
}

}  // namespace lab::test

// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/core_words.h"

#include <QCoreApplication>
#include <QHash>
#include <QLocale>
#include <QRegularExpression>
#include <QStringList>

#include <algorithm>
#include <utility>
#include <vector>

#include "ui/language.h"
#include "ui/words.h"

namespace lab {
namespace {

constexpr qsizetype kMostCached = 4096;  // sentences with values in them could go on for ever

QHash<QString, QString>& cache() {
  static QHash<QString, QString> texts;
  return texts;
}

QString translated(const char* english) {
  return QCoreApplication::translate("core", english);
}

struct Sentence {
  QRegularExpression form;
  const char* english;
  std::vector<int> values;  // which of %1, %2, … each group is
};

Sentence sentenceOf(const char* english) {
  static const QRegularExpression place(QStringLiteral("%([1-9])"));
  const QString text = QString::fromUtf8(english);
  Sentence sentence{{}, english, {}};
  QString form = QStringLiteral("^");
  qsizetype at = 0;
  for (auto it = place.globalMatch(text); it.hasNext();) {
    const QRegularExpressionMatch match = it.next();
    form += QRegularExpression::escape(text.mid(at, match.capturedStart() - at)) + QStringLiteral("(.*?)");
    at = match.capturedEnd();
    sentence.values.push_back(match.captured(1).toInt());
  }
  form += QRegularExpression::escape(text.mid(at)) + QStringLiteral("$");
  sentence.form = QRegularExpression(form, QRegularExpression::DotMatchesEverythingOption);
  return sentence;
}

const std::vector<Sentence>& sentences() {
  static const std::vector<Sentence> all = [] {
    std::vector<Sentence> made;
    for (const char* english : coreSentences()) made.push_back(sentenceOf(english));
    return made;
  }();
  return all;
}

struct Match {
  const Sentence* sentence = nullptr;  // null: none of the core's
  QRegularExpressionMatch values;
};

Match matchOf(const QString& english) {
  for (const Sentence& sentence : sentences()) {
    QRegularExpressionMatch values = sentence.form.match(english);
    if (values.hasMatch()) return {&sentence, values};
  }
  return {};
}

QString translation(const QString& english) {
  const QByteArray bytes = english.toUtf8();
  for (const char* text : coreTexts())
    if (bytes == text) return translated(text);
  const auto [sentence, values] = matchOf(english);
  if (sentence == nullptr) return english;
  // Values may hold a per cent sign: they are put in by hand, from the last place to the first.
  QString text = translated(sentence->english);
  static const QRegularExpression place(QStringLiteral("%([1-9])"));
  std::vector<std::pair<qsizetype, int>> places;
  for (auto it = place.globalMatch(text); it.hasNext();) {
    const QRegularExpressionMatch found = it.next();
    places.emplace_back(found.capturedStart(), found.captured(1).toInt());
  }
  for (auto it = places.rbegin(); it != places.rend(); ++it) {
    const auto group = std::ranges::find(sentence->values, it->second);
    if (group == sentence->values.end()) continue;
    const QString value = values.captured(static_cast<int>(group - sentence->values.begin()) + 1);
    text.replace(it->first, 2, value == english ? value : translation(value));
  }
  return text;
}

QString textOf(const QString& english) {
  if (language::used() == QStringLiteral("en")) return english;
  const auto found = cache().constFind(english);
  if (found != cache().constEnd()) return *found;
  if (cache().size() >= kMostCached) cache().clear();
  return *cache().insert(english, translation(english));
}

// Nobody types options in a window: "--batch-per-replica" is the setting that the form calls “Batch per replica”.
QString withSettings(QString text) {
  static const QRegularExpression option(QStringLiteral("--([a-z][a-z-]*[a-z])"));
  for (auto match = option.match(text); match.hasMatch();) {
    const auto& fields = configFields();
    const auto field = std::ranges::find(fields, match.captured(1).toStdString(), &ConfigField::name);
    // Files that a run writes are the command line's, whoever reads them.
    const bool known = field != fields.end() && field->group != "Output";
    const QString words = !known ? match.captured() : QObject::tr("“%1”").arg(settingCaption(*field));
    text.replace(match.capturedStart(), match.capturedLength(), words);
    match = option.match(text, match.capturedStart() + words.size());
  }
  return text;
}

// "batch-per-replica" as a person reads it.
QString englishCaption(const ConfigField& field) {
  QString text = QString::fromStdString(field.name).replace(QLatin1Char('-'), QLatin1Char(' '));
  text[0] = text[0].toUpper();
  return text;
}

}  // namespace

QString coreText(const std::string& english) {
  return textOf(QString::fromStdString(english));
}

QString coreSentence(const std::string& english) {
  QString text = withSettings(coreText(english));
  const Sentence* sentence = matchOf(QString::fromStdString(english)).sentence;
  // A value at the beginning, such as a file's name, stays as it is.
  if (sentence != nullptr && !translated(sentence->english).startsWith(QLatin1Char('%'))) text[0] = text[0].toUpper();
  return text;
}

QString laneText(const std::string& lane) {
  QString name = QString::fromStdString(lane);
  if (name.startsWith(QStringLiteral("link "))) name.remove(0, 5);
  const QString key = QChar(0x1f) + name;  // apart from the texts
  const auto found = cache().constFind(key);
  if (found != cache().constEnd()) return *found;
  QStringList parts;
  for (const QString& part : name.split(QStringLiteral(" · "))) {
    QStringList ends;
    for (const QString& end : part.split(QStringLiteral(" → "))) ends << textOf(end);
    parts << ends.join(QStringLiteral(" → "));
  }
  return *cache().insert(key, parts.join(QStringLiteral(" · ")));
}

// Central storage adds on the host, and there is no all-reduce.
QString reductionText(const StrategyInfo& strategy, const std::string& reducer) {
  if (reducer.empty()) return {};
  if (strategy.variables == StrategyInfo::VariablesOn::Host) return tr("gradients added on CPU:0");
  return tr("all-reduce: %1").arg(coreText(reducer));
}

QString strategyShortName(const StrategyInfo& info) {
  QString name = coreText(info.name);
  for (const QString& suffix : {QStringLiteral("Strategy"), QStringLiteral(" strategy"), QStringLiteral("strategie")})
    if (name.endsWith(suffix)) name.chop(suffix.size());
  return name;
}

QString settingCaption(const ConfigField& field) {
  return textOf(englishCaption(field));
}

QString settingName(const ConfigField& field) {
  const QString english = englishCaption(field), caption = textOf(english);
  return caption == english ? QString::fromStdString(field.name).replace(QLatin1Char('-'), QLatin1Char(' ')) : caption;
}

QString settingHelp(const ConfigField& field) {
  return coreText(field.help);
}

QString settingText(const ConfigField& field, const std::string& value) {
  switch (field.kind) {
    case ConfigField::Kind::Choice:
    case ConfigField::Kind::Flag:
      return coreText(value);
    case ConfigField::Kind::Real:
      return QString::fromStdString(value).replace(QLatin1Char('.'), QLocale().decimalPoint());
    case ConfigField::Kind::Integer: {
      bool whole = false;
      const qlonglong number = QString::fromStdString(value).toLongLong(&whole);
      // A seed is a name made of digits, and counts nothing.
      return whole && field.name != "seed" ? countText(number) : QString::fromStdString(value);
    }
    default:
      return QString::fromStdString(value);
  }
}

std::string settingValue(const ConfigField& field, const QString& shown) {
  if (field.kind == ConfigField::Kind::Real)
    return QString(shown).replace(QLocale().decimalPoint(), QStringLiteral(".")).toStdString();
  if (field.kind == ConfigField::Kind::Integer) {
    // Thousands as they are shown; anything else, such as 1.5, stays what it is, to be refused.
    const QString separator = QLocale().groupSeparator();
    const QRegularExpression grouped(
        QStringLiteral("^\\d{1,3}(%1\\d{3})+$").arg(QRegularExpression::escape(separator)));
    if (grouped.match(shown).hasMatch()) return QString(shown).remove(separator).toStdString();
  }
  return shown.toStdString();
}

void forgetCoreTexts() {
  cache().clear();
}

}  // namespace lab

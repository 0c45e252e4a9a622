// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/i18n/core_words.h"

#include <QCoreApplication>
#include <QLocale>
#include <QRegularExpression>

#include <algorithm>
#include <variant>
#include <vector>

#include "core/hardware/catalogue.h"
#include "core/options/config_field.h"
#include "core/options/network_of.h"
#include "ui/i18n/words.h"

namespace lab {
namespace {

QString translated(const char* english) {
  return QCoreApplication::translate("core", english);
}

class WordsOfWindow final : public Wording {
 public:
  std::string words(const std::string& english) const override { return translated(english.c_str()).toStdString(); }
  // Users of a window do not type options, so "--batch-per-replica" becomes the form's caption “Batch per replica”.
  // Options of the group "Output" name files that a run writes; they keep the command line's form.
  std::string option(const std::string& name) const override {
    const auto& fields = configFields();
    const auto field = std::ranges::find(fields, name, &ConfigField::name);
    return field == fields.end() || field->group == "Output"
               ? Wording::option(name)
               : QObject::tr("“%1”").arg(settingCaption(*field)).toStdString();
  }
  std::string count(std::int64_t count) const override { return countText(count).toStdString(); }
  std::string bytes(std::int64_t bytes) const override { return bytesText(bytes).toStdString(); }
  std::string number(double number) const override { return numberText(number).toStdString(); }
};

// If a message begins with a value, such as a file's name, its first letter is not capitalised.
bool beginsWithValue(const Message& message) {
  const QString form = translated(message.text()->english);
  if (!form.startsWith(QLatin1Char('%')) || form.size() < 2) return false;
  const auto place = static_cast<std::size_t>(form[1].digitValue() - 1);
  if (place >= message.values().size()) return false;
  const auto* inner = std::get_if<std::vector<Message>>(&message.values()[place]);
  return inner == nullptr || inner->empty() || inner->front().empty() || beginsWithValue(inner->front());
}

}  // namespace

QString coreText(const Message& message) {
  return QString::fromStdString(format(message, WordsOfWindow()));
}

QString coreText(const std::string& words) {
  return translated(words.c_str());
}

QString coreSentence(const Message& message) {
  QString text = coreText(message);
  if (!message.empty() && !beginsWithValue(message)) text[0] = text[0].toUpper();
  return text;
}

QString coreSentence(const std::exception& error) {
  return coreSentence(messageOf(error));
}

// With central storage the host adds the gradients, and there is no all-reduce.
QString reductionText(const StrategyInfo& strategy, const std::string& reducer) {
  if (reducer.empty()) return {};
  if (strategy.variables == StrategyInfo::VariablesOn::Host) return tr("gradients added on CPU:0");
  if (!strategy.shards.empty()) return tr("reduce-scatter and all-gather: %1").arg(coreText(reducer));
  return tr("all-reduce: %1").arg(coreText(reducer));
}

QString strategyShortName(const StrategyInfo& info) {
  QString name = coreText(info.name);
  for (const QString& suffix : {QStringLiteral("Strategy"), QStringLiteral(" strategy"), QStringLiteral("strategie")})
    if (name.endsWith(suffix)) name.chop(suffix.size());
  return name;
}

QString settingCaption(const ConfigField& field) {
  return coreText(field.caption);
}

QString settingName(const ConfigField& field) {
  const QString caption = settingCaption(field);
  return caption.toStdString() == field.caption
             ? QString::fromStdString(field.name).replace(QLatin1Char('-'), QLatin1Char(' '))
             : caption;
}

QString settingHelp(const ConfigField& field) {
  return coreText(field.help);
}

namespace {

// The name in the built-in catalogue. Hardware that only the user's own catalogue has keeps its id.
QString hardwareName(const ConfigField& field, const std::string& id) {
  std::string name = id;
  if (field.name == "device-model") {
    for (const DeviceModel& device : Catalogue::builtIn().devices())
      if (device.id == id) name = device.name;
  } else if (field.name == "link" || field.name == "host-link") {
    for (const LinkModel& link : Catalogue::builtIn().links())
      if (link.id == id) name = link.name;
  }
  return QString::fromStdString(name);
}

}  // namespace

namespace {

// Writes the core's "5e-04" as "0.0005". Very small numbers keep their exponent.
QString plainNumber(const QString& number) {
  if (!number.contains(QLatin1Char('e'))) return number;
  bool isNumber = false;
  const double value = number.toDouble(&isNumber);
  const QString plain = QString::number(value, 'g', 6);
  return isNumber && plain.toDouble() == value ? plain : number;
}

}  // namespace

QString settingText(const ConfigField& field, const std::string& value) {
  switch (field.kind) {
    case ConfigField::Kind::Choice:
      // Strategies have the short names that the rest of the window uses; "one-device" is also the name of a reducer.
      if (field.name == "strategy")
        for (const StrategyInfo& info : strategies())
          if (info.key == value) return strategyShortName(info);
      return coreText(value);
    case ConfigField::Kind::Flag:
      return coreText(value);
    case ConfigField::Kind::Real:
      return plainNumber(QString::fromStdString(value)).replace(QLatin1Char('.'), QLocale().decimalPoint());
    case ConfigField::Kind::Integer: {
      bool whole = false;
      const qlonglong number = QString::fromStdString(value).toLongLong(&whole);
      // A seed is a name made of digits, not a count, so its digits are not grouped.
      return whole && field.name != "seed" ? countText(number) : QString::fromStdString(value);
    }
    default:
      if (field.name == "network" && value == kEditedNetwork) return tr("changed by hand");
      return hardwareName(field, value);
  }
}

std::string settingValue(const ConfigField& field, const QString& shown) {
  if (field.kind == ConfigField::Kind::Real)
    return QString(shown).replace(QLocale().decimalPoint(), QStringLiteral(".")).toStdString();
  if (field.kind == ConfigField::Kind::Integer) {
    // Removes the separators of thousands. Any other text, such as 1.5, stays unchanged, so that it is refused.
    const QString separator = QLocale().groupSeparator();
    const QRegularExpression grouped(
        QStringLiteral("^\\d{1,3}(%1\\d{3})+$").arg(QRegularExpression::escape(separator)));
    if (grouped.match(shown).hasMatch()) return QString(shown).remove(separator).toStdString();
  }
  return shown.toStdString();
}

}  // namespace lab

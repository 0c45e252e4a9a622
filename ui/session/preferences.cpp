// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/session/preferences.h"

#include <QCheckBox>
#include <QComboBox>
#include <QDialogButtonBox>
#include <QFormLayout>
#include <QLabel>
#include <QPushButton>
#include <QSettings>
#include <QSpinBox>
#include <QVBoxLayout>

#include <algorithm>

#include "core/base/at.h"
#include "ui/i18n/language.h"
#include "ui/i18n/words.h"
#include "ui/theme/fitting.h"
#include "ui/theme/labels.h"
#include "ui/theme/theme.h"
#include "ui/window/main_window.h"

namespace lab {
namespace {

constexpr const char* kTheme = "preferences/theme";
constexpr const char* kSystem = "system";
// Keys of versions that did not follow the system and had Light as default; and of older ones with two themes.
constexpr const char* kThemeBefore = "window/theme";
constexpr const char* kDark = "window/dark";
constexpr const char* kText = "window/textPoints";
constexpr const char* kMotion = "preferences/reducedMotion";
constexpr const char* kReopen = "preferences/reopen";
constexpr const char* kLanguage = "preferences/language";

std::optional<theme::Kind> readTheme(const QSettings& settings) {
  const auto kept = [&settings](const char* key) {
    return theme::kindOf(settings.value(QLatin1String(key)).toString().toStdString());
  };
  if (settings.contains(QLatin1String(kTheme))) return kept(kTheme);
  if (const auto before = kept(kThemeBefore)) return before == theme::Kind::Light ? std::nullopt : before;
  return settings.value(QLatin1String(kDark), false).toBool() ? std::optional(theme::Kind::Dark) : std::nullopt;
}

// Takes effect at the next start: widgets take their texts when they are made.
QComboBox* makeLanguages(QSettings& settings, const QString& now) {
  auto* list = new QComboBox;
  list->setObjectName(QStringLiteral("preferLanguage"));
  list->addItem(tr("As the system"), QString());
  for (const QString& name : language::names()) list->addItem(language::ownName(name), name);
  list->setCurrentIndex(std::max(0, list->findData(now)));
  QObject::connect(list, &QComboBox::activated, list,
                   [list, &settings](int row) { settings.setValue(QLatin1String(kLanguage), list->itemData(row)); });
  return list;
}

}  // namespace

Preferences readPreferences(const QSettings& settings) {
  Preferences preferences;
  preferences.theme = readTheme(settings);
  const int points = settings.value(QLatin1String(kText), 0).toInt();
  preferences.textPoints = points <= 0 ? 0 : std::clamp(points, theme::kLeastPoints, theme::kMostPoints);
  if (const QVariant reduced = settings.value(QLatin1String(kMotion)); reduced.isValid())
    preferences.reducedMotion = reduced.toBool();
  preferences.reopen = settings.value(QLatin1String(kReopen), preferences.reopen).toBool();
  preferences.language = settings.value(QLatin1String(kLanguage)).toString();
  return preferences;
}

void keepTheme(QSettings& settings, std::optional<theme::Kind> theme) {
  settings.setValue(QLatin1String(kTheme), QLatin1String(theme ? theme::keyOf(*theme) : kSystem));
}

void applyPreferences(const Preferences& preferences, MainWindow& window) {
  theme::setChosenPoints(preferences.textPoints);  // takes effect with the theme
  if (!window.looks().isProjectorMode()) window.looks().setTheme(preferences.theme);
  window.looks().setTextPoints(preferences.textPoints);
  window.looks().setReducedMotion(preferences.reducedMotion);
}

namespace {

// Every change takes effect at once.
QComboBox* makeThemes(MainWindow& window, QSettings& settings) {
  auto* themes = new QComboBox;
  themes->setObjectName(QStringLiteral("preferTheme"));
  themes->addItems({tr("As the system"), tr("Light"), tr("Dark"), tr("High contrast"), tr("Projector")});
  themes->setCurrentIndex(window.looks().chosenTheme() ? 1 + static_cast<int>(*window.looks().chosenTheme()) : 0);
  themes->setToolTip(
      tr("High contrast: all contrasts 7:1 or more. Projector: larger type, fewer panels; F11 does that for a while"));
  QObject::connect(themes, &QComboBox::activated, themes, [&settings, &window](int at) {
    keepTheme(settings, at == 0 ? std::nullopt : std::optional(lab::at(theme::kKinds, at - 1)));
    applyPreferences(readPreferences(settings), window);
  });
  return themes;
}

QSpinBox* makeTextSize(MainWindow& window, QSettings& settings) {
  auto* text = new QSpinBox;
  text->setObjectName(QStringLiteral("preferText"));
  text->setRange(theme::kLeastPoints - 1, theme::kMostPoints);
  text->setSpecialValueText(tr("with the window"));
  text->setSuffix(tr(" pt"));
  text->setKeyboardTracking(false);
  text->setValue(theme::chosenPoints() == 0 ? text->minimum() : theme::chosenPoints());
  text->setToolTip(tr("The size of text everywhere, from 8 to 32 points; below 8 it follows the window's height"));
  QObject::connect(text, &QSpinBox::valueChanged, text, [&settings, &window](int points) {
    settings.setValue(QLatin1String(kText), points < theme::kLeastPoints ? 0 : points);
    applyPreferences(readPreferences(settings), window);
  });
  return text;
}

QComboBox* makeMotion(MainWindow& window, QSettings& settings, std::optional<bool> now) {
  auto* motion = new QComboBox;
  motion->setObjectName(QStringLiteral("preferMotion"));
  motion->addItems({tr("As the system"), tr("Full"), tr("Reduced")});
  motion->setCurrentIndex(!now ? 0 : *now ? 2 : 1);
  motion->setToolTip(
      tr("Reduced: the step buttons jump instead of gliding, and nothing moves before you press ▶. All arrows and "
         "numbers stay"));
  QObject::connect(motion, &QComboBox::activated, motion, [&settings, &window](int at) {
    if (at == 0)
      settings.remove(QLatin1String(kMotion));
    else
      settings.setValue(QLatin1String(kMotion), at == 2);
    applyPreferences(readPreferences(settings), window);
  });
  return motion;
}

void addReopen(QVBoxLayout& column, MainWindow& window, QSettings& settings, bool value) {
  const QString tip =
      tr("Opens the settings, file and runs of the last session when StrategyLab starts. They stay stored even when "
         "this is off");
  auto* box = new QCheckBox(tr("Reopen the &last session"));
  box->setObjectName(QStringLiteral("preferReopen"));
  box->setToolTip(tip);
  box->setWhatsThis(tip);
  box->setChecked(value);
  QObject::connect(box, &QCheckBox::toggled, box, [&settings, &window](bool on) {
    settings.setValue(QLatin1String(kReopen), on);
    applyPreferences(readPreferences(settings), window);
  });
  column.addWidget(box);
  auto* words = makeLabel({.text = tip, .role = "quiet", .wraps = true});
  words->setContentsMargins(theme::em(1.6), 0, 0, 0);
  column.addWidget(words);
}

}  // namespace

QDialog* showPreferences(MainWindow& window, QSettings& settings) {
  if (auto* open = window.findChild<QDialog*>(QStringLiteral("preferences"))) {
    open->raise();
    open->activateWindow();
    return open;
  }
  auto* dialog = new QDialog(&window);
  dialog->setObjectName(QStringLiteral("preferences"));
  dialog->setAttribute(Qt::WA_DeleteOnClose);
  dialog->setWindowTitle(tr("Preferences"));
  auto* all = new QVBoxLayout(dialog);
  QVBoxLayout* column = addFittingColumn(*all);
  column->setSpacing(theme::em(0.7));
  const Preferences now = readPreferences(settings);
  auto* looks = new QFormLayout;
  looks->setHorizontalSpacing(theme::em(1));
  auto* themes = makeThemes(window, settings);
  looks->addRow(tr("&Theme"), themes);
  auto* text = makeTextSize(window, settings);
  looks->addRow(tr("Size of te&xt"), text);
  auto* motion = makeMotion(window, settings, now.reducedMotion);
  looks->addRow(tr("&Motion"), motion);
  for (QWidget* control : {static_cast<QWidget*>(themes), static_cast<QWidget*>(text), static_cast<QWidget*>(motion)})
    control->setWhatsThis(control->toolTip());
  column->addLayout(looks);
  addReopen(*column, window, settings, now.reopen);
  auto* languages = makeLanguages(settings, now.language);
  auto* title = new QLabel(tr("Lan&guage, from the next start on"));
  title->setBuddy(languages);
  languages->setToolTip(title->text().remove(QLatin1Char('&')));
  languages->setWhatsThis(languages->toolTip());
  languages->setAccessibleName(languages->toolTip());
  column->addWidget(title);
  column->addWidget(languages);
  auto* buttons = new QDialogButtonBox(QDialogButtonBox::Close);
  QObject::connect(buttons, &QDialogButtonBox::rejected, dialog, &QDialog::close);
  column->addStretch();
  all->addWidget(buttons);
  fitToScreen(*dialog, {36, 0});
  dialog->show();
  return dialog;
}

}  // namespace lab

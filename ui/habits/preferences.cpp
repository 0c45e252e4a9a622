// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/habits/preferences.h"

#include <QCheckBox>
#include <QComboBox>
#include <QDialogButtonBox>
#include <QLabel>
#include <QPushButton>
#include <QSettings>
#include <QVBoxLayout>

#include <algorithm>

#include "ui/language.h"
#include "ui/main_window.h"
#include "ui/theme.h"
#include "ui/words.h"

namespace lab {
namespace {

constexpr const char* kDark = "window/dark";
constexpr const char* kMotion = "preferences/reducedMotion";
constexpr const char* kReopen = "preferences/reopen";
constexpr const char* kLanguage = "preferences/language";

// A change counts from the next start on: widgets take their texts when they are made.
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
  preferences.dark = settings.value(QLatin1String(kDark), preferences.dark).toBool();
  preferences.reducedMotion = settings.value(QLatin1String(kMotion), preferences.reducedMotion).toBool();
  preferences.reopen = settings.value(QLatin1String(kReopen), preferences.reopen).toBool();
  preferences.language = settings.value(QLatin1String(kLanguage)).toString();
  return preferences;
}

void applyPreferences(const Preferences& preferences, MainWindow& window) {
  window.setDark(preferences.dark);
  window.playback().setReducedMotion(preferences.reducedMotion);
}

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
  auto* column = new QVBoxLayout(dialog);
  column->setContentsMargins(theme::em(1.5), theme::em(1.2), theme::em(1.5), theme::em(1.2));
  column->setSpacing(theme::em(0.7));
  const Preferences now = readPreferences(settings);
  const auto add = [&](const char* name, const char* key, const QString& text, const QString& tip, bool value) {
    auto* box = new QCheckBox(text);
    box->setObjectName(QLatin1String(name));
    box->setToolTip(tip);
    box->setWhatsThis(tip);
    box->setChecked(value);
    QObject::connect(box, &QCheckBox::toggled, dialog, [&settings, &window, key](bool on) {
      settings.setValue(QLatin1String(key), on);
      applyPreferences(readPreferences(settings), window);
    });
    column->addWidget(box);
    auto* words = new QLabel(tip);
    words->setProperty("role", QStringLiteral("quiet"));
    words->setWordWrap(true);
    words->setContentsMargins(theme::em(1.6), 0, 0, 0);
    column->addWidget(words);
  };
  add("preferDark", kDark, tr("&Dark"), tr("Light letters on a dark ground"), theme::colours().dark);
  add("preferStill", kMotion, tr("&Reduced motion"),
      tr("Single steps are shown at once, without the way there. All arrows and numbers stay"), now.reducedMotion);
  add("preferReopen", kReopen, tr("Reopen the &last session"),
      tr("At the start: the settings, the file and the runs of the last time. What is kept stays kept either way"),
      now.reopen);
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
  column->addWidget(buttons);
  dialog->setMinimumWidth(theme::em(34));
  dialog->show();
  return dialog;
}

}  // namespace lab

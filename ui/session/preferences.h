// SPDX-License-Identifier: GPL-3.0-or-later
// What a person prefers, from one start to the next. Every change is in force at once; there is nothing to confirm.
#pragma once

#include <QDialog>

#include <optional>

#include "ui/theme/theme_tables.h"

class QSettings;

namespace lab {

class MainWindow;

struct Preferences {
  std::optional<theme::Kind> theme;   // nothing: as the system
  int textPoints = 0;                 // 0: with the window
  std::optional<bool> reducedMotion;  // nothing: as the system
  bool reopen = true;                 // the last session, at the start
  QString language;                   // "": the system's. From the next start on
};
Preferences readPreferences(const QSettings& settings);
void keepTheme(QSettings& settings, std::optional<theme::Kind> theme);
void applyPreferences(const Preferences& preferences, MainWindow& window);

QDialog* showPreferences(MainWindow& window, QSettings& settings);

}  // namespace lab

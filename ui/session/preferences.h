// SPDX-License-Identifier: GPL-3.0-or-later
// The user's preferences, kept from one session to the next. Every change takes effect at once, without confirmation.
#pragma once

#include <QDialog>

#include <optional>

#include "ui/theme/theme_tables.h"

class QSettings;

namespace lab {

class MainWindow;

struct Preferences {
  std::optional<theme::Kind> theme;   // nothing: follow the system
  int textPoints = 0;                 // 0: depends on the window
  std::optional<bool> reducedMotion;  // nothing: follow the system
  bool reopen = true;                 // the last session, at program start
  QString language;                   // "": the system's. Takes effect at the next start
};
Preferences readPreferences(const QSettings& settings);
void keepTheme(QSettings& settings, std::optional<theme::Kind> theme);
void applyPreferences(const Preferences& preferences, MainWindow& window);

QDialog* showPreferences(MainWindow& window, QSettings& settings);

}  // namespace lab

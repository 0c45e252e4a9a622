// SPDX-License-Identifier: GPL-3.0-or-later
// Opens the line of controls that a new window hides behind More.
#pragma once

#include <QAction>
#include <QCoreApplication>

#include "ui/window/main_window.h"

namespace lab::test {

inline void openMore(MainWindow& window) {
  auto* more = window.findChild<QAction*>(QStringLiteral("moreControls"));
  if (!more->isChecked()) more->trigger();
  QCoreApplication::processEvents();
}

}  // namespace lab::test

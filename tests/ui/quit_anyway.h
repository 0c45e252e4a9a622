// SPDX-License-Identifier: GPL-3.0-or-later
// Closes a window that asks if something would be lost.
#pragma once

#include <QMessageBox>
#include <QPushButton>
#include <QTest>

#include "ui/window/main_window.h"

namespace lab::test {

// Closes the window and agrees that something may be lost. Returns false if the window stays open.
inline bool quitAnyway(MainWindow& window, int patienceMs) {
  if (window.close()) return true;
  auto* question = window.findChild<QMessageBox*>(QStringLiteral("askBefore"));
  if (question == nullptr) return false;
  for (QAbstractButton* button : question->buttons())
    if (question->buttonRole(button) == QMessageBox::AcceptRole) button->click();
  return QTest::qWaitFor([&window] { return !window.isVisible(); }, patienceMs);
}

}  // namespace lab::test

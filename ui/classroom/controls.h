// SPDX-License-Identifier: GPL-3.0-or-later
// The window's controls by stable names, each with all that stands for it: a setting has a field in the toolbar, one in
// Setup and keys; a tab has an entry in a menu. Files name them, so the names of objects do not change.
#pragma once

#include <QAction>
#include <QPointer>
#include <QString>
#include <QTabBar>
#include <QWidget>

#include <vector>

namespace lab {

class MainWindow;

enum class ControlState { Shown, Locked, Hidden };

struct Control {
  QString id, name;  // "replicas", "Replicas"
  QString place;     // "Settings"
  std::vector<QPointer<QAction>> actions;
  std::vector<QPointer<QWidget>> widgets;
  struct Tab {
    QPointer<QTabBar> bar;
    int index = 0;
  };
  std::vector<Tab> tabs;
};

std::vector<Control> controlsOf(MainWindow& window);
// The names of the control that is at a place of the window, or of the menu; "" for none.
QString controlAt(const std::vector<Control>& controls, QWidget* widget, const QPoint& global);

}  // namespace lab

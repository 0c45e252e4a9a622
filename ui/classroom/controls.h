// SPDX-License-Identifier: GPL-3.0-or-later
// The window's controls by stable names, each with all of its parts: a setting has a field in the toolbar, one in
// Setup, and keys; a tab has an entry in a menu. Files contain these names, so object names must not change.
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
// The name of the control at this place of the window or menu; "" for none.
QString controlAt(const std::vector<Control>& controls, QWidget* widget, const QPoint& global);

}  // namespace lab

// SPDX-License-Identifier: GPL-3.0-or-later
// Which workspace is in front: the row of tabs and the actions that choose it.
#pragma once

#include <QObject>

#include "ui/frame/window_layout.h"

class QAction;
class QMenu;
class QTabBar;
class QWidget;

namespace lab {

class Workspaces final : public QObject {
  Q_OBJECT

 public:
  explicit Workspaces(QWidget& window);  // which owns the actions

  QTabBar* makeTabs();  // once, for the window's bar
  void fillMenu(QMenu& view);

  WindowLayout current() const { return current_; }
  WindowLayout chosen() const { return chosen_; }  // ignores what a file has opened for a visit
  void choose(WindowLayout workspace);             // does nothing for a workspace that is locked or hidden
  void visit(WindowLayout workspace);              // temporarily: the next session does not begin there
  QString nameOf(WindowLayout workspace) const;

 Q_SIGNALS:
  void leaving();  // before another workspace comes to the front
  void turned();   // to another workspace

 private:
  bool isOffered(WindowLayout workspace) const;

  WindowLayout current_ = WindowLayout::Teach, chosen_ = WindowLayout::Teach;
  QTabBar* tabs_ = nullptr;
  QList<QAction*> actions_;  // in the order of kLayouts
};

}  // namespace lab

// SPDX-License-Identifier: GPL-3.0-or-later
// The window's menus, and the actions that only keys reach. The window's parts fill the menus in turn, then the
// workbench; every entry works.
#pragma once

#include <QKeySequence>
#include <QList>
#include <QObject>

class QAction;
class QMainWindow;
class QMenu;

namespace lab {

class Experiment;
class Transport;

class Menus final : public QObject {
  Q_OBJECT

 public:
  Menus(QMainWindow& window, Experiment& experiment, const Transport& transport);  // the beginning of the menus
  // The end; these have keys, too.
  void complete(const Transport& transport, QAction& compare, QAction& projector, QAction& fullScreen);

  QAction* addKeyAct(const char* name, const QString& text, const QList<QKeySequence>& keys);  // in no menu
  const QList<QAction*>& keyActions() const { return keys_; }                                  // for the sheet

  QMenu *file, *edit, *view, *run, *help;

 private:
  QMenu* add(const char* name, const QString& title);
  void fillRun(const Transport& transport);
  void addReplicas(int more);

  QMainWindow& window_;
  Experiment& experiment_;
  QAction* quit_;
  QList<QAction*> keys_;
};

}  // namespace lab

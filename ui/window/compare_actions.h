// SPDX-License-Identifier: GPL-3.0-or-later
// The actions of the menu Run that lead into Compare, or to a moment not known beforehand: compare, report, branch and
// break a value, run until a condition holds, find where the lanes begin to differ.
#pragma once

#include <QObject>

#include <functional>

class QAction;
class QMenu;
class QWidget;

namespace lab {

class Centre;
class CompareView;
class FaultMenu;
class Messages;
class RunUntil;
class SetupBar;
class Workspaces;
struct StageRun;

class CompareActions final : public QObject {
  Q_OBJECT

 public:
  // `window` owns the actions and the dialog.
  CompareActions(QWidget& window, StageRun& run, Workspaces& workspaces, Centre& centre, Messages& messages);

  void fillMenu(QMenu& run, FaultMenu& faults);
  void follow(const SetupBar& setup);  // and the kept runs' menu: what to compare with
  QAction& compareAct() const { return *compare_; }

 private:
  QAction* add(QMenu& run, const char* name, const QString& text, const QList<QKeySequence>& keys,
               const std::function<void()>& act);
  CompareView* open();  // null where Compare is locked
  void fillBranches(QMenu& run, FaultMenu& faults);
  void fillSearches(QMenu& run);
  void openRunUntil();

  QWidget& window_;
  StageRun& run_;
  Workspaces& workspaces_;
  Centre& centre_;
  QAction* compare_ = nullptr;
  RunUntil* until_;
};

}  // namespace lab

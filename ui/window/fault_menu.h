// SPDX-License-Identifier: GPL-3.0-or-later
// The menu of faults, opened from the menu Run for all tasks, and on the stage for the task pointed at. The shown run
// becomes the branch in which the fault happens; undo goes back to before it.
#pragma once

#include <QObject>

#include <optional>
#include <vector>

#include "core/config/run_info.h"
#include "core/trace/run_fault.h"
#include "ui/branches/branches.h"
#include "ui/step/selection.h"

class QAction;
class QMenu;
class QPoint;

namespace lab {

class Announcer;
class Lane;
class MainWindow;

class FaultMenu final : public QObject {
  Q_OBJECT

 public:
  FaultMenu(MainWindow& window, Announcer& announcer);  // the window owns this object

  QAction* makeAction();  // of the menu Run, once
  void refreshAction();
  void open(const Object& object, const QPoint& at);  // {}: for all tasks; in Compare, for the focused lane
  void killProcess(int worker);
  void showFault();  // once the run in which it happens is there
  void forget() { struck_.reset(); }

 Q_SIGNALS:
  void said(const QString& text);
  void struck(const QString& words);  // the fault is shown, and the movie stands there

 private:
  Lane* shownLane() const;
  void offerResume(QMenu& menu, const RunInfo& info);
  std::vector<FaultOffer> offersNow(const Lane* lane) const;  // null: for the window's run
  void strike(const FaultOffer& chosen, const Lane* lane);

  MainWindow& window_;
  Announcer& announcer_;
  QAction* action_ = nullptr;
  std::optional<RunFault> struck_;  // in the run being prepared: shown as soon as the run is there
};

}  // namespace lab

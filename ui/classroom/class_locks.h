// SPDX-License-Identifier: GPL-3.0-or-later
// What a teacher has hidden or locked, held in the window: menus and their entries, panels, tabs, workspaces, settings,
// whatever has a name. It belongs to the experiment, not to a person's preferences, and goes with it; every change can
// be undone while it is arranged; keys bring all back, and nothing else does: what is opened meanwhile keeps them,
// unless it has locks of its own. A help against distraction, not a protection.
#pragma once

#include <QObject>
#include <QPointer>
#include <QStringList>

#include <memory>
#include <vector>

#include "core/files/control_locks.h"
#include "ui/classroom/control_hold.h"
#include "ui/classroom/controls.h"

class QMenu;
class QUndoStack;

namespace lab {

class MainWindow;

class ClassLocks final : public QObject {
  Q_OBJECT

 public:
  ClassLocks(MainWindow& window, QUndoStack& undo, QObject* parent = nullptr);
  ~ClassLocks() override;

  const ControlLocks& locks() const { return locks_; }
  QStringList take(const ControlLocks& locks);  // a file's. Returns the names that are not known here
  ControlState stateOf(const QString& id) const;
  void set(const QStringList& ids, ControlState state);  // can be undone
  void lift(bool lifted);                                // all is there for the time being; the file keeps its locks
  bool isLifted() const { return lifted_; }
  bool isInForce() const { return !lifted_ && !locks_.empty(); }
  std::vector<Control> controls() const;     // all that there are
  bool isArranging() const;                  // the teacher is at it: what is locked may be undone
  QString refusal(const QString& id) const;  // why the control cannot be used; "" for one that can
  void holdMenu(QMenu& menu);                // one that is made when it is asked for
  QString keys() const;                      // that bring all back

 Q_SIGNALS:
  void changed();
  void refused(const QString& sentence);  // what was done before the locks cannot be undone past them

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  friend class LockCommand;
  void put(const ControlLocks& locks);
  void apply();
  bool isTakenBack(const ControlLocks& to);  // by undo and redo
  QString why() const;
  QString nameOf(const QString& id) const;

  MainWindow& window_;
  QUndoStack& undo_;
  ControlLocks locks_;
  bool lifted_ = false, pending_ = false;
  std::vector<std::unique_ptr<ControlHold>> holds_;
  std::vector<std::unique_ptr<ControlHold>> menuHolds_;  // of what menus have beside the controls
  QByteArray panelsBefore_;                              // as a person has them, without what is hidden
};

}  // namespace lab

// SPDX-License-Identifier: GPL-3.0-or-later
// Applies what a teacher has hidden or locked to the window: menus and their entries, panels, tabs, workspaces,
// settings, whatever has a name. The locks belong to the experiment, not to the user's preferences. Changes can be
// undone while the teacher arranges them. Keys bring everything back, and nothing else does: an experiment opened
// meanwhile keeps the locks, unless it has its own. A help against distraction, not a protection.
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
  QStringList take(const ControlLocks& locks);  // from a file. Returns unknown names
  ControlState stateOf(const QString& id) const;
  void set(const QStringList& ids, ControlState state);  // can be undone
  void lift(bool lifted);                                // temporarily shows everything; the file keeps its locks
  bool isLifted() const { return lifted_; }
  bool isInForce() const { return !lifted_ && !locks_.empty(); }
  std::vector<Control> controls() const;     // all existing controls
  bool isArranging() const;                  // a teacher is arranging: locks can be undone
  QString refusal(const QString& id) const;  // why the control cannot be used; "" if it can
  void holdMenu(QMenu& menu);                // for a menu that is made on request
  QString keys() const;                      // the keys that bring everything back

 Q_SIGNALS:
  void changed();
  void refused(const QString& sentence);  // acts before the locks cannot be undone past them

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  friend class LockCommand;
  void put(const ControlLocks& locks);
  void apply();
  bool isTakenBack(const ControlLocks& to);  // by undo or redo
  QString why() const;
  QString nameOf(const QString& id) const;

  MainWindow& window_;
  QUndoStack& undo_;
  ControlLocks locks_;
  bool lifted_ = false, pending_ = false;
  std::vector<std::unique_ptr<ControlHold>> holds_;
  std::vector<std::unique_ptr<ControlHold>> menuHolds_;  // for menu entries other than the controls
  QByteArray panelsBefore_;                              // the user's arrangement, without what is hidden
};

}  // namespace lab

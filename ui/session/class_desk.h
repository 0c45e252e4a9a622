// SPDX-License-Identifier: GPL-3.0-or-later
// What the menus have for whoever shows the program to a class: the link as a code, what is hidden or locked.
#pragma once

#include <QObject>

namespace lab {

class ClassLocks;
class DeskParts;
struct SharedExperiment;

class ClassDesk final : public QObject {
  Q_OBJECT

 public:
  explicit ClassDesk(DeskParts& desk);  // behind what the menu View has

  ClassLocks& locks() { return *locks_; }
  QString link() const;           // of the experiment, with what it hides and locks. UserError where it is too long
  bool mayDrop(const char* act);  // false: its action is locked, which is said

 private:
  SharedExperiment shared() const;
  void takeLocks();

  DeskParts& desk_;
  ClassLocks* locks_;
};

}  // namespace lab

// SPDX-License-Identifier: GPL-3.0-or-later
// The menu actions for a teacher in front of a class: the link as a code, and what is hidden or locked.
#pragma once

#include <QObject>

namespace lab {

class ClassLocks;
class DeskParts;
struct SharedExperiment;

class ClassDesk final : public QObject {
  Q_OBJECT

 public:
  explicit ClassDesk(DeskParts& desk);  // adds its actions at the end of the menu View

  ClassLocks& locks() { return *locks_; }

 private:
  SharedExperiment shared() const;
  void takeLocks();

  DeskParts& desk_;
  ClassLocks* locks_;
};

}  // namespace lab

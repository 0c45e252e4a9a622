// SPDX-License-Identifier: GPL-3.0-or-later
// The robot's folder of files: what it saves, what it opens again, and names of what is not there or is no such file.
#pragma once

#include <QDir>
#include <QString>

#include "tests/ui/robot/chance.h"

namespace lab::robot {

class Papers {
 public:
  Papers(const QString& folder, Chance& chance);

  QString toSave();    // one of a few names, so that the folder stays small
  QString toOpen();    // what was saved, or what cannot be opened
  QString toEnter();   // a folder
  QString anyWords();  // what nobody would type into a field, and what somebody may

 private:
  QDir folder_;
  Chance& chance_;
};

}  // namespace lab::robot

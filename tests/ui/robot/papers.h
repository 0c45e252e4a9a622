// SPDX-License-Identifier: GPL-3.0-or-later
// The robot's folder of files: what it saves and opens again, and names of files that are missing or invalid.
#pragma once

#include <QDir>
#include <QString>

#include "tests/ui/robot/chance.h"

namespace lab::robot {

class Papers {
 public:
  Papers(const QString& folder, Chance& chance);

  QString toSave();    // one of a few names, so that the folder stays small
  QString toOpen();    // a saved file, or one that cannot be opened
  QString toEnter();   // a folder
  QString anyWords();  // text that no user would type into a field, or one that a user may

 private:
  QDir folder_;
  Chance& chance_;
};

}  // namespace lab::robot

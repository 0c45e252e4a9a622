// SPDX-License-Identifier: GPL-3.0-or-later
// Leaves nothing that asks hanging: menus and lists that are open, dialogs of files, questions; and what waits in an
// event loop of its own, such as Qt's question whether a file is to be overwritten, or a drag.
#pragma once

#include <QElapsedTimer>
#include <QPointer>
#include <QTimer>

#include "tests/ui/robot/hands.h"

class QFileDialog;
class QMenu;

namespace lab::robot {

class Answers {
 public:
  Answers(Chance& chance, Journal& journal, Papers& papers, Hands& hands, std::uint64_t seed);

  bool answer();    // true where something asked; else nothing is done
  void closeAll();  // but for the windows that are no dialogs
  void actBegins() { acting_.start(); }
  void actEnds() { acting_.invalidate(); }

 private:
  void answerPopup(QWidget& popup);
  void answerMenu(QMenu& menu);
  void answerFiles(QFileDialog& dialog);
  void answerDialog(QWidget& dialog);
  void rescue();

  Chance& chance_;
  Journal& journal_;
  Papers& papers_;
  Hands& hands_;
  Chance nested_;  // of its own: how often it is asked depends on time
  QTimer timer_;
  QElapsedTimer acting_;
  QPointer<QWidget> asks_;  // since when
  int turns_ = 0;
};

}  // namespace lab::robot

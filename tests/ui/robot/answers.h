// SPDX-License-Identifier: GPL-3.0-or-later
// Closes everything that waits for an answer: open menus and lists, file dialogs, questions; and whatever runs an event
// loop of its own, such as Qt's question whether to overwrite a file, or a drag.
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

  bool answer();    // returns true if something asked; otherwise does nothing
  void closeAll();  // except windows that are no dialogs
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
  Chance nested_;  // separate, because how often it is asked depends on time
  QTimer timer_;
  QElapsedTimer acting_;
  QPointer<QWidget> asks_;  // the widget that asks
  int turns_ = 0;
};

}  // namespace lab::robot

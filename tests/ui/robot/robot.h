// SPDX-License-Identifier: GPL-3.0-or-later
// Uses the window as a class in fast motion would: each act() is one event, chosen by chance among all that there is.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "tests/ui/robot/answers.h"
#include "tests/ui/robot/life.h"

namespace lab::robot {

class Robot {
 public:
  // `folder`: all that is written stands in it.
  Robot(const QString& folder, std::uint64_t seed, Journal& journal);

  int act();  // one event; how many ms it then only watches
  Life& life() { return *life_; }
  bool tidy();  // Life's, with no dialog left

 private:
  struct Act;
  static std::span<const Act> acts();

  void actByChance();
  void restart();
  void choose();  // of the palette
  void pointOnStage();
  void point();
  void press();
  void fill();
  void push();
  void set();    // a setting, as form and palette do
  void look();   // theme, letters, motion, size
  void visit();  // a workspace or a tab
  void play();
  void lane();
  void openFile();
  void drop();
  void lesson();
  void undo();
  void watch();
  void checkWords();
  void checkFocus();
  QWidget& root();  // the window, or another that is open beside it

  Chance chance_;
  Journal& journal_;
  QString folder_;
  Papers papers_;
  Hands hands_;
  Answers answers_;
  std::unique_ptr<Life> life_;
  int restMs_ = 0;
  bool focusBroken_ = false;  // said once a life
};

}  // namespace lab::robot

// SPDX-License-Identifier: GPL-3.0-or-later
// Uses the window like a class in fast motion: each act() is one event, drawn at random from all possible ones.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "tests/ui/robot/answers.h"
#include "tests/ui/robot/life.h"

namespace lab::robot {

class Robot {
 public:
  // `folder`: contains all written files.
  Robot(const QString& folder, std::uint64_t seed, Journal& journal);

  int act();  // does one event; returns how many ms to watch afterwards
  Life& life() { return *life_; }
  bool tidy();  // as Life::tidy(), with no dialog left

 private:
  struct Act;
  static std::span<const Act> acts();

  void actByChance();
  void restart();
  void choose();  // chooses from the palette
  void pointOnStage();
  void point();
  void press();
  void fill();
  void leaveField();  // types, and clicks elsewhere
  void push();
  void set();    // changes a setting, as form and palette do
  void look();   // changes theme, letters, motion, size
  void visit();  // goes to a workspace or a tab
  void play();
  void lane();
  void closeLane();  // by its button, where only one of four lanes has room for a stage
  void openFile();
  void drop();
  void lesson();
  void undo();
  void watch();
  void checkWords();
  void checkFocus();
  QWidget& root();  // the window, or another open one beside it

  Chance chance_;
  Journal& journal_;
  QString folder_;
  Papers papers_;
  Hands hands_;
  Answers answers_;
  std::unique_ptr<Life> life_;
  int restMs_ = 0;
  bool focusBroken_ = false;  // reported once per life
};

}  // namespace lab::robot

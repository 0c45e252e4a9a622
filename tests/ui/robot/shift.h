// SPDX-License-Identifier: GPL-3.0-or-later
// The robot's time at the window: events as fast as the window takes them, and now and then a check of memory and
// frames, each in the same state of the window.
#pragma once

#include <QElapsedTimer>
#include <QTimer>

#include "tests/ui/robot/hang_watch.h"
#include "tests/ui/robot/memory.h"
#include "tests/ui/robot/robot.h"

namespace lab::robot {

class Shift {
 public:
  struct Wishes {
    std::int64_t events = 0;  // 0: until the time is over
    double minutes = 0;       // 0: until the events are done
    double checkS = 60;       // between checks
    double sceneS = 3;        // seconds of the movie played to measure frames
    double growthMb = 48;     // the largest growth allowed after the first ten minutes
    int hangS = 60;
  };
  Shift(Robot& robot, Journal& journal, const Wishes& wishes);

  bool isOver() const { return over_; }
  int judge();  // returns the exit code, and prints the reasons

 private:
  void turn();
  bool isDone() const;
  void beginCheck();
  void tidyUp();
  void check();
  bool hasGrown();  // prints a message if so

  Robot& robot_;
  Journal& journal_;
  const Wishes wishes_;
  HangWatch hang_;
  QTimer timer_;
  QElapsedTimer since_, sinceCheck_, settling_;
  bool turning_ = false, checking_ = false, tidied_ = false, over_ = false, grown_ = false;
  std::vector<Memory> checks_;
};

}  // namespace lab::robot

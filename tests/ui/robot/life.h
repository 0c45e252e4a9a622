// SPDX-License-Identifier: GPL-3.0-or-later
// The window as the program makes it, from one start to its end, in a home that the next life uses again.
#pragma once

#include <QSettings>

#include "tests/bench/window_bench.h"
#include "ui/session/workbench.h"

namespace lab::robot {

class Life {
 public:
  // `home` contains settings and session.
  explicit Life(const QString& home);
  ~Life();  // closes the window as a signal would: nothing is asked
  Life(const Life&) = delete;
  Life& operator=(const Life&) = delete;

  MainWindow& window() { return desk_.window; }
  Workbench& workbench() { return workbench_; }
  bool isOver() const { return !desk_.window.isVisible(); }

  // Puts away everything that a user can put away, so that a measurement sees only what remains: no lanes, no kept
  // runs, the initial panels, sizes and looks, a new small experiment.
  bool tidy();    // returns false if a class that is about to end prevents it
  bool isTidy();  // nothing trains, and the first picture is there

  struct Frames {
    double medianMs = 0, p99Ms = 0;  // times between two frames
    double processorMs = 0;          // of the window's thread, per frame
  };
  Frames playScene(double seconds);  // plays the same scene each time; the window must be tidy

 private:
  static bench::Options options();

  QSettings settings_;
  bench::Desk desk_;
  Workbench workbench_;
};

}  // namespace lab::robot

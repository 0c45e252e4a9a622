// SPDX-License-Identifier: GPL-3.0-or-later
// The window as the program makes it, from one start to its end, in a home that the next one finds again.
#pragma once

#include <QSettings>

#include "tests/bench/window_bench.h"
#include "ui/session/workbench.h"

namespace lab::robot {

class Life {
 public:
  // `home` has settings and session.
  explicit Life(const QString& home);
  ~Life();  // closed as by a signal: nothing is asked
  Life(const Life&) = delete;
  Life& operator=(const Life&) = delete;

  MainWindow& window() { return desk_.window; }
  Workbench& workbench() { return workbench_; }
  bool isOver() const { return !desk_.window.isVisible(); }

  // All that a person can put away is put away, so that what is measured is what is left: no lanes, no kept runs, the
  // panels, sizes and looks of the start, a new small experiment.
  bool tidy();    // false: a class is about to end, which keeps all else from it
  bool isTidy();  // nothing trains, the first picture is there

  struct Frames {
    double medianMs = 0, p99Ms = 0;  // between two frames
    double processorMs = 0;          // of the window's thread, for one
  };
  Frames playScene(double seconds);  // the same each time; the window is tidy

 private:
  static bench::Options options();

  QSettings settings_;
  bench::Desk desk_;
  Workbench workbench_;
};

}  // namespace lab::robot

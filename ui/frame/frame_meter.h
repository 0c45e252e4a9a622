// SPDX-License-Identifier: GPL-3.0-or-later
// How smoothly the window itself runs: a timer ticks once per frame, and its lateness is that of the event loop. Runs
// only while something moves, so that a paused window costs nothing.
#pragma once

#include <QElapsedTimer>
#include <QObject>
#include <QTimer>

#include <vector>

namespace lab {

class FrameMeter final : public QObject {
  Q_OBJECT

 public:
  explicit FrameMeter(QObject* parent = nullptr);

  void setRunning(bool running);

  struct Figures {
    double framesPerSecond = 0;  // from the median interval
    double worstMs = 0;          // over the last two seconds
  };
  // 0 and 0 while nothing moves.
  Figures figures() const;

 private:
  void tick();

  QTimer timer_;
  QElapsedTimer since_;
  std::vector<double> intervalsMs_;  // a ring buffer of the latest intervals
  std::size_t next_ = 0;
};

}  // namespace lab

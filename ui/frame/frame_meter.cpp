// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/frame/frame_meter.h"

#include <algorithm>

namespace lab {
namespace {

constexpr int kFrameMs = 16;
constexpr std::size_t kRemembered = 120;  // two seconds

}  // namespace

FrameMeter::FrameMeter(QObject* parent) : QObject(parent) {
  timer_.setTimerType(Qt::PreciseTimer);
  timer_.setInterval(kFrameMs);
  connect(&timer_, &QTimer::timeout, this, &FrameMeter::tick);
}

void FrameMeter::setRunning(bool running) {
  if (running == timer_.isActive()) return;
  intervalsMs_.clear();
  next_ = 0;
  if (running) {
    since_.start();
    timer_.start();
  } else {
    timer_.stop();
  }
}

void FrameMeter::tick() {
  const double ms = static_cast<double>(since_.nsecsElapsed()) / 1e6;
  since_.restart();
  if (intervalsMs_.size() < kRemembered) {
    intervalsMs_.push_back(ms);
  } else {
    intervalsMs_[next_++ % kRemembered] = ms;
  }
}

FrameMeter::Figures FrameMeter::figures() const {
  if (intervalsMs_.size() < 2) return {};
  std::vector<double> sorted = intervalsMs_;
  std::ranges::sort(sorted);
  const double median = sorted[sorted.size() / 2];
  return {median > 0 ? std::min(1000 / median, 1000.0 / kFrameMs) : 0, sorted.back()};
}

}  // namespace lab

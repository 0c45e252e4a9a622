// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/experiments/sweep_limit.h"

#include <algorithm>
#include <utility>

namespace lab {
namespace {

constexpr double kBegins = 5.0 / 6;    // of the time: 50 seconds of a minute
constexpr double kTrains = 29.0 / 30;  // 58 seconds of a minute; the rest is for reading and drawing
constexpr double kMeasured = 1.0 / 60;
// The share of its epochs that a run with a target is expected to take: the classroom's runs take this much or less.
constexpr double kUsualShare = 0.25;

}  // namespace

SweepLimit::SweepLimit(double seconds, const std::vector<const SweepCell*>& cells, TimeSource clock)
    : seconds_(seconds), clock_(std::move(clock)), beginNs_(clock_()) {
  for (const SweepCell* cell : cells) {
    stepWork_.push_back(stepWorkOf(*cell));
    work_.push_back(workOf(*cell) * (cell->target.until ? kUsualShare : 1));
  }
}

std::int64_t SweepLimit::elapsedNs() const {
  return (pausedNs_ >= 0 ? pausedNs_ : clock_()) - beginNs_;
}

bool SweepLimit::mayBegin(std::size_t number) {
  const std::lock_guard lock(mutex_);
  if (static_cast<double>(elapsedNs()) >= kBegins * seconds_ * 1e9) return false;
  begun_ = std::max(begun_, number + 1);
  return true;
}

bool SweepLimit::mayGoOn(std::size_t number) {
  const std::lock_guard lock(mutex_);
  const std::int64_t now = elapsedNs();
  if (firstStepNs_ < 0) firstStepNs_ = now;
  done_ += stepWork_[number];
  return static_cast<double>(now) < kTrains * seconds_ * 1e9;
}

void SweepLimit::pause() {
  const std::lock_guard lock(mutex_);
  if (pausedNs_ < 0) pausedNs_ = clock_();
}

void SweepLimit::resume() {
  const std::lock_guard lock(mutex_);
  if (pausedNs_ < 0) return;
  beginNs_ += clock_() - pausedNs_;
  pausedNs_ = -1;
}

// Counts all running cells, so the estimate includes the effect of parallel runs and of the computer's other work.
std::size_t SweepLimit::planned() const {
  const std::lock_guard lock(mutex_);
  const double trained = static_cast<double>(elapsedNs() - firstStepNs_) / 1e9;
  if (firstStepNs_ < 0 || trained < kMeasured * seconds_) return work_.size();
  double room = done_ / trained * (kBegins * seconds_ - static_cast<double>(firstStepNs_) / 1e9);
  std::size_t fit = 0;
  while (fit < work_.size() && room > 0) room -= work_[fit++];
  return std::max(fit, begun_);
}

double SweepLimit::secondsLeft() const {
  const std::lock_guard lock(mutex_);
  return std::max(0.0, kTrains * seconds_ - static_cast<double>(elapsedNs()) / 1e9);
}

}  // namespace lab

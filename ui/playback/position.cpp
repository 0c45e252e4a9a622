// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/playback/position.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace lab {
namespace {

constexpr double kSameS = 1e-6;
constexpr std::size_t kStoriesKept = 8;

double along(double fraction, double from, double to) {
  return from + fraction * (to - from);
}
double fractionOf(double at, double from, double to) {
  return to > from ? std::clamp((at - from) / (to - from), 0.0, 1.0) : 1.0;
}

// The moment of `to` that shows what `from` shows at `seconds`: the same beat, as far into its hold or motion.
double sameBeat(const Story& from, double seconds, const Story& to) {
  if (from.beats.size() != to.beats.size() || from.beats.empty()) return to.secondsAt(from.clockAt(seconds));
  const std::size_t index = from.beatAt(seconds);
  const Beat& a = from.beats[index];
  const Beat& b = to.beats[index];
  if (seconds < a.motionS) return along(fractionOf(seconds, a.beginS, a.motionS), b.beginS, b.motionS);
  return along(fractionOf(seconds, a.motionS, a.endS), b.motionS, b.endS);
}

}  // namespace

bool sameMoment(double a, double b) {
  return std::abs(a - b) < kSameS;
}

Position::Position(StoryOf storyOf) : storyOf_(std::move(storyOf)), story_(std::make_shared<const Story>()) {}

void Position::clear() {
  record_.reset();
  story_ = std::make_shared<const Story>();
  seconds_ = 0;
  glide_.reset();
  made_.clear();
}

void Position::show(const RunInfo& info, std::shared_ptr<const StepRecord> record) {
  glide_.reset();
  record_ = std::move(record);
  story_ = storyOf(info, record_);
  seconds_ = 0;
}

void Position::setPace(const RunInfo* info, Pace pace) {
  if (pace == pace_) return;
  pace_ = pace;
  if (!record_ || !info) return;
  const std::shared_ptr<const Story> before = std::exchange(story_, storyOf(*info, record_));
  glide_.reset();
  moveTo(sameBeat(*before, seconds_, *story_));
}

void Position::moveTo(double seconds) {
  seconds_ = std::clamp(seconds, 0.0, story_->seconds);
}

void Position::glideTo(double seconds, double duration) {
  glide_ = Glide{seconds_, seconds, 0, duration};
  if (duration <= 0) completeGlide();
}

void Position::advanceGlide(double seconds) {
  if (!glide_) return;
  glide_->elapsed += seconds;
  if (glide_->elapsed >= glide_->duration) return completeGlide();
  moveTo(along(glide_->elapsed / glide_->duration, glide_->from, glide_->to));
}

void Position::completeGlide() {
  if (!glide_) return;
  moveTo(glide_->to);
  glide_.reset();
}

std::shared_ptr<const Story> Position::storyOf(const RunInfo& info, const std::shared_ptr<const StepRecord>& record) {
  const auto known = std::find_if(made_.begin(), made_.end(),
                                  [&](const Made& made) { return made.pace == pace_ && made.record.lock() == record; });
  if (known != made_.end()) {
    std::rotate(known, known + 1, made_.end());
  } else {
    if (made_.size() == kStoriesKept) made_.erase(made_.begin());
    made_.push_back({record, pace_, std::make_shared<const Story>(storyOf_(info, *record, pace_))});
  }
  return made_.back().story;
}

}  // namespace lab

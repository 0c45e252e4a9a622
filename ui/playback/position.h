// SPDX-License-Identifier: GPL-3.0-or-later
// Which moment of which record is shown, and the motion to another moment of it. Stories are made once per record and
// pace; a change of pace does not change the picture.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "core/trace/step_record.h"
#include "core/training/trainer.h"
#include "ui/playback/story.h"

namespace lab {

using StoryOf = std::function<Story(const RunInfo&, const StepRecord&, Pace)>;

// True if two moments are equal except for rounding.
bool sameMoment(double a, double b);

class Position {
 public:
  explicit Position(StoryOf storyOf);

  const std::shared_ptr<const StepRecord>& record() const { return record_; }
  const Story& story() const { return *story_; }
  double seconds() const { return seconds_; }
  std::int64_t step() const { return record_ ? record_->metric.step : 0; }
  bool atEnd() const { return sameMoment(seconds_, story_->seconds); }

  void clear();
  void show(const RunInfo& info, std::shared_ptr<const StepRecord> record);  // at the record's beginning
  void setPace(const RunInfo* info, Pace pace);  // does not change the picture; `info` may be null while nothing is
                                                 // shown
  void moveTo(double seconds);                   // clamped to the story

  // Moves within the story in `duration` seconds of real time; 0 moves at once.
  void glideTo(double seconds, double duration);
  bool isGliding() const { return glide_.has_value(); }
  void advanceGlide(double seconds);
  void completeGlide();

 private:
  struct Glide {
    double from = 0, to = 0, elapsed = 0, duration = 0;
  };
  // A story already made. Its record may be gone: it is not kept alive for the story's sake.
  struct Made {
    std::weak_ptr<const StepRecord> record;
    Pace pace;
    std::shared_ptr<const Story> story;
  };

  std::shared_ptr<const Story> storyOf(const RunInfo& info, const std::shared_ptr<const StepRecord>& record);

  StoryOf storyOf_;
  Pace pace_ = Pace::Story;
  std::shared_ptr<const StepRecord> record_;
  std::shared_ptr<const Story> story_;  // never null
  double seconds_ = 0;
  std::optional<Glide> glide_;
  std::vector<Made> made_;  // the latest last
};

}  // namespace lab

// SPDX-License-Identifier: GPL-3.0-or-later
// The pictures of a movie: the stage at any second of a step's story, in any size and theme, independent of the window.
// The same second gives the same picture. UI thread, because themes are global.
#pragma once

#include <QFont>
#include <QImage>
#include <QSize>

#include <memory>
#include <vector>

#include "ui/playback/story.h"
#include "ui/stage/stage_canvas.h"
#include "ui/theme/theme_tables.h"

namespace lab {

class Playback;
class RunController;

// What is filmed; it does not change, whatever the run does meanwhile.
struct MovieStep {
  std::shared_ptr<const RunInfo> info;
  std::shared_ptr<const StepRecord> record;
  Story story;
  std::vector<std::int64_t> stalenessCounts;
};
// The step on the stage; without a record if there is none.
MovieStep stepOnStage(const RunController& controller, const Playback& playback);

struct Stretch {
  double beginS = 0, endS = 0;  // seconds of the story

  int frames(int framesPerSecond) const;  // at least one; frame k shows the second beginS + k / framesPerSecond
};

class MovieFrames {
 public:
  MovieFrames(MovieStep step, QSize size, theme::Kind theme, const QFont& font);
  ~MovieFrames();

  QImage at(double seconds);

 private:
  MovieStep step_;
  QSize size_;
  theme::Kind theme_;
  QFont font_;
  StepIndex index_;
  StageLayout layout_;
  StageCanvas canvas_;
};

}  // namespace lab

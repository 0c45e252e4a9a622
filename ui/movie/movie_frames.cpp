// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/movie/movie_frames.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "ui/playback/playback.h"
#include "ui/runview/run_controller.h"
#include "ui/runview/run_summary.h"
#include "ui/theme/dressed.h"

namespace lab {
MovieStep stepOnStage(const RunController& controller, const Playback& playback) {
  MovieStep step{controller.sharedInfo(), playback.record(), playback.story(), {}};
  if (!step.info || !step.record || step.story.beats.empty()) return {};
  for (const StepMetric& metric : controller.steps()) {
    if (metric.step > step.record->metric.step) break;
    countStaleness(metric, step.stalenessCounts);
  }
  return step;
}

int Stretch::frames(int framesPerSecond) const {
  return std::max(1, static_cast<int>(std::lround((endS - beginS) * framesPerSecond)));
}

MovieFrames::MovieFrames(MovieStep step, QSize size, theme::Kind theme, const QFont& font)
    : step_(std::move(step)), size_(size), theme_(theme), font_(font), index_(step_.info, step_.record) {
  const theme::Dressed dressed(theme_, size_.height());
  const double least = theme_ == theme::Kind::Projector ? theme::textSize() : 0;
  layout_ = layoutStage(*step_.info, size_, least);
  font_.setPixelSize(theme::textSize());
}

MovieFrames::~MovieFrames() = default;

QImage MovieFrames::at(double seconds) {
  const theme::Dressed dressed(theme_, size_.height());
  canvas_.paint(makeScene({index_, layout_, step_.story, seconds, step_.stalenessCounts}),
                {.size = size_,
                 .ratio = 1,
                 .font = font_,
                 .ground = theme::colours().stage,
                 .theme = theme_,
                 .data = step_.info->data.get(),
                 .marked = {}});
  return canvas_.image().copy();
}

}  // namespace lab

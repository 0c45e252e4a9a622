// SPDX-License-Identifier: GPL-3.0-or-later
// A playback clock over a fake run, with time that the test advances.
#pragma once

#include <algorithm>
#include <cmath>

#include "tests/ui/record_double.h"
#include "ui/playback/playback.h"

namespace lab::test {

using Mode = Playback::Mode;
using Unit = Playback::Unit;

inline constexpr double kFrame = 0.016;
inline constexpr double kStoryS = 8, kPlayS = 4;  // of shortStory
inline constexpr Mode kModes[] = {Mode::Story, Mode::Play, Mode::Live, Mode::Fast, Mode::Express};
inline constexpr Unit kUnits[] = {Unit::Transfer, Unit::Phase, Unit::Step, Unit::Epoch};

// Paused at the beginning of step 1 unless `steps` says that more steps have been trained.
struct PlaybackFixture {
  RecordDouble run;
  Playback playback{run, nullptr, shortStory};

  explicit PlaybackFixture(std::int64_t steps = 1) {
    run.train();
    for (std::int64_t step = 2; step <= steps; ++step) {
      run.live = step;
      run.arrive(step);
    }
    run.trainedFor.clear();
    playback.advance(0);
  }
  // Advances the time frame by frame, and serves the run after each frame.
  void pass(double seconds, bool serve = true) {
    for (; seconds > 1e-9; seconds -= kFrame) {
      playback.advance(std::min(seconds, kFrame));
      if (serve) run.serve();
    }
  }
  void settle() {
    for (int i = 0; i < 2000 && playback.isMoving(); ++i) pass(kFrame);
  }
  // Jumps to this moment and recomputes what is needed.
  void go(std::int64_t step, double seconds) {
    playback.seek(step, seconds);
    run.recompute();
    playback.advance(0);
  }
  bool at(std::int64_t step, double seconds) const {
    if (playback.step() == step && playback.story().step == step && std::abs(playback.seconds() - seconds) < 1e-6)
      return true;
    qWarning("at step %lld, %g s", static_cast<long long>(playback.step()), playback.seconds());
    return false;
  }
};

}  // namespace lab::test

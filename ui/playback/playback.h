// SPDX-License-Identifier: GPL-3.0-or-later
// The playback clock: which step is shown and which moment of its story. It runs on its own timer times the speed,
// never on the arrival of training results, and decides when the run is asked for its next step. Views read it and
// repaint on changed(); acting while paused never resumes.
#pragma once

#include <QElapsedTimer>
#include <QObject>
#include <QTimer>

#include <cstdint>
#include <memory>
#include <optional>

#include "core/trace/step_record.h"
#include "ui/playback/story.h"

namespace lab {

class RunController;

class Playback final : public QObject {
  Q_OBJECT

 public:
  enum class Mode {
    Story,    // every step, with holds for reading; training waits for the movie
    Play,     // every step, without holds; training waits for the movie
    Live,     // training runs on; the movie shows every k-th step
    Fast,     // training runs on; no motion, the latest step's end
    Express,  // training at full speed; the stage stands still, charts once a second
  };
  enum class Unit { Message, Phase, Step, Epoch };

  explicit Playback(RunController& controller, QObject* parent = nullptr);
  ~Playback() override;

  // ---- what views draw
  const std::shared_ptr<const StepRecord>& record() const;  // null: nothing to show yet
  const Story& story() const;                               // of record(); without beats while there is none
  double seconds() const;                                   // movie time within the story
  std::int64_t step() const;                                // of record(), 0 where there is none
  std::int64_t liveStep() const;                            // how far training is
  bool isPlaying() const;
  bool isMoving() const;              // playing, or on the way to where a single step leads
  bool isRecomputing() const;         // an older step is being recomputed; record() is still the one before
  std::int64_t sampledEvery() const;  // k of "1 of k" in Live: steps between the last two shown; 1 elsewhere
  Mode mode() const;
  Unit unit() const;
  double speed() const;  // movie seconds per second, before the mode's own

  // ---- acts
  void play();
  void pause();
  void toggle();
  void stepForward(Unit unit);  // to the next boundary, animated within a second; stays paused
  void stepBack(Unit unit);
  void seek(std::int64_t step, double seconds);  // scrubbing: at once
  void home();                                   // the first step's beginning
  void end();                                    // as far as training is
  void setMode(Mode mode);
  void setUnit(Unit unit);
  void setSpeed(double speed);          // 0.05 to 16
  void setReducedMotion(bool reduced);  // steps are not animated

 Q_SIGNALS:
  void changed();  // what is drawn has changed; at most once a frame
  void acted();    // playing, mode, unit or speed has changed

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace lab

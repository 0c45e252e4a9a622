// SPDX-License-Identifier: GPL-3.0-or-later
// The playback clock: which step is shown and which moment of its story. It runs on its own timer times the speed,
// never on the arrival of training results, and decides when the run is asked for its next step. Views read the clock
// and repaint on changed(); acts while paused never resume playing.
// From its construction on, Playback holds the run: a new run is stopped after its first step, so that there is a
// complete picture to begin with, unless the movie was playing.
#pragma once

#include <QObject>

#include <cstdint>
#include <functional>
#include <memory>

#include "core/trace/step_record.h"
#include "ui/playback/position.h"
#include "ui/playback/story.h"

namespace lab {

class RecordSource;

class Playback final : public QObject {
  Q_OBJECT

 public:
  enum class Mode {
    Story,    // every step, with holds for reading; training waits for the movie
    Play,     // every step, without holds; training waits for the movie. Above 3 steps a second, every k-th
    Live,     // training runs on; the movie shows every k-th step
    Fast,     // training runs on; no motion, the latest step's end
    Express,  // training at full speed; the stage stands still, charts once a second
  };
  enum class Unit { Transfer, Phase, Step, Epoch };
  enum class Limit { Beginning, End };

  // `source`, a RunController, must outlive this.
  explicit Playback(RecordSource& source, QObject* parent = nullptr, StoryOf storyOf = makeStory);
  ~Playback() override;

  // ---- what views draw
  const std::shared_ptr<const StepRecord>& record() const;  // null: nothing to show yet
  const Story& story() const;                               // of record(); without beats while there is none
  double seconds() const;                                   // movie time within the story
  std::int64_t step() const;                                // of record(); 0 without a record
  std::int64_t wantedStep() const;                          // the step that is shown as soon as its record is there;
                                                            // else step()
  std::int64_t liveStep() const;                            // how far training is; moves with RecordSource::updated()
  bool isPlaying() const;
  bool isMoving() const;              // playing, or animating a single step
  bool isSettled() const;             // not moving, and changed() has announced everything
  bool isRecomputing() const;         // an older step is being recomputed; record() is still the previous one
  bool isTraining() const;            // paused, and waiting for a step that has yet to be trained
  std::int64_t sampledEvery() const;  // k of "1 of k" in Live and in fast Play: steps between the last two; else 1
  Mode mode() const;
  Unit unit() const;
  double speed() const;  // movie seconds per second, before the mode's own factor

  // ---- acts. All take effect at once if the records are there; changed() follows within a frame.
  void play();
  void pause();
  void toggle();  // while isTraining(): gives up waiting
  // Goes to the next or previous boundary, animated within a second, then pauses. Another act during the animation
  // first jumps to its destination.
  void stepForward(Unit unit);
  void stepBack(Unit unit);
  void seek(std::int64_t step, double seconds);  // scrubbing: no animation; only the latest call counts
  void goTo(std::int64_t step);                  // to the step's beginning; trains it first if necessary
  void home();                                   // the first step's beginning
  void end();                                    // the last trained moment
  void setMode(Mode mode);
  void setUnit(Unit unit);      // for stepping by keys and buttons
  void setSpeed(double speed);  // 0.05 to 16
  // Playing stops at the end of this step, and nothing is trained beyond it, in every mode; afterwards playing is
  // unlimited again. A step behind the movie, or 0, sets no stop.
  void setStop(std::int64_t step);
  // If true, a new run, and the first step when it is gone to, are shown from the first batch on, after the beats that
  // only precede it. Off by default. home() always leads to the very beginning.
  void setBeginsAtFirstBatch(bool first);
  bool reducedMotion() const;
  void setReducedMotion(bool reduced);  // single steps are not animated

  // Movies of other runs that are shown in step with this one. This one waits until they are in place, and in Live,
  // Fast and Express it trains in strides that all can keep up with, instead of freely.
  struct Followers {
    std::function<bool()> isReady;
    std::function<std::int64_t()> stride;  // steps, at least 1
  };
  void setFollowers(Followers followers);  // {}: alone again
  bool isWaitingForFollowers() const;
  std::int64_t nextStep() const;  // the next step as far as it is known: never below wantedStep()
  // Makes this movie a follower: it reports `leader`'s playing and modes as its own, and only the leader moves it.
  // Null: independent again.
  void setLeader(const Playback* leader);

  // What the timer does with the elapsed seconds: all time passes through here. For screenshots and tests.
  void advance(double seconds);
  // Announces pending changes now and not within a frame, so that movies shown together are painted together.
  void tell();

 Q_SIGNALS:
  void changed();  // what is drawn has changed; at most once a frame
  void acted();    // playing, mode, unit or speed has changed
  // An act had no effect: the first step's beginning, or the end of the latest step, is shown already.
  void stands(lab::Playback::Limit at);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace lab

// SPDX-License-Identifier: GPL-3.0-or-later
// The playback clock: which step is shown and which moment of its story. It runs on its own timer times the speed,
// never on the arrival of training results, and decides when the run is asked for its next step. Views read it and
// repaint on changed(); acting while paused never resumes.
// It has a hold on the run from its construction on: a run that starts is stopped after its first step, so that there
// is a complete picture to begin with, unless the movie was playing.
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
  enum class Unit { Message, Phase, Step, Epoch };
  enum class Limit { Beginning, End };

  // `source`, a RunController, must outlive this.
  explicit Playback(RecordSource& source, QObject* parent = nullptr, StoryOf storyOf = makeStory);
  ~Playback() override;

  // ---- what views draw
  const std::shared_ptr<const StepRecord>& record() const;  // null: nothing to show yet
  const Story& story() const;                               // of record(); without beats while there is none
  double seconds() const;                                   // movie time within the story
  std::int64_t step() const;                                // of record(), 0 where there is none
  std::int64_t wantedStep() const;                          // where it goes as soon as the record is there; else step()
  std::int64_t liveStep() const;                            // how far training is; moves with RecordSource::updated()
  bool isPlaying() const;
  bool isMoving() const;              // playing, or on the way to where a single step leads
  bool isSettled() const;             // not moving, and changed() has told all there is
  bool isRecomputing() const;         // an older step is being recomputed; record() is still the one before
  bool isTraining() const;            // paused, and a step that has yet to be trained is waited for
  std::int64_t sampledEvery() const;  // k of "1 of k" in Live and in fast Play: steps between the last two; else 1
  Mode mode() const;
  Unit unit() const;
  double speed() const;  // movie seconds per second, before the mode's own

  // ---- acts. All take effect at once as far as the records are there; changed() follows within a frame.
  void play();
  void pause();
  void toggle();  // while isTraining(): gives up waiting
  // To the next or previous boundary, animated within a second, after which it is paused. During such an animation the
  // next act first jumps to where it leads.
  void stepForward(Unit unit);
  void stepBack(Unit unit);
  void seek(std::int64_t step, double seconds);  // scrubbing: no animation; only the latest counts
  void goTo(std::int64_t step);                  // to its beginning; trained first where it has not been yet
  void home();                                   // the first step's beginning
  void end();                                    // as far as training is
  void setMode(Mode mode);
  void setUnit(Unit unit);      // for whoever steps by keys and buttons
  void setSpeed(double speed);  // 0.05 to 16
  // Playing comes to rest at the end of this step, and nothing is trained beyond, in every mode; from there on it plays
  // freely again. A step that is behind the movie, or 0: nothing.
  void setStop(std::int64_t step);
  // Whether a run is first shown, and its first step gone to, at its first batch, behind what only comes before that;
  // not unless this is asked for. Home leads to the very beginning.
  void setBeginsAtFirstBatch(bool first);
  bool reducedMotion() const;
  void setReducedMotion(bool reduced);  // single steps are not animated

  // Movies of other runs that are shown in step with this one. It waits until they are where it is, and in Live, Fast
  // and Express it trains in strides that all can keep up with, instead of freely.
  struct Followers {
    std::function<bool()> isReady;
    std::function<std::int64_t()> stride;  // steps, at least 1
  };
  void setFollowers(Followers company);  // {}: alone again
  bool isWaitingForCompany() const;
  std::int64_t nextStep() const;  // where it goes next, as far as it knows: never below wantedStep()
  // This is such a movie: whether it plays and how, it says as `leader` does, which alone moves it. Null: its own
  // again.
  void setLeader(const Playback* leader);

  // What the timer does with the seconds that have passed: all time comes through here. For pictures and tests.
  void advance(double seconds);
  // What has been asked for is said now and not within a frame: movies that are shown together are painted together.
  void tell();

 Q_SIGNALS:
  void changed();  // what is drawn has changed; at most once a frame
  void acted();    // playing, mode, unit or speed has changed
  // What was asked for leads nowhere: the first step's beginning is shown already, or the end of the latest.
  void stands(lab::Playback::Limit at);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace lab

// SPDX-License-Identifier: GPL-3.0-or-later
// The state machine behind Playback, for its own sources. At any time it glides within a story (position, after a
// single step), or waits for a record (wanted), or plays, or stands still.
#pragma once

#include <QElapsedTimer>
#include <QTimer>

#include <algorithm>
#include <deque>
#include <limits>
#include <optional>

#include "ui/playback/playback.h"
#include "ui/runview/record_source.h"

namespace lab {

struct Playback::State {
  static constexpr double kEnd = std::numeric_limits<double>::infinity();  // the end of a story, whatever its length
  static constexpr double kFirstBatch = -1;                                // Story::workBeginsS()

  // Where to go as soon as the record is there.
  struct Wanted {
    std::int64_t step = 0;
    double seconds = 0;                // or kEnd, kFirstBatch
    std::optional<Unit> thenBackBy{};  // from there animated back by one unit
    bool byPlaying = false;            // true if the movie got there by playing, not by a request
  };
  struct SingleStep {
    Unit unit;
    bool forward;
  };

  State(Playback& playback, RecordSource& records, StoryOf storyOf)
      : owner(playback), source(records), timer(&playback), position(std::move(storyOf)) {}

  double beginningS() const { return beginsAtFirstBatch ? kFirstBatch : 0; }  // where a step begins
  void moveTo(double seconds);                                                // also takes kEnd and kFirstBatch

  Playback& owner;
  RecordSource& source;
  QTimer timer;
  QElapsedTimer sinceTick;

  Mode mode = Mode::Story;
  Unit unit = Unit::Phase;
  double speed = 1;
  bool playing = false, reducedMotion = false, beginsAtFirstBatch = false;

  Position position;
  std::optional<Wanted> wanted;
  std::deque<SingleStep> waiting;
  std::int64_t sampledEvery = 1;
  bool begun = false;       // the run's first record has been asked for
  bool aheadAsked = false;  // the record after the present one has been asked for
  std::int64_t ahead = 0;   // the step that was asked for ahead
  double sinceFastS = 0;    // since Fast's last picture
  std::int64_t stop = 0;    // see setStop()
  Followers followers;
  const Playback* leader = nullptr;
  bool dirty = false;
  std::int64_t stoodAt = 0;             // the step at which Express began
  std::optional<std::int64_t> landing;  // after Express: until the run has reported its last step, to which it then
                                        // moves on

  // ---- the run
  bool isFree() const { return mode == Mode::Live || mode == Mode::Fast || mode == Mode::Express; }
  bool hasFollowers() const { return static_cast<bool>(followers.isReady); }
  bool trainsFreely() const { return playing && isFree() && !hasFollowers(); }
  std::int64_t lastStep() const { return source.isOver() ? source.liveStep() : source.info()->totalSteps; }
  // True if playing is to stop at `stop`, which neither movie nor training has passed.
  bool isBounded() const { return stop > 0 && position.step() <= stop && source.liveStep() <= stop; }
  bool hasTrained() const { return source.isOver() || (isBounded() && source.liveStep() == stop); }
  std::int64_t playsTo() const { return isBounded() ? std::min(stop, lastStep()) : lastStep(); }
  std::shared_ptr<const StepRecord> obtain(std::int64_t step) {
    if (step <= source.liveStep()) return source.recordOf(step);
    source.requestStep(step);
    return nullptr;
  }
  void begin();
  void restart();
  void onUpdated();
  void onReshaped(std::int64_t step);
  void onRecordArrived(std::int64_t step);
  void onRecordFailed(std::int64_t step);

  // ---- what is shown
  void touch();
  void wake();
  void flush();
  void show(std::shared_ptr<const StepRecord> record, double seconds);
  void want(const Wanted& target);
  bool resolve();
  void glide(double seconds);
  bool complete();
  void abandon();
  void setPlaying(bool now);
  void rest();  // where playing comes to an end

  // ---- the movie
  void letTrain();  // freely, as far as it may
  double rate() const;
  std::int64_t stride() const;
  void enterMode();
  void landFromExpress(double seconds);
  void landFurther();
  void playOn(double seconds);
  void fastOn(double seconds);
  void fastTogether(bool isDue);
  std::int64_t next() const;
  void askAhead();
  bool goOn();

  // ---- single steps
  void singleStep(const SingleStep& step);
  void act(const SingleStep& step);
  void leave(bool forward, std::int64_t to, double seconds);
};

}  // namespace lab

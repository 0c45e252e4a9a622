// SPDX-License-Identifier: GPL-3.0-or-later
// Keeps the movies of several runs in step with the first one's, which alone plays: each shows the moment that
// corresponds to the leader's, by step, by images or by modelled time. Followers train only as far as this needs; the
// leader waits for them. If a user moves a follower's movie, the leader's moves too.
#pragma once

#include <QObject>

#include <cstdint>
#include <memory>
#include <vector>

#include "ui/lanes/lane.h"
#include "ui/lanes/lane_places.h"

namespace lab {

class Lockstep final : public QObject {
  Q_OBJECT

 public:
  explicit Lockstep(Lane& leader, QObject* parent = nullptr);
  ~Lockstep() override;

  void add(Lane& follower);
  void remove(Lane& follower);

  InStepBy by() const { return by_; }
  void setBy(InStepBy by);
  bool canBe(InStepBy by) const;  // modelled time only if all lanes have such a clock
  // While inactive (the lanes are hidden), followers stay where they are, and the leader does not wait for them.
  void setActive(bool active);
  bool isActive() const { return active_; }
  bool isInStep() const;  // true if all followers are where they should be
  // True if nothing is pending: no lane trains, recomputes or goes to a step, and every change has been told, so that
  // the next frame paints it. Lanes that nobody sees wait for none.
  bool isSettled() const;
  std::int64_t stride() const;      // in the free-running modes
  LaneMoment leaderMoment() const;  // measured as by() says
  // The leader's step by whose end the lane has done this step of its own: estimated if the leader has not trained it.
  std::int64_t leaderStepOf(const Lane& lane, std::int64_t step);

 Q_SIGNALS:
  void moved();  // a lane shows something else

 private:
  struct Follower {
    Lane* lane;
    LanePlaces places;
    std::int64_t step = 0;  // where it was told to go
    double seconds = -1;    // where it was told to go; below 0: not told yet
  };

  void engage();
  void update();
  static bool isMovedByHand(const Follower& follower);
  void follow(Follower& follower);
  void lead(Follower& follower);  // a user has moved the follower
  LaneMoment momentOf(const Lane& lane) const;
  LaneMoment momentFor(const Follower& follower, const LaneMoment& leader);
  // True if the step that both show is of the same images: then they show the same beat.
  bool isBeatByBeat(const Follower& follower) const;
  double secondsFor(const Follower& follower, const LaneMoment& moment) const;
  void trainAhead(Follower& follower);
  void restAll();
  double firstStride() const;
  void measureStride();
  bool isTrainedUpTo(std::int64_t step) const;  // by all lanes
  bool isThere(const Follower& follower) const;

  Lane& leader_;
  LanePlaces leaderPlaces_;
  std::vector<Follower> followers_;
  InStepBy by_ = InStepBy::Steps;
  bool active_ = false;
  bool moving_ = false;        // true within update()
  bool plays_ = false;         // at the latest update()
  std::int64_t seenStep_ = 0;  // the leader's, at the latest update()
  Playback::Mode mode_ = Playback::Mode::Story;
  double stride_ = 0;  // in steps, from the time that the latest ones took; 0: not measured yet
  std::int64_t strideFrom_ = 0, strideTo_ = 0;
  bool measured_ = true;  // whether that stride was measured
};

// The next stride, if one of `stride` steps took `seconds` and should take `wanted`: at most four times as long.
double nextStride(double stride, double seconds, double wanted);

}  // namespace lab

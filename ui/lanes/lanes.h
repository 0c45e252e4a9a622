// SPDX-License-Identifier: GPL-3.0-or-later
// The lanes of a comparison: always the window's own run, and up to three others in step with it. One lane has the
// focus, and one is the baseline of the others. Records how far apart the lanes' weights are, at each step that all of
// them show.
#pragma once

#include <QObject>

#include <cstddef>
#include <memory>
#include <optional>
#include <vector>

#include "core/base/error.h"
#include "ui/lanes/lane.h"
#include "ui/lanes/lockstep.h"

namespace lab {

class Lanes final : public QObject {
  Q_OBJECT

 public:
  static constexpr std::size_t kMost = kMostLanes;

  Lanes(RunController& controller, Playback& playback, Selection& selection, QObject* parent = nullptr);
  ~Lanes() override;

  std::size_t count() const { return lanes_.size(); }
  Lane& at(std::size_t index) const {
    LAB_CHECK(index < lanes_.size());
    return *lanes_[index];
  }
  Lockstep& lockstep() { return lockstep_; }

  bool canAdd() const { return lanes_.size() < kMost; }
  void add(LaneSpec wish);
  void remove(std::size_t index);                  // not for the window's own
  void replace(std::size_t index, LaneSpec wish);  // not for the window's own: puts another run in its place
  void setBy(std::optional<InStepBy> by);          // nothing: whatever is fair to the lanes, now and after more are
                                                   // added
  std::optional<InStepBy> chosenBy() const { return chosenBy_; }
  InStepBy by() const { return lockstep_.by(); }
  std::size_t focus() const { return focus_; }
  void setFocus(std::size_t index);
  std::size_t baseline() const { return baseline_; }
  void setBaseline(std::size_t index);

 Q_SIGNALS:
  void changed();  // lanes have come or gone, or a lane has another run
  void focusChanged();
  void baselineChanged();
  void moved();  // a lane shows something else, or has more data

 private:
  void restart();
  bool keepInStep();  // by the chosen or the fair way; returns true if the way has changed
  InStepBy fairBy() const;
  void compareWeights();

  std::vector<std::unique_ptr<Lane>> lanes_;
  Lockstep lockstep_;  // after the lanes, because it holds their movies
  std::optional<InStepBy> chosenBy_;
  std::size_t focus_ = 0, baseline_ = 0;
};

}  // namespace lab

// SPDX-License-Identifier: GPL-3.0-or-later
// The lanes of a comparison: the window's own run, always, and up to three others in step with it. One has the focus,
// one is what the others are held against. What the lanes' weights are apart is taken up here, at each step that all
// of them show.
#pragma once

#include <QObject>

#include <memory>
#include <optional>
#include <vector>

#include "ui/compare/lane.h"
#include "ui/compare/lockstep.h"

namespace lab {

class Lanes final : public QObject {
  Q_OBJECT

 public:
  static constexpr std::size_t kMost = kMostLanes;

  Lanes(RunController& controller, Playback& playback, Selection& selection, QObject* parent = nullptr);
  ~Lanes() override;

  std::size_t count() const { return lanes_.size(); }
  Lane& at(std::size_t index) const { return *lanes_[index]; }
  Lockstep& lockstep() { return lockstep_; }

  bool canAdd() const { return lanes_.size() < kMost; }
  void add(LaneSpec wish);
  void remove(std::size_t index);                  // not the window's own
  void replace(std::size_t index, LaneSpec wish);  // likewise: another run in its place
  void setBy(std::optional<InStepBy> by);          // nothing: what is fair to the lanes, now and when others come
  std::optional<InStepBy> chosenBy() const { return chosenBy_; }
  InStepBy by() const { return lockstep_.by(); }
  std::size_t focus() const { return focus_; }
  void setFocus(std::size_t index);
  std::size_t baseline() const { return baseline_; }
  void setBaseline(std::size_t index);

 Q_SIGNALS:
  void changed();  // lanes have come or gone, or another run is in one
  void focusChanged();
  void baselineChanged();
  void moved();  // a lane shows something else, or knows more

 private:
  void restart();
  bool keepInStep();  // by what was chosen or is fair; whether that is another way
  InStepBy fairBy() const;
  void compareWeights();

  std::vector<std::unique_ptr<Lane>> lanes_;
  Lockstep lockstep_;  // after the lanes, whose movies it holds
  std::optional<InStepBy> chosenBy_;
  std::size_t focus_ = 0, baseline_ = 0;
};

}  // namespace lab

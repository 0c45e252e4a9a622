// SPDX-License-Identifier: GPL-3.0-or-later
// Opens the curves' panel once there is a line to see, between two steps, below the stage, without taking the focus.
// Only once: a user who closes it is not bothered again.
#pragma once

#include <QObject>

#include <cstdint>

namespace lab {

class Panel;
class Panels;
class Stage;
class Workspaces;
struct StageRun;

class ChartsOffer final : public QObject {
  Q_OBJECT

 public:
  ChartsOffer(StageRun& run, const Stage& stage, const Workspaces& workspaces, Panels& panels);

  // True once the charts have opened by themselves, or the user has opened or closed them in Teach.
  bool isMade() const { return made_; }
  void setMade(bool made) { made_ = made; }
  void beginProjector();  // or end it: the charts are offered again in each visit to projector mode

 private:
  void offer();
  void settle(const Panel& panel);
  bool leavesPictures(int pixels) const;

  StageRun& run_;
  const Stage& stage_;
  const Workspaces& workspaces_;
  Panels& panels_;
  bool made_ = false;
  bool madeProjected_ = false;  // the same, during this visit to projector mode
  std::int64_t step_ = 0;       // the step that was shown at the latest check
};

}  // namespace lab

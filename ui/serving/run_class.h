// SPDX-License-Identifier: GPL-3.0-or-later
// The class that the window's run serves.
#pragma once

#include "ui/serving/served_class.h"

namespace lab {

class Playback;
class RunController;

class RunClass final : public ClassSource {
 public:
  RunClass(RunController& controller, Playback& playback) : controller_(controller), playback_(playback) {}

  State state() const override;
  bool isPaused() const override;
  QString link() const override;
  std::vector<ClassMember> members() const override;
  std::int64_t updates() const override;
  void setPaused(bool paused) override;
  void remove(int worker) override;
  void slow(int worker, double factor) override;
  void end() override;

 private:
  RunController& controller_;
  Playback& playback_;
};

}  // namespace lab

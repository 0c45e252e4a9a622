// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/serving/run_class.h"

#include "ui/playback/playback.h"
#include "ui/runview/run_controller.h"

namespace lab {

ClassSource::State RunClass::state() const {
  if (controller_.ofClass().run() == nullptr) return State::None;
  return controller_.isOver() ? State::Over : State::Open;
}

// The class pauses and goes on together with the movie, so that one Pause serves both.
bool RunClass::isPaused() const {
  return !playback_.isPlaying();
}

void RunClass::setPaused(bool paused) {
  paused ? playback_.pause() : playback_.play();
}

QString RunClass::link() const {
  return QString::fromStdString(controller_.ofClass().run()->link());
}

std::vector<ClassMember> RunClass::members() const {
  return controller_.ofClass().run()->members();
}

std::int64_t RunClass::updates() const {
  return controller_.liveStep();
}

void RunClass::remove(int worker) {
  controller_.ofClass().run()->remove(worker);
}

void RunClass::slow(int worker, double factor) {
  controller_.ofClass().run()->slow(worker, factor);
}

void RunClass::end() {
  controller_.stop();
}

}  // namespace lab

// SPDX-License-Identifier: GPL-3.0-or-later
// Stands in for what playback.cpp does not have yet; goes with the merge of the playback.
#include "ui/playback/playback.h"
namespace lab {
std::int64_t Playback::step() const {
  return 0;
}
std::int64_t Playback::liveStep() const {
  return 0;
}
bool Playback::isMoving() const {
  return false;
}
bool Playback::isRecomputing() const {
  return false;
}
std::int64_t Playback::sampledEvery() const {
  return 1;
}
Playback::Mode Playback::mode() const {
  return Mode::Story;
}
Playback::Unit Playback::unit() const {
  return Unit::Phase;
}
double Playback::speed() const {
  return 1;
}
void Playback::play() {}
void Playback::pause() {}
void Playback::toggle() {}
void Playback::stepForward(Unit) {}
void Playback::stepBack(Unit) {}
void Playback::seek(std::int64_t, double) {}
void Playback::home() {}
void Playback::end() {}
void Playback::setMode(Mode) {}
void Playback::setUnit(Unit) {}
void Playback::setSpeed(double) {}
void Playback::setReducedMotion(bool) {}
}  // namespace lab

// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/playback/playback.h"
namespace lab {
struct Playback::State {
  std::shared_ptr<const StepRecord> record;
  Story story;
};
Playback::Playback(RunController&, QObject* parent) : QObject(parent), state_(std::make_unique<State>()) {}
Playback::~Playback() = default;
const std::shared_ptr<const StepRecord>& Playback::record() const {
  return state_->record;
}
const Story& Playback::story() const {
  return state_->story;
}
double Playback::seconds() const {
  return 0;
}
bool Playback::isPlaying() const {
  return false;
}
}  // namespace lab

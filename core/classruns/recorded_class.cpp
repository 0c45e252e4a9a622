// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/classruns/recorded_class.h"

#include <algorithm>
#include <limits>
#include <utility>

#include "core/base/error.h"
#include "core/base/platform.h"
#include "core/base/stopped.h"
#include "core/classruns/class_info.h"
#include "core/classruns/class_record.h"
#include "core/device/device_clock.h"
#include "core/protocol/class_settings.h"
#include "core/protocol/messages.h"
#include "core/serving/class_state.h"
#include "core/training/trainer.h"

namespace lab {
namespace {

// Minimum time between two states: absolute, and as a multiple of the time that keeping one takes.
constexpr std::int64_t kLeastNs = 200'000'000, kTimesItsCost = 20;

}  // namespace

RecordedClass::RecordedClass(std::shared_ptr<const serving::ClassRecording> recording)
    : WatchedClass(recording->config, recording->history, serving::mostClosuresOf(*recording->history)),
      recording_(std::move(recording)) {
  thread_ = std::jthread([this](const std::stop_token& stop) { open(stop); });
}

RecordedClass::~RecordedClass() {
  stopAndWait();
}

RunState RecordedClass::state() const {
  const std::lock_guard lock(mutex_);
  return state_;
}
Message RecordedClass::failure() const {
  const std::lock_guard lock(mutex_);
  return failure_;
}
std::shared_ptr<const RunInfo> RecordedClass::info() const {
  const std::lock_guard lock(mutex_);
  return info_;
}

void RecordedClass::stop() {
  thread_.request_stop();
  telemetry_.stopPreparing();
}

void RecordedClass::stopAndWait() {
  stop();
  if (thread_.joinable()) thread_.join();
}

void RecordedClass::end(RunState state, const Message& failure) {
  const std::lock_guard lock(mutex_);
  state_ = state;
  failure_ = failure;
}

void RecordedClass::open(const std::stop_token& stop) {
  lowerThreadPriority();
  try {
    telemetry_.preparing({Preparation::Part::Data});
    const std::shared_ptr<const Dataset> dataset = openDataset(config_, &telemetry_);
    if (dataset->name != recording_->dataset) throw UserError(say::classOtherData, recording_->dataset, dataset->name);
    serving::checkClass(config_, *dataset);
    telemetry_.preparing({Preparation::Part::Step});
    {
      const std::lock_guard lock(mutex_);
      info_ = serving::classInfo(config_, dataset, recording_->members);
      updates_->describe(info_);
      // A class that was ended early has its end in the file, too.
      const bool isWhole = recording_->hasEnded && updates_->updates() >= info_->totalSteps;
      state_ = isWhole ? RunState::Finished : RunState::Stopped;
    }
    keepStates(stop);
  } catch (const Stopped&) {
    end(RunState::Stopped);
  } catch (const std::exception& error) {
    end(RunState::Failed, messageOf(error));
  }
}

// A viewer who wants a step meanwhile also trains up to it, and reports any error.
void RecordedClass::keepStates(const std::stop_token& stop) try {
  serving::ClassRecords records(config_, info()->data, updates_, 1, mostClosures_);
  std::int64_t keptAtNs = steadyNs(), costNs = 0;
  const auto keepNow = [&] {
    const std::int64_t nowNs = steadyNs();
    if (nowNs - keptAtNs < std::max(kLeastNs, kTimesItsCost * costNs)) return;
    updates_->keep(std::make_shared<const Checkpoint>(serving::toCheckpoint(records.state())));
    keptAtNs = steadyNs();
    costNs = keptAtNs - nowNs;
  };
  for (std::int64_t step = 1; step <= updates_->updates(); ++step) {
    if (!records.standBefore(step, [&] { return !stop.stop_requested(); })) return;
    keepNow();
  }
} catch (const UserError&) {
}

}  // namespace lab

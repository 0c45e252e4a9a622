// SPDX-License-Identifier: GPL-3.0-or-later
// A class's recording as a finished run to look at: a thread trains it again once as a whole, and keeps states, so that
// later every step is near one. Steps can be viewed from the start.
#pragma once

#include <memory>
#include <mutex>
#include <thread>

#include "core/classruns/class_recording.h"
#include "core/classruns/watched_class.h"

namespace lab {

class RecordedClass final : public WatchedClass {
 public:
  // If the examples that the class trained on are not here, the run ends as Failed.
  explicit RecordedClass(std::shared_ptr<const serving::ClassRecording> recording);
  ~RecordedClass() override;
  RecordedClass(const RecordedClass&) = delete;
  RecordedClass& operator=(const RecordedClass&) = delete;

  RunState state() const override;
  bool isAtRest() const override { return false; }
  Message failure() const override;
  std::shared_ptr<const RunInfo> info() const override;
  std::vector<Metric> takePast() override { return {}; }
  void pause() override {}
  void resume() override {}
  void stepOnce() override {}
  void stop() override;
  void release() override {}
  void stopAndWait() override;
  Telemetry& telemetry() override { return telemetry_; }

 private:
  void open(const std::stop_token& stop);
  void keepStates(const std::stop_token& stop);
  void end(RunState state, const Message& failure = {});

  const std::shared_ptr<const serving::ClassRecording> recording_;
  Telemetry telemetry_;
  mutable std::mutex mutex_;
  RunState state_ = RunState::Preparing;  // guarded by mutex_, as all below
  Message failure_;
  std::shared_ptr<const RunInfo> info_;
  std::jthread thread_;  // last member: joined before the others are destroyed
};

}  // namespace lab

// SPDX-License-Identifier: GPL-3.0-or-later
// The books of a step: when it began, what was recorded on every track, what was sent, the noise of its gradients, the
// source of its record, and the time spent on copying the record, which no measured time includes. Spans are collected
// in a fixed order: track by track, then transfers.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "core/device/device_clock.h"
#include "core/device/memory_tally.h"
#include "core/replicas/step_outcome.h"
#include "core/replicas/step_recording.h"
#include "core/trace/telemetry.h"

namespace lab {

class StepLedger {
 public:
  // `keepsSpans`: a step's spans may outlast the step and belong to later records too.
  StepLedger(Telemetry& telemetry, bool measured, bool keepsSpans)
      : telemetry_(telemetry), measured_(measured), keepsSpans_(keepsSpans), originNs_(steadyNs()) {}

  void addTrack(DeviceClock& clock) { tracks_.push_back(&clock); }  // in this order; the tracks outlive this object
  void addMemory(MemoryTally& memory) { memory_.push_back(&memory); }
  std::int64_t originNs() const { return originNs_; }  // the steady time that counts as 0
  std::int64_t nowNs() const { return steadyNs() - originNs_; }

  // Returns whether the record of this step was asked for; if so, the caller sets the recording.
  bool begin(std::int64_t step);
  std::int64_t step() const { return step_; }
  // Times of the step's own clock.
  std::int64_t beganNs() const { return beganNs_; }
  std::int64_t previousBeganNs() const { return previousBeganNs_; }
  void setBegan(std::int64_t ns) { beganNs_ = ns; }
  void beginMemory();      // allocations from here on belong to the step
  std::int64_t endedNs();  // measured: when this was first called after the step began

  void setRecording(std::unique_ptr<StepRecording> recording) { recording_ = std::move(recording); }
  StepRecording* recording() const { return recording_.get(); }
  bool spansWanted() const { return recording_ != nullptr || telemetry_.spansWanted(); }
  // Runs what only a record or the noise needs; measured clocks continue as if this had taken no time.
  void unmeasured(const std::function<void()>& body);

  std::vector<Span>& transfers() { return transfers_; }
  void publish();                                // what the tracks and transfers() have for this step
  void publish(const std::vector<Span>& spans);  // each span says which step it belongs to
  // All spans that belong in this step's record, or in a later one's.
  std::vector<Span>& spans() { return spans_; }
  const std::vector<Span>& spans() const { return spans_; }

  void addBytesSent(std::int64_t bytes) { bytesSent_ += bytes; }
  void setNoise(const std::optional<NoiseSample>& noise) { noise_ = noise; }

  // Finishes the step's record. `worker`: see StepRecording; `underWay`: spans that have begun but not ended.
  void finishRecord(std::optional<int> worker, std::int64_t beginNs, std::int64_t endNs,
                    const std::vector<Span>& underWay);
  FinishedStep finish(StepOutcome outcome);
  // Forget what no later record needs: everything, or what had ended by `ns`.
  void forget();
  void forgetUntil(std::int64_t ns);

 private:
  Telemetry& telemetry_;
  bool measured_, keepsSpans_;
  std::int64_t originNs_;
  std::vector<DeviceClock*> tracks_;
  std::vector<MemoryTally*> memory_;
  std::int64_t step_ = 0, beganNs_ = 0, previousBeganNs_ = 0;
  std::optional<std::int64_t> endedNs_;
  std::unique_ptr<StepRecording> recording_;
  std::shared_ptr<StepRecord> record_;
  std::int64_t recordingNs_ = 0, bytesSent_ = 0;
  std::optional<NoiseSample> noise_;
  std::vector<Span> transfers_;
  std::vector<Span> startup_;  // of step 0
  std::vector<Span> spans_;
};

}  // namespace lab

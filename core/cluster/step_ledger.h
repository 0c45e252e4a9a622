// SPDX-License-Identifier: GPL-3.0-or-later
// The books of a step: when it began, what was recorded on every lane, what was sent, what the gradients said of their
// noise, what its record is copied from, and the time that the copying took, which is in no measured time. Spans are
// collected in a fixed order: lane by lane, then transfers.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "core/cluster/step_outcome.h"
#include "core/cluster/step_recording.h"
#include "core/device/device_clock.h"
#include "core/device/memory_tally.h"
#include "core/trace/telemetry.h"

namespace lab {

class StepLedger {
 public:
  // `keepsSpans`: a step's spans may outlast it, and belong to later records too.
  StepLedger(Telemetry& telemetry, bool measured, bool keepsSpans)
      : telemetry_(telemetry), measured_(measured), keepsSpans_(keepsSpans), originNs_(steadyNs()) {}

  void addLane(DeviceClock& clock) { lanes_.push_back(&clock); }  // in order; they outlive this
  void addMemory(MemoryTally& memory) { memory_.push_back(&memory); }
  std::int64_t originNs() const { return originNs_; }  // steady time that 0 stands for
  std::int64_t nowNs() const { return steadyNs() - originNs_; }

  // Whether the record of this step was asked for; its owner then sets the recording.
  bool begin(std::int64_t step);
  std::int64_t step() const { return step_; }
  // On its clock.
  std::int64_t beganNs() const { return beganNs_; }
  std::int64_t previousBeganNs() const { return previousBeganNs_; }
  void setBegan(std::int64_t ns) { beganNs_ = ns; }
  void beginMemory();      // from here on allocations are the step's
  std::int64_t endedNs();  // measured: when this was first asked after the step began

  void setRecording(std::unique_ptr<StepRecording> recording) { recording_ = std::move(recording); }
  StepRecording* recording() const { return recording_.get(); }
  bool spansWanted() const { return recording_ != nullptr || telemetry_.spansWanted(); }
  // Runs what only a record or the noise needs: measured clocks go on as if it had taken no time.
  void unmeasured(const std::function<void()>& body);

  std::vector<Span>& transfers() { return transfers_; }
  void publish();                                // what the lanes and transfers() have, of this step
  void publish(const std::vector<Span>& spans);  // they say of which step they are
  // All that belongs into this step's record, or into a later one's.
  std::vector<Span>& spans() { return spans_; }
  const std::vector<Span>& spans() const { return spans_; }

  void addBytesSent(std::int64_t bytes) { bytesSent_ += bytes; }
  void setNoise(const std::optional<NoiseSample>& noise) { noise_ = noise; }

  // The record that there is to be: `worker` as in StepRecording; `underWay`: what has begun and is not over.
  void finishRecord(std::optional<int> worker, std::int64_t beginNs, std::int64_t endNs,
                    const std::vector<Span>& underWay);
  FinishedStep finish(StepOutcome outcome);
  // What no later record needs is forgotten: all, or what was over at `ns`.
  void forget();
  void forgetUntil(std::int64_t ns);

 private:
  Telemetry& telemetry_;
  bool measured_, keepsSpans_;
  std::int64_t originNs_;
  std::vector<DeviceClock*> lanes_;
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

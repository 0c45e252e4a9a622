// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/replicas/step_ledger.h"

#include <utility>

namespace lab {

bool StepLedger::begin(std::int64_t step) {
  step_ = step;
  previousBeganNs_ = beganNs_;
  endedNs_.reset();
  recordingNs_ = 0;
  bytesSent_ = 0;
  noise_.reset();
  record_.reset();
  recording_.reset();
  return step > 0 && telemetry_.takeRecordRequest();
}

std::int64_t StepLedger::endedNs() {
  if (!endedNs_) endedNs_ = nowNs();
  return *endedNs_;
}

void StepLedger::unmeasured(const std::function<void()>& body) {
  const std::int64_t beganNs = steadyNs();
  body();
  const std::int64_t ns = steadyNs() - beganNs;
  recordingNs_ += ns;
  if (!measured_) return;
  originNs_ += ns;
  for (DeviceClock* track : tracks_) track->skip(ns);
  for (MemoryTally* memory : memory_) memory->skip(ns);
}

void StepLedger::beginMemory() {
  for (MemoryTally* memory : memory_) memory->begin(originNs_);
}

void StepLedger::publish() {
  const auto collect = [this](std::vector<Span>& spans) {
    for (Span& span : spans) span.step = step_;
    publish(spans);
    spans.clear();
  };
  for (DeviceClock* track : tracks_) collect(track->spans());
  collect(transfers_);
}

void StepLedger::publish(const std::vector<Span>& spans) {
  const bool kept = recording_ || keepsSpans_ || step_ == 0, streams = telemetry_.spansWanted();
  for (const Span& span : spans) {
    if (streams) telemetry_.span(span);
    if (kept && span.step == step_) spans_.push_back(span);
  }
}

void StepLedger::finishRecord(std::optional<int> worker, std::int64_t beginNs, std::int64_t endNs,
                              const std::vector<Span>& underWay) {
  std::vector<Span> spans;
  if (step_ == 1) spans = startup_;
  spans.insert(spans.end(), spans_.begin(), spans_.end());
  spans.insert(spans.end(), underWay.begin(), underWay.end());
  record_ = std::exchange(recording_, nullptr)->finish(worker, beginNs, endNs, std::move(spans));
}

FinishedStep StepLedger::finish(StepOutcome outcome) {
  return {std::move(outcome), bytesSent_, std::move(record_), noise_, recordingNs_};
}

void StepLedger::forget() {
  if (step_ == 0) startup_ = std::move(spans_);
  spans_.clear();
}

void StepLedger::forgetUntil(std::int64_t ns) {
  std::erase_if(spans_, [ns](const Span& span) { return span.startNs + span.durationNs <= ns; });
}

}  // namespace lab

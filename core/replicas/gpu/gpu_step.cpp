// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/replicas/gpu/gpu_step.h"

#include <algorithm>
#include <utility>

#include "core/base/at.h"
#include "core/base/error.h"

namespace lab {
namespace {

// Number of command lists to remember: for each slot, with and without spans, one step with a full batch and one with
// the last batch of an epoch, and some to spare.
constexpr std::size_t kCachedLists = 12;
constexpr std::int64_t kSlots = 2;

}  // namespace

GpuStep::GpuStep(GpuParts& parts)
    : parts_(parts),
      list_(parts.list),
      sending_(parts.data.size()),
      dependencies_(parts.data.size()),
      dependenciesUsed_(parts.data.size()) {
  gpu::Layer& layer = *parts.layer;
  for (const auto& each : parts.devices)
    if (each->firstOfGpu)
      at(sending_, each->gpu) = {layer.createStream(each->gpu),
                                 {layer.createEvent(each->gpu, false), layer.createEvent(each->gpu, false)}};
  for (std::int64_t i = 0; i < kSlots; ++i)
    slots_.push_back(std::make_unique<Slot>(layer, parts.gpus.front(), static_cast<std::size_t>(i), parts.gpus.size(),
                                            parts.data.size()));
}

GpuStep::~GpuStep() {
  dropGraphs();
}

void GpuStep::begin(std::int64_t step, Watch watch) {
  step_ = step;
  watch_ = watch;
  Slot& slot = slotOf(step);
  if (slot.underWay) finishUntil(slot.step);
  slot_ = &slot;
  slot_->begin(step);
  list_.erase();
  flushed_ = false;
  std::ranges::fill(dependenciesUsed_, 0);
  // All streams start after the first one, which has waited for the end of the previous step.
  GpuDevice& origin = parts_.device(0);
  const int fork = dependency(origin);
  list_.record(origin.stream, fork);
  for (const auto& each : parts_.devices) {
    each->beginStep(slot_->number);
    if (each->index == 0) continue;
    list_.wait(each->stream, fork);
    if (each->firstOfGpu && each->gpu != origin.gpu) at(slot_->beginOfGpu, each->gpu) = stamp(*each);
  }
  at(slot_->beginOfGpu, origin.gpu) = slot_->beginEvent;
}

StepOutcome GpuStep::end() {
  join();
  if (!flushed_) sendParameters();
  goOn();
  launch();
  submitStamp(slot_->endEvent);
  slot_->underWay = true;
  Slot& slot = *std::exchange(slot_, nullptr);
  slot.outcome = StepOutcome([this, step = step_] { finishUntil(step); });
  if (parts_.asynchronous) finishUntil(step_);  // the host has already waited for what the worker needs
  return slot.outcome;
}

GpuStep::Slot& GpuStep::slotOf(std::int64_t step) {
  return *at(slots_, step % kSlots);
}

void GpuStep::dropGraphs() noexcept {
  for (const Cached& cached : cache_)
    if (cached.graph != 0) parts_.layer->destroyGraph(cached.graph);
  cache_.clear();
}

int GpuStep::stamp(GpuDevice& device) {
  const int event = slot_->nextStamp(*parts_.layer, device.gpu);
  list_.stamp(device.stream, event);
  return event;
}

int GpuStep::dependency(const GpuDevice& device) {
  const auto gpu = static_cast<std::size_t>(device.gpu);
  std::vector<int>& events = dependencies_[gpu];
  if (dependenciesUsed_[gpu] == events.size()) events.push_back(parts_.layer->createEvent(device.gpu, false));
  return events[dependenciesUsed_[gpu]++];
}

Span GpuStep::spanOn(int replica, SpanKind kind, std::uint16_t label) const {
  Span span;
  span.step = step_;
  span.track = parts_.topology.deviceTrack(parts_.first + replica);
  span.label = label;
  span.kind = kind;
  span.clock = TimeSource::Measured;
  return span;
}

GpuTimedSpan GpuStep::endSpan(GpuDevice& device, const Span& span, int begin) {
  return {span, begin, stamp(device), device.gpu, slot_->pauses.size()};
}

void GpuStep::beginCommunication() {
  if (parts_.members().size() == 1) return;
  std::vector<Slot::Communication>& parts = slot_->communications.emplace_back();
  for (const auto& each : parts_.devices) parts.push_back({stamp(*each), -1, each->gpu, slot_->pauses.size(), 0});
}

void GpuStep::endCommunication() {
  if (parts_.members().size() == 1) return;
  std::vector<Slot::Communication>& parts = slot_->communications.back();
  for (std::size_t r = 0; r < parts.size(); ++r) {
    parts[r].end = stamp(*parts_.devices[r]);
    parts[r].pauses = slot_->pauses.size();
  }
}

void GpuStep::submitStamp(int event) {
  gpu::CommandList one;
  one.stamp(parts_.device(0).stream, event);
  parts_.layer->submit(one.commands());
}

// The copies run ahead while the previous step computes. The host knows that the step before the previous one is done,
// so nobody reads these blocks any more. If a copy is late, its delay is part of this step's time.
void GpuStep::sendParameters() {
  slot_->launchNs = parts_.ledger.nowNs();
  gpu::CommandList ahead;
  for (const auto& each : parts_.devices)
    if (each->bytesToSend > 0)
      ahead.copy(at(sending_, each->gpu).stream, each->parameters(), each->hostParameters(), each->bytesToSend);
  const bool sends = !ahead.commands().empty();
  for (const Sending& each : sending_)
    if (sends && each.stream >= 0) ahead.record(each.stream, each.sent[slot_->number]);
  ahead.stamp(parts_.device(0).stream, slot_->beginEvent);
  for (const Sending& each : sending_)
    if (sends && each.stream >= 0) ahead.wait(parts_.device(0).stream, each.sent[slot_->number]);
  parts_.layer->submit(ahead.commands());
}

void GpuStep::flush() {
  LAB_CHECK(slot_ != nullptr);
  if (!std::exchange(flushed_, true)) sendParameters();
  goOn();
  parts_.layer->submit(list_.commands());
  list_.erase();
  parts_.waitForAll();
  for (const auto& each : parts_.devices) each->parametersAreSent();
}

// Makes the first stream wait for all others.
void GpuStep::join() {
  GpuDevice& origin = parts_.device(0);
  for (std::size_t r = 1; r < parts_.devices.size(); ++r) {
    const int done = dependency(*parts_.devices[r]);
    list_.record(parts_.devices[r]->stream, done);
    list_.wait(origin.stream, done);
  }
}

void GpuStep::pause(const std::function<void()>& body) {
  GpuDevice& origin = parts_.device(0);
  join();
  const int begin = slot_->nextStamp(*parts_.layer, origin.gpu), end = slot_->nextStamp(*parts_.layer, origin.gpu);
  list_.stamp(origin.stream, begin);
  flush();
  body();
  leaveOut(begin, end);
  slot_->goOn = end;
}

void GpuStep::sendNumbers(GpuDevice& device) {
  if (!device.areParametersSent()) return;
  const int begin = stamp(device);
  device.sendNumbers();
  const int end = stamp(device);
  if (device.index == 0) leaveOut(begin, end);
}

// Sets the end of a pause just before the step's next commands, which all streams wait for.
void GpuStep::goOn() {
  if (slot_->goOn >= 0) submitStamp(std::exchange(slot_->goOn, -1));
}

// A list that was seen before becomes a graph and is kept.
void GpuStep::launch() {
  const std::vector<gpu::Command>& commands = list_.commands();
  if (flushed_) {
    parts_.layer->submit(commands);
    return;
  }
  const auto found = std::ranges::find(cache_, commands, &Cached::commands);
  if (found == cache_.end()) {
    if (cache_.size() == kCachedLists) {
      if (cache_.front().graph != 0) parts_.layer->destroyGraph(cache_.front().graph);
      cache_.erase(cache_.begin());
    }
    cache_.push_back({commands, 0});
    parts_.layer->submit(commands);
    return;
  }
  if (found->graph == 0) {
    found->graph = parts_.layer->createGraph(commands);
    ++graphs_;
  }
  parts_.layer->launchGraph(found->graph);
}

// Finishes steps in order, because a step begins when the previous one is done.
void GpuStep::finishUntil(std::int64_t step) {
  Slot& other = slotOf(step + 1);
  if (other.underWay && other.step < step) finish(other);
  if (Slot& slot = slotOf(step); slot.underWay) finish(slot);
}

StepValues GpuStep::sumOf(const Slot& slot) {
  StepValues values;
  if (slot.compared) values.mirrorsIdentical = true;
  if (parts_.among != nullptr) parts_.among->ofReplicas.clear();
  for (int r = 0; r < static_cast<int>(parts_.devices.size()); ++r) {
    values.lossSum += slot.tally(r)->lossSum;
    values.correct += slot.tally(r)->correct;
    if (parts_.among != nullptr)
      parts_.among->ofReplicas.push_back({slot.tally(r)->lossSum, slot.tally(r)->correct, {}, {}});
    if (*slot.differs(r) != 0) values.mirrorsIdentical = false;
  }
  if (parts_.among != nullptr) parts_.among->tellDigests(slot.digests(), parts_.devices.size());
  return values;
}

void GpuStep::finish(Slot& slot) {
  parts_.layer->waitForEvent(slot.endEvent);
  slot.underWay = false;

  StepValues values = sumOf(slot);
  StepTimes& result = values.times;
  // The GPU began when the step was launched, or when the previous step ended, whichever is later.
  const std::int64_t beginNs = std::max(slot.launchNs, lastEndNs_);
  // The time left out until the end of the first, second … pause.
  std::vector<std::int64_t> pausedNs{0};
  for (const Slot::Pause& pause : slot.pauses)
    pausedNs.push_back(pausedNs.back() + parts_.layer->elapsedNs(pause.begin, pause.end));
  result.stepNs = parts_.layer->elapsedNs(slot.beginEvent, slot.endEvent) - pausedNs.back();
  lastEndNs_ = std::max(lastEndNs_, beginNs + result.stepNs);
  const auto since = [&](int event, int gpu, std::size_t pauses) {
    return parts_.layer->elapsedNs(at(slot.beginOfGpu, gpu), event) - pausedNs[pauses];
  };
  for (const std::vector<Slot::Communication>& parts : slot.communications) {
    // As the slowest replica sees it: from its own values being ready to everybody's being there.
    std::int64_t slowest = 0, arrived = 0;
    for (const Slot::Communication& part : parts) {
      slowest = std::max(slowest, since(part.begin, part.gpu, part.pausesBefore));
      arrived = std::max(arrived, since(part.end, part.gpu, part.pauses));
    }
    result.communicationNs += std::max<std::int64_t>(0, arrived - slowest);
  }
  result.communicationNs = std::min(result.communicationNs, result.stepNs);
  result.computeNs = result.stepNs - result.communicationNs;
  std::vector<Span> spans;
  for (const GpuTimedSpan& timed : slot.spans) {
    Span span = timed.span;
    span.startNs = beginNs + since(timed.begin, timed.gpu, timed.pauses);
    span.durationNs = parts_.layer->elapsedNs(timed.begin, timed.end);
    spans.push_back(span);
  }
  for (const GpuTakenApart& part : slot.takenApart) {
    const std::int64_t wholeNs = parts_.layer->elapsedNs(part.whole.begin, part.whole.end);
    const std::int64_t startNs = beginNs + since(part.whole.begin, part.whole.gpu, part.whole.pauses);
    const auto layersNs = static_cast<double>(std::max<std::int64_t>(1, parts_.layer->elapsedNs(part.begin, part.end)));
    const auto place = [&](int event) {
      const double share = static_cast<double>(parts_.layer->elapsedNs(part.begin, event)) / layersNs;
      return startNs + static_cast<std::int64_t>(share * static_cast<double>(wholeNs));
    };
    for (const GpuTimedSpan& layer : part.layers) {
      Span span = layer.span;
      span.startNs = place(layer.begin);
      span.durationNs = place(layer.end) - span.startNs;
      spans.push_back(span);
    }
  }
  slot.outcome.know(values);
  if (parts_.among != nullptr)
    parts_.among->spans = std::move(spans);
  else
    parts_.ledger.publish(spans);
}

void GpuStep::giveUp() {
  try {
    parts_.waitForAll();  // nothing may use the memory that is freed now
    finishUntil(step_);
  } catch (const std::exception&) {
    // The GPU is lost, and with it all work under way.
  }
  for (const auto& slot : slots_) slot->outcome.giveUp();
}

}  // namespace lab

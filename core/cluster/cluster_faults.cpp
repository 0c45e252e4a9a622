// SPDX-License-Identifier: GPL-3.0-or-later
// Tasks that die and come back, on the modelled clock. A collective without one of its workers never ends: the others
// wait until they notice, and the step is given up. A parameter server's worker goes alone, with its closure; a lost
// server ends training. How long it takes to notice was measured (resources/timing-constants.csv).
#include <algorithm>
#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>
#include <utility>

#include <nlohmann/json.hpp>

#include "core/base/error.h"
#include "core/cluster/cluster.h"
#include "core/timing/timing_constants.h"
#include "core/trace/timeline.h"

namespace lab {
namespace {

std::int64_t constantNs(const char* key) {
  return std::llround(TimingConstants::builtIn()[key] * 1e6);
}

// What was under way as an end of it died.
void lose(Span& message, std::int64_t atNs) {
  const std::int64_t went = std::max<std::int64_t>(0, atNs - message.startNs);
  message.bytes = message.durationNs > 0
                      ? static_cast<std::int64_t>(static_cast<double>(message.bytes) * static_cast<double>(went) /
                                                  static_cast<double>(message.durationNs))
                      : 0;
  message.durationNs = went;
  message.label = labelOf(Label::MessageLost);
  message.add = false;
}

Span waitOf(int lane, std::int64_t fromNs, std::int64_t untilNs, Label label) {
  Span span;
  span.startNs = fromNs;
  span.durationNs = untilNs - fromNs;
  span.lane = lane;
  span.label = labelOf(label);
  span.kind = SpanKind::Wait;
  return span;
}

constexpr std::int64_t kNever = std::numeric_limits<std::int64_t>::max();

// The transfers of an all-reduce as far as they come when some ranks die: whoever misses a message sends no more.
std::vector<Span> untilDeath(std::vector<Span> transfers, const std::vector<bool>& isDead, std::int64_t atNs) {
  std::ranges::stable_sort(transfers, {}, &Span::startNs);
  std::vector<std::int64_t> stalledNs(isDead.size(), kNever);
  std::vector<Span> kept;
  for (Span& span : transfers) {
    const auto from = static_cast<std::size_t>(span.from), to = static_cast<std::size_t>(span.to);
    const std::int64_t endNs = span.startNs + span.durationNs;
    const bool sent = span.startNs < (isDead[from] ? atNs : stalledNs[from]);
    const bool arrives = sent && (!isDead[from] || endNs <= atNs) && (!isDead[to] || endNs <= atNs);
    if (!arrives) stalledNs[to] = std::min(stalledNs[to], endNs);
    if (!sent || (!arrives && span.startNs >= atNs)) continue;
    if (!arrives) lose(span, atNs);
    kept.push_back(span);
  }
  return kept;
}

}  // namespace

bool Cluster::isOf(const RunFault& fault, int replica) const {
  return fault.task == RunFault::Task::Worker && (asynchronous() ? replica : topology_.hostOf(replica)) == fault.index;
}

void Cluster::actOnFault() {
  if (!fault_ || fault_->step != step()) return;
  LAB_CHECK(modelled_ != nullptr);
  const bool worker = fault_->task == RunFault::Task::Worker;
  if (!asynchronous() || !worker)
    aborting_ = true;
  else if (fault_->what == RunFault::What::Revive)
    reviveWorker(fault_->index);
  else
    loseWorker(fault_->index);
}

// With what it had in hand: the coordinator learns of it later.
void Cluster::loseWorker(int worker) {
  const AsyncServers::Dropped dropped = servers_.drop(worker);
  DeadTask dead{.index = worker, .applied = dropped.applied};
  dead.sinceNs = dropped.lost.empty() ? std::max(dropped.atNs, doneNs_) : dropped.atNs;
  dead.noticedNs = dead.sinceNs + constantNs("fault.reset_ms");
  for (const ServerMessage& message : dropped.lost) {
    if (message.beginNs >= dead.sinceNs) continue;
    Span span = spanOf(message);
    lose(span, dead.sinceNs);
    ledger_.transfers().push_back(span);
  }
  cycleOf(worker) = {};
  dead_.push_back(dead);
}

void Cluster::reviveWorker(int worker) {
  const auto found = std::ranges::find_if(
      dead_, [&](const DeadTask& one) { return one.task == RunFault::Task::Worker && one.index == worker; });
  LAB_CHECK(found != dead_.end());
  const std::int64_t nowNs = std::max(doneNs_, found->sinceNs) + servers_.latencyNs();
  dead_.erase(found);
  replica(worker).clock.setModelled(nowNs);
  requestPull(worker, nowNs);
}

// The closures of the dead are in the queue again once that is noticed; who comes next gets one in their place.
void Cluster::giveClosures(int worker, std::int64_t nowNs) {
  for (DeadTask& dead : dead_) {
    if (dead.takenBy >= 0 || nowNs < dead.noticedNs) continue;
    dead.takenBy = worker;
    dead.takenNs = nowNs;
    return;
  }
}

void Cluster::addDeadSpan(std::int64_t fromNs, std::int64_t untilNs) {
  for (const DeadTask& dead : dead_) {
    if (dead.task != RunFault::Task::Worker || dead.sinceNs >= untilNs) continue;
    replica(dead.index).clock.record(waitOf(dead.index, std::max(fromNs, dead.sinceNs), untilNs, Label::TaskIsDead));
  }
}

FinishedStep Cluster::endAbortedStep() {
  LAB_CHECK(aborting_ && fault_);
  (void)group_->endStep();
  FinishedStep step = asynchronous() ? abortWorkers() : abortCollective();
  plan_ = nullptr;
  return step;
}

FinishedStep Cluster::abortCollective() {
  const auto& [timing, inputNs] = modelled_->stepOf({batches_, ModelledClock::Sends::Gradients, waitsFor_, step()});
  addInputSpan(inputNs, timing.stages.front().input);
  const std::int64_t beginNs = ledger_.beganNs();
  ModelledClock::Lanes lanes = modelled_->lay(timing, beginNs, batches_, plan_);
  std::vector<bool> isDead(static_cast<std::size_t>(topology_.endpoints()));
  for (int r = 0; r < replicas(); ++r) isDead[static_cast<std::size_t>(r)] = isOf(*fault_, r);
  const auto died = [&](int endpoint) { return isDead[static_cast<std::size_t>(endpoint)]; };
  // In the middle of its first message to another worker, or where it sends none when it has computed.
  std::int64_t atNs = kNever, computedNs = beginNs;
  for (const Span& span : lanes.transfers)
    if (died(span.from) && !died(span.to)) atNs = std::min(atNs, span.startNs + span.durationNs / 2);
  for (int r = 0; r < replicas(); ++r)
    for (const Span& span : lanes.replicas[static_cast<std::size_t>(r)])
      if (died(r) && span.kind == SpanKind::Compute) computedNs = std::max(computedNs, span.startNs + span.durationNs);
  if (atNs == kNever) atNs = computedNs;
  const bool frozen = fault_->what == RunFault::What::Freeze;
  const std::int64_t endNs = atNs + constantNs(frozen ? "fault.heartbeat_raise_ms" : "fault.raise_ms");
  dead_.push_back({.index = fault_->index,
                   .sinceNs = atNs,
                   .noticedNs = atNs + constantNs(frozen ? "fault.heartbeat_ms" : "fault.reset_ms")});

  ledger_.transfers() = untilDeath(std::move(lanes.transfers), isDead, atNs);
  for (const Span& span : ledger_.transfers()) ledger_.addBytesSent(span.bytes);
  for (int r = 0; r < replicas(); ++r) {
    std::int64_t busyNs = beginNs;
    for (Span span : lanes.replicas[static_cast<std::size_t>(r)]) {
      const bool ownWork = span.kind == SpanKind::Compute || span.label == labelOf(Label::WaitForInput);
      if (!ownWork || (died(r) && span.startNs >= atNs)) continue;
      if (died(r)) span.durationNs = std::min(span.durationNs, atNs - span.startNs);
      busyNs = std::max(busyNs, span.startNs + span.durationNs);
      replica(r).clock.record(span);
    }
    const std::int64_t fromNs = died(r) ? std::max(busyNs, atNs) : busyNs;
    replica(r).clock.record(waitOf(r, fromNs, endNs, died(r) ? Label::TaskIsDead : Label::WaitForDeadTask));
    replica(r).clock.setModelled(endNs);
  }

  StepValues values;
  for (int r = 0; r < replicas(); ++r) {
    values.lossSum += replica(r).lossSum();
    values.correct += replica(r).correct();
  }
  values.times = timesOfAborted(beginNs, endNs);
  ledger_.publish();
  FinishedStep step = finished(StepOutcome(values), {}, beginNs, endNs);
  ledger_.forget();
  return step;
}

// Means over the replicas, counted from the spans that are on their lanes.
StepTimes Cluster::timesOfAborted(std::int64_t beginNs, std::int64_t endNs) {
  Timeline timeline;
  timeline.legend = topology_.legend();
  const auto take = [&timeline](const std::vector<Span>& spans) {
    for (const Span& span : spans) {
      timeline.spans.push_back(span);
      timeline.launchNs.push_back(span.launchNs);
    }
  };
  for (int r = 0; r < replicas(); ++r) take(replica(r).clock.spans());
  take(ledger_.transfers());
  timeline.arrange();
  StageBreakdown sum{};
  for (int r = 0; r < replicas(); ++r) {
    const StageBreakdown one = timeline.breakdown(r, beginNs, endNs);
    for (std::size_t s = 0; s < kStages; ++s) sum[s] += one[s];
  }
  const auto mean = [&](StepStage stage) { return sum[static_cast<std::size_t>(stage)] / replicas(); };
  StepTimes times{.stepNs = endNs - beginNs,
                  .computeNs = mean(StepStage::Compute) + mean(StepStage::Overlapped),
                  .communicationNs = mean(StepStage::Exposed),
                  .inputNs = mean(StepStage::Input),
                  .stragglerNs = mean(StepStage::Straggler),
                  .launchNs = mean(StepStage::Launch)};
  times.faultNs =
      times.stepNs - times.computeNs - times.communicationNs - times.inputNs - times.stragglerNs - times.launchNs;
  return times;
}

// A server, or the coordinator, is gone: what is under way to the living arrives, and nothing follows.
FinishedStep Cluster::abortWorkers() {
  const std::int64_t atNs = doneNs_;
  const bool server = fault_->task == RunFault::Task::Server;
  const std::int64_t endNs = atNs + (server ? constantNs("fault.server_ms") : 0);
  dead_.push_back({.task = fault_->task, .index = fault_->index, .sinceNs = atNs, .noticedNs = endNs});
  lastWorker_ = 0;
  for (int w = replicas() - 1; w >= 0; --w)
    if (replica(w).hasComputed() && !servers_.isDropped(w)) lastWorker_ = w;
  for (int w = 0; w < replicas(); ++w) {
    if (servers_.isDropped(w)) continue;
    for (const ServerMessage& message : servers_.drop(w).lost) {
      if (message.beginNs >= atNs) continue;
      Span span = spanOf(message);
      if (server && message.server == fault_->index) lose(span, std::min(atNs, message.endNs));
      ledger_.transfers().push_back(span);
    }
    const std::int64_t fromNs = std::max(atNs, replica(w).clock.nowNs());
    if (fromNs < endNs) replica(w).clock.record(waitOf(w, fromNs, endNs, Label::WaitForDeadTask));
  }
  if (server && endNs > atNs) {
    const int lane = topology_.parameterDevice(fault_->index);
    parameterDevice(fault_->index).clock.record(waitOf(lane, atNs, endNs, Label::TaskIsDead));
  }
  addDeadSpan(atNs, endNs);
  previousDoneNs_ = atNs;
  doneNs_ = endNs;
  StepValues values;
  values.lossSum = replica(lastWorker_).lossSum();
  values.correct = replica(lastWorker_).correct();
  values.times = {.stepNs = endNs - atNs, .faultNs = endNs - atNs};
  ledger_.publish();
  FinishedStep step = finished(StepOutcome(values), lastWorker_, atNs, endNs);
  ledger_.forgetUntil(doneNs_);
  return step;
}

// Every process is new; what the variables are was loaded before. What starting takes is not modelled.
void Cluster::restart(std::int64_t atNs) {
  LAB_CHECK(modelled_ != nullptr);
  dead_.clear();
  for (int r = 0; r < replicas(); ++r) replica(r).clock.setModelled(atNs);
  for (const auto& device : parameterDevices_) device->clock.setModelled(atNs);
  for (DeviceClock& host : hostClocks_) host.setModelled(atNs);
  ledger_.setBegan(atNs);
  if (!asynchronous()) return;
  for (int r = 0; r < replicas(); ++r) replica(r).version = -1;
  cycles_.assign(cycles_.size(), {});
  ledger_.spans().clear();
  previousDoneNs_ = doneNs_ = atNs;
  startWorkers();
}

nlohmann::json Cluster::saveDead() const {
  nlohmann::json list = nlohmann::json::array();
  for (const DeadTask& dead : dead_)
    list.push_back({static_cast<int>(dead.task), dead.index, dead.sinceNs, dead.noticedNs, dead.takenBy, dead.takenNs,
                    dead.applied});
  return list;
}

void Cluster::loadDead(const nlohmann::json& list) {
  dead_.clear();
  for (const nlohmann::json& one : list) {
    const int task = one.at(0).get<int>();
    LAB_CHECK(task >= 0 && task <= static_cast<int>(RunFault::Task::Server));
    dead_.push_back({static_cast<RunFault::Task>(task), one.at(1).get<int>(), one.at(2).get<std::int64_t>(),
                     one.at(3).get<std::int64_t>(), one.at(4).get<int>(), one.at(5).get<std::int64_t>(),
                     one.at(6).get<int>()});
    LAB_CHECK(dead_.back().index >= 0 &&
              (dead_.back().task != RunFault::Task::Worker || dead_.back().index < replicas()));
  }
}

}  // namespace lab

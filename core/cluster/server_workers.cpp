// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/cluster/server_workers.h"

#include <algorithm>
#include <utility>

#include <nlohmann/json.hpp>

#include "core/base/at.h"
#include "core/base/error.h"
#include "core/base/json.h"
#include "core/cluster/messages.h"

namespace lab {
namespace {

// On the logical clock that orders measured workers, a computation takes one unit, and the workers' starts are spread
// evenly over this unit.
constexpr std::int64_t kLogicalComputeNs = 1'000'000;

}  // namespace

void ServerWorkers::start() {
  std::vector<bool> hasVariables;
  for (const auto& server : parts_.parameterDevices) hasVariables.push_back(server->sizeOfTransfer() > 0);
  for (int w = 0; w < parts_.replicas(); ++w)
    for (int s = 0; s < static_cast<int>(hasVariables.size()); ++s) {
      if (!at(hasVariables, s)) continue;
      parts_.topology.linkTrack(w, parts_.topology.parameterDevice(s));
      parts_.topology.linkTrack(parts_.topology.parameterDevice(s), w);
    }
  ServerSettings shares;
  if (parts_.modelled) {
    shares = serverSettingsOf(parts_.modelled->model().asked(), hasVariables.size());
  } else {
    shares.workers = parts_.replicas();
    shares.turns = parts_.settings.turns;
    for (const bool has : hasVariables) shares.transferNs.push_back(has ? 0 : -1);
    shares.updateNs.assign(hasVariables.size(), 0);
  }
  LAB_CHECK(shares.transferNs.size() == hasVariables.size());
  for (std::size_t i = 0; i < hasVariables.size(); ++i) LAB_CHECK(hasVariables[i] == (shares.transferNs[i] >= 0));
  servers_.start(std::move(shares));
  for (int w = 0; w < parts_.replicas(); ++w)
    servers_.ask(w, parts_.modelled ? doneNs_ + workerStartNs(w, servers_.latencyNs())
                                    : w * kLogicalComputeNs / parts_.replicas());
}

ServerTransfer ServerWorkers::nextReady() {
  dead_.stopIfAborting();
  return servers_.next();
}

void ServerWorkers::copy(const ServerTransfer& transfer) {
  const std::int64_t beganNs = parts_.ledger.nowNs();
  ParameterDevice& server = parts_.parameterDevice(transfer.server);
  Replica& worker = parts_.replica(transfer.worker);
  const bool pull = transfer.what == ServerTransfer::What::Pull;
  const auto shorten = [&](float* values) {
    if (parts_.settings.wire != Wire::Bfloat16) return;
    for (const VariablePart& part : server.parts())
      parts_.backend->roundToBfloat16(part.count, values + part.offset, values + part.offset);
  };
  if (pull) {
    server.copyWeightsTo(worker.variables.weights.data());
    shorten(worker.variables.weights.data());
    server.copyStatisticsTo(worker.variables.statistics.data());
  } else {
    shorten(worker.variables.gradients.data());
    server.takeGradientsFrom(worker.variables.gradients.data());
    server.takeStatisticsFrom(worker.variables.statistics.data());
  }
  const std::int64_t endedNs = parts_.ledger.nowNs();
  cycleOf(transfer.worker).communicationNs += endedNs - beganNs;

  parts_.ledger.addBytesSent(server.bytesOfTransfer(parts_.settings.wire));
  Span span = spanOf(transfer);
  if (parts_.clock() == TimeSource::Measured) {
    span.startNs = beganNs;
    span.durationNs = endedNs - beganNs;
  }
  parts_.ledger.transfers().push_back(span);
}

// Returns the span of a transfer on the virtual clock.
Span ServerWorkers::spanOf(const ServerTransfer& transfer) {
  const ParameterDevice& server = parts_.parameterDevice(transfer.server);
  const int serverEndpoint = parts_.topology.parameterDevice(transfer.server);
  const bool pull = transfer.what == ServerTransfer::What::Pull;
  Span span;
  span.startNs = transfer.beginNs;
  span.durationNs = transfer.endNs - transfer.beginNs;
  span.step = parts_.ledger.step();
  span.bytes = server.bytesOfTransfer(parts_.settings.wire);
  // A share consists of pieces; the span's offset is the lowest of its elements.
  if (!server.parts().empty()) span.offset = std::ranges::min(server.parts(), {}, &VariablePart::offset).offset;
  span.count = server.size();
  span.from = pull ? serverEndpoint : transfer.worker;
  span.to = pull ? transfer.worker : serverEndpoint;
  span.track = parts_.topology.linkTrack(span.from, span.to);
  span.label = labelOf(pull ? Label::PullWeights : Label::PushGradients);
  span.kind = SpanKind::Transfer;
  span.clock = parts_.clock();
  return span;
}

void ServerWorkers::requestPull(int worker, std::int64_t nowNs) {
  servers_.ask(worker, nowNs);
  dead_.giveClosures(worker, nowNs);
  if (parts_.modelled) addRequestSpan(worker, nowNs, Label::PullWeights);
}

void ServerWorkers::compute(const ServerTransfer& lastPull, const std::function<void(Replica&)>& body) {
  const int index = lastPull.worker;
  Replica& worker = parts_.replica(index);
  const bool first = !worker.hasComputed();
  worker.version = parts_.ledger.step() - 1;           // every step before the present one was one update
  const std::int64_t beganNs = parts_.ledger.nowNs();  // a clock without the time that only a record needs
  body(worker);
  cycleOf(index).computeNs += parts_.ledger.nowNs() - beganNs;
  if (!parts_.modelled) return servers_.compute(index, kLogicalComputeNs);

  const std::int64_t batch = std::ssize(worker.shard());
  const WorkerTiming& timing = parts_.modelled->workerOf(index, batch);
  servers_.compute(index, timing.computeNs, timing.inputNs, parts_.modelled->model().request.input.prefetch);
  const WorkerCycle& cycle = servers_.cycle(index);
  if (first) addRequestSpan(index, cycle.askedNs, Label::PullWeights);  // before any step
  addQueueSpan(index, cycle.askedNs, cycle.pulledNs);
  worker.clock.waitUntil(cycle.begunNs, labelOf(Label::WaitForInput));
  at(begunNs_, index) = cycle.begunNs;
  parts_.modelled->lay(timing, index, cycle.begunNs, batch, worker.clock.spans());
  worker.clock.setModelled(cycle.computedNs);
  addRequestSpan(index, cycle.computedNs, Label::PushGradients);
}

// Adds spans of a worker that exchanges transfers with its servers: its request travels, then it waits for its turns.
// The transfers themselves are on the links' tracks.
void ServerWorkers::addRequestSpan(int worker, std::int64_t ns, Label label) {
  Span request;
  request.startNs = ns;
  request.durationNs = servers_.latencyNs();
  request.track = parts_.topology.deviceTrack(worker);
  request.label = labelOf(label);
  request.kind = SpanKind::Reduce;
  parts_.replica(worker).clock.record(request);
}

void ServerWorkers::addQueueSpan(int worker, std::int64_t requestNs, std::int64_t untilNs) {
  DeviceClock& track = parts_.replica(worker).clock;
  track.setModelled(requestNs + servers_.latencyNs());
  track.waitUntil(untilNs, labelOf(Label::WaitForServer));
}

std::int64_t ServerWorkers::applyUpdate(const ServerTransfer& push) {
  ParameterDevice& server = parts_.parameterDevice(push.server);
  if (push.last) lastWorker_ = push.worker;
  const std::int64_t beganNs = parts_.ledger.nowNs();
  server.update(parts_.present.learningRate);
  cycleOf(push.worker).computeNs += parts_.ledger.nowNs() - beganNs;
  if (!parts_.modelled) return push.endNs;

  Span update;
  update.startNs = push.updateNs;
  update.durationNs = push.appliedNs - push.updateNs;
  update.count = server.size();
  update.track = server.clock.track();
  update.label = labelOf(Label::Update);
  update.kind = SpanKind::Update;
  server.clock.record(update);
  server.clock.setModelled(push.appliedNs);
  if (push.last) {
    const WorkerCycle& cycle = servers_.cycle(push.worker);
    addQueueSpan(push.worker, cycle.computedNs, cycle.doneNs);
    const StageNs& stages =
        parts_.modelled->workerOf(push.worker, std::ssize(parts_.replica(push.worker).shard())).stages;
    previousDoneNs_ = std::exchange(doneNs_, std::max(doneNs_, cycle.doneNs));
    cycleOf(push.worker) = {.stepNs = cycle.stepNs(),
                            .computeNs = stages.compute,
                            .communicationNs = cycle.sendingNs,
                            .inputNs = cycle.inputNs(),
                            .queueNs = cycle.queueNs(),
                            .launchNs = stages.launch};
  }
  return push.appliedNs;
}

StepEnd ServerWorkers::endStep() {
  const int worker = lastWorker_;
  StepValues values;
  values.lossSum = parts_.replica(worker).lossSum();
  values.correct = parts_.replica(worker).correct();
  values.times = std::exchange(cycleOf(worker), {});
  if (parts_.modelled) {
    dead_.addSpans(previousDoneNs_, doneNs_);
    return {StepOutcome(values), worker, previousDoneNs_, doneNs_};
  }
  // Where time is measured, most of the cycle fell into earlier steps, and this step also served other workers.
  values.times.stepNs = values.times.computeNs + values.times.communicationNs;
  return {StepOutcome(values), worker, parts_.ledger.beganNs(), parts_.ledger.nowNs()};
}

std::vector<Span> ServerWorkers::underWay(std::int64_t ns) {
  std::vector<Span> spans;
  if (parts_.modelled)
    for (const ServerTransfer& transfer : servers_.underWay(ns)) spans.push_back(spanOf(transfer));
  return spans;
}

std::vector<MemoryTimeline> ServerWorkers::memory() const {
  std::vector<MemoryTimeline> all(begunNs_.size());
  for (int w = 0; w < parts_.replicas(); ++w) {
    const auto at = static_cast<std::size_t>(w);
    if (begunNs_[at] < 0) continue;
    all[at] = parts_.modelled->workerOf(w, std::ssize(parts_.replica(w).shard())).memory;
    all[at].shift(begunNs_[at]);
    all[at].clip(previousDoneNs_, doneNs_);
  }
  return all;
}

void ServerWorkers::recordUnderWay() {
  if (!parts_.asynchronous() || !parts_.telemetry.spansWanted()) return;
  for (const Span& span : underWay(doneNs_)) parts_.telemetry.span(span);
}

// The worker's transfers are lost too; the coordinator learns of the death later, and who waits for the dead goes on
// then.
void ServerWorkers::lose(int worker) {
  const AsyncServers::Dropped dropped = servers_.drop(worker);
  DeadTask dead{.index = worker, .applied = dropped.applied};
  dead.sinceNs = dropped.lost.empty() ? std::max(dropped.atNs, doneNs_) : dropped.atNs;
  dead.noticedNs = dead.sinceNs + faultNs("fault.reset_ms");
  for (const ServerTransfer& transfer : dropped.lost) {
    if (transfer.beginNs >= dead.sinceNs) continue;
    Span span = spanOf(transfer);
    lab::lose(span, dead.sinceNs);
    parts_.ledger.transfers().push_back(span);
  }
  servers_.forget(worker, std::max(dead.noticedNs, doneNs_));
  cycleOf(worker) = {};
  at(begunNs_, worker) = -1;
  dead_.add(dead);
}

void ServerWorkers::revive(int worker) {
  const std::int64_t nowNs = std::max(doneNs_, dead_.takeWorker(worker).sinceNs) + servers_.latencyNs();
  parts_.replica(worker).clock.setModelled(nowNs);
  requestPull(worker, nowNs);
}

void ServerWorkers::restart(std::int64_t atNs) {
  for (int r = 0; r < parts_.replicas(); ++r) parts_.replica(r).version = -1;
  cycles_.assign(cycles_.size(), {});
  begunNs_.assign(begunNs_.size(), -1);
  parts_.ledger.spans().clear();
  previousDoneNs_ = doneNs_ = atNs;
  start();
}

StepEnd ServerWorkers::abort() {
  const std::int64_t atNs = doneNs_;
  const RunFault& fault = dead_.fault();
  const bool server = fault.task == RunFault::Task::Server;
  const std::int64_t endNs = atNs + (server ? faultNs("fault.server_ms") : 0);
  dead_.add({.task = fault.task, .index = fault.index, .sinceNs = atNs, .noticedNs = endNs});
  lastWorker_ = 0;
  for (int w = parts_.replicas() - 1; w >= 0; --w)
    if (parts_.replica(w).hasComputed() && !servers_.isDropped(w)) lastWorker_ = w;
  for (int w = 0; w < parts_.replicas(); ++w) {
    if (servers_.isDropped(w)) continue;
    for (const ServerTransfer& transfer : servers_.drop(w).lost) {
      if (transfer.beginNs >= atNs) continue;
      Span span = spanOf(transfer);
      if (server && transfer.server == fault.index) lab::lose(span, std::min(atNs, transfer.endNs));
      parts_.ledger.transfers().push_back(span);
    }
    const std::int64_t fromNs = std::max(atNs, parts_.replica(w).clock.nowNs());
    if (fromNs < endNs) parts_.replica(w).clock.record(waitSpan(w, fromNs, endNs, Label::WaitForDeadTask));
  }
  if (server && endNs > atNs) {
    const int track = parts_.topology.parameterDevice(fault.index);
    parts_.parameterDevice(fault.index).clock.record(waitSpan(track, atNs, endNs, Label::TaskIsDead));
  }
  dead_.addSpans(atNs, endNs);
  previousDoneNs_ = atNs;
  doneNs_ = endNs;
  StepValues values;
  values.lossSum = parts_.replica(lastWorker_).lossSum();
  values.correct = parts_.replica(lastWorker_).correct();
  values.times = {.stepNs = endNs - atNs, .faultNs = endNs - atNs};
  return {StepOutcome(values), lastWorker_, atNs, endNs};
}

void ServerWorkers::save(nlohmann::json& state) const {
  state["servers"] = servers_.save();
  state["done"] = doneNs_;
  for (int r = 0; r < parts_.replicas(); ++r) state["computedWith"].push_back(parts_.replica(r).version);
  if (parts_.modelled) state["begun"] = begunNs_;
  if (parts_.clock() == TimeSource::Measured)
    for (const StepTimes& cycle : cycles_) state["cycles"].push_back({cycle.computeNs, cycle.communicationNs});
}

void ServerWorkers::load(const nlohmann::json& state) {
  if (state.contains("arrivals")) throw UserError(say::olderAsyncCheckpoint);
  servers_.load(state.at("servers"));
  doneNs_ = integerOf<std::int64_t>(state.at("done"));
  for (int r = 0; r < parts_.replicas(); ++r)
    parts_.replica(r).version = integerOf<std::int64_t>(state.at("computedWith").at(static_cast<std::size_t>(r)));
  // Checkpoints of earlier versions lack it. Only the memory over a step needs it.
  begunNs_ = state.value("begun", std::vector<std::int64_t>(cycles_.size(), -1));
  LAB_CHECK(begunNs_.size() == cycles_.size());
  const auto cycles = state.find("cycles");
  if (cycles == state.end()) return;  // checkpoints of earlier versions have no cycles
  for (std::size_t i = 0; i < cycles_.size(); ++i) {
    cycles_[i].computeNs = cycles->at(i).at(0).get<std::int64_t>();
    cycles_[i].communicationNs = cycles->at(i).at(1).get<std::int64_t>();
    LAB_CHECK(cycles_[i].computeNs >= 0 && cycles_[i].communicationNs >= 0);
  }
}

}  // namespace lab

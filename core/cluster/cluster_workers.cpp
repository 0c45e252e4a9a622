// SPDX-License-Identifier: GPL-3.0-or-later
// The cluster's verbs for asynchronous workers: messages between them and the servers in the order of AsyncServers, and
// the cycle of each worker on its clock.
#include <algorithm>
#include <utility>

#include "core/base/error.h"
#include "core/cluster/cluster.h"

namespace lab {
namespace {

// On the logical clock that orders measured workers a computation is one unit, and they start evenly spread over it.
constexpr std::int64_t kLogicalComputeNs = 1'000'000;

}  // namespace

FinishedStep Cluster::endWorkerStep() {
  (void)group_->endStep();
  const int worker = lastWorker_;
  StepValues values;
  values.lossSum = replica(worker).lossSum();
  values.correct = replica(worker).correct();
  values.times = std::exchange(cycleOf(worker), {});
  if (modelled_) addDeadSpan(previousDoneNs_, doneNs_);
  // Where time is measured, most of the cycle fell into earlier steps, and this one was spent on other workers too.
  if (!modelled_) values.times.stepNs = values.times.computeNs + values.times.communicationNs;
  ledger_.publish();
  if (!modelled_) {
    FinishedStep step = finished(StepOutcome(values), worker, ledger_.beganNs(), ledger_.nowNs());
    ledger_.forget();
    return step;
  }
  FinishedStep step = finished(StepOutcome(values), worker, previousDoneNs_, doneNs_);
  ledger_.forgetUntil(doneNs_);
  return step;
}

void Cluster::recordUnderWay() {
  if (!asynchronous() || !modelled_ || !telemetry_.spansWanted()) return;
  for (const ServerMessage& message : servers_.underWay(doneNs_)) telemetry_.span(spanOf(message));
}

void Cluster::copy(const ServerMessage& message) {
  const std::int64_t beganNs = ledger_.nowNs();
  ParameterDevice& server = parameterDevice(message.server);
  Replica& worker = replica(message.worker);
  const bool pull = message.what == ServerMessage::What::Pull;
  if (pull) {
    server.copyWeightsTo(worker.variables.weights.data());
    server.copyStatisticsTo(worker.variables.statistics.data());
  } else {
    server.takeGradientsFrom(worker.variables.gradients.data());
    server.takeStatisticsFrom(worker.variables.statistics.data());
  }
  const std::int64_t endedNs = ledger_.nowNs();
  cycleOf(message.worker).communicationNs += endedNs - beganNs;

  ledger_.addBytesSent(server.sizeOfMessage() * 4);
  Span span = spanOf(message);
  if (clock() == TimeSource::Measured) {
    span.startNs = beganNs;
    span.durationNs = endedNs - beganNs;
  }
  ledger_.transfers().push_back(span);
}

// A message on the virtual clock.
Span Cluster::spanOf(const ServerMessage& message) {
  const ParameterDevice& server = parameterDevice(message.server);
  const int serverEndpoint = topology_.parameterDevice(message.server);
  const bool pull = message.what == ServerMessage::What::Pull;
  Span span;
  span.startNs = message.beginNs;
  span.durationNs = message.endNs - message.beginNs;
  span.step = step();
  span.bytes = server.sizeOfMessage() * 4;
  // A share is in pieces: from the lowest of its elements on.
  if (!server.parts().empty()) span.offset = std::ranges::min(server.parts(), {}, &VariablePart::offset).offset;
  span.count = server.size();
  span.from = pull ? serverEndpoint : message.worker;
  span.to = pull ? message.worker : serverEndpoint;
  span.lane = topology_.linkLane(span.from, span.to);
  span.label = labelOf(pull ? Label::PullWeights : Label::PushGradients);
  span.kind = SpanKind::Transfer;
  span.clock = clock();
  return span;
}

void Cluster::startWorkers() {
  std::vector<bool> hasVariables;
  for (const auto& server : parameterDevices_) hasVariables.push_back(server->sizeOfMessage() > 0);
  for (int w = 0; w < replicas(); ++w)
    for (int s = 0; s < parameterDevices(); ++s) {
      if (!hasVariables[static_cast<std::size_t>(s)]) continue;
      topology_.linkLane(w, topology_.parameterDevice(s));
      topology_.linkLane(topology_.parameterDevice(s), w);
    }
  ServerSettings shares;
  if (modelled_) {
    shares = serverSettingsOf(modelled_->model().asked(), hasVariables.size());
  } else {
    shares.workers = replicas();
    for (const bool has : hasVariables) shares.messageNs.push_back(has ? 0 : -1);
    shares.updateNs.assign(hasVariables.size(), 0);
  }
  LAB_CHECK(shares.messageNs.size() == hasVariables.size());
  for (std::size_t i = 0; i < hasVariables.size(); ++i) LAB_CHECK(hasVariables[i] == (shares.messageNs[i] >= 0));
  servers_.start(std::move(shares));
  for (int w = 0; w < replicas(); ++w)
    servers_.ask(w, modelled_ ? doneNs_ + workerStartNs(w, servers_.latencyNs()) : w * kLogicalComputeNs / replicas());
}

void Cluster::requestPull(int worker, std::int64_t nowNs) {
  servers_.ask(worker, nowNs);
  giveClosures(worker, nowNs);
  if (modelled_) layRequest(worker, nowNs, Label::PullWeights);
}

void Cluster::compute(const ServerMessage& lastPull, const std::function<void(Replica&)>& body) {
  const int index = lastPull.worker;
  Replica& worker = replica(index);
  const bool first = !worker.hasComputed();
  worker.version = step() - 1;                   // this is step number step(), and every one before it was an update
  const std::int64_t beganNs = ledger_.nowNs();  // from which is left out what only a record needs
  body(worker);
  cycleOf(index).computeNs += ledger_.nowNs() - beganNs;
  if (!modelled_) return servers_.compute(index, kLogicalComputeNs);

  const std::int64_t batch = std::ssize(worker.shard());
  const WorkerTiming& timing = modelled_->workerOf(index, batch);
  servers_.compute(index, timing.computeNs, timing.inputNs, modelled_->model().request.input.prefetch);
  const WorkerCycle& cycle = servers_.cycle(index);
  if (first) layRequest(index, cycle.askedNs, Label::PullWeights);  // before any step
  addQueueSpan(index, cycle.askedNs, cycle.pulledNs);
  worker.clock.waitUntil(cycle.begunNs, labelOf(Label::WaitForInput));
  modelled_->lay(timing, index, cycle.begunNs, batch, worker.clock.spans());
  worker.clock.setModelled(cycle.computedNs);
  layRequest(index, cycle.computedNs, Label::PushGradients);
}

// Of a worker that exchanges with its servers: its request is on its way, then it waits for its turns. Its messages are
// on the links' lanes.
void Cluster::layRequest(int worker, std::int64_t ns, Label label) {
  Span request;
  request.startNs = ns;
  request.durationNs = servers_.latencyNs();
  request.lane = topology_.deviceLane(worker);
  request.label = labelOf(label);
  request.kind = SpanKind::Reduce;
  replica(worker).clock.record(request);
}

void Cluster::addQueueSpan(int worker, std::int64_t requestNs, std::int64_t untilNs) {
  DeviceClock& lane = replica(worker).clock;
  lane.setModelled(requestNs + servers_.latencyNs());
  lane.waitUntil(untilNs, labelOf(Label::WaitForServer));
}

std::int64_t Cluster::applyUpdate(const ServerMessage& push) {
  ParameterDevice& server = parameterDevice(push.server);
  if (push.last) lastWorker_ = push.worker;
  const std::int64_t beganNs = ledger_.nowNs();
  server.update(learningRate_);
  cycleOf(push.worker).computeNs += ledger_.nowNs() - beganNs;
  if (!modelled_) return push.endNs;

  Span update;
  update.startNs = push.updateNs;
  update.durationNs = push.appliedNs - push.updateNs;
  update.count = server.size();
  update.lane = server.clock.lane();
  update.label = labelOf(Label::Update);
  update.kind = SpanKind::Update;
  server.clock.record(update);
  server.clock.setModelled(push.appliedNs);
  if (push.last) {
    const WorkerCycle& cycle = servers_.cycle(push.worker);
    addQueueSpan(push.worker, cycle.computedNs, cycle.doneNs);
    const StageNs& stages = modelled_->workerOf(push.worker, std::ssize(replica(push.worker).shard())).stages;
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

}  // namespace lab

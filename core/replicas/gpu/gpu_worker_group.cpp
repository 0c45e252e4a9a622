// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/replicas/gpu/gpu_worker_group.h"

#include <chrono>
#include <utility>

#include "core/base/error.h"
#include "core/device/messages.h"

namespace lab {

using process::Doing;

GpuWorkerGroup::GpuWorkerGroup(std::shared_ptr<gpu::Layer> layer, const ReplicaSettings& settings,
                               const Dataset& dataset, ThreadPool& pool, Topology& topology, StepLedger& ledger,
                               std::shared_ptr<process::Peers> peersOfRun, std::int64_t examples,
                               const ReadProgress& uploaded)
    : WorkerGroup(settings, pool, topology, ledger, std::move(peersOfRun)), among_{*this, {}, {}, {}, {}} {
  among_.gather = [this](std::span<const std::byte> mine, std::span<std::byte> all) { gatherSums(mine, all); };
  // The heartbeat finds out which process is missing; NCCL's kernels alone would wait for ever.
  layer->whileWaiting([this] { peers().pause(inCollective_ ? process::kAllOthers : process::kNobody); });
  auto gpus = std::make_unique<GpuReplicas>(std::move(layer), settings, dataset, topology, ledger, pool, examples, true,
                                            uploaded, &among_);
  gpus_ = gpus.get();
  setLocal(std::move(gpus));
}

GpuWorkerGroup::~GpuWorkerGroup() {
  setLocal(nullptr);  // destroyed here: it waits for the GPUs and calls peers() meanwhile
}

void GpuWorkerGroup::beginStep(std::int64_t step, Watch watch) {
  WorkerGroup::beginStep(step, watch);
  gatheredNs_ = 0;
  gpus_->beginStep(step, watch);
}

StepOutcome GpuWorkerGroup::endStep() {
  if (compares()) gpus_->digest();
  peers().enter(Doing::AllReduce, ledger().step());
  // The GPUs' own communication time, from the last gradients to all sums, plus the time that the hosts took in
  // between.
  together([&] { setCommunication(gpus_->endStep().get().times.communicationNs + gatheredNs_); });
  inCollective_ = false;
  peers().leave();
  for (const Span& span : std::exchange(among_.spans, {}))
    if (span.kind == SpanKind::Transfer)
      ledger().transfers().push_back(span);
    else
      replica(span.track).clock.record(span);
  return WorkerGroup::endStep();
}

void GpuWorkerGroup::together(const std::function<void()>& body) {
  constexpr std::chrono::seconds kGrace{2};
  try {
    if (inCollective_) peers().beInCall();
    body();
    peers().resume();
  } catch (const UserError& error) {
    if (!error.message().is(say::ncclFailed) || peers().size() == 1) throw;
    // NCCL may notice first that a process is gone, but cannot say which one.
    const auto until = std::chrono::steady_clock::now() + peers().deadline() + kGrace;
    while (std::chrono::steady_clock::now() < until) peers().pause(process::kAllOthers);
    throw;
  }
}

void GpuWorkerGroup::look(const std::function<void()>& body) {
  together([&] { gpus_->look(body); });
}

void GpuWorkerGroup::forEach(const std::function<void(Replica&)>& body, bool computes) {
  gpus_->forEach(body, computes);
}

void GpuWorkerGroup::forwardBackwardTogether(const std::function<float(const Replica&)>& scaleOf,
                                             const SumsSchedule& scheduleOf) {
  gpus_->forwardBackwardTogether(scaleOf, scheduleOf);
}

void GpuWorkerGroup::gatherSums(std::span<const std::byte> mine, std::span<std::byte> all) {
  peers().enter(Doing::AllReduce, ledger().step());
  const std::int64_t beganNs = steadyNs();
  peers().allGather(mine.data(), all.data(), mine.size());
  gatheredNs_ += steadyNs() - beganNs;
  peers().leave();
}

void GpuWorkerGroup::fetch(Replica& replica) {
  if (replica.isHere()) gpus_->fetch(replica);
}

void GpuWorkerGroup::send(Replica& replica) {
  if (replica.isHere()) gpus_->send(replica);
}

void GpuWorkerGroup::fetchStatistics() {
  gpus_->fetchStatistics();
}

void GpuWorkerGroup::sendStatistics() {
  gpus_->sendStatistics();
}

// ---- between replicas

void GpuWorkerGroup::prepare(const ReductionPlan& plan) {
  if (plan.reducer != Reducer::Nccl) return;
  peers().enter(Doing::StartUp, ledger().step());
  gpu::NcclId id;
  if (peers().isChief()) id = gpus_->layer().newNcclId();
  peers().broadcast(id.bytes.data(), id.bytes.size());
  inCollective_ = true;
  together([&] { gpus_->joinRanks(id); });
  inCollective_ = false;
  peers().leave();
}

void GpuWorkerGroup::broadcast(const Schedule& schedule) {
  WorkerGroup::broadcast(schedule);
  for (const int r : replicasHere()) gpus_->send(replica(r));
}

void GpuWorkerGroup::allReduce(const ReductionPlan& plan, ReduceTarget what, ReduceOp then) {
  if (plan.reducer != Reducer::Nccl)
    return gpus_->exchangeOnHost(what, [&] { WorkerGroup::allReduce(plan, what, then); });
  inCollective_ = true;
  gpus_->allReduce(plan, what, then);
}

bool GpuWorkerGroup::mirrorsIdentical() {
  gpus_->digest();
  return WorkerGroup::mirrorsIdentical();
}

}  // namespace lab

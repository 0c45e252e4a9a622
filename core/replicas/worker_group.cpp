// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/replicas/worker_group.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include "core/base/at.h"
#include "core/base/bit_digest.h"
#include "core/base/error.h"
#include "core/replicas/labels.h"
#include "core/replicas/parameter_device.h"
#include "core/replicas/processor_group.h"

namespace lab {

using process::Content;
using process::Doing;

// What each replica's process reports about it at the end of a step.
struct WorkerGroup::Report {
  double lossSum = 0;
  std::int64_t correct = 0;
  std::uint64_t digest = 0;
};

WorkerGroup::WorkerGroup(const ReplicaSettings& settings, ThreadPool& pool, Topology& topology, StepLedger& ledger,
                         std::shared_ptr<process::Peers> peers)
    : settings_(settings),
      pool_(pool),
      topology_(topology),
      ledger_(ledger),
      peers_(std::move(peers)),
      collective_(topology, *settings.backend, ledger, *peers_),
      spans_(topology, ledger, *peers_) {
  LAB_CHECK(topology.hosts() == peers_->size());
  if (topology.settings().gpuOfReplica.empty())
    local_ = std::make_unique<ProcessorGroup>(settings, pool, topology, ledger);
}

std::vector<int> WorkerGroup::replicasHere() const {
  std::vector<int> here;
  for (int r = 0; r < size(); ++r)
    if (isHere(r)) here.push_back(r);
  return here;
}

std::vector<Replica*> WorkerGroup::allHere() const {
  std::vector<Replica*> replicas;
  for (const int r : replicasHere()) replicas.push_back(&replica(r));
  return replicas;
}

// ---- a step

void WorkerGroup::agree(Watch& watch, bool& recorded) {
  peers_->enter(Doing::Begin, ledger_.step());
  std::int32_t wish[2]{static_cast<std::int32_t>(watch), recorded ? 1 : 0};
  peers_->broadcast(wish, sizeof wish);
  watch = static_cast<Watch>(wish[0]);
  recorded = wish[1] != 0;
  peers_->leave();
}

void WorkerGroup::beginStep(std::int64_t, Watch watch) {
  watch_ = watch;
  compares_ = hasWhole_ = false;
  communicationNs_ = 0;
  for (Replica* each : allHere())
    if (inParts_ != nullptr) dropWhole(each->variables);
  collective_.setRecording(watch != Watch::None);
  spans_.beginStep();
}

StepValues WorkerGroup::ownValues(const Replica& replica) const {
  StepValues values;
  if (!replica.hasComputed()) return values;
  values.lossSum = replica.lossSum();
  values.correct = replica.correct();
  return values;
}

std::uint64_t WorkerGroup::ownDigest(const Replica& replica) const {
  return bitDigest(replica.variables.weights.span());
}

// Returns the reports in the order of replicas.
std::vector<WorkerGroup::Report> WorkerGroup::reports(bool withDigests) {
  std::vector<Report> mine, all(static_cast<std::size_t>(size()));
  for (const int r : replicasHere()) {
    const StepValues own = ownValues(replica(r));
    mine.push_back({own.lossSum, own.correct, withDigests ? ownDigest(replica(r)) : 0});
  }
  peers_->allGather(mine.data(), all.data(), mine.size() * sizeof(Report));
  return all;
}

StepOutcome WorkerGroup::endStep() {
  peers_->enter(Doing::End, ledger_.step());
  const std::int64_t beganNs = steadyNs();
  const std::vector<Report> all = reports(compares_);
  communicationNs_ += steadyNs() - beganNs;
  StepValues values;
  for (const Report& each : all) {
    values.lossSum += each.lossSum;
    values.correct += each.correct;
  }
  if (compares_)
    values.mirrorsIdentical =
        std::ranges::all_of(all, [&](const Report& each) { return each.digest == all.front().digest; });
  values.times.stepNs = ledger_.endedNs() - ledger_.beganNs();
  values.times.communicationNs = communicationNs_;
  values.times.computeNs = values.times.stepNs - communicationNs_;
  if (watch_ != Watch::None) ledger_.unmeasured([this] { spans_.gather(*this); });
  peers_->leave();
  return StepOutcome(values);
}

bool WorkerGroup::mirrorsIdentical() {
  peers_->enter(Doing::End, ledger_.step());
  const std::vector<Report> all = reports(true);
  peers_->leave();
  return std::ranges::all_of(all, [&](const Report& each) { return each.digest == all.front().digest; });
}

// Uses ProcessorGroup's rule, for the local replicas.
void WorkerGroup::forEach(const std::function<void(Replica&)>& body, bool computes) {
  std::vector<int> here;
  for (int r = 0; r < size(); ++r)
    if (isHere(r))
      here.push_back(r);
    else
      body(replica(r));
  const int threads = pool_.threads(), count = static_cast<int>(here.size());
  if (computes && (count < threads || (count % threads != 0 && count < 4 * threads)))
    for (const int r : here) body(replica(r));
  else
    pool_.forEach(count, [&](std::int64_t i) { body(replica(at(here, i))); });
}

void WorkerGroup::load(Replica& replica) {
  if (replica.isHere()) local_->load(replica);
}

void WorkerGroup::forwardBackward(Replica& replica, float scale) {
  if (replica.isHere()) local_->forwardBackward(replica, scale);
}

void WorkerGroup::forwardBackwardTogether(const std::function<float(const Replica&)>& scaleOf,
                                          const SumsSchedule& scheduleOf) {
  local_->passTogether(allHere(), scaleOf, addUpBy(scheduleOf));
}

void WorkerGroup::forwardBackwardGathering(const std::function<float(const Replica&)>& scaleOf,
                                           const SumsSchedule& scheduleOf, const std::function<void()>& gather) {
  local_->passGathering(allHere(), scaleOf, addUpBy(scheduleOf), gather);
}

ReplicaGroup::AddUp WorkerGroup::addUpBy(const SumsSchedule& scheduleOf) {
  return [this, &scheduleOf](std::span<std::vector<float>> sums) {
    std::vector<float*> buffers(static_cast<std::size_t>(topology_.endpoints()), nullptr);
    std::vector<DeviceClock*> clocks(buffers.size(), nullptr);
    const std::vector<int> here = replicasHere();
    for (std::size_t i = 0; i < here.size(); ++i) {
      at(buffers, here[i]) = sums[i].data();
      at(clocks, here[i]) = &replica(here[i]).clock;
    }
    peers_->enter(Doing::AllReduce, ledger_.step());
    const std::int64_t beganNs = steadyNs();
    collective_.run(scheduleOf(std::ssize(sums.front())), 0, buffers, clocks, Label::ExchangeSums, -1);
    communicationNs_ += steadyNs() - beganNs;
    peers_->leave();
  };
}

void WorkerGroup::restore(Replica& replica, float scale) {
  if (replica.isHere()) local_->restore(replica, scale);
}

void WorkerGroup::update(Replica& replica, double learningRate, std::int64_t iteration) {
  if (replica.isHere()) local_->update(replica, learningRate, iteration);
}

void WorkerGroup::onVariables(Replica& replica, const OnVariables& body) {
  if (replica.isHere()) local_->onVariables(replica, body);
}

void WorkerGroup::evaluate(Replica& replica, const Examples& examples, std::span<const std::int64_t> indices,
                           const float* weights, float* losses, std::uint8_t* right) {
  if (replica.isHere()) local_->evaluate(replica, examples, indices, weights, losses, right);
}

// ---- between replicas

void WorkerGroup::run(const Schedule& schedule, std::int64_t base, AlignedBuffer<float> Variables::*buffer, Label label,
                      int pack, bool onClocks) {
  std::vector<float*> buffers(static_cast<std::size_t>(topology_.endpoints()), nullptr);
  std::vector<DeviceClock*> clocks(buffers.size(), nullptr);
  for (const int r : replicasHere()) {
    at(buffers, r) = (replica(r).variables.*buffer).data();
    if (onClocks) at(clocks, r) = &replica(r).clock;
  }
  const std::int64_t beganNs = steadyNs();
  collective_.run(schedule, base, buffers, clocks, label, pack);
  communicationNs_ += steadyNs() - beganNs;
}

void WorkerGroup::broadcast(const Schedule& schedule) {
  peers_->enter(Doing::Broadcast, ledger_.step());
  run(schedule, 0, &Variables::weights, Label::Broadcast, -1);
  peers_->leave();
}

// Replicas of one process are added up first, so MPI gets one buffer from each process.
void WorkerGroup::runMpi(const Pack& pack, AlignedBuffer<float> Variables::*buffer, int index) {
  const std::vector<int> here = replicasHere();
  const auto at = [&](int r) { return (replica(r).variables.*buffer).data() + pack.offset; };
  const std::int64_t beganNs = steadyNs();
  for (std::size_t i = 1; i < here.size(); ++i) settings_.backend->add(pack.count, at(here[i]), at(here.front()));
  peers_->sumOverAll(at(here.front()), pack.count);
  for (std::size_t i = 1; i < here.size(); ++i) settings_.backend->copy(pack.count, at(here.front()), at(here[i]));
  const std::int64_t tookNs = steadyNs() - beganNs;
  communicationNs_ += tookNs;
  for (const int r : here) {
    Span span;
    span.startNs = beganNs - ledger_.originNs();
    span.durationNs = tookNs;
    span.track = replica(r).clock.track();
    span.pack = index;
    span.label = labelOf(Label::AllReduce);
    span.kind = SpanKind::Reduce;
    span.clock = TimeSource::Measured;
    replica(r).clock.record(span);
  }
}

void WorkerGroup::allReduce(const ReductionPlan& plan, ReduceTarget what, ReduceOp then) {
  peers_->enter(Doing::AllReduce, ledger_.step());
  const auto buffer = what == ReduceTarget::Weights ? &Variables::weights : &Variables::gradients;
  for (std::size_t i = 0; i < plan.packs.size(); ++i) {
    const PackedSchedule& packed = plan.packs[i];
    if (plan.reducer == Reducer::Mpi)
      runMpi(packed.pack, buffer, static_cast<int>(i));
    else
      run(packed.schedule, packed.pack.offset, buffer, plan.label(), static_cast<int>(i));
  }
  peers_->leave();
  for (Replica* each : allHere())
    if (inParts_ != nullptr) keepSummedGradients(each->variables);
  if (then != ReduceOp::Mean) return;
  const std::vector<std::vector<int>> sums = plan.replicasInSums();
  for (const int r : replicasHere())
    divide(*settings_.backend, at(sums, r).size(), (replica(r).variables.*buffer).span());
}

void WorkerGroup::pullFrom(ParameterDevice&, const Schedule&) {
  throwBrokenInvariant("one copy of the variables among processes", __FILE__, __LINE__);
}
void WorkerGroup::reduceTo(ParameterDevice&, const Schedule&) {
  throwBrokenInvariant("one copy of the variables among processes", __FILE__, __LINE__);
}

// ---- variables in parts

void WorkerGroup::shard(const ReductionPlan& plan) {
  inParts_ = &plan;
  const std::size_t slots = settings_.optimizer.slotNames().size();
  const std::int64_t lead = settings_.network->layout().alignmentLead();
  for (Replica* each : allHere())
    shardBy(each->variables, settings_.sharding, lab::piecesOf(plan, each->index(), size()), slots, lead);
}

void WorkerGroup::gatherWeights(const ReductionPlan& plan, bool onClocks) {
  for (Replica* each : allHere()) widenWeights(each->variables);
  for (std::size_t i = 0; i < plan.packs.size(); ++i)
    run(plan.packs[i].gather, plan.packs[i].pack.offset, &Variables::weights, Label::GatherWeights, static_cast<int>(i),
        onClocks);
}

void WorkerGroup::gather(const ReductionPlan& plan) {
  peers_->enter(Doing::Gather, ledger_.step());
  gatherWeights(plan, true);
  peers_->leave();
}

// Belongs to no step, so appears on no clock. Only the first call after a change communicates (hasWhole_), so it does
// not matter that the first process may call this more often than the others.
const float* WorkerGroup::wholeWeights(Replica& replica) {
  if (settings_.sharding != Sharding::Weights) return replica.variables.weights.data();
  if (!std::exchange(hasWhole_, true)) {
    peers_->enter(Doing::Evaluation, ledger_.step());
    collective_.setRecording(false);
    gatherWeights(*inParts_, false);
    peers_->leave();
  }
  return allHere().front()->variables.weights.data();
}

// Sends all parts to the first process, if `replica` is one of its replicas. All processes call this.
void WorkerGroup::fetch(Replica& replica) {
  if (inParts_ == nullptr) return;
  std::vector<std::vector<std::byte>> parts(static_cast<std::size_t>(size()));
  for (Replica* each : allHere()) {
    const std::vector<float> part = partOf(each->variables);
    const auto bytes = std::as_bytes(std::span(part));
    at(parts, each->index()).assign(bytes.begin(), bytes.end());
  }
  gatherToFirst(parts);
  if (!peers_->isChief() || !replica.isHere()) return;
  for (int r = 0; r < size(); ++r) {
    const std::vector<std::byte>& bytes = at(parts, r);
    std::vector<float> part(bytes.size() / sizeof(float));
    std::ranges::copy(bytes, std::as_writable_bytes(std::span(part)).begin());
    putPart(part, lab::piecesOf(*inParts_, r, size()), replica.variables);
  }
}

void WorkerGroup::send(Replica& replica) {
  hasWhole_ = false;
  if (replica.isHere()) local_->send(replica);
}

// ---- what the first process shows

void WorkerGroup::look(const std::function<void()>& body) {
  ledger_.unmeasured([&] {
    Variables& first = replica(0).variables;
    const WholeBuffers whole = wholeBuffersOf(first);
    fetch(replica(0));
    body();
    if (inParts_ != nullptr) dropAllBut(whole, first);
  });
}

void WorkerGroup::shareFromFirst(std::span<float> values) {
  peers_->enter(Doing::Record, ledger_.step());
  peers_->broadcast(values.data(), values.size_bytes());
  peers_->leave();
}

void WorkerGroup::gatherToFirst(std::span<std::vector<std::byte>> ofReplicas) {
  peers_->enter(Doing::Record, ledger_.step());
  const int each = size() / peers_->size();
  Content mine;
  for (const int r : replicasHere()) {
    const std::vector<std::byte>& bytes = at(ofReplicas, r);
    const std::uint64_t count = bytes.size();
    const auto* first = reinterpret_cast<const std::byte*>(&count);
    mine.insert(mine.end(), first, first + sizeof count);
    mine.insert(mine.end(), bytes.begin(), bytes.end());
  }
  const std::vector<Content> all = peers_->gather(mine);
  for (std::size_t rank = 1; rank < all.size(); ++rank) {
    std::span<const std::byte> left = all[rank];
    for (int i = 0; i < each; ++i) {
      std::uint64_t count = 0;
      LAB_CHECK(left.size() >= sizeof count);
      std::memcpy(&count, left.data(), sizeof count);
      left = left.subspan(sizeof count);
      LAB_CHECK(left.size() >= count);
      ofReplicas[rank * static_cast<std::size_t>(each) + static_cast<std::size_t>(i)].assign(
          left.begin(), left.begin() + static_cast<std::ptrdiff_t>(count));
      left = left.subspan(count);
    }
  }
  peers_->leave();
}

}  // namespace lab

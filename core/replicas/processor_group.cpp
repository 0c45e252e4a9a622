// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/replicas/processor_group.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <memory>
#include <utility>

#include "core/base/at.h"
#include "core/base/ceil_divide.h"
#include "core/base/error.h"
#include "core/comm/execute.h"
#include "core/comm/needed_transfers.h"
#include "core/replicas/labels.h"
#include "core/replicas/parameter_device.h"

namespace lab {

// ---- a step

void ProcessorGroup::beginStep(std::int64_t, Watch watch) {
  communicationNs_ = 0;
  mirrorsIdentical_.reset();
  collective_.setRecording(watch != Watch::None);
  for (int r = 0; r < size() && isSharded(); ++r) dropWhole(replica(r).variables);
}

StepOutcome ProcessorGroup::endStep() {
  StepValues values;
  for (int r = 0; r < size(); ++r) {
    if (replica(r).leftOut) continue;
    values.lossSum += replica(r).lossSum();
    values.correct += replica(r).correct();
  }
  values.mirrorsIdentical = mirrorsIdentical_;
  values.times.stepNs = ledger_.endedNs() - ledger_.beganNs();
  values.times.communicationNs = communicationNs_;
  // the time that this program spends on other things is small
  values.times.computeNs = values.times.stepNs - communicationNs_;
  return StepOutcome(values);
}

// Sizes alone decide whether every replica gets one thread and computes on it, or the replicas run one after the other
// with all threads. Both ways give the same bits.
void ProcessorGroup::overThreads(int count, const std::function<void(int)>& body) {
  const int threads = pool_.threads();
  if (count < threads || (count % threads != 0 && count < 4 * threads))
    for (int i = 0; i < count; ++i) body(i);
  else
    pool_.forEach(count, [&](std::int64_t i) { body(static_cast<int>(i)); });
}

void ProcessorGroup::forEach(const std::function<void(Replica&)>& body, bool computes) {
  if (computes)
    overThreads(size(), [&](int r) { body(replica(r)); });
  else
    pool_.forEach(size(), [&](std::int64_t r) { body(replica(static_cast<int>(r))); });
}

void ProcessorGroup::reserve(Replica& replica, std::int64_t examples) {
  const MemoryScope scope(&replica.memory, MemoryKind::Activations);
  replica.activations.reserve(*settings_.network, std::max<std::int64_t>(1, examples), settings_.precision);
}

void ProcessorGroup::gather(Replica& replica, const Examples& examples, std::span<const std::int64_t> indices) {
  reserve(replica, std::ssize(indices));
  gatherExamples(examples, indices, replica.activations.images.data(), replica.activations.labels.data());
}

void ProcessorGroup::takeShard(Replica& replica) {
  const std::vector<std::int64_t>& shard = replica.shard();
  reserve(replica, std::ssize(shard));
  if (!replica.prefetched().take(shard, replica.activations)) gather(replica, *settings_.train, shard);
}

void ProcessorGroup::load(Replica& replica) {
  // On a modelled device the input pipeline works ahead, on its own track (see ModelledStep::addInputSpan).
  if (replica.clock.kind() == TimeSource::Modelled) return takeShard(replica);
  const std::int64_t examples = std::ssize(replica.shard());
  replica.clock.begin();
  takeShard(replica);
  replica.clock.end(SpanKind::Input, labelOf(Label::Input), examples, examples * (settings_.train->imageSize() + 1));
}

void ProcessorGroup::forwardBackward(Replica& replica, float scale) {
  compute(replica, scale, false);
}

void ProcessorGroup::restore(Replica& replica, float scale) {
  gather(replica, *settings_.train, replica.shard());
  compute(replica, scale, true);
}

PassOf ProcessorGroup::passOf(Replica& replica, float scale) const {
  return {.examples = std::ssize(replica.shard()),
          .scale = scale,
          .weights = weightsFor(replica),
          .statistics = replica.variables.statistics.data(),
          .seed = settings_.seed,
          .step = replica.version,
          .globalOffset = replica.globalOffset};
}

// `again`: nobody watches, and moving statistics have been updated already.
void ProcessorGroup::compute(Replica& replica, float scale, bool again) {
  if (isSharded()) widenGradients(replica.variables);
  const std::int64_t n = std::ssize(replica.shard());
  const auto note = [&](std::uint16_t label, bool begin) {
    if (begin)
      replica.clock.begin();
    else
      replica.clock.end(SpanKind::Compute, label, n);
  };
  // Modelled times of operations are not decided here: see modelled_clock.
  const bool watched = replica.clock.kind() == TimeSource::Measured && !again;
  if (isCourseNetwork(*settings_.network)) {
    OpObserver observer;
    if (watched) observer = [&](CnnOp op, bool begin) { note(labelOf(op), begin); };
    lab::forwardBackward(*settings_.backend, settings_.precision, n, scale, weightsFor(replica), replica.activations,
                         replica.variables.gradients.data(), observer);
    return;
  }
  OperationObserver observer;
  if (watched) observer = [&](int operation, bool begin) { note(labelOfOperation(operation), begin); };
  PassOf of = passOf(replica, scale);
  of.movesStatistics = !again;
  LayerPass pass(*settings_.backend, *settings_.network, settings_.precision, of, replica.activations,
                 replica.variables.gradients.data(), observer);
  while (!pass.run()) {
  }  // a single replica's sums are the sums of all
}

void ProcessorGroup::update(Replica& replica, double learningRate, std::int64_t iteration) {
  Variables& variables = replica.variables;
  const Variables* const only = settings_.sharesCopies ? &this->replica(0).variables : oneCopy_;
  if (only != nullptr && only != &variables) return;
  replica.clock.begin();
  std::int64_t size = 0;
  for (const Piece& piece : piecesOf(variables)) {
    applyUpdate(piece, 0, piece.size, learningRate, iteration);
    size += piece.size;
  }
  if (replica.clock.kind() == TimeSource::Measured) replica.clock.end(SpanKind::Update, labelOf(Label::Update), size);
}

// Updates elements [begin, begin + count) of the piece.
void ProcessorGroup::applyUpdate(const Piece& piece, std::int64_t begin, std::int64_t count, double learningRate,
                                 std::int64_t iteration) {
  std::array<float*, 2> slots{};  // of Adam, the most
  const std::size_t used = piece.slotValues.size() - settings_.besideSlots;
  for (std::size_t i = 0; i < used; ++i) at(slots, i) = piece.slotValues[i] + begin;
  applyOptimizer(*settings_.backend, settings_.optimizer, learningRate, iteration, count, piece.gradients + begin,
                 std::span(slots).first(used), piece.weights + begin);
}

void ProcessorGroup::onVariables(Replica& replica, const OnVariables& body) {
  std::vector<float*> slots;
  for (AlignedBuffer<float>& slot : replica.variables.slotValues) slots.push_back(slot.data());
  body(*settings_.backend, replica.variables.weights.data(), slots);
}

void ProcessorGroup::evaluate(Replica& replica, const Examples& examples, std::span<const std::int64_t> indices,
                              const float* weights, float* losses, std::uint8_t* right) {
  // An asynchronous worker may be in the middle of its step, so keep its losses.
  Activations& a = replica.activations;
  const std::size_t kept = replica.hasComputed() ? replica.shard().size() : 0;
  const std::vector<float> keptLosses(a.losses.data(), a.losses.data() + kept);
  const std::vector<std::uint8_t> keptPredictions(a.predictions.data(), a.predictions.data() + kept);
  const std::vector<std::uint8_t> keptLabels(a.labels.data(), a.labels.data() + kept);
  gather(replica, examples, indices);
  const std::int64_t n = std::ssize(indices);
  if (isCourseNetwork(*settings_.network)) {
    forward(*settings_.backend, settings_.precision, n, weights, a);
  } else {
    LAB_CHECK(std::ssize(evaluated_) == settings_.network->statistics().size());
    const PassOf of{.examples = n, .weights = weights, .statistics = evaluated_.data(), .training = false};
    (void)LayerPass(*settings_.backend, *settings_.network, settings_.precision, of, a, nullptr).run();
  }
  for (std::int64_t i = 0; i < n; ++i) {
    losses[i] = a.losses[i];
    right[i] = a.predictions[i] == a.labels[i] ? 1 : 0;
  }
  std::ranges::copy(keptLosses, a.losses.data());
  std::ranges::copy(keptPredictions, a.predictions.data());
  std::ranges::copy(keptLabels, a.labels.data());
}

// ---- between replicas

void ProcessorGroup::run(const Schedule& schedule, std::int64_t base, AlignedBuffer<float> Variables::*buffer,
                         ParameterDevice* device, Label label, int pack) {
  if (schedule.transfers.empty()) return;
  std::vector<float*> buffers(static_cast<std::size_t>(topology_.endpoints()), nullptr);
  std::vector<DeviceClock*> clocks(buffers.size(), nullptr);
  for (int r = 0; r < size(); ++r) {
    at(buffers, r) = (replica(r).variables.*buffer).data();
    at(clocks, r) = &replica(r).clock;
  }
  if (device != nullptr) {
    const auto endpoint = static_cast<std::size_t>(topology_.parameterDevice(0));
    buffers[endpoint] = (device->variables.*buffer).data();
    clocks[endpoint] = &device->clock;
  }
  const std::int64_t beganNs = steadyNs();
  collective_.run(schedule, base, buffers, clocks, label, pack);
  communicationNs_ += steadyNs() - beganNs;
}

void ProcessorGroup::broadcast(const Schedule& schedule) {
  run(schedule, 0, &Variables::weights, nullptr, Label::Broadcast, -1);
}

void ProcessorGroup::allReduce(const ReductionPlan& plan, ReduceTarget what, ReduceOp then) {
  const auto buffer = what == ReduceTarget::Weights ? &Variables::weights : &Variables::gradients;
  LAB_CHECK(oneCopy_ == nullptr || what == ReduceTarget::Gradients);
  // If a record is wanted, it shows the other replicas' sums too.
  const bool forOne = oneCopy_ != nullptr || (settings_.sharesCopies && !ledger_.recording());
  for (std::size_t i = 0; i < plan.packs.size(); ++i) {
    const Schedule& schedule = plan.packs[i].schedule;
    run(forOne ? neededOf(schedule) : schedule, plan.packs[i].pack.offset, buffer, nullptr, plan.label(),
        static_cast<int>(i));
  }
  for (Variables* each : variablesOfAll())
    if (isSharded()) keepSummedGradients(*each);
  if (then != ReduceOp::Mean) return;
  forEach(
      [&, sums = plan.replicasInSums()](Replica& each) {
        divide(*settings_.backend, at(sums, each.index()).size(), (each.variables.*buffer).span());
      },
      false);
}

// A step's gradients, weights and slots of a few replicas are larger than a processor's caches. While a block of the
// sums is in a thread's cache, all replicas' weights are updated with it, and compared.
bool ProcessorGroup::reduceAndUpdate(const ReductionPlan& plan, double learningRate, std::int64_t iteration) {
  const bool oneByOne = topology_.settings().measured || ledger_.recording() || isSharded() || settings_.sharesCopies ||
                        oneCopy_ != nullptr;
  if (oneByOne || size() < 2) return false;
  std::vector<float*> gradients(static_cast<std::size_t>(topology_.endpoints()), nullptr);
  std::vector<Piece> variables;
  for (int r = 0; r < size(); ++r) {
    at(gradients, r) = replica(r).variables.gradients.data();
    variables.push_back(lab::piecesOf(replica(r).variables).front());
  }
  std::atomic<bool> same{true};
  for (const PackedSchedule& packed : plan.packs)
    execute(packed.schedule, packed.pack.offset, gradients, *settings_.backend, pool_,
            [&](std::int64_t begin, std::int64_t count) {
              const float* const first = variables.front().weights + begin;
              for (const Piece& whole : variables) {
                applyUpdate(whole, begin, count, learningRate, iteration);
                const float* const weights = whole.weights + begin;
                if (weights != first && !settings_.backend->identical(count, first, weights))
                  same.store(false, std::memory_order_relaxed);
              }
            });
  mirrorsIdentical_ = same.load();
  return true;
}

// ---- variables in parts

std::vector<Variables*> ProcessorGroup::variablesOfAll() const {
  std::vector<Variables*> all;
  for (int r = 0; r < size(); ++r) all.push_back(&replica(r).variables);
  return all;
}

void ProcessorGroup::shard(const ReductionPlan& plan) {
  const std::size_t slots = settings_.optimizer.slotNames().size();
  const std::int64_t lead = settings_.network->layout().alignmentLead();
  for (int r = 0; r < size(); ++r)
    shardBy(replica(r).variables, settings_.sharding, lab::piecesOf(plan, r, size()), slots, lead);
}

void ProcessorGroup::gather(const ReductionPlan& plan) {
  for (Variables* each : variablesOfAll()) widenWeights(*each);
  for (std::size_t i = 0; i < plan.packs.size(); ++i)
    run(plan.packs[i].gather, plan.packs[i].pack.offset, &Variables::weights, nullptr, Label::GatherWeights,
        static_cast<int>(i));
}

void ProcessorGroup::withWhole(const std::function<void()>& body) {
  if (!isSharded()) return body();
  const std::vector<Variables*> all = variablesOfAll();
  std::vector<WholeBuffers> whole;
  for (Variables* each : all) {
    whole.push_back(wholeBuffersOf(*each));
    if (each->shard.what != Sharding::None) join(all, *each);
  }
  body();
  for (std::size_t r = 0; r < all.size(); ++r) dropAllBut(whole[r], *all[r]);
}

void ProcessorGroup::fetch(Replica& replica) {
  if (isSharded()) join(variablesOfAll(), replica.variables);
}

const float* ProcessorGroup::wholeWeights(Replica& replica) {
  if (settings_.sharding != Sharding::Weights) return replica.variables.weights.data();
  fetch(this->replica(0));
  return this->replica(0).variables.weights.data();
}

void ProcessorGroup::send(Replica& replica) {
  if (!isSharded()) return;
  takePart(replica.variables);
  dropWhole(replica.variables);
}

// Returns the transfers that the first replica needs; its copy stands for all.
const Schedule& ProcessorGroup::neededOf(const Schedule& schedule) {
  const auto known = needed_.find(&schedule);
  return known != needed_.end() ? known->second : needed_.emplace(&schedule, neededFor(0, schedule)).first->second;
}

bool ProcessorGroup::setOneCopy(Variables* variables) {
  if (settings_.sharesCopies) return true;  // all replicas share one copy anyway
  const Variables* const before = std::exchange(oneCopy_, variables);
  if (variables != nullptr || before != &replica(0).variables) return true;
  forEach(
      [&](Replica& each) {
        if (&each.variables == before) return;
        std::ranges::copy(before->weights.span(), each.variables.weights.data());
        for (std::size_t i = 0; i < before->slotValues.size(); ++i)
          std::ranges::copy(before->slotValues[i].span(), each.variables.slotValues[i].data());
      },
      false);
  return true;
}

void ProcessorGroup::pullFrom(ParameterDevice& device, const Schedule& schedule) {
  if (oneCopy_ == &device.variables) return;
  run(schedule, 0, &Variables::weights, &device, Label::PullWeights, -1);
}

void ProcessorGroup::reduceTo(ParameterDevice& device, const Schedule& schedule) {
  std::ranges::fill(device.variables.gradients.span(), 0.0F);
  run(schedule, 0, &Variables::gradients, &device, Label::PushGradients, -1);
}

bool ProcessorGroup::mirrorsIdentical() {
  // Compares blocks in parallel; reads each block of the first copy once and compares it with all others.
  constexpr std::int64_t kBlock = 16384;
  const std::int64_t elements = replica(0).variables.weights.size();
  std::atomic<bool> same{true};
  pool_.forEach(ceilDivide(elements, kBlock), [&](std::int64_t block) {
    const std::int64_t begin = block * kBlock, count = std::min(kBlock, elements - begin);
    for (int r = 1; r < size(); ++r)
      if (!settings_.backend->identical(count, replica(0).variables.weights.data() + begin,
                                        replica(r).variables.weights.data() + begin))
        same.store(false, std::memory_order_relaxed);
  });
  return same.load();
}

std::int64_t ProcessorGroup::activationBytes(std::int64_t examples) const {
  return lab::activationBytes(*settings_.network, examples, settings_.precision);
}

// ---- all replicas' passes together

void ProcessorGroup::forwardBackwardGathering(const std::function<float(const Replica&)>& scaleOf,
                                              const SumsSchedule& scheduleOf, const std::function<void()>& gather) {
  passGathering(all(), scaleOf, addUpBy(scheduleOf), gather);
}

void ProcessorGroup::passGathering(std::span<Replica* const> replicas,
                                   const std::function<float(const Replica&)>& scaleOf, const AddUp& addUp,
                                   const std::function<void()>& gather) {
  const auto ofAll = [&](const auto& body) {
    for (Replica* each : replicas) body(each->variables);
  };
  const auto halfOfAll = [&](bool back) {
    overThreads(static_cast<int>(replicas.size()), [&](int i) {
      Replica& each = *at(replicas, i);
      computeHalf(each, back ? 0 : scaleOf(each), back);
    });
  };
  const std::function<void()> again = [&] {
    ofAll(dropWeights);
    gather();
    ofAll(widenGradients);
  };
  gather();
  if (isCourseNetwork(*settings_.network)) {
    halfOfAll(false);
    again();
    halfOfAll(true);
    for (Replica* each : replicas) each->editGradients(each->version + 1, false);
  } else {
    atTurn_ = &again;
    passTogether(replicas, scaleOf, addUp);
    atTurn_ = nullptr;
  }
  ofAll(dropWeights);
}

// For the course network: computes up to the loss, or from there back.
void ProcessorGroup::computeHalf(Replica& replica, float scale, bool back) {
  const std::int64_t n = std::ssize(replica.shard());
  OpObserver observer;
  if (replica.clock.kind() == TimeSource::Measured)
    observer = [&replica, n](CnnOp op, bool begin) {
      if (begin)
        replica.clock.begin();
      else
        replica.clock.end(SpanKind::Compute, labelOf(op), n);
    };
  const float* weights = replica.variables.weights.data();
  if (back)
    backward(*settings_.backend, settings_.precision, n, weights, replica.activations,
             replica.variables.gradients.data(), observer);
  else
    forwardToLoss(*settings_.backend, settings_.precision, n, scale, weights, replica.activations, observer);
}

// ---- synchronised batch normalisation: all replicas stop in the middle of a pass and add up their sums

void ProcessorGroup::passTogether(std::span<Replica* const> replicas,
                                  const std::function<float(const Replica&)>& scaleOf, const AddUp& addUp) {
  std::vector<OperationObserver> observers(replicas.size());
  std::vector<std::unique_ptr<LayerPass>> passes;
  for (std::size_t i = 0; i < replicas.size(); ++i) {
    Replica& one = *replicas[i];
    if (atTurn_ == nullptr) one.editWeights(one.version + 1);
    if (isSharded()) widenGradients(one.variables);
    if (one.clock.kind() == TimeSource::Measured)
      observers[i] = [&one](int operation, bool begin) {
        if (begin)
          one.clock.begin();
        else
          one.clock.end(SpanKind::Compute, labelOfOperation(operation), std::ssize(one.shard()));
      };
    passes.push_back(std::make_unique<LayerPass>(*settings_.backend, *settings_.network, settings_.precision,
                                                 passOf(one, scaleOf(one)), one.activations,
                                                 one.variables.gradients.data(), observers[i]));
    if (atTurn_ != nullptr) passes.back()->stopToTurn();
  }
  // All passes stop at the same places.
  std::vector<std::vector<float>> sums(replicas.size());
  while (true) {
    std::atomic<std::size_t> ended{0};
    overThreads(static_cast<int>(replicas.size()), [&](int i) {
      const auto at = static_cast<std::size_t>(i);
      if (passes[at]->run())
        ++ended;
      else if (!passes[at]->isTurning())
        sums[at] = asFloats(passes[at]->exchanged());
    });
    LAB_CHECK(ended == 0 || ended == replicas.size());
    if (ended > 0) break;
    if (passes.front()->isTurning()) {
      (*atTurn_)();
      for (std::size_t i = 0; i < passes.size(); ++i) passes[i]->takeWeights(weightsFor(*replicas[i]));
      continue;
    }
    addUp(sums);
    for (std::size_t i = 0; i < passes.size(); ++i) takeFloats(sums[i], passes[i]->exchanged());
  }
  for (Replica* one : replicas) one->editGradients(one->version + 1, false);
}

std::vector<Replica*> ProcessorGroup::all() const {
  std::vector<Replica*> replicas;
  for (int r = 0; r < size(); ++r) replicas.push_back(&replica(r));
  return replicas;
}

void ProcessorGroup::forwardBackwardTogether(const std::function<float(const Replica&)>& scaleOf,
                                             const SumsSchedule& scheduleOf) {
  passTogether(all(), scaleOf, addUpBy(scheduleOf));
}

ReplicaGroup::AddUp ProcessorGroup::addUpBy(const SumsSchedule& scheduleOf) {
  return [this, &scheduleOf](std::span<std::vector<float>> sums) {
    // The endpoint with the only copy of the variables, if there is one, begins with zeros.
    std::vector<std::vector<float>> rest(static_cast<std::size_t>(topology_.endpoints()) - sums.size(),
                                         std::vector<float>(sums.front().size()));
    std::vector<float*> buffers;
    for (std::vector<float>& each : sums) buffers.push_back(each.data());
    for (std::vector<float>& each : rest) buffers.push_back(each.data());
    std::vector<DeviceClock*> clocks(buffers.size(), nullptr);
    for (int r = 0; r < size(); ++r) at(clocks, r) = &replica(r).clock;
    const std::int64_t beganNs = steadyNs();
    collective_.run(scheduleOf(std::ssize(sums.front())), 0, buffers, clocks, Label::ExchangeSums, -1);
    communicationNs_ += steadyNs() - beganNs;
  };
}

}  // namespace lab

// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/classruns/class_record.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <utility>

#include "core/base/at.h"
#include "core/base/bit_digest.h"
#include "core/base/error.h"
#include "core/classruns/class_info.h"
#include "core/model/neural_network.h"
#include "core/protocol/messages.h"
#include "core/replicas/labels.h"
#include "core/strategy/strategy.h"

namespace lab::serving {
namespace {

using Part = ClassOrder::Part;

// One closure's way through a worker, as far as it has come, by the class's clock.
struct Cycle {
  int worker = 0;
  std::int64_t step = 0, examples = 0;
  std::int64_t pullNs = 0, computeNs = 0, pushNs = 0, pushedNs = 0, appliedNs = 0;  // when each begins, or was over
  bool pushes = true;                                                               // false: it is still computing
};

Cycle cycleOf(const Part& part, const ClassTimes::Part& times, std::int64_t step, std::int64_t appliedNs) {
  return {part.worker,       step,           part.examples, times.givenNs, times.pushBeganNs - times.computeNs,
          times.pushBeganNs, times.pushedNs, appliedNs};
}

class Spans {
 public:
  Spans(const RunInfo& info, std::vector<Span>& spans) : info_(info), spans_(spans) {}

  void add(const Cycle& cycle) {
    const bool synchronous = info_.parameterDevices == 0;
    // In a class in step, weights are alike everywhere, as mirrored variables are: no pull is shown.
    if (!synchronous) transfers(cycle, true, cycle.pullNs, cycle.computeNs);
    compute(cycle);
    if (!cycle.pushes) return;
    if (!synchronous || cycle.worker > 0) transfers(cycle, false, cycle.pushNs, cycle.pushedNs);
    if (cycle.appliedNs > cycle.pushedNs)
      onDevice(cycle, SpanKind::Wait, labelOf(synchronous ? Label::WaitForReplicas : Label::WaitForServer),
               cycle.pushedNs, cycle.appliedNs);
  }

  // Sends the sum back, and updates each copy.
  void addSum(std::int64_t step, std::int64_t ns, const std::vector<Absence>& absent) {
    for (int w = 0; w < info_.replicas; ++w) {
      if (std::ranges::find(absent, w, &Absence::replica) != absent.end()) continue;
      const Cycle cycle{.worker = w, .step = step};
      if (w > 0) transfers(cycle, true, ns, ns);
      onDevice(cycle, SpanKind::Update, labelOf(Label::Update), ns, ns);
    }
  }

  void addUpdate(std::int64_t step, std::int64_t ns) {
    for (int s = 0; s < info_.parameterDevices; ++s)
      if (!at(info_.variableShards, s).empty())
        onDevice({.worker = info_.replicas + s, .step = step}, SpanKind::Update, labelOf(Label::Update), ns, ns);
  }

 private:
  Span& begin(SpanKind kind, std::uint16_t label, const Cycle& cycle, std::int64_t fromNs, std::int64_t toNs) {
    Span& span = spans_.emplace_back();
    span.kind = kind;
    span.label = label;
    span.step = cycle.step;
    span.startNs = fromNs;
    span.durationNs = std::max<std::int64_t>(0, toNs - fromNs);
    span.clock = TimeSource::Measured;
    return span;
  }

  void onDevice(const Cycle& cycle, SpanKind kind, std::uint16_t label, std::int64_t fromNs, std::int64_t toNs) {
    begin(kind, label, cycle, fromNs, toNs).track = cycle.worker;
  }

  void transfers(const Cycle& cycle, bool pull, std::int64_t fromNs, std::int64_t toNs) {
    const bool synchronous = info_.parameterDevices == 0;
    for (int s = 0; s < std::max(1, info_.parameterDevices); ++s) {
      std::int64_t offset = 0, count = info_.parameters;
      if (!synchronous) {
        const std::vector<VariablePart>& parts = at(info_.variableShards, s);
        if (parts.empty()) continue;
        offset = std::ranges::min(parts, {}, &VariablePart::offset).offset;
        count = 0;
        for (const VariablePart& part : parts) count += part.count;
      }
      const Label label = synchronous ? Label::AllReduce : pull ? Label::PullWeights : Label::PushGradients;
      const ClassEnds ends = classLink(info_, cycle.worker, s, pull);
      Span& span = begin(SpanKind::Transfer, labelOf(label), cycle, fromNs, toNs);
      span.track = ends.track;
      span.from = ends.from;
      span.to = ends.to;
      span.offset = offset;
      span.count = count;
      span.bytes = bytesOnWire(info_.config.wire) * count;
      if (!synchronous) continue;
      span.add = !pull;
      span.pack = 0;
      span.round = pull ? 1 : 0;
    }
  }

  // Only the whole computation was measured; each operation's share of that time is by its arithmetic and bytes.
  void compute(const Cycle& cycle) {
    const std::vector<NetworkOperation>& operations = info_.network->operations();
    const auto weight = [&](const NetworkOperation& operation) {
      const OpCost cost = operation.cost(cycle.examples);
      return 1 + cost.flop + cost.bytes;
    };
    double all = 0, done = 0;
    for (const NetworkOperation& each : operations) all += weight(each);
    const auto duration = static_cast<double>(cycle.pushNs - cycle.computeNs);
    for (std::size_t i = 0; i < operations.size(); ++i) {
      const auto at = [&] { return cycle.computeNs + std::llround(duration * done / all); };
      const std::int64_t fromNs = at();
      done += weight(operations[i]);
      Span& span = begin(SpanKind::Compute, labelOfOperation(static_cast<int>(i)), cycle, fromNs, at());
      span.track = cycle.worker;
      span.count = cycle.examples;
    }
  }

  const RunInfo& info_;
  std::vector<Span>& spans_;
};

double largestDifference(std::span<const float> a, std::span<const float> b) {
  double largest = 0;
  for (std::size_t i = 0; i < a.size(); ++i) largest = std::max(largest, static_cast<double>(std::abs(a[i] - b[i])));
  return largest;
}

void describeMemory(StepRecord& record, const RunInfo& info, std::size_t slots) {
  const std::int64_t whole = 4 * info.parameters, moving = 4 * info.network->statistics().size();
  const auto copies = static_cast<std::int64_t>(slots);
  record.memory.resize(info.legend.endpoints.size());
  const bool synchronous = info.parameterDevices == 0;
  for (int w = 0; w < info.replicas; ++w)
    at(record.memory, w) = {whole + moving, whole, synchronous ? copies * whole : 0, 0};
  for (int s = 0; s < info.parameterDevices; ++s) {
    std::int64_t bytes = 0;
    for (const VariablePart& part : at(info.variableShards, s)) bytes += 4 * part.count;
    at(record.memory, info.replicas + s) = {bytes, bytes, copies * bytes, 0};
  }
}

}  // namespace

struct ClassRecords::InHand {
  Part part;
  Cycle cycle;
};

ClassRecords::ClassRecords(const ResolvedSettings& config, std::shared_ptr<const Dataset> dataset,
                           std::shared_ptr<const ClassHistory> history, int threads, std::int64_t mostClosures)
    : history_(std::move(history)),
      synchronous_(strategyInfo(config.strategy).synchronous),
      wire_(config.wire),
      replayer_(config, dataset, threads, true),
      batches_(config, dataset->train,
               mostClosures > 0 ? mostClosures : config.totalSteps(stepsPerEpochOf(config, dataset->train.count))),
      initial_(replayer_.state()) {}

bool ClassRecords::canApply(const ClassUpdate& update) const {
  return std::ranges::all_of(update.parts,
                             [this](const Part& part) { return !part.used || replayer_.has(part.version); });
}

void ClassRecords::begin(std::int64_t step) {
  const std::shared_ptr<const Checkpoint> kept = history_->states().atOrBefore(step);
  held_ = kept == nullptr ? initial_ : classStateFrom(*kept);
  replayer_.begin(held_);
}

// Forgets versions that no later closure is computed with, and keeps the present one if a later closure needs it.
void ClassRecords::keepForLater() {
  const std::int64_t now = replayer_.version();
  if (history_->lastUse(now) > now + 1) replayer_.keep();
  replayer_.forgetIf([&](std::int64_t version) {
    const std::int64_t last = history_->lastUse(version);
    return last != 0 && last <= now;
  });
}

bool ClassRecords::standBefore(std::int64_t step, const std::function<bool()>& goesOn) {
  bool fresh = false;
  const auto refresh = [&] {
    if (std::exchange(fresh, true)) throw UserError(say::classOrderWrong);
    begin(step);
  };
  if (replayer_.version() >= step || history_->states().stepBefore(step) > replayer_.version()) refresh();
  for (;;) {
    const std::optional<ClassUpdate> update = history_->update(replayer_.version() + 1);
    if (!update || !goesOn()) return false;
    while (synchronous_ && added_ < update->metric.step) batches_.add(history_->update(++added_)->parts);
    if (!canApply(*update)) {
      refresh();
      continue;
    }
    keepForLater();
    if (update->metric.step == step) return true;
    (void)replayer_.apply(update->parts, replayer_.computeAll(update->parts, batches_));
    ++replayed_;
  }
}

// Returns what each other worker has in hand when the update is applied: it was given before, and is pushed later.
std::vector<ClassRecords::InHand> ClassRecords::inHand(const ClassUpdate& update, const RunInfo& info) const {
  const std::int64_t step = update.metric.step;
  std::map<int, InHand> all;
  for (const auto& [worker, next] : history_->nextOf(step, info.replicas))
    for (std::size_t i = 0; i < next.parts.size(); ++i) {
      const Part& part = next.parts[i];
      if (part.worker != worker || !part.used || part.version >= step) continue;
      all[worker] = {part, cycleOf(part, next.times.parts[i], next.metric.step, next.times.appliedNs)};
    }
  // After the newest update nothing is known yet: take the state's held closures that nobody has pushed since.
  std::set<std::uint64_t> pushed;
  for (std::int64_t at = held_.step + 1; at <= step; ++at)
    if (const auto since = history_->update(at))
      for (const Part& part : since->parts) pushed.insert(part.closure);
  const bool isNewest = step == history_->updates();
  for (const HeldClosure& each : held_.held) {
    if (!isNewest || all.contains(each.worker) || pushed.contains(each.closure)) continue;
    const Part part{each.closure, each.worker, each.version, each.examples, each.scale, true, each.path};
    const std::int64_t sentNs = each.sentNs < 0 ? update.times.appliedNs : each.sentNs;
    Cycle cycle{each.worker, step + 1, each.examples, each.givenNs, sentNs, update.times.appliedNs};
    cycle.pushes = false;
    all[each.worker] = {part, cycle};
  }
  std::vector<InHand> list;
  for (auto& [worker, each] : all)
    if (worker < info.replicas && replayer_.has(each.part.version)) list.push_back(std::move(each));
  return list;
}

std::shared_ptr<const StepRecord> ClassRecords::record(std::int64_t step, const std::function<bool()>& goesOn) {
  const std::shared_ptr<const RunInfo> info = history_->info();
  const std::optional<ClassUpdate> update = history_->update(step);
  if (!update || !info) throw UserError(say::classOrderWrong);
  if (!standBefore(step, goesOn)) return nullptr;
  auto record = std::make_shared<StepRecord>();
  record->replicas.resize(static_cast<std::size_t>(info->replicas));
  record->metric = update->metric;
  record->absent = history_->absent(step, info->replicas);
  record->timesKnown = update->timesKnown;
  record->endNs = update->times.appliedNs;
  const std::optional<ClassUpdate> before = history_->update(step - 1);
  record->beginNs = before ? before->times.appliedNs : record->endNs;
  if (!before)
    for (const ClassTimes::Part& each : update->times.parts)
      if (each.pushedNs > 0) record->beginNs = std::min(record->beginNs, each.givenNs);

  const auto weights = static_cast<std::size_t>(info->parameters);
  const auto weightsIn = [weights](const std::vector<float>& all) {
    return std::vector<float>(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(weights));
  };
  record->weightsBefore = weightsIn(*replayer_.variables());
  const std::vector<ComputedPart> computed = replayer_.computeAll(update->parts, batches_);
  // Computed before the update, because the present version is the oldest that their closures can have.
  std::vector<std::pair<InHand, ComputedPart>> others;
  if (!synchronous_)
    for (InHand& each : inHand(*update, *info)) {
      ComputedPart part = replayer_.compute(each.part, batches_.of(each.part.closure), 0);
      others.emplace_back(std::move(each), std::move(part));
      if (!goesOn()) return nullptr;
    }
  record->gradients = replayer_.apply(update->parts, computed);
  ++replayed_;
  record->gradients.resize(weights);
  const Snapshot after = replayer_.variables();
  record->weightsAfter = weightsIn(*after);
  record->statistics.assign(after->begin() + static_cast<std::ptrdiff_t>(weights), after->end());
  Spans spans(*info, record->spans);
  for (const auto& [each, part] : others) {
    addReplica(*record, each.part, part);
    if (each.cycle.pullNs < record->endNs) spans.add(each.cycle);
  }
  for (std::size_t i = 0; i < update->parts.size(); ++i) {
    const Part& part = update->parts[i];
    if (!part.used || part.worker >= info->replicas) continue;
    addReplica(*record, part, computed[i]);
    spans.add(cycleOf(part, update->times.parts[i], step, record->endNs));
  }
  if (synchronous_) {
    spans.addSum(step, record->endNs, record->absent);
    describeInStep(*record, *update);
  } else {
    spans.addUpdate(step, record->endNs);
  }
  describeMemory(*record, *info, initial_.optimizer.size());
  record->onOtherPath = replayer_.hasUsedOtherPath();
  return record;
}

void ClassRecords::addReplica(StepRecord& record, const Part& part, const ComputedPart& computed) {
  ReplicaStep& replica = at(record.replicas, part.worker);
  const std::vector<std::int64_t>& shard = batches_.of(part.closure);
  const bool first = replica.shard.empty();
  const auto weights = static_cast<std::size_t>(std::ssize(record.weightsAfter));
  replica.shard.insert(replica.shard.end(), shard.begin(), shard.end());
  replica.losses.insert(replica.losses.end(), computed.losses.begin(), computed.losses.end());
  replica.predictions.insert(replica.predictions.end(), computed.predictions.begin(), computed.predictions.end());
  const std::span<const float> values(computed.result.gradients), own(*computed.variables);
  if (first)
    replica.gradients.assign(values.begin(), values.begin() + static_cast<std::ptrdiff_t>(weights));
  else  // another worker's lost part, which this one did after its own
    for (std::size_t k = 0; k < weights; ++k) replica.gradients[k] += values[k];
  replica.statistics.assign(values.begin() + static_cast<std::ptrdiff_t>(weights), values.end());
  replica.version = part.version;
  replica.vote = static_cast<double>(part.scale);
  const std::span<const float> copy = synchronous_ ? std::span<const float>(record.weightsAfter) : own.first(weights);
  replica.weightsDigest = bitDigest(copy);
  if (synchronous_) return;
  replica.batchesBefore = replayer_.dropoutStepOf(part);
  replica.weightsDistance = largestDifference(copy, record.weightsAfter);
  const bool isRounded = wire_ != Wire::Float32;
  if (isRounded || (part.version != record.metric.step - 1 && part.version != record.metric.step))
    replica.ownWeights.assign(copy.begin(), copy.end());
}

// Assigns parts to workers: a run of this strategy has one part for each replica.
void ClassRecords::describeInStep(StepRecord& record, const ClassUpdate& update) {
  StepMetric& metric = record.metric;
  metric.shards.assign(record.replicas.size(), 0);
  metric.leftOut.clear();
  for (const Part& part : update.parts) {
    if (part.worker < 0 || part.worker >= std::ssize(record.replicas)) continue;
    at(metric.shards, part.worker) += part.examples;
    if (part.used) continue;
    metric.leftOut.push_back(part.worker);
    ReplicaStep& late = at(record.replicas, part.worker);
    if (!late.shard.empty()) continue;  // another worker's lost part, after its own
    // What the worker made of its images never arrived.
    late.shard = batches_.of(part.closure);
    late.version = metric.step - 1;
    late.weightsDigest = bitDigest(record.weightsAfter);
  }
  std::ranges::sort(metric.leftOut);
  // Replicas that computed nothing added zeros.
  for (ReplicaStep& replica : record.replicas)
    if (replica.shard.empty()) replica.gradients.assign(record.weightsAfter.size(), 0.0F);
}

}  // namespace lab::serving

// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/step/step_index.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "core/base/at.h"
#include "core/model/cnn.h"
#include "core/replicas/labels.h"
#include "core/strategy/strategy.h"

namespace lab {
namespace {

// In order.
std::vector<std::size_t> transfersOf(const StepRecord& record) {
  std::vector<std::size_t> transfers;
  for (std::size_t i = 0; i < record.spans.size(); ++i)
    if (record.spans[i].kind == SpanKind::Transfer) transfers.push_back(i);
  return transfers;
}

bool bringsWeights(const Span& transfer) {
  return transfer.label == labelOf(Label::GatherWeights) || transfer.label == labelOf(Label::PullWeights) ||
         transfer.label == labelOf(Label::Broadcast);
}

}  // namespace

StepIndex::StepIndex(std::shared_ptr<const RunInfo> info, std::shared_ptr<const StepRecord> record)
    : StepIndex(info, record, replicasInSums(info->config, info->replicas, info->hosts, record->metric.step)) {}

StepIndex::StepIndex(std::shared_ptr<const RunInfo> info, std::shared_ptr<const StepRecord> record,
                     std::vector<std::vector<int>> sums)
    : info_(std::move(info)),
      record_(std::move(record)),
      aggregation_(std::make_unique<Aggregation>(info_->legend, *record_)),
      pictures_(std::make_unique<StepPictures>(*info_, *record_, *aggregation_)),
      tracks_(info_->legend.endpoints.size()),
      transfers_(transfersOf(*record_)),
      sums_(std::move(sums)),
      exchanges_(exchangeAfter(info_->config, record_->metric.step).what != Exchange::What::Nothing),
      times_(record_->spans, transfers_),
      weightsInto_(info_->legend.endpoints.size()) {
  for (const Span& span : record_->spans) {
    if (span.kind == SpanKind::Transfer) continue;
    const int endpoint = at(info_->legend.tracks, span.track).endpoint;
    if (endpoint >= 0) at(tracks_, endpoint).push_back(&span);
  }
  for (const std::size_t i : transfers_) {
    const Span& span = record_->spans[i];
    if (bringsWeights(span)) at(weightsInto_, span.to).push_back(i);
  }
  findLinks();
  for (auto& track : tracks_) std::ranges::stable_sort(track, {}, &Span::startNs);
  computeBegin_.assign(static_cast<std::size_t>(info_->replicas), record_->beginNs);
  for (int r = 0; r < info_->replicas; ++r)
    for (const Span* span : track(r))
      if (span->kind == SpanKind::Compute && operationOf(span->label) == 0)
        at(computeBegin_, r) = span->startNs;  // the last one: that of the recorded shard
}

void StepIndex::findLinks() {
  std::vector<std::vector<std::size_t>> byTrack(info_->legend.tracks.size());
  for (const std::size_t i : transfers_) {
    const Span& span = record_->spans[i];
    std::vector<std::size_t>& first = at(byTrack, span.track);
    const auto isSame = [&](std::size_t other) {
      return record_->spans[other].from == span.from && record_->spans[other].to == span.to;
    };
    if (std::ranges::none_of(first, isSame)) first.push_back(i);
  }
  for (std::size_t track = 0; track < byTrack.size(); ++track)
    if (!byTrack[track].empty()) links_.push_back({static_cast<int>(track), std::move(byTrack[track])});
}

const Span* StepIndex::activity(int endpoint, std::int64_t ns) const {
  for (const Span* span : track(endpoint))
    if (span->startNs <= ns && ns < span->startNs + span->durationNs) return span;
  return nullptr;
}

const Span* StepIndex::activity(int endpoint, const Story& story, double seconds) const {
  const Beat* forward = story.find(BeatKind::Forward);
  if (forward != nullptr && seconds < forward->motionS) return nullptr;
  return activity(endpoint, story.clockAt(seconds));
}

StepIndex::Doing StepIndex::doing(int worker, std::int64_t ns) const {
  bool pushed = false;
  for (const std::size_t i : transfers_) {
    const Span& span = record_->spans[i];
    if (span.from == worker && span.step == record_->metric.step) pushed = span.startNs + span.durationNs <= ns;
    if (span.startNs > ns || ns >= span.startNs + span.durationNs) continue;
    if (span.from == worker) return Doing::Pushes;
    if (span.to == worker) return Doing::Pulls;
  }
  const Span* own = activity(worker, ns);
  if (own != nullptr && own->kind == SpanKind::Compute) return Doing::Computes;
  return worker == record_->metric.worker && pushed ? Doing::IsApplied : Doing::Queues;
}

bool StepIndex::hasMessages(std::int64_t ns) const {
  return std::ranges::any_of(transfers_, [&](std::size_t i) {
    const Span& span = record_->spans[i];
    return span.startNs <= ns && ns < span.startNs + span.durationNs;
  });
}

bool StepIndex::isPast(int replica, std::int64_t ns) const {
  const auto r = static_cast<std::size_t>(replica);
  if (!asynchronous() || r >= record_->previous.size() || record_->previous[r].shard.empty()) return false;
  return record_->replicas[r].gradients.empty() || ns < computeBegin_[r];
}

const ReplicaStep* StepIndex::batchOf(int replica, std::int64_t ns) const {
  const auto r = static_cast<std::size_t>(replica);
  if (!asynchronous()) return &record_->replicas[r];
  if (isPast(replica, ns)) return &record_->previous[r];
  return record_->replicas[r].gradients.empty() || ns < computeBegin_[r] ? nullptr : &record_->replicas[r];
}

bool StepIndex::isDone(int replica, int operation, std::int64_t ns) const {
  const ReplicaStep& step = at(record_->replicas, replica);
  if (step.gradients.empty()) return false;
  const Span* found = nullptr;
  for (const Span* span : track(replica))
    if (span->kind == SpanKind::Compute && operationOf(span->label) == operation) found = span;
  if (found != nullptr) return found->startNs + found->durationNs <= ns;
  if (record_->metric.leavesOut(replica)) return false;  // cancelled before
  // Not in this record: computed during an earlier step, unless a later operation is still to begin.
  return at(computeBegin_, replica) <= ns;
}

std::int64_t StepIndex::gradientReady(int replica, std::int64_t ns) const {
  // In memory the last layer comes first, in the order of the backward pass.
  const NeuralNetwork& network = *info_->network;
  for (const NetworkLayer& layer : network.layers()) {
    if (layer.backward < 0 || !isDone(replica, layer.backward, ns)) continue;
    // The layer's first variable is the last in memory.
    for (const Variable& variable : network.layout().variables())
      if (variable.name.starts_with(layer.name + "/")) return variable.offset + variable.size;
  }
  return 0;
}

bool StepIndex::isLeftOut(int replica, std::int64_t ns) const {
  if (!record_->metric.leavesOut(replica)) return false;
  if (info_->isClass) return record_->endNs <= ns;  // nobody measures when a class's worker stops
  for (const Span* span : track(replica))
    if (span->label == labelOf(Label::Cancelled)) return span->startNs + span->durationNs <= ns;
  return false;
}

bool StepIndex::isUpdated(int endpoint, std::int64_t ns) const {
  const Span* update = nullptr;
  for (const Span* span : track(endpoint))
    if (span->kind == SpanKind::Update && span->step == record_->metric.step) update = span;
  return update != nullptr && update->startNs + update->durationNs <= ns;
}

std::int64_t StepIndex::versionOf(int endpoint, std::int64_t ns, bool applied) const {
  const std::int64_t before = record_->metric.step - 1;
  if (endpoint >= info_->replicas) return (asynchronous() ? applied : isUpdated(endpoint, ns)) ? before + 1 : before;
  if (asynchronous()) {
    const ReplicaStep* batch = batchOf(endpoint, ns);
    return batch != nullptr ? batch->version : -1;
  }
  // A copy that is read for each step, or one that was broadcast before the first step.
  bool coming = false;     // variable by variable
  bool gathering = false;  // the other replicas' new parts have not arrived yet
  for (const std::size_t i : at(weightsInto_, endpoint)) {
    const Span& span = record_->spans[i];
    if (span.startNs + span.durationNs <= ns) continue;
    (span.label == labelOf(Label::GatherWeights) ? gathering : coming) = true;
  }
  if (coming) return record_->metric.step <= info_->firstStep ? -1 : before - 1;
  return isUpdated(endpoint, ns) && !gathering ? before + 1 : before;
}

double StepIndex::partOfWeights(int replica, std::int64_t ns) const {
  const StrategyInfo& strategy = strategyInfo(info_->config.strategy);
  const auto part = 1.0 / static_cast<double>(info_->replicas);
  if (strategy.shardStage(info_->config) < StrategyInfo::kWholeNowhere) return 1;
  const int loss = info_->network->lossOperation();
  const auto there = [&](bool back) {  // when all parts had arrived for a pass
    std::int64_t last = record_->beginNs;
    for (const std::size_t i : at(weightsInto_, replica)) {
      const Span& span = record_->spans[i];
      if (span.label == labelOf(Label::GatherWeights) && hasLoss(replica, span.startNs) == back)
        last = std::max(last, span.startNs + span.durationNs);
    }
    return last;
  };
  const bool forward = isDone(replica, loss, ns);
  if (hasGradients(replica, ns) || ns < there(forward)) return part;
  return 1;
}

bool StepIndex::keepsSumAlone(std::int64_t ns) const {
  if (strategyInfo(info_->config.strategy).shardStage(info_->config) < 2) return false;
  return isScattered(ns);
}

bool StepIndex::isScattered(std::int64_t ns) const {
  if (strategyInfo(info_->config.strategy).shards.empty() || info_->replicas == 1) return false;
  return aggregation_->haveAllEnded(ns);
}

std::int64_t StepIndex::staleness(int worker, std::int64_t ns, bool applied) const {
  const std::int64_t version = versionOf(worker, ns, applied);
  if (version < 0) return 0;
  const std::int64_t now = versionOf(info_->replicas, ns, applied);
  const bool own = record_->metric.worker == worker && now == record_->metric.step;
  return own ? record_->metric.staleness.value_or(0) : std::max<std::int64_t>(0, now - version);
}

bool StepIndex::sumsGradients() const {
  return exchangeAfter(info_->config, record_->metric.step).what == Exchange::What::Gradients;
}

double StepIndex::vote(int replica) const {
  if (info_->isClass) return at(record_->replicas, replica).vote;
  const std::vector<std::int64_t>& shards = record_->metric.shards;
  const auto share = static_cast<double>(at(shards, asynchronous() ? 0 : replica));
  const StepMetric& metric = record_->metric;
  if (share == 0 || metric.leavesOut(replica)) return 0;
  if (!sumsGradients()) return 1 / share;  // in its replica's gradient
  if (info_->config.lossReduction == LossReduction::Loop)
    return 1 / static_cast<double>(info_->config.examplesPerStep() - metric.dropped());
  return 1 / (share * static_cast<double>(asynchronous() ? 1 : info_->replicas - std::ssize(metric.leftOut)));
}

bool StepIndex::votesDiffer() const {
  if (info_->config.lossReduction == LossReduction::Loop || asynchronous()) return false;
  if (!sumsGradients()) return false;  // an average weighs all alike
  if (info_->isClass) {                // an absent replica takes nothing from the others
    // std::ranges::max would return a copy, with all of its gradients.
    const double most = std::ranges::max_element(record_->replicas, {}, &ReplicaStep::vote)->vote;
    return std::ranges::any_of(record_->replicas,
                               [most](const ReplicaStep& each) { return each.vote > 0 && each.vote < most; });
  }
  std::optional<std::int64_t> share;
  const std::vector<std::int64_t>& shards = record_->metric.shards;
  for (int r = 0; r < static_cast<int>(shards.size()); ++r) {
    if (record_->metric.leavesOut(r)) continue;  // no image of it counts
    const std::int64_t own = at(shards, r);
    if (own != share.value_or(own)) return true;
    share = own;
  }
  return false;
}

std::int64_t StepIndex::recognised(const ReplicaStep& step) const {
  std::int64_t right = 0;
  for (std::size_t i = 0; i < step.shard.size() && i < step.predictions.size(); ++i)
    right += step.predictions[i] == at(info_->data->train.labels, step.shard[i]) ? 1 : 0;
  return right;
}

double StepIndex::loss(const ReplicaStep& batch) {
  const std::vector<float>& losses = batch.losses;
  if (losses.empty()) return 0;
  double sum = 0;
  for (const float value : losses) sum += static_cast<double>(value);
  return sum / static_cast<double>(losses.size());
}

}  // namespace lab

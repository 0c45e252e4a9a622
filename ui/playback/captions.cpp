// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/playback/captions.h"

#include <QSet>
#include <QStringList>

#include <algorithm>
#include <cmath>
#include <vector>

#include "core/base/at.h"
#include "core/base/messages.h"
#include "core/comm/schedule.h"
#include "core/config/lineage.h"
#include "core/config/run_edit.h"
#include "core/model/neural_network.h"
#include "core/strategy/strategy.h"
#include "ui/i18n/core_words.h"
#include "ui/i18n/strategy_words.h"
#include "ui/i18n/words.h"
#include "ui/playback/beat_steps.h"
#include "ui/playback/fault_captions.h"

namespace lab {
namespace {

const StrategyInfo& strategyOf(const RunInfo& info) {
  return strategyInfo(info.config.strategy);
}

// One copy of the weights on the host, which all replicas share.
bool isShared(const RunInfo& info) {
  return strategyOf(info).variables == StrategyInfo::VariablesOn::Host && info.replicas > 1;
}

// What each replica keeps only a part of (StrategyInfo::shards).
int shardStageOf(const RunInfo& info) {
  return info.replicas == 1 ? 0 : strategyOf(info).shardStage(info.config);
}

// Whether the strategy lets all replicas begin the step with the same weights.
bool copiesAgreeBefore(const RunInfo& info, const StepRecord& record) {
  return strategyOf(info).copiesAgree(info.config, record.metric.step - 1);
}

// Whether the step makes the copies of each host equal, and not those of all hosts.
bool agreeWithinHosts(const RunInfo& info, std::int64_t step) {
  return step > 0 && staysWithinHosts(info.config, info.replicas, info.hosts, step);
}

// Whether one replica computes with a weight that was changed by hand. In the change's own step it always does. Later
// it does where copies that are only ever compared still differ; an average or a pull has made them equal again.
bool isOneChanged(const RunInfo& info, const StepRecord& record) {
  const bool differ = record.metric.mirrorsIdentical == false && strategyOf(info).own != StrategyInfo::Own::Weights;
  return std::ranges::any_of(info.lineage, [&](const RunBranch& branch) {
    if (!branch.edit || branch.edit->what != RunEdit::What::Weight) return false;
    return branch.edit->step == record.metric.step || (differ && branch.edit->step < record.metric.step);
  });
}

// The losses of the replicas that have computed them by then; a replica without images has none.
std::vector<double> meanLosses(const CaptionMoment& at) {
  std::vector<double> means;
  for (std::size_t r = 0; r < at.record.replicas.size(); ++r)
    if (!at.record.replicas[r].losses.empty() && at.course.lossNs[r] <= at.ns) means.push_back(at.course.losses[r]);
  return means;
}

// "a, b, c", shortened, with enough digits to tell the values apart: late in training, 0.000 and 0.000 would look
// equal. Small ones are written as on the stage.
QString listOf(const std::vector<double>& means) {
  const std::size_t shown = means.size() > 4 ? 3 : means.size();
  QStringList words;
  for (int digits = 3; digits <= 6; ++digits) {
    words.clear();
    for (std::size_t i = 0; i < shown; ++i) words << lossText(means[i], digits);
    if (QSet<QString>(words.begin(), words.end()).size() == words.size()) break;
  }
  if (shown < means.size()) words << QStringLiteral("…");
  return words.join(QStringLiteral(", "));
}

// Keras divides by each replica's own number of images, and then by the number of replicas: of those that the step does
// not leave out.
QString votes(const RunInfo& info, const StepRecord& record) {
  if (info.config.lossReduction != LossReduction::Fit || info.isClass) return {};
  if (exchangeAfter(info.config, record.metric.step).what != Exchange::What::Gradients) return {};
  std::vector<std::int64_t> shards = record.metric.shards;
  constexpr std::int64_t kLeftOut = -1;
  for (const int replica : record.metric.leftOut) at(shards, replica) = kLeftOut;
  const std::int64_t counting = std::ssize(shards) - std::ssize(record.metric.leftOut);
  std::int64_t most = 0, least = 0;
  for (const std::int64_t shard : shards) {
    most = std::max(most, shard);
    if (shard > 0) least = least == 0 ? shard : std::min(least, shard);
  }
  const auto empty = std::ranges::count(shards, 0);
  QStringList parts;
  const auto indexOf = [&shards](std::int64_t size) {
    return static_cast<int>(std::ranges::find(shards, size) - shards.begin());
  };
  if (least < most && least > 0)
    parts << tr("fit averages the replicas' means: an image of %1 weighs %2 times as much as one of %3.")
                 .arg(endpointName(info, indexOf(least)),
                      numberText(std::round(100 * static_cast<double>(most) / static_cast<double>(least)) / 100),
                      endpointName(info, indexOf(most)));
  if (empty > 0)
    parts << tr("fit counts an empty slice as a zero in the mean: the gradient is only %1/%2 as large.")
                 .arg(countText(counting - empty), countText(counting));
  return parts.join(QLatin1Char(' '));
}

// True if no two replicas were given the same images.
bool imagesDiffer(const StepRecord& record) {
  QSet<std::int64_t> firsts;
  for (const ReplicaStep& replica : record.replicas) {
    if (replica.shard.empty()) continue;
    if (firsts.contains(replica.shard.front())) return false;
    firsts.insert(replica.shard.front());
  }
  return true;
}

QString distributeCaption(const RunInfo& info, const StepRecord& record) {
  const auto& shards = record.metric.shards;
  if (info.isClass)
    return tr("%Ln workers take part in this step, each with images of its own: %1 in total.", nullptr,
              plural(record.taking()))
        .arg(countText(record.metric.distributed()));
  if (shards.size() == 1) return tr("The one device gets the whole batch.");
  const auto [least, most] = std::ranges::minmax(shards);
  // Without sharding, every host has a stream of its own with all images, in the same order.
  const bool isRepeated = info.hosts > 1 && info.split.policy == AutoShard::Off && !imagesDiffer(record);
  if (least == most && isRepeated)
    return tr("The same %Ln images go to each of the %1 hosts, because sharding is off.", nullptr,
              plural(record.metric.distributed() / info.hosts))
        .arg(countText(info.hosts));
  if (least == most)
    return tr("Each replica gets a different part of the batch: %1 of the %2 images each.")
        .arg(countText(most), countText(record.metric.distributed()));
  QStringList sizes;
  for (const std::int64_t size : shards) sizes << countText(size);
  if (sizes.size() > 8) sizes = sizes.mid(0, 7) << QStringLiteral("…");
  QStringList parts{tr("%Ln images over %1 replicas: %2.", nullptr, plural(record.metric.distributed()))
                        .arg(countText(std::ssize(shards)), sizes.join(QStringLiteral(", ")))};
  if (isRepeated) parts << tr("Sharding is off: the hosts read the same images.");
  if (least == 0) parts << tr("An empty slice means: 0 images, and a gradient of zeros.");
  return parts.join(QLatin1Char(' '));
}

QString batchCaption(const RunInfo& info, const StepRecord& record) {
  const QString images = tr("A global batch: %Ln real images from %1.", nullptr, plural(record.metric.distributed()))
                             .arg(datasetName(info));
  if (info.hosts == 1) return images;
  switch (info.split.policy) {
    case AutoShard::File:
      return images + QLatin1Char(' ') + tr("Each worker reads its own files.");
    case AutoShard::Off:
      return images + QLatin1Char(' ') + tr("Sharding is off: every worker reads all the data in the same order.");
    default:
      return images + QLatin1Char(' ') + tr("Every worker reads the same stream and keeps its own share of it.");
  }
}

// Says who came too late for the sum; "" if it waited for all.
QString lateCaption(const RunInfo& info, const StepRecord& record) {
  QStringList late;
  for (const int replica : record.metric.leftOut) late << endpointName(info, replica);
  if (late.isEmpty()) return {};
  if (late.size() > 4) late = late.mid(0, 3) << QStringLiteral("…");
  return tr("Too late, so left out: %1. The sum has %2 of %3 gradients.")
      .arg(late.join(QStringLiteral(", ")), countText(record.taking() - std::ssize(record.metric.leftOut)),
           countText(record.taking()));
}

// Whether the reducer's schedule is one ring over all replicas. A hierarchy with one host, or with one replica on each,
// is one, and so is a torus of a prime number of replicas, which has only one column.
bool isOneRing(const RunInfo& info) {
  if (info.reducer == "hierarchical") return info.hosts == 1 || info.hosts == info.replicas;
  if (info.reducer == "torus") return torusShape(info.replicas).x == 1;
  return info.reducer == "ring" || info.reducer == "nccl";
}

// How the gradients are added; "" for one device, which adds all.
QString allReduceCaption(const RunInfo& info) {
  const std::int64_t n = info.replicas;
  const std::string& reducer = info.reducer;
  if (reducer == "nccl" && isGpu(info, 0)) return tr("All-reduce: NCCL adds the gradients between the GPUs.");
  if (reducer == "mpi") return tr("All-reduce: MPI adds the gradients between the processes.");
  if (isOneRing(info))
    return n == 2
               ? tr("All-reduce: each adds up one half and passes it on.")
               : tr("All-reduce, as a ring: %1 hops add, %1 hops pass the finished pieces on.").arg(countText(n - 1));
  if (reducer == "tree") return tr("All-reduce, as a tree: sums climb to one replica and are copied back down.");
  if (reducer == "halving-doubling" && n == 2)
    return tr("All-reduce by halving and doubling: the two swap halves to add them, and then the sums.");
  if (reducer == "halving-doubling" && n == 3)
    return tr("All-reduce by halving and doubling: R2 sends all to R0; R0 and R1 swap halves, and back.");
  if (reducer == "halving-doubling")
    return tr("All-reduce by halving and doubling: partners swap halves, then quarters, and back.");
  if (reducer == "hierarchical")
    return tr("Hierarchical all-reduce: first inside each host, then between the hosts, then inside again.");
  if (reducer == "torus") return tr("All-reduce on a torus: along the rows, along the columns, and back.");
  return {};
}

QString aggregateCaption(const RunInfo& info, const StepRecord& record) {
  if (record.averagesWeights()) {
    const QString average =
        agreeWithinHosts(info, record.metric.step)
            ? tr("All-reduce of the weights within each host: each copy counts by the number of images it was trained "
                 "on. At the end the copies of a host are their mean.")
            : strategyWords(info.config.strategy, "aggregate");
    const QString outer = strategyWords(info.config.strategy, "average.outer");
    const StrategyInfo& strategy = strategyOf(info);
    const bool goesOn = strategy.besideSlots && !strategy.besideSlots(info.config).empty();
    return goesOn && !outer.isEmpty() ? average + QLatin1Char(' ') + outer : average;
  }
  const std::int64_t n = info.replicas;
  const QString everyone =
      strategyOf(info).hasCopies ? QLatin1Char(' ') + tr("At the end every replica has the sum.") : QString();
  if (info.isClass) return tr("Every worker pushes its gradient. The server adds them in the order of their numbers.");
  if (const QString own = strategyWords(info.config.strategy, "aggregate"); !own.isEmpty()) return own + everyone;
  if (shardStageOf(info) > 0)
    return n == 2 ? tr("Reduce-scatter: each adds up one half, and keeps it. None has both halves of the sum.")
                  : tr("Reduce-scatter, around the ring: after %1 hops each replica has the sum of its own part, 1/%2 "
                       "of the gradient.")
                        .arg(countText(n - 1), countText(n));
  if (const QString schedule = allReduceCaption(info); !schedule.isEmpty()) return schedule + everyone;
  return tr(
      "All-reduce on one device: all gradients go to R0, one after the other; it adds them and copies the sum "
      "back.");
}

QString forwardCaption(const CaptionMoment& at) {
  if (at.info.replicas == 1) return tr("Forward: the network sees the whole batch.");
  const char* const pace = at.course.lockStep ? "forward" : "forward.apart";
  if (const QString own = strategyWords(at.info.config.strategy, pace); !own.isEmpty()) return own;
  if (agreeWithinHosts(at.info, at.record.metric.step - 1))
    return tr(
        "Forward: the copies of a host have the same weights, those of other hosts have others; each replica "
        "computes its own loss.");
  if (!copiesAgreeBefore(at.info, at.record))
    return tr("Forward: each replica has weights of its own by now, and computes the loss of its own images.");
  if (isOneChanged(at.info, at.record))
    return tr("Forward: one copy has a weight that was changed by hand; each replica computes its own loss.");
  return imagesDiffer(at.record) ? tr("Forward: same weights, different images; each replica computes its own loss.")
                                 : tr("Forward: same weights; each replica computes the loss of its own images.");
}

QString backwardCaption(const CaptionMoment& at) {
  const std::vector<double> means = meanLosses(at);
  const QString losses = listOf(means);
  const QString onlyLoss = tr("The loss is %1. Backward, last layer first: the gradient of every weight.").arg(losses);
  if (at.info.replicas == 1) return onlyLoss;
  const auto computing = std::ranges::count_if(at.course.gradientNs, [&at](std::int64_t ns) { return ns > at.ns; }) -
                         std::ssize(at.record.absent);
  if (at.course.firstSentNs < at.ns && computing == at.record.taking())
    return tr("All replicas are still computing; the gradients of their last layers are on their way already.");
  if (at.info.isClass && at.course.firstSentNs < at.ns && computing > 0)
    return tr("Still computing: %1 of %2 workers. Gradients are on their way to the server already.")
        .arg(countText(computing), countText(at.record.taking()));
  if (at.course.firstSentNs < at.ns && computing > 0)
    return isShared(at.info) ? tr("Still computing: %1 of %2 replicas. Gradients are being sent already.")
                                   .arg(countText(computing), countText(at.record.taking()))
                             : tr("Still computing: %1 of %2 replicas. Adding has begun already.")
                                   .arg(countText(computing), countText(at.record.taking()));
  const auto all = std::ranges::count_if(at.record.replicas, [](const ReplicaStep& r) { return !r.losses.empty(); });
  if (std::ssize(means) < all)
    return tr("Backward already, last layer first: %1 of %2 replicas (loss: %3). Still forward: %4.")
        .arg(countText(std::ssize(means)), countText(all), losses, countText(all - std::ssize(means)));
  if (all == 1) return onlyLoss;  // the others have no images, or have left
  const bool same = std::ranges::all_of(means, [&means](double mean) {
    return mean == means.front() || (std::isnan(mean) && std::isnan(means.front()));
  });
  return (same || !beganAlike(at.info, at.record) ? tr("The losses are %1.")
                                                  : tr("Same weights, different images, so the losses differ (%1)."))
             .arg(losses) +
         QLatin1Char(' ') + tr("Backward, last layer first: each replica gets a gradient of its own.");
}

// Describes copies that are not all equal bit by bit.
QString unequalCopies(const RunInfo& info, const StepRecord& record) {
  QStringList others;
  for (std::size_t r = 1; r < record.replicas.size(); ++r)
    if (record.replicas[r].weightsDigest != record.replicas[0].weightsDigest)
      others << endpointName(info, static_cast<int>(r));
  return tr("Every replica applies the same sum to its own copy, but the copies are not equal: %1 ≠ %2.")
      .arg(others.join(QStringLiteral(", ")), endpointName(info, 0));
}

// Describes weights that are stored in parts, on their way to all replicas.
QString gatherCaption(const CaptionMoment& at) {
  const QString before = weightsName(at.record.metric.step - 1), after = weightsName(at.record.metric.step);
  if (shardStageOf(at.info) < StrategyInfo::kWholeNowhere)
    return tr("All-gather: each replica's new part goes around the ring. At the end all have all of %1.").arg(after);
  return at.ns < at.course.firstLossNs
             ? tr("All-gather: each replica's part of %1 goes around the ring; the forward pass needs all of it.")
                   .arg(before)
             : tr("All-gather, again: nobody kept the others' parts of %1 after the forward pass.").arg(before);
}

QString updateCaption(const CaptionMoment& at) {
  const QString from = weightsName(at.record.metric.step - 1), to = weightsName(at.record.metric.step);
  const auto done = std::ranges::count_if(at.course.updateNs, [&at](std::int64_t ns) { return ns <= at.ns; });
  const bool all = std::ranges::any_of(at.record.spans, [&at](const Span& span) {
    return span.kind == SpanKind::Update && span.step == at.record.metric.step &&
           span.startNs + span.durationNs <= at.ns;
  });
  if (isShared(at.info))
    return (all ? tr("One update of the only copy: %1 has become %2.")
                : tr("One update of the only copy: %1 becomes %2."))
        .arg(from, to);
  if (at.info.replicas == 1)
    return (all ? tr("The optimizer has updated the weights: %1 has become %2.")
                : tr("The optimizer updates the weights: %1 becomes %2."))
        .arg(from, to);
  if (at.info.isClass)
    return (all ? tr("The server has applied the sum: %1 has become %2.")
                : tr("The server applies the sum: %1 becomes %2."))
        .arg(from, to);
  if (const QString own = strategyWords(at.info.config.strategy, "update"); !own.isEmpty()) return own.arg(from, to);
  if (shardStageOf(at.info) > 0)
    return (all ? tr("Every replica has updated its own part, 1/%1 of the weights, from %2 to %3.")
                : tr("Every replica updates its own part, 1/%1 of the weights: only there it has the sum and the "
                     "optimizer's slots. %2 becomes %3."))
        .arg(countText(at.info.replicas), from, to);
  if (at.record.metric.copiesShared)
    return tr("The optimizer updates the one copy that this program keeps for all %1 replicas: %2 becomes %3.")
        .arg(countText(at.info.replicas), from, to);
  if (at.record.metric.mirrorsIdentical == false) return unequalCopies(at.info, at.record);
  if (done == at.record.taking())
    return tr("Every replica has applied the same sum to its own copy: all are now %1.").arg(to);
  if (done > 0)
    return tr("Every replica applies the same sum to its own copy: %3 so far on %1 of %2.")
        .arg(countText(done), countText(at.record.taking()), to);
  return tr("Every replica applies the same sum to its own copy: %1 becomes %2.").arg(from, to);
}

// The caption after a step in which nothing was exchanged over all replicas.
QString apartCaption(const RunInfo& info, const StepRecord& record) {
  const std::int64_t step = record.metric.step, next = nextExchange(info.config, step + 1);
  if (agreeWithinHosts(info, step))
    return tr("The copies of each host are equal now; those of different hosts need not be.");
  const bool sent = exchangeAfter(info.config, step).what != Exchange::What::Nothing;
  const char* const moment = next > info.totalSteps ? "check.apart.last" : "check.apart";
  const QString own = sent ? QString() : strategyWords(info.config.strategy, moment, countText(next));
  return own.isEmpty() ? tr("Every copy goes its own way: after this step they need not be equal.") : own;
}

QString checkCaption(const CaptionMoment& at) {
  const RunInfo& info = at.info;
  const StepRecord& record = at.record;
  const QString weights = weightsName(record.metric.step);
  const QString own = strategyWords(info.config.strategy, info.replicas == 1 ? "check.alone" : "check", weights);
  if (!own.isEmpty()) return own;
  if (info.replicas == 1) return tr("One replica: there is nothing to add, and no copy to compare.");
  if (shardStageOf(info) >= StrategyInfo::kWholeNowhere)
    return tr("No copies to compare: each of the %1 parts of %2 is on only one replica.")
        .arg(countText(info.replicas), weights);
  if (!strategyOf(info).mustAgree(info.config, record.metric.step)) return apartCaption(info, record);
  if (record.metric.copiesShared)
    return tr("This program keeps one copy, %1, for all %2 replicas: equal copies would only take memory. There is "
              "nothing to compare.")
        .arg(weights, countText(info.replicas));
  // In a synchronous class, workers pull the weights anew for each closure.
  if (!record.metric.mirrorsIdentical)
    return tr("The server has the new variables, %1: every worker gets them with its next images.").arg(weights);
  if (at.part < kCompared)
    return info.replicas == 2 ? tr("Both copies should now be %1. Are they? They are compared bit by bit.").arg(weights)
                              : tr("All %1 copies should now be %2. Are they? They are compared bit by bit.")
                                    .arg(countText(info.replicas), weights);
  if (record.metric.mirrorsIdentical == false && isEdited(info.lineage))
    return tr("The copies were compared bit by bit, and they differ: a value was changed by hand.");
  if (*record.metric.mirrorsIdentical && info.replicas == 2)
    return tr("Both copies are now %1; they were compared bit by bit: identical.").arg(weights);
  return *record.metric.mirrorsIdentical
             ? tr("All %1 copies are now %2; they were compared bit by bit: identical.")
                   .arg(countText(info.replicas), weights)
             : tr("The copies were compared bit by bit, and they differ: this must not happen.");
}

// The endpoint's name in a class; "" elsewhere.
QString nameInClass(const RunInfo& info, int endpoint) {
  const auto at = static_cast<std::size_t>(endpoint);
  if (at >= info.legend.endpoints.size()) return {};
  const Message& name = info.legend.endpoints[at].name;
  return name.is(say::verbatim) ? coreText(name) : QString();
}

QString flowCaption(const CaptionMoment& at) {
  const RunInfo& info = at.info;
  const StepRecord& record = at.record;
  if (record.metric.aborted) return abortedCaption(info, record);
  if (const QString dead = deadWorkerCaption(record, at.ns); !dead.isEmpty()) return dead;
  if (info.replicas == 1) return tr("The worker pulls weights, computes on a batch of its own, and pushes gradients.");
  const QString next = QLatin1Char(' ') + tr("%1 is next to finish.").arg(workerName(info, *record.metric.worker));
  const char* moment = "worker.flow";
  if (info.clock == TimeSource::Measured && !info.isClass)
    moment = "worker.flow.measured";
  else if (serverLoadOf(info, record).queued)
    moment = info.parameterDevices > 1 ? "worker.flow.links" : "worker.flow.link";
  return strategyWords(info.config.strategy, moment) + next;
}

QString flowNote(const RunInfo& info, const StepRecord& record) {
  const ServerLoad load = serverLoadOf(info, record);
  if (info.replicas > 1 && load.isFull())
    return tr("The link was busy for %1 % of the time, and %2 spent %3 % of its cycle waiting for it: more workers no "
              "longer help.")
        .arg(percentNumber(load.busy, 0), endpointName(info, *record.metric.worker), percentNumber(load.queueShare, 0));
  return tr("num_replicas_in_sync counts the replicas of one worker, not the workers.");
}

QString applyCaption(const CaptionMoment& at) {
  const StepMetric& metric = at.record.metric;
  if (!at.isMoving) return strategyWords(at.info.config.strategy, "worker.apply", workerName(at.info, *metric.worker));
  const std::int64_t stale = metric.staleness.value_or(0);
  const QString applied = (at.info.parameterDevices > 1 ? tr("%1's gradients are applied: the servers' copy is now %2.")
                                                        : tr("%1's gradients are applied: the server has %2."))
                              .arg(workerName(at.info, *metric.worker), weightsName(metric.step));
  // The worker that has taken a dead one's closure is named a little longer, while the closure is on its way.
  for (const DeadTask& dead : at.record.dead)
    if (dead.takenBy >= 0 && dead.takenNs > at.record.beginNs && dead.takenNs <= at.record.endNs)
      return applied + QLatin1Char(' ') + deadWorkerCaption(at.record, at.record.endNs);
  if (stale == 0) return applied + QLatin1Char(' ') + tr("They were fresh: nobody had updated in between.");
  return applied + QLatin1Char(' ') + tr("They were %Ln updates stale: others came between.", nullptr, plural(stale));
}

}  // namespace

QString beatCaption(BeatKind kind, const CaptionMoment& at) {
  const RunInfo& info = at.info;
  const StepRecord& record = at.record;
  switch (kind) {
    case BeatKind::Startup:
      return startupCaption(at);
    case BeatKind::Input:
      return sayingAt(inputSteps(info, record), at.part);
    case BeatKind::Losses:
      return lossesCaption(info, record, at.part);
    case BeatKind::Epoch:
      return epochCaption(info, record);
    case BeatKind::Evaluate:
      return evaluateCaption(info);
    case BeatKind::Batch:
      return batchCaption(info, record);
    case BeatKind::Distribute:
      return distributeCaption(info, record);
    case BeatKind::Pull:
      return tr("All devices read the one copy of the weights through the same bus, one after the other.");
    case BeatKind::Gather:
      return gatherCaption(at);
    case BeatKind::Forward:
      return forwardCaption(at);
    case BeatKind::Backward:
      return backwardCaption(at);
    case BeatKind::Aggregate:
      if (const QString broken = brokenReductionCaption(record, at.ns); !broken.isEmpty()) return broken;
      if (const QString late = lateCaption(info, record); !late.isEmpty()) return late;
      return aggregateCaption(info, record);
    case BeatKind::Update:
      return updateCaption(at);
    case BeatKind::Check:
      return checkCaption(at);
    case BeatKind::Flow:
      return flowCaption(at);
    case BeatKind::Apply:
      return applyCaption(at);
    case BeatKind::Aborted:
      return abortedCaption(info, record);
  }
  return {};
}

namespace {

// Says whose mean and variance batch normalisation uses.
QString normNote(const RunInfo& info) {
  if (info.network == nullptr || info.network->statistics().size() == 0) return {};
  return info.network->exchangesStatistics()
             ? tr("Synchronised BatchNormalization: the replicas add up their sums, so that all normalise by the whole "
                  "batch.")
             : tr("BatchNormalization: each replica normalises by its own images, so the result is not that of one "
                  "device.");
}

}  // namespace

QString beatNote(BeatKind kind, const RunInfo& info, const StepRecord& record) {
  if (record.onOtherPath)
    return tr(
        "Computed on this computer's instruction set, which is not the worker's: the numbers shown may differ from "
        "its own in their last bits.");
  const auto own = [&info](const std::string& moment) { return strategyWords(info.config.strategy, moment); };
  if (info.isClass && kind != BeatKind::Flow && kind != BeatKind::Input) return {};
  if (kind == BeatKind::Distribute && !record.metric.shards.empty() && info.replicas > 1) {
    if (const QString unequal = votes(info, record); !unequal.isEmpty()) return unequal;
    if (info.split.rule == SplitRule::Legacy && info.hosts > 1 && info.split.policy != AutoShard::Off)
      return tr("In-memory data: every host cuts the batch into shares of ⌈%1/%2⌉; the %3 hosts take them in turn.")
          .arg(countText(record.metric.distributed()), countText(info.replicas), countText(info.hosts));
    if (info.split.rule == SplitRule::Legacy)
      return tr("In-memory data: R0 gets the first ⌈%1/%2⌉, and so on; the last ones get what is left.")
          .arg(countText(record.metric.distributed()), countText(info.replicas));
    if (record.metric.distributed() < info.config.globalBatch)
      return tr(
          "File-backed data: shares are fixed, so a short batch fills the first ones and leaves less for the rest.");
    return tr("File-backed data: shares differ by at most one. “Split evenly” is only one of TensorFlow's two rules.");
  }
  if (kind == BeatKind::Forward && info.replicas > 1) {
    const auto [least, most] = std::ranges::minmax(record.metric.shards);
    if (least < most) return own("note.forward.unequal");
    return normNote(info);
  }
  if (kind == BeatKind::Aggregate) {
    const bool simulated = info.reducer == "nccl" && !isGpu(info, 0);
    const QString note = own("note.aggregate." + info.reducer + (simulated ? ".simulated" : ""));
    if (!note.isEmpty()) return note;
    return own("note.aggregate").isEmpty() ? logNote(info) : own("note.aggregate");
  }
  if (kind == BeatKind::Input) return inputNote(info);
  if (kind == BeatKind::Losses) return lossesNote(info);
  if (kind == BeatKind::Epoch) return epochNote(info);
  if (kind == BeatKind::Flow) return flowNote(info, record);
  if (kind == BeatKind::Check && info.replicas > 1) return own("note.check");
  return {};
}

QString endpointName(const RunInfo& info, int endpoint) {
  const bool asynchronous = !strategyOf(info).synchronous;
  if (endpoint < 0) return {};
  if (const QString name = nameInClass(info, endpoint); !name.isEmpty()) return name;
  if (endpoint < info.replicas) return (asynchronous ? tr("worker %1") : QStringLiteral("R%1")).arg(endpoint);
  const int server = endpoint - info.replicas;
  if (server < info.parameterDevices)
    return asynchronous ? QStringLiteral("PS%1").arg(server) : QStringLiteral("CPU:0");
  return tr("host %1").arg(server - info.parameterDevices);
}

QString workerName(const RunInfo& info, int worker) {
  const QString name = nameInClass(info, worker);
  return name.isEmpty() ? tr("Worker %1").arg(worker) : name;
}

QString serverShare(const RunInfo& info, int server) {
  std::int64_t own = 0, all = 0;
  for (int s = 0; s < static_cast<int>(info.variableShards.size()); ++s)
    for (const VariablePart& part : at(info.variableShards, s)) {
      all += part.count;
      if (s == server) own += part.count;
    }
  const double share = all > 0 ? static_cast<double>(own) / static_cast<double>(all) : 0;
  return percentNumber(share, own == all ? 0 : 1);
}

QString endpointNumber(const RunInfo& info, int replica) {
  return QString::number(info.isClass ? replica + 1 : replica);  // numbered as in the names
}

bool beganAlike(const RunInfo& info, const StepRecord& record) {
  return copiesAgreeBefore(info, record) && !isOneChanged(info, record);
}

QString absenceWords(const StepRecord& record, int replica) {
  const auto found = std::ranges::find(record.absent, replica, &Absence::replica);
  if (found == record.absent.end()) return {};
  switch (found->why) {
    case Absence::Why::NoPart:
      return tr("no part in this step");
    case Absence::Why::NotJoined:
      return tr("joins after this step");
    case Absence::Why::Left:
      return tr("has left");
  }
  return {};
}

QString weightsName(std::int64_t version) {
  QString text = QStringLiteral("W");
  for (const QChar digit : QString::number(version)) text += QChar(0x2080 + digit.digitValue());
  return text;
}

}  // namespace lab

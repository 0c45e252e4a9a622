// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/poster/poster_moments.h"

#include <QCoreApplication>
#include <QStringList>

#include <algorithm>
#include <cmath>
#include <optional>

#include "core/base/at.h"
#include "core/replicas/labels.h"
#include "core/strategy/strategy.h"
#include "ui/i18n/strategy_words.h"
#include "ui/i18n/words.h"
#include "ui/playback/captions.h"
#include "ui/playback/step_milestones.h"

namespace lab {
namespace {

constexpr double kSameS = 1e-3;  // moments no further apart show the same

std::int64_t endOf(const Span& span) {
  return span.startNs + span.durationNs;
}

// The position after the first sentence; the end of the words if there is only one. Words as short as those of "z. B."
// do not end a sentence.
qsizetype afterFirst(const QString& words) {
  constexpr qsizetype kShort = 2;
  for (qsizetype i = kShort + 1; i + 1 < words.size(); ++i)
    if (words[i + 1] == QLatin1Char(' ') && QStringLiteral(".!?").contains(words[i]) &&
        i - words.lastIndexOf(QLatin1Char(' '), i - 1) > kShort)
      return i + 1;
  return words.size();
}

auto labelled(Label label) {
  return [label](const Span& span) { return span.label == labelOf(label); };
}

class MomentChooser {
  Q_DECLARE_TR_FUNCTIONS(lab::MomentChooser)

 public:
  MomentChooser(const StepIndex& step, const Story& story)
      : step_(step), info_(step.info()), record_(step.record()), story_(story), course_(milestonesOf(info_, record_)) {}

  std::vector<PosterMoment> choose() {
    step_.asynchronous() ? addAsynchronous() : addSynchronous();
    // Only to fill up the six: more moments of the computing beats.
    for (const double part : {0.35, 0.6, 0.15})
      for (const BeatKind kind : {BeatKind::Flow, BeatKind::Forward, BeatKind::Backward}) add(kind, part, kSpare);
    std::ranges::stable_sort(found_, {}, &Found::rank);
    std::vector<Found> chosen;
    for (const Found& each : found_)
      if (chosen.size() < kPosterMoments && std::ranges::none_of(chosen, [&](const Found& other) {
            return std::abs(other.moment.seconds - each.moment.seconds) < kSameS;
          }))
        chosen.push_back(each);
    std::vector<PosterMoment> moments;
    for (Found& each : chosen) moments.push_back(std::move(each.moment));
    std::ranges::sort(moments, {}, &PosterMoment::seconds);
    for (PosterMoment& moment : moments) complete(moment);
    return moments;
  }

 private:
  enum Rank { kAlways, kUsual, kOwn, kSecond, kMore, kSpare };  // the last are dropped first
  struct Found {
    PosterMoment moment;
    Rank rank;
  };

  void addSynchronous() {
    const StrategyInfo& strategy = strategyInfo(info_.config.strategy);
    const bool compared = strategy.keepsCopies(info_.config) && info_.replicas > 1;
    add(BeatKind::Distribute, 0.62, kAlways);
    add(BeatKind::Pull, 0.5, kOwn);
    add(BeatKind::Gather, 0.5, kOwn);
    addForward();
    add(BeatKind::Backward, 0.75, kAlways);
    addAggregation();
    add(BeatKind::Aborted, 0.8, kUsual);
    add(BeatKind::Update, 0.6, compared ? kMore : kUsual);
    add(BeatKind::Check, 0.9, compared ? kUsual : kMore);  // before an evaluation the comparison's last 0.1 s fade
    add(BeatKind::Batch, 1, kMore);
    add(BeatKind::Losses, 0.9, kSpare);
    add(BeatKind::Startup, 0.5, kSpare);
  }

  // The moment is the middle of the pass's longest operation.
  void addForward() {
    const Beat* beat = story_.find(BeatKind::Forward);
    if (beat == nullptr) return;
    const auto found = longest(
        *beat, [](const Span& span) { return span.kind == SpanKind::Compute; }, [](const Span&) { return true; });
    add(*beat, found ? story_.secondsAt(found->startNs + found->durationNs / 2) : beat->motionS, kAlways);
  }

  // The moments are the middle of the first transfers and the middle of the last.
  void addAggregation() {
    const Beat* beat = story_.find(BeatKind::Aggregate);
    if (beat == nullptr) return;
    std::vector<std::int64_t> middles;
    for (const std::size_t i : step_.aggregation().transfers()) {
      const Span& span = record_.spans[i];
      const std::int64_t middle = span.startNs + span.durationNs / 2;
      if (middle > beat->beginNs && middle < beat->endNs) middles.push_back(middle);
    }
    const auto part = [&](double share) { return beat->motionS + share * (beat->endS - beat->motionS); };
    double first = part(0.3), last = part(0.75);
    if (!middles.empty()) {
      const auto [least, most] = std::ranges::minmax(middles);
      first = story_.secondsAt(least);
      last = story_.secondsAt(most);
    }
    add(*beat, first, kAlways);
    const StrategyInfo& strategy = strategyInfo(info_.config.strategy);
    const bool returns = strategy.hasCopies && strategy.shards.empty();
    if (last - first < kSameS) return;
    Found& end = add(*beat, last, returns ? kSecond : kMore);
    const QString begun = beat->captionAt(first), words = beat->captionAt(last);
    // A caption for the whole beat ends with how the beat ends.
    if (begun == words && afterFirst(words) < words.size())
      end.moment.caption = words.mid(afterFirst(words)).trimmed();
    else if (begun == words && returns && !record_.averagesWeights())
      end.moment.caption = tr("At the end every replica has the sum.");
  }

  void addAsynchronous() {
    const int own = *record_.metric.worker;
    const Beat* flow = story_.find(BeatKind::Flow);
    if (flow == nullptr) return;
    const auto isOwnPush = [own](const Span& span) { return span.from == own; };
    const auto isPull = [this](const Span& span) { return span.to >= 0 && span.to < info_.replicas; };
    const auto pushed = longest(*flow, labelled(Label::PushGradients), isOwnPush);
    const auto pulled = longest(*flow, labelled(Label::PullWeights), isPull);
    if (pushed)
      say(*flow, *pushed, kAlways, tr("push"),
          tr("%1 pushes its gradient, as soon as it has one.").arg(workerName(info_, own)));
    if (pulled)
      say(*flow, *pulled, kUsual, beatName(BeatKind::Pull),
          tr("%1 pulls the weights, as they are at that moment.").arg(workerName(info_, pulled->to)));
    addComputing(*flow, own);
    if (const auto waits = longestQueue(*flow))
      say(*flow, *waits, kOwn, tr("queue"),
          strategyWords(info_.config.strategy, "worker.queued", workerName(info_, workerOf(*waits))));
    add(BeatKind::Flow, 0.02, kSecond);
    add(BeatKind::Aborted, 0.8, kUsual);
    add(BeatKind::Apply, 0.9, kAlways);
    const Beat* apply = story_.find(BeatKind::Apply);
    if (apply != nullptr && apply->captionAt(apply->beginS) != apply->captionAt(apply->endS - kSameS))
      add(*apply, apply->beginS, kMore);
  }

  void addComputing(const Beat& flow, int own) {
    const int loss = info_.network->lossOperation();
    const auto compute = [&](bool forward, bool ownOnly) {
      return longest(
          flow, [](const Span& span) { return span.kind == SpanKind::Compute; },
          [&](const Span& span) {
            const bool isForward = operationOf(span.label) <= loss;
            return isForward == forward && (!ownOnly || workerOf(span) == own);
          });
    };
    auto forward = compute(true, true), backward = compute(false, true);
    if (!forward) forward = compute(true, false);
    if (!backward) backward = compute(false, false);
    if (forward)
      say(flow, *forward, kUsual, beatName(BeatKind::Forward),
          tr("%1 computes the loss of a batch of its own, forward.").arg(workerName(info_, workerOf(*forward))));
    if (backward)
      say(flow, *backward, kUsual, beatName(BeatKind::Backward),
          strategyWords(info_.config.strategy, "worker.backward", workerName(info_, workerOf(*backward))));
  }

  int workerOf(const Span& span) const { return at(info_.legend.tracks, span.track).endpoint; }

  // The longest span whose middle lies in the beat.
  template <typename Kind, typename Whose>
  std::optional<Span> longest(const Beat& beat, Kind isKind, Whose isOf) const {
    std::optional<Span> found;
    for (const Span& span : record_.spans) {
      const std::int64_t middle = span.startNs + span.durationNs / 2;
      if (!isKind(span) || !isOf(span) || middle <= beat.beginNs || middle >= beat.endNs) continue;
      if (!found || span.durationNs > found->durationNs) found = span;
    }
    return found;
  }

  // The longest stretch in which a worker queues. The span of its wait holds the worker's own transfer, too.
  std::optional<Span> longestQueue(const Beat& beat) const {
    std::optional<Span> found;
    for (const Span& wait : record_.spans) {
      if (wait.label != labelOf(Label::WaitForServer)) continue;
      const int worker = workerOf(wait);
      const std::int64_t from = std::max(wait.startNs, beat.beginNs), until = std::min(endOf(wait), beat.endNs);
      if (from >= until) continue;
      std::vector<std::int64_t> edges{from, until};
      for (const std::size_t i : step_.transfers()) {
        const Span& transfer = record_.spans[i];
        if (transfer.from != worker && transfer.to != worker) continue;
        for (const std::int64_t edge : {transfer.startNs, endOf(transfer)})
          if (edge > from && edge < until) edges.push_back(edge);
      }
      std::ranges::sort(edges);
      for (std::size_t i = 1; i < edges.size(); ++i) {
        const std::int64_t lasts = edges[i] - edges[i - 1];
        const bool isLongest = lasts > (found ? found->durationNs : 0);
        if (!isLongest || step_.doing(worker, edges[i - 1] + lasts / 2) != StepIndex::Doing::Queues) continue;
        found = wait;
        found->startNs = edges[i - 1];
        found->durationNs = lasts;
      }
    }
    return found;
  }

  void say(const Beat& beat, const Span& span, Rank rank, const QString& heading, const QString& words) {
    PosterMoment& moment = add(beat, story_.secondsAt(span.startNs + span.durationNs / 2), rank).moment;
    moment.heading = heading;
    moment.caption = words;
  }
  Found& add(const Beat& beat, double seconds, Rank rank) {
    return found_.emplace_back(Found{{.kind = beat.kind, .seconds = seconds}, rank});
  }
  void add(BeatKind kind, double part, Rank rank) {
    if (const Beat* beat = story_.find(kind))
      add(*beat, std::min(beat->motionS + part * (beat->endS - beat->motionS), beat->endS - kSameS), rank);
  }

  void complete(PosterMoment& moment) const {
    const Beat& beat = story_.beats[story_.beatAt(moment.seconds)];
    if (moment.heading.isEmpty()) moment.heading = beat.name;
    moment.heading = moment.heading.left(1).toUpper() + moment.heading.mid(1);
    const QString said = beat.captionAt(moment.seconds);
    // The caption first names the losses, which the picture shows, and then says what the gradients are.
    if (moment.kind == BeatKind::Backward) moment.caption = said.mid(afterFirst(said)).trimmed();
    if (moment.caption.isEmpty()) moment.caption = firstSentence(said);
    const std::int64_t ns = story_.clockAt(moment.seconds);
    QStringList figures;
    if (record_.timesKnown) figures << durationText(std::max<std::int64_t>(0, ns - record_.beginNs));
    std::int64_t sent = 0;
    for (const Span& span : record_.spans)
      if (span.step > 0 && span.kind == SpanKind::Transfer && endOf(span) > record_.beginNs && endOf(span) <= ns)
        sent += span.bytes;
    const auto& known = course_.lossNs;
    const bool applied = moment.kind == BeatKind::Apply;
    if (applied || (!step_.asynchronous() && std::ranges::all_of(known, [ns](std::int64_t at) { return at <= ns; })))
      figures << tr("loss %1").arg(lossText(record_.metric.loss));
    if (sent > 0) figures << tr("%1 sent").arg(bytesText(sent));
    if (applied && record_.metric.staleness)
      figures << tr("%Ln updates stale", nullptr, plural(*record_.metric.staleness));
    moment.figures = figures.join(QStringLiteral(" · "));
  }

  const StepIndex& step_;
  const RunInfo& info_;
  const StepRecord& record_;
  const Story& story_;
  const StepMilestones course_;
  std::vector<Found> found_;
};

}  // namespace

QString firstSentence(const QString& words) {
  return words.first(afterFirst(words));
}

std::vector<PosterMoment> posterMoments(const StepIndex& step, const Story& story) {
  if (story.beats.empty()) return {};
  return MomentChooser(step, story).choose();
}

}  // namespace lab

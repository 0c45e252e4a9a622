// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/playback/story.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/replicas/labels.h"
#include "core/strategy/strategy.h"
#include "ui/playback/beat_steps.h"
#include "ui/playback/captions.h"

namespace lab {
namespace {

// Seconds of motion in the movie. A transition takes about a second, and only one thing happens at a time.
constexpr double kBatchS = 0.6, kDistributeS = 1.8, kForwardS = 1.8, kBackwardS = 2.0, kUpdateS = 1.2, kCheckS = 1.4;
constexpr double kStartupS = 1.6, kStartupSequenceS = 3.0;  // the start-up of the strategy itself, before the weights
                                                            // are copied
constexpr double kRoundS = 0.9, kShortestTransfersS = 1.4, kLongestTransfersS = 9.0;
constexpr double kShortestFlowS = 2.0, kLongestFlowS = 6.0, kApplyS = 1.4;
constexpr double kInputS = 4.0, kAbortedS = 2.0, kLossesS = 1.8, kEpochS = 1.0, kEvaluateS = 1.4;
constexpr double kStartupStepS = 0.6;
constexpr double kHoldS = 1.1;  // before the motion, in Story
// The clock stands where something was added or updated, so that terms and sum can be seen together.
constexpr double kSumS = 0.6, kLongestSumsS = 3.6, kUpdatedS = 1.0;
constexpr double kReading = 1.8;  // how much longer in Story

struct SpanRange {
  std::int64_t begin = std::numeric_limits<std::int64_t>::max();
  std::int64_t end = std::numeric_limits<std::int64_t>::min();

  void add(std::int64_t from, std::int64_t to) {
    begin = std::min(begin, from);
    end = std::max(end, to);
  }
  bool empty() const { return end < begin; }
};

template <typename Wanted>
SpanRange rangeOf(const StepRecord& record, Wanted wanted) {
  SpanRange range;
  for (const Span& span : record.spans)
    if (wanted(span)) range.add(span.startNs, span.startNs + span.durationNs);
  return range;
}

// Moments at which the clock stands, and for how long each.
struct Stands {
  std::vector<std::int64_t> ns;  // ascending
  double seconds = 0;
};

class StoryMaker {
 public:
  StoryMaker(const RunInfo& info, const StepRecord& record, Pace pace)
      : info_(info), record_(record), course_(milestonesOf(info, record)), hold_(pace == Pace::Story ? kHoldS : 0) {
    story_.step = record.metric.step;
  }

  Story make() {
    const bool asynchronous = record_.metric.worker.has_value();
    const SpanRange startup = rangeOf(record_, [](const Span& span) { return span.step == 0; });
    now_ = startup.empty() ? record_.beginNs : std::min(startup.begin, record_.beginNs);
    story_.clock.push_back({0, now_});
    const auto steps = static_cast<double>(startUpSteps(info_, record_).size());
    const double stillS = steps > 0 ? std::max(kStartupSequenceS, kStartupStepS * steps) : 0;
    if (!startup.empty() && (asynchronous || info_.replicas > 1 || hasStartupSequence(record_)))
      spread(BeatKind::Startup, startup, kStartupS, stillS);
    else if (steps > 0)
      still(BeatKind::Startup, stillS);
    if (beginsEpoch(info_, record_)) still(BeatKind::Input, kInputS);
    if (asynchronous)
      addAsynchronous();
    else
      addSynchronous();
    if (endsEpoch(info_, record_)) still(BeatKind::Epoch, kEpochS);
    if (isEvaluated(info_, record_)) still(BeatKind::Evaluate, kEvaluateS);
    story_.seconds = at_;
    collectArrivals();
    return std::move(story_);
  }

 private:
  bool ofStep(const Span& span) const { return span.step == record_.metric.step; }

  void addSynchronous() {
    const auto labelled = [this](Label label) {
      return rangeOf(record_, [&](const Span& s) {
        return ofStep(s) && s.kind == SpanKind::Transfer && s.label == labelOf(label);
      });
    };
    still(BeatKind::Batch, kBatchS);
    still(BeatKind::Distribute, kDistributeS);
    if (const SpanRange pull = labelled(Label::PullWeights); !pull.empty())
      spread(BeatKind::Pull, pull, transfersS(Label::PullWeights));

    const Stands sums = sumsOf();
    SpanRange compute = rangeOf(record_, [this](const Span& s) { return ofStep(s) && s.kind == SpanKind::Compute; });
    if (!compute.empty()) {
      // The caption turns to the gradients when the first replica that has images does.
      const std::int64_t turn = std::min(compute.end, course_.firstLossNs);
      gather(std::numeric_limits<std::int64_t>::min(), turn, 0);
      spread(BeatKind::Forward, {compute.begin, turn}, kForwardS);
      gather(turn, compute.end, info_.network->lossOperation() + 1);
      spread(BeatKind::Backward, {turn, compute.end}, kBackwardS, 0, sums);  // the first gradients are in transit
    }
    Label reduction = Label::AllReduce;
    SpanRange reduce = labelled(reduction);
    for (const Label other : {Label::ReduceScatter, Label::PushGradients, Label::ShareWeights})
      if (reduce.empty()) reduce = labelled(reduction = other);
    if (reduce.empty())  // NCCL does not report its transfers
      reduce = rangeOf(record_, [this](const Span& s) {
        return ofStep(s) && s.kind == SpanKind::Reduce && s.label == labelOf(Label::AllReduce);
      });
    const SpanRange update =
        rangeOf(record_, [this](const Span& s) { return ofStep(s) && s.kind == SpanKind::Update; });
    const auto aggregate = [&] {
      if (!reduce.empty()) spread(BeatKind::Aggregate, reduce, transfersS(reduction), 0, sums);
    };
    // Weights are averaged over all replicas after the update, but with neighbours before it.
    const bool updatedFirst = update.begin < reduce.begin;
    if (!updatedFirst) aggregate();
    if (!update.empty())
      spread(BeatKind::Update, update, kUpdateS, 0,
             record_.averagesWeights() ? Stands() : Stands{{update.end}, reading() * kUpdatedS});
    if (updatedFirst) aggregate();
    if (!update.empty()) gather(update.begin, std::numeric_limits<std::int64_t>::max(), -1);
    // The other tasks wait and then raise their error: no losses are added and no copies compared.
    if (record_.metric.aborted) return spread(BeatKind::Aborted, {now_, record_.endNs}, kAbortedS);
    // If each follows its own gradient, nobody adds losses.
    const bool adds = exchangeAfter(info_.config, record_.metric.step).what == Exchange::What::Gradients;
    if (info_.replicas > 1 && adds) still(BeatKind::Losses, kLossesS);
    now_ = std::max(now_, record_.endNs);
    still(BeatKind::Check, kCheckS);
  }

  // Shows weights that are sent from a moment on, or only the first of them: those sent before this operation uses
  // them.
  void gather(std::int64_t fromNs, std::int64_t toNs, int before) {
    SpanRange range = rangeOf(record_, [&](const Span& s) {
      return ofStep(s) && s.kind == SpanKind::Transfer && s.label == labelOf(Label::GatherWeights) &&
             s.startNs >= fromNs && s.startNs < toNs;
    });
    if (range.empty()) return;
    const SpanRange used = rangeOf(record_, [&](const Span& s) {
      return ofStep(s) && s.kind == SpanKind::Compute && operationOf(s.label) == before;
    });
    if (before >= 0 && !used.empty()) range.end = std::clamp(used.begin, range.begin, range.end);
    spread(BeatKind::Gather, range, transfersS(Label::GatherWeights));
  }

  void addAsynchronous() {
    const double cycles = static_cast<double>(record_.endNs - record_.beginNs) /
                          static_cast<double>(std::max<std::int64_t>(1, record_.metric.stepNs));
    spread(BeatKind::Flow, {record_.beginNs, record_.endNs},
           std::clamp(cycles * kLongestFlowS, kShortestFlowS, kLongestFlowS));
    still(record_.metric.aborted ? BeatKind::Aborted : BeatKind::Apply, kApplyS);
  }

  // The duration depends on the number of rounds, so that each can be followed.
  double transfersS(Label label) const {
    std::vector<std::int64_t> rounds;
    for (const Span& span : record_.spans)
      if (ofStep(span) && span.kind == SpanKind::Transfer && span.label == labelOf(label))
        rounds.push_back((static_cast<std::int64_t>(span.pack) << 32) + span.round);
    std::ranges::sort(rounds);
    const auto different = std::ranges::unique(rounds);
    const auto count = static_cast<double>(different.begin() - rounds.begin());
    return std::clamp(count * kRoundS, kShortestTransfersS, kLongestTransfersS);
  }

  double reading() const { return hold_ > 0 ? kReading : 1; }
  Stands sumsOf() const {
    Stands stands;
    for (const Span& span : record_.spans)
      if (ofStep(span) && span.kind == SpanKind::Transfer && span.add && isReduction(span.label))
        stands.ns.push_back(span.startNs + span.durationNs);
    std::ranges::sort(stands.ns);
    stands.ns.erase(std::unique(stands.ns.begin(), stands.ns.end()), stands.ns.end());
    if (!stands.ns.empty())
      stands.seconds = reading() * std::min(kSumS, kLongestSumsS / static_cast<double>(stands.ns.size()));
    return stands;
  }

  Beat& open(BeatKind kind) {
    Beat& beat = story_.beats.emplace_back();
    beat.kind = kind;
    beat.name = beatName(kind);
    beat.note = beatNote(kind, info_, record_);
    beat.beginS = at_;
    at_ += hold_;
    beat.motionS = at_;
    return beat;
  }

  // A beat in which the clock stands.
  void still(BeatKind kind, double seconds) {
    Beat& beat = open(kind);
    at_ += seconds;
    beat.endS = at_;
    beat.beginNs = beat.endNs = now_;
    if (story_.clock.back().ns != now_) story_.clock.push_back({beat.beginS, now_});
    story_.clock.push_back({at_, now_});
    speak(beat, beat.kind == BeatKind::Startup ? at_ : beat.motionS);
  }

  // Adds the beat's captions, now that its part of the clock is known. The clock runs from `clockOnS` on.
  void speak(Beat& beat, double clockOnS) const {
    std::vector<double> moments{beat.beginS, beat.motionS, clockOnS};
    // A beat explained step by step while the clock stands.
    const double stepsEndS = beat.kind == BeatKind::Startup ? clockOnS : beat.endS;
    const std::size_t steps = stepsOf(beat.kind, info_, record_).size();
    const auto stepAt = [&](std::size_t i) {
      return beat.motionS + (stepsEndS - beat.motionS) * static_cast<double>(i) / static_cast<double>(steps);
    };
    for (std::size_t i = 1; i < steps; ++i) moments.push_back(stepAt(i));
    if (beat.kind == BeatKind::Check) moments.push_back(beat.verdictS());
    const bool counts = beat.kind == BeatKind::Backward || beat.kind == BeatKind::Update;  // its captions count who has
                                                                                           // finished
    for (const auto* each : {&course_.lossNs, &course_.gradientNs, &course_.updateNs})
      if (counts)
        for (const std::int64_t ns : *each)
          if (ns > beat.beginNs && ns <= beat.endNs) moments.push_back(story_.secondsAt(ns));
    // A worker dies, the coordinator notices, another takes the closure.
    for (const DeadTask& dead : record_.dead)
      for (const std::int64_t ns : {dead.sinceNs, dead.noticedNs, dead.takenNs})
        if ((beat.kind == BeatKind::Flow || beat.kind == BeatKind::Aggregate) && ns > beat.beginNs && ns <= beat.endNs)
          moments.push_back(story_.secondsAt(ns));
    if (beat.kind == BeatKind::Update) moments.push_back(story_.secondsAt(beat.endNs));
    if (counts && course_.firstSentNs >= beat.beginNs && course_.firstSentNs < beat.endNs)
      moments.push_back(story_.secondsAt(course_.firstSentNs + 1));
    std::ranges::sort(moments);
    moments.erase(std::unique(moments.begin(), moments.end()), moments.end());
    for (const double at : moments) {
      if (at >= beat.endS && at > beat.beginS) break;
      const QString text = beatCaption(
          beat.kind, {.info = info_,
                      .record = record_,
                      .course = course_,
                      .ns = story_.clockAt(at),
                      .isMoving = at >= beat.motionS,
                      .part = stepsEndS > beat.motionS ? (at - beat.motionS) / (stepsEndS - beat.motionS) + 1e-9 : 0,
                      .isClockOn = at >= clockOnS});
      if (beat.sayings.empty() || beat.sayings.back().text != text) beat.sayings.push_back({at, text});
    }
  }

  // The clock runs over `range`: half of the movie time evenly, the other half by events, with an equal share between
  // any two beginnings or ends. Before that it stands for `stillS`, and at each of `stands`.
  void spread(BeatKind kind, SpanRange range, double seconds, double stillS = 0, const Stands& stands = {}) {
    range.begin = std::max(range.begin, now_);  // what overlaps with the previous beat was shown there
    range.end = std::max(range.end, range.begin);
    Beat& beat = open(kind);
    const double clockOnS = beat.motionS + stillS;
    story_.clock.push_back({beat.motionS, now_});
    if (stillS > 0) story_.clock.push_back({at_ += stillS, now_});
    std::vector<std::int64_t> moments{range.begin, range.end};
    for (const Span& span : record_.spans)
      for (const std::int64_t ns : {span.startNs, span.startNs + span.durationNs})
        if (ns > range.begin && ns < range.end) moments.push_back(ns);
    std::ranges::sort(moments);
    moments.erase(std::unique(moments.begin(), moments.end()), moments.end());
    if (moments.front() != now_) story_.clock.push_back({at_, moments.front()});
    const auto whole = static_cast<double>(std::max<std::int64_t>(1, range.end - range.begin));
    for (std::size_t i = 1; i < moments.size(); ++i) {
      const double share = 0.5 * static_cast<double>(moments[i] - moments[i - 1]) / whole +
                           0.5 / static_cast<double>(moments.size() - 1);
      at_ += seconds * share;
      story_.clock.push_back({at_, moments[i]});
      if (std::ranges::binary_search(stands.ns, moments[i]))
        story_.clock.push_back({at_ += stands.seconds, moments[i]});
    }
    if (moments.size() == 1) {
      at_ += seconds;
      story_.clock.push_back({at_, range.end});
    }
    beat.endS = at_;
    beat.beginNs = range.begin;
    beat.endNs = now_ = range.end;
    speak(beat, clockOnS);
  }

  void collectArrivals() {
    for (const Span& span : record_.spans)
      if (span.kind == SpanKind::Transfer) {
        const std::int64_t end = span.startNs + span.durationNs;
        if (end >= story_.clock.front().ns && end <= story_.clock.back().ns)
          story_.arrivalS.push_back(story_.secondsAt(end));
      }
    auto& all = story_.arrivalS;
    std::ranges::sort(all);
    all.erase(std::unique(all.begin(), all.end()), all.end());
  }

  const RunInfo& info_;
  const StepRecord& record_;
  const StepMilestones course_;
  double hold_ = 0;
  Story story_;
  double at_ = 0;         // movie time so far
  std::int64_t now_ = 0;  // clock so far
};

}  // namespace

Story makeStory(const RunInfo& info, const StepRecord& record, Pace pace) {
  return StoryMaker(info, record, pace).make();
}

QString Beat::captionAt(double seconds) const {
  const auto after = std::ranges::upper_bound(sayings, seconds, {}, &TimedCaption::fromS);
  if (sayings.empty()) return {};
  return after == sayings.begin() ? sayings.front().text : (after - 1)->text;
}

double Beat::verdictS() const {
  return motionS + kCompared * (endS - motionS);
}

QString Story::captionAt(double at) const {
  return beats.empty() ? QString() : beats[beatAt(at)].captionAt(at);
}

std::int64_t Story::clockAt(double at) const {
  if (clock.empty()) return 0;
  const auto after = std::ranges::upper_bound(clock, at, {}, &Knot::seconds);
  if (after == clock.begin()) return clock.front().ns;
  const Knot& left = *(after - 1);
  if (after == clock.end() || after->seconds <= left.seconds) return left.ns;
  const double part = (at - left.seconds) / (after->seconds - left.seconds);
  return left.ns + std::llround(part * static_cast<double>(after->ns - left.ns));  // clockAt(secondsAt(ns)) is ns
}

double Story::secondsAt(std::int64_t ns) const {
  if (clock.empty()) return 0;
  const auto at = std::ranges::lower_bound(clock, ns, {}, &Knot::ns);
  if (at == clock.end()) return clock.back().seconds;
  if (at == clock.begin() || at->ns == ns) return at->seconds;
  const Knot& left = *(at - 1);
  const double part = static_cast<double>(ns - left.ns) / static_cast<double>(at->ns - left.ns);
  return left.seconds + part * (at->seconds - left.seconds);
}

double Story::leavesAt(std::int64_t ns) const {
  const auto after = std::ranges::upper_bound(clock, ns, {}, &Knot::ns);
  const auto last = after == clock.begin() ? after : std::prev(after);
  return last != clock.end() && last->ns == ns ? last->seconds : secondsAt(ns);
}

std::size_t Story::beatAt(double at) const {
  const auto after = std::ranges::upper_bound(beats, at, {}, &Beat::beginS);
  return after == beats.begin() ? 0 : static_cast<std::size_t>(after - beats.begin()) - 1;
}

bool Story::isUnderWay(double at) const {
  for (const Beat& beat : beats)
    if (beat.kind != BeatKind::Startup && beat.kind != BeatKind::Input && beat.kind != BeatKind::Batch &&
        beat.kind != BeatKind::Distribute)
      return at >= beat.motionS;
  return true;
}

double Story::workBeginsS() const {
  for (const Beat& beat : beats)
    if (beat.kind != BeatKind::Startup && beat.kind != BeatKind::Input) return beat.beginS;
  return 0;
}

bool Story::isBeginning(double second) const {
  return second <= 0 || second == workBeginsS();
}

const Beat* Story::find(BeatKind kind) const {
  const auto found = std::ranges::find(beats, kind, &Beat::kind);
  return found == beats.end() ? nullptr : &*found;
}

}  // namespace lab

// SPDX-License-Identifier: GPL-3.0-or-later
// A fake run for tests of the playback clock: it trains and recomputes exactly when the test says so.
#pragma once

#include <algorithm>
#include <map>
#include <optional>
#include <utility>

#include "ui/playback/story.h"
#include "ui/runview/record_source.h"

namespace lab::test {

class RecordDouble final : public RecordSource {
 public:
  RunInfo facts;
  bool known = true;  // info() is available
  bool over = false, running = false, leisurely = false;
  std::int64_t live = 0;
  std::int64_t target = 0;  // the step that requestStep asked for
  bool liveAsked = false;
  std::optional<std::int64_t> recomputed;  // the step being recomputed
  std::map<std::int64_t, std::shared_ptr<const StepRecord>> kept;
  std::vector<std::int64_t> trainedFor;  // the steps that requestStep asked for

  RecordDouble() {
    facts.totalSteps = 20;
    facts.stepsPerEpoch = 5;
  }

  const RunInfo* info() const override { return known ? &facts : nullptr; }
  bool isOver() const override { return over; }
  std::int64_t liveStep() const override { return live; }
  bool isRecomputing() const override { return recomputed.has_value(); }
  std::shared_ptr<const StepRecord> newestRecord() const override {
    return kept.empty() ? nullptr : kept.rbegin()->second;
  }
  std::shared_ptr<const StepRecord> recordOf(std::int64_t step) override {
    if (const auto it = kept.find(step); it != kept.end()) return it->second;
    recomputed = step;
    return nullptr;
  }
  void requestStep(std::int64_t step) override {
    running = false;
    if (step <= std::max(live, target)) return;
    target = step;
    trainedFor.push_back(step);
  }
  void requestLiveRecord() override { liveAsked = true; }
  void play() override {
    running = true;
    target = 0;
  }
  void pause() override {
    running = false;
    target = 0;
  }
  void setLeisurely(bool now) override { leisurely = now; }

  // ---- the test's controls
  void make(std::int64_t step) {
    auto record = std::make_shared<StepRecord>();
    record->metric.step = step;
    record->beginNs = 1000 * step;
    record->endNs = record->beginNs + 400;
    kept[step] = std::move(record);
  }
  void arrive(std::int64_t step) {
    make(step);
    Q_EMIT recordArrived(step);
    Q_EMIT updated();
  }
  // Trains what requestStep asked for.
  void train() {
    if (target <= live) return;
    live = std::exchange(target, 0);
    over = live >= facts.totalSteps;
    arrive(live);
  }
  // Trains freely for this many steps; the first has a record if one was asked for.
  void run(std::int64_t steps) {
    if (!running || over) return;
    const std::int64_t first = live + 1;
    live = std::min(live + steps, facts.totalSteps);
    over = live >= facts.totalSteps;
    if (std::exchange(liveAsked, false)) return arrive(first);
    Q_EMIT updated();
  }
  void recompute() {
    if (const auto step = std::exchange(recomputed, std::nullopt)) arrive(*step);
  }
  void failRecompute() {
    if (const auto step = std::exchange(recomputed, std::nullopt)) Q_EMIT recordFailed(*step);
  }
  void serve() {
    train();
    recompute();
  }
  void restart() {
    kept.clear();
    live = target = 0;
    recomputed.reset();
    liveAsked = over = false;
    Q_EMIT started();
  }
};

// Four beats, with three messages in the third. At Story's pace each has a second of hold and a second of motion; at
// Play's pace there are no holds.
inline Story shortStory(const RunInfo&, const StepRecord& record, Pace pace) {
  Story story;
  story.step = record.metric.step;
  const double hold = pace == Pace::Story ? 1 : 0;
  for (int i = 0; i < 4; ++i) {
    Beat beat;
    beat.kind = i == 0 ? BeatKind::Batch : i == 1 ? BeatKind::Forward : i == 2 ? BeatKind::Aggregate : BeatKind::Update;
    beat.beginS = story.seconds;
    beat.motionS = beat.beginS + hold;
    beat.endS = beat.motionS + 1;
    beat.beginNs = record.beginNs + 100 * i;
    beat.endNs = beat.beginNs + 100;
    story.seconds = beat.endS;
    story.clock.push_back({beat.beginS, beat.beginNs});
    story.clock.push_back({beat.motionS, beat.beginNs});
    story.clock.push_back({beat.endS, beat.endNs});
    if (i == 2) story.arrivalS = {beat.motionS + 0.25, beat.motionS + 0.5, beat.endS};
    story.beats.push_back(beat);
  }
  return story;
}

}  // namespace lab::test

// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/stage/shown_step.h"

#include <algorithm>

#include "core/base/at.h"
#include "ui/inspect/describe.h"
#include "ui/playback/beat_steps.h"
#include "ui/playback/playback.h"
#include "ui/runview/run_controller.h"
#include "ui/runview/run_summary.h"

namespace lab {

ShownStep::ShownStep(const RunController& controller, const Playback& playback)
    : controller_(controller), playback_(playback) {}

bool ShownStep::follow() {
  const auto& record = playback_.record();
  const auto info = controller_.sharedInfo();
  if (!record || !info || playback_.story().beats.empty()) {
    index_.reset();
    return false;
  }
  const bool otherRun = !index_ || &index_->info() != info.get();
  if (otherRun || &index_->record() != record.get()) {
    index_ = std::make_unique<StepIndex>(info, record);
    if (otherRun) countedSteps_ = 0;
    if (index_->asynchronous()) countStaleness();
    countEpoch();
  }
  return otherRun;
}

SceneInput ShownStep::sceneInput(const StageLayout& layout) {
  const EvalMetric* known = evaluation();
  knewEvaluation_ = known != nullptr;
  knewLost_ = lostWorker();
  knewLeft_ = leftSince();
  return {.step = *index_,
          .layout = layout,
          .story = playback_.story(),
          .seconds = playback_.seconds(),
          .stalenessCounts = stalenessCounts_,
          .evaluation = known,
          .epoch = epoch_,
          .lostWorker = knewLost_,
          .lostAfter = controller_.liveStep(),
          .left = knewLeft_};
}

bool ShownStep::hasNews() const {
  return knewEvaluation_ != (evaluation() != nullptr) || knewLost_ != lostWorker() || knewLeft_ != leftSince();
}

void ShownStep::countStaleness() {
  const std::vector<StepMetric>& steps = controller_.steps();
  const std::int64_t shown = index_->record().metric.step;
  if (countedSteps_ > steps.size() || (countedSteps_ > 0 && steps[countedSteps_ - 1].step > shown)) countedSteps_ = 0;
  if (countedSteps_ == 0) stalenessCounts_.clear();
  for (; countedSteps_ < steps.size() && steps[countedSteps_].step <= shown; ++countedSteps_)
    lab::countStaleness(steps[countedSteps_], stalenessCounts_);
}

// Only if the shown step is the last of an epoch.
void ShownStep::countEpoch() {
  epoch_ = {};
  if (!endsEpoch(index_->info(), index_->record())) return;
  const std::int64_t last = index_->record().metric.step, first = last - index_->info().stepsPerEpoch + 1;
  double steps = 0, images = 0, all = 0;
  const std::vector<StepMetric>& metrics = controller_.steps();
  for (auto step = std::ranges::lower_bound(metrics, first, {}, &StepMetric::step);
       step != metrics.end() && step->step <= last; ++step) {
    ++epoch_.steps;
    steps += step->loss;
    images += step->loss * static_cast<double>(step->examples);
    all += static_cast<double>(step->examples);
  }
  if (epoch_.steps == 0) return;
  epoch_.ofSteps = steps / static_cast<double>(epoch_.steps);
  epoch_.ofImages = images / std::max(1.0, all);
}

// The evaluation arrives after the step's record.
const EvalMetric* ShownStep::evaluation() const {
  return evaluationAfter(controller_.metrics()->evaluations, *index_);
}

// Only if the newest record of the run is shown.
int ShownStep::lostWorker() const {
  return playback_.record() == controller_.newestRecord() ? controller_.processes().lostWorker() : -1;
}

// For a class, whose next record may come late: while it is paused, or when nobody is left.
std::vector<int> ShownStep::leftSince() const {
  if (playback_.record() != controller_.newestRecord()) return {};
  return controller_.ofClass().leftSince(playback_.record().get());
}

bool ShownStep::isBeginning() const {
  return index_ && !playback_.isMoving() && playback_.story().isBeginning(playback_.seconds()) && playback_.record() &&
         playback_.record()->metric.step == index_->info().firstStep;
}

std::optional<double> ShownStep::slowdownOf(int replica) const {
  const RunInfo& info = index_->info();
  const StepRecord& record = index_->record();
  const auto isIts = [&](const DeadTask& dead) {
    return dead.task == RunFault::Task::Worker && index_->asynchronous() && dead.index == replica;
  };
  if (record.metric.aborted || std::ranges::any_of(record.dead, isIts) || replica >= info.replicas) return std::nullopt;
  if (info.isClass) return controller_.ofClass().slowdownOf(replica);
  const DeviceFacts& device = at(info.devices, replica);
  return device.simulated ? std::optional(device.slowdown) : std::nullopt;
}

}  // namespace lab

// SPDX-License-Identifier: GPL-3.0-or-later
// Runs that another run has replaced, kept at rest so that they can be restored as they stood.
#include <algorithm>
#include <utility>

#include "core/options/config_field.h"
#include "ui/runview/run_controller.h"

namespace lab {
namespace {

constexpr std::int64_t kAsideBudget = 8'000'000;  // bytes of records; others are recomputed

}  // namespace

void RunController::setAside() {
  const bool hasTrained =
      info_ && (history_ || isRecording()) && metrics_->steps.size() > 1 && state_ != RunState::Failed;
  if (!hasTrained || !run_ || processes_ != nullptr || (!isOver() && hasOutputs(config_))) return;
  run_->pause();
  run_->release();
  records_.keepWithin(kAsideBudget);
  aside_.push_back({config_, state_, info_, metrics_, std::move(records_), history_, std::move(run_), ofClass_,
                    std::move(recorder_), inherited_});
}

void RunController::boundAside(std::size_t most) {
  while (aside_.size() > most) {
    aside_.front().recorder.reset();
    retire(std::move(aside_.front().run), nullptr);
    aside_.pop_front();
  }
}

void RunController::forgetAside() {
  boundAside(0);
}

bool RunController::bringBack(const std::shared_ptr<const RunMetrics>& run) {
  const auto found = std::ranges::find(aside_, run, &Aside::metrics);
  if (found == aside_.end()) return false;
  Aside back = std::move(*found);
  aside_.erase(found);
  boundAside(kMostAside);
  forget(back.config, {});
  state_ = back.state;
  info_ = back.info;
  metrics_ = back.metrics;
  records_ = std::move(back.records);
  history_ = back.history;
  run_ = std::move(back.run);
  ofClass_ = back.ofClass;
  recorder_ = std::move(back.recorder);
  inherited_ = back.inherited;
  timer_.start();  // it may have reported more since
  Q_EMIT started();
  Q_EMIT updated();
  return true;
}

}  // namespace lab

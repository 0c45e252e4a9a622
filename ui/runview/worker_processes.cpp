// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/runview/worker_processes.h"

#include "ui/i18n/core_words.h"

namespace lab {

void WorkerProcesses::begin(bool resumes) {
  lostWorker_ = -1;
  resumed_ = resumes;
  over_ = false;
}

void WorkerProcesses::follow(RunState state, bool isOver) {
  if (run_ == nullptr) return;
  over_ = isOver;
  if (state == RunState::Failed) lostWorker_ = run_->lostWorker();
  if (const Message why = run_->takeKillFailure(); !why.empty()) Q_EMIT killFailed(coreSentence(why));
}

ProcessRun::Reach WorkerProcesses::reachOf(int worker) const {
  return run_ != nullptr ? run_->reachOf(worker) : ProcessRun::Reach::Not;
}

std::int64_t WorkerProcesses::resumesAt() const {
  return run_ != nullptr && over_ ? run_->checkpointStep() : 0;
}

std::shared_ptr<ProcessFolder> WorkerProcesses::checkpoints() const {
  return run_->folder();
}

}  // namespace lab

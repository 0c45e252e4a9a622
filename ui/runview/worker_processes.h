// SPDX-License-Identifier: GPL-3.0-or-later
// The workers of the present run, if they are real processes: which of them can be killed, which one was lost, and from
// which checkpoint the run can resume. UI thread.
#pragma once

#include <QObject>
#include <QString>

#include <cstdint>
#include <memory>

#include "core/launching/process_run.h"

namespace lab {

class WorkerProcesses final : public QObject {
  Q_OBJECT

 public:
  using QObject::QObject;

  // For the controller, which owns the run: another one begins; its processes are there, or gone (null); it has
  // reported and is now in this state.
  void begin(bool resumes);
  void attach(ProcessRun* run) { run_ = run; }
  void follow(RunState state, bool isOver);

  bool areThere() const { return run_ != nullptr; }
  ProcessRun::Reach reachOf(int worker) const;
  // Kills one as the system does when memory is short; on another host through mpirun, and killFailed() reports if that
  // fails. Returns false if the process cannot be killed, or is gone. Afterwards the run ends as Failed, and can resume
  // from its newest checkpoint.
  bool kill(int worker) const { return run_ != nullptr && run_->killWorker(worker); }
  int lostWorker() const { return lostWorker_; }  // the worker that was killed, by whatever means; -1: none
  bool lackExamples() const { return run_ != nullptr && run_->lacksExamples(); }  // or have other ones
  std::int64_t resumesAt() const;                      // the step of the newest checkpoint; 0: nothing to resume from
  std::shared_ptr<ProcessFolder> checkpoints() const;  // requires resumesAt() > 0
  bool wereResumed() const { return resumed_; }

 Q_SIGNALS:
  void killFailed(const QString& why);  // about a worker on another host

 private:
  ProcessRun* run_ = nullptr;
  int lostWorker_ = -1;
  bool resumed_ = false;
  bool over_ = false;
};

}  // namespace lab

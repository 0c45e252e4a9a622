// SPDX-License-Identifier: GPL-3.0-or-later
// The window's only way to the trainer, with its parts. One timer drains the pipes and emits one updated(); views read
// from here and from the parts, on the UI thread, and never wait for training. What a run has reported stays here until
// the next start. The timer stops when nothing can arrive: when the run is over, or paused between two steps.
#pragma once

#include <QString>
#include <QTimer>

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "core/classruns/class_recording.h"
#include "core/classruns/class_run.h"
#include "core/launching/live_run.h"
#include "ui/runview/earlier_runs.h"
#include "ui/runview/present_class.h"
#include "ui/runview/record_source.h"
#include "ui/runview/record_store.h"
#include "ui/runview/run_metrics.h"
#include "ui/runview/run_records.h"
#include "ui/runview/run_reports.h"
#include "ui/runview/worker_processes.h"

namespace lab {

class RunController final : public RecordSource {
  Q_OBJECT

 public:
  // `recordBudget`: bytes, see RecordStore. If several runs are shown, each keeps fewer records.
  explicit RunController(QObject* parent = nullptr, std::int64_t recordBudget = RecordStore::kDefaultBudget);
  ~RunController() override;  // stops the run at its next step boundary, and finishes its files
  // To be called before the destructor if nobody may wait for the present step: what writes no files ends on its own,
  // and the program's end waits for it.
  void endLater();

  // Where a branch comes from. `before`: what its parent had reported by then, which is the branch's own past. Without
  // this, the parent is trained again and reports everything once more.
  struct Start {
    LiveRun::Origin origin;
    RunMetrics before;
    std::shared_ptr<ProcessFolder> checkpoints;  // for a run among real processes, which resumes from the newest
    std::optional<ClassRun::Wishes> serve;       // the run trains with a class
    // For the recording of a class: its steps are shown, and `recorded` are its metrics; if null, `before` are.
    std::shared_ptr<const serving::ClassRecording> recording;
    std::shared_ptr<RunMetrics> recorded;
  };

  // Ends the present run, if any, and starts another. A configuration that cannot run leads to state Failed.
  void start(const RunSettings& config, bool paused = false, const Start& from = {});
  // The same for a configuration that is already known to be impossible.
  void refuse(const RunSettings& config, const Message& why);
  // Lets bringBack() restore the present run as it stands after another has replaced it: the run rests meanwhile, with
  // its states and latest records. Call before start() or bringBack(); the last EarlierRuns::kMostResting are kept.
  // Does nothing for a run that has trained at most its first step, writes files, or involves other programs.
  void setAside();
  // Makes the run with these metrics the present one again. Returns false if it is not kept.
  bool bringBack(const std::shared_ptr<const RunMetrics>& run);
  void forgetAside() { earlier_.clear(); }
  void play() override;
  void pause() override;
  void stop();
  bool isRecording() const override { return class_.isRecording(); }
  void requestStep(std::int64_t step) override;
  void requestLiveRecord() override;
  void renew(std::int64_t step) override { records_.renew(step); }
  void setLeisurely(bool leisurely) override;
  // Whether a paused run should prepare to show older steps. Off while the movie plays in strides and pauses at each:
  // the memory is given back.
  void setStepsBackExpected(bool expected) { records_.setStepsBackExpected(expected); }
  // The number of runs shown together, including this one. With several, each recomputes older steps on its share of
  // the threads, and a run that has been paused for a while gives back its training memory until it goes on.
  void setShownTogether(int runs) { records_.setShownTogether(runs); }

  RunState state() const { return state_; }
  bool isOver() const override;
  // True if it neither trains nor recomputes until asked to, and everything that it has reported is here.
  bool isAtRest() const { return (rests_ || isOver()) && !isRecomputing(); }
  const Message& why() const { return why_; }          // the reason for failure(), as data
  const QString& failure() const { return failure_; }  // a sentence with advice; empty unless Failed
  const std::shared_ptr<const RunInfo>& sharedInfo() const { return records_.info(); }
  const RunInfo* info() const override { return records_.info().get(); }
  std::int64_t liveStep() const override { return records_.liveStep(); }
  const RunSettings& config() const { return config_; }  // as requested
  const std::vector<StepMetric>& steps() const { return reports_.steps(); }
  std::shared_ptr<const RunMetrics> metrics() const { return reports_.metrics(); }  // the present run's; they grow

  std::shared_ptr<const StepRecord> recordOf(std::int64_t step) override { return records_.recordOf(step); }
  std::shared_ptr<const StepRecord> newestRecord() const override { return records_.kept().newest(); }
  bool isRecomputing() const override { return records_.isRecomputing(); }
  const RunReports& reports() const { return reports_; }
  const RunRecords& records() const { return records_; }
  const WorkerProcesses& processes() const { return processes_; }
  const PresentClass& ofClass() const { return class_; }

 private:
  void tick();
  void drain(RunState state);
  void letTrain();
  void forget(const RunSettings& config, RunReports reports, bool resumes = false);
  void attach(std::unique_ptr<WatchedRun> run);
  void fail(const Message& why);
  void endRun();
  void retire();

  RunSettings config_;
  RunState state_ = RunState::Stopped;
  QString failure_;
  Message why_;
  QTimer timer_{this};
  int hurried_ = 0;  // number of short ticks still to come
  EarlierRuns earlier_;
  std::unique_ptr<WatchedRun> run_;
  WorkerProcesses processes_;  // run_'s, if it is of this type
  PresentClass class_;         // the same
  RunReports reports_;         // after run_, whose pipes it reads
  RunRecords records_;
  std::int64_t wantedStep_ = 0;  // for requestStep(); 0: none
  bool rests_ = false;           // the trainer is between two steps, and everything it reported is here
};

// For a run that failed before it began: true if it has no examples, here or on a worker's host.
bool lacksExamples(const RunController& run);

}  // namespace lab

// SPDX-License-Identifier: GPL-3.0-or-later
// The only class of the window that talks to the trainer. One timer drains the pipes and emits one updated(); views
// read from here, on the UI thread, and never wait for training. What a run has reported stays here until the next
// start. The timer stops when nothing can arrive: when the run is over, or paused between two steps.
#pragma once

#include <QString>
#include <QTimer>

#include <cstdint>
#include <deque>
#include <future>
#include <memory>
#include <optional>
#include <vector>

#include "core/files/recorder.h"
#include "core/launching/class_run.h"
#include "core/launching/live_run.h"
#include "core/launching/process_run.h"
#include "core/launching/recorded_class.h"
#include "core/replay/recompute.h"
#include "ui/runview/record_source.h"
#include "ui/runview/record_store.h"
#include "ui/runview/run_metrics.h"

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
  // its states and latest records. Call before start() or bringBack(); the last kMostAside runs are kept. Does nothing
  // for a run that has trained at most its first step, writes files, or involves other programs.
  void setAside();
  // Makes the run with these metrics the present one again. Returns false if it is not kept.
  bool bringBack(const std::shared_ptr<const RunMetrics>& run);
  void forgetAside();
  static constexpr std::size_t kMostAside = 3;
  void play() override;
  void pause() override;
  void stop();
  // For a run among real processes: kills one, as the system does when memory is short; on another host through mpirun,
  // and killFailed() reports if that fails. Returns false if the process cannot be killed, or is gone. Afterwards the
  // run ends as Failed, and can resume from its newest checkpoint.
  bool killWorker(int worker);
  ProcessRun::Reach reachOf(int worker) const;
  int lostWorker() const { return lostWorker_; }  // the worker that was killed, by whatever means; -1: none
  std::int64_t resumesAt() const;                 // the step of the newest checkpoint; 0: nothing to resume from
  Start resumption() const;
  std::vector<int> leftSinceRecord() const;  // for a class that goes on: workers that have left since the newest record
  std::optional<double> slowdownOf(int worker) const;  // the worker's present factor; nothing if it cannot be slowed
  ClassRun* classRun() const { return class_; }        // the present run, if a class trains it
  bool wasResumed() const { return resumed_; }
  bool isRecording() const override { return ofClass_ != nullptr && class_ == nullptr; }
  // The state for a branch of a class's run from this step on; empty for other runs.
  LiveRun::Origin::State stateBefore(std::int64_t step) const;
  void requestStep(std::int64_t step) override;
  void stepOnce(int steps = 1);  // trains `steps` more, then pauses; also allowed while Preparing
  void requestLiveRecord() override;
  void renew(std::int64_t step) override;
  void setLeisurely(bool leisurely) override;
  // Whether a paused run should prepare to show older steps. Off while the movie plays in strides and pauses at each:
  // the memory is given back.
  void setStepsBackExpected(bool expected);
  // The number of runs shown together, including this one. With several, each recomputes older steps on its share of
  // the threads, and a run that has been paused for a while gives back its training memory until it goes on.
  void setShownTogether(int runs) { shownTogether_ = runs; }

  RunState state() const { return state_; }
  const Preparation& preparation() const { return preparation_; }  // while Preparing, and until the first step is there
  bool isOver() const override;
  // True if it neither trains nor recomputes until asked to, and everything that it has reported is here.
  bool isAtRest() const { return (rests_ || isOver()) && !recomputing_; }
  const Message& why() const { return why_; }  // the reason for failure(), as data
  // For a run that failed before it began: true if it has no examples, here or on a worker's host.
  bool lacksExamples() const;
  const QString& failure() const { return failure_; }  // a sentence with advice; empty unless Failed
  std::shared_ptr<const RunInfo> sharedInfo() const { return info_; }
  const RunInfo* info() const override { return info_.get(); }
  RunInfo fileInfo() const;  // the header of a file of the run; requires info()
  std::int64_t liveStep() const override;
  const RunSettings& config() const { return config_; }  // as requested
  std::shared_ptr<const StateHistory> history() const { return history_; }
  const std::vector<StepMetric>& steps() const { return metrics_->steps; }
  const std::vector<EvalMetric>& evaluations() const { return metrics_->evaluations; }
  const std::optional<EndMetric>& end() const { return metrics_->end; }
  std::shared_ptr<const RunMetrics> metrics() const { return metrics_; }  // the present run's; they grow
  std::uint64_t droppedSpans() const;

  std::shared_ptr<const StepRecord> recordOf(std::int64_t step) override;
  std::shared_ptr<const StepRecord> newestRecord() const override { return records_.newest(); }
  const RecordStore& records() const { return records_; }
  bool isRecomputing() const override { return recomputing_.has_value(); }
  const QString& recomputeFailure() const { return recomputeFailure_; }  // about the latest recomputed step; "": none

 Q_SIGNALS:
  void killFailed(const QString& why);  // about a worker on another host

 private:
  void wake();
  void tick();
  void drain(RunState state);
  void followClass();
  bool fits(const StepRecord& record);
  void letTrain();
  void takeRecord();
  void takeRecomputed();
  void expectSteppingBack();
  void makeRecomputer();
  void spareWhileResting();
  void forget(const RunSettings& config, const Start& from);
  void fail(const Message& why);
  void endRun();
  void retire();
  void retire(std::unique_ptr<WatchedRun> run, std::unique_ptr<Recomputer> recomputer);
  void boundAside(std::size_t most);
  void forgetLostSteps();

  struct Aside {
    RunSettings config;
    RunState state;
    std::shared_ptr<const RunInfo> info;
    std::shared_ptr<RunMetrics> metrics;
    RecordStore records;
    std::shared_ptr<const StateHistory> history;
    std::unique_ptr<WatchedRun> run;
    WatchedClass* ofClass;
    std::unique_ptr<Recorder> recorder;
    std::size_t inherited;
  };

  RunSettings config_;
  RunState state_ = RunState::Stopped;
  QString failure_;
  Message why_;
  Preparation preparation_;
  std::shared_ptr<const RunInfo> info_;
  std::shared_ptr<RunMetrics> metrics_ = std::make_shared<RunMetrics>();
  RecordStore records_;
  std::shared_ptr<const StepRecord> arriving_;  // its metric has not arrived yet
  std::shared_ptr<const StateHistory> history_;
  std::unique_ptr<Recomputer> recomputer_;   // from the first record on that is not kept
  std::optional<std::int64_t> recomputing_;  // which step
  QString recomputeFailure_;
  std::unique_ptr<WatchedRun> run_;
  ProcessRun* processes_ = nullptr;       // run_, if of this type
  WatchedClass* ofClass_ = nullptr;       // run_, if of this type
  ClassRun* class_ = nullptr;             // run_, if of this type
  std::shared_ptr<const RunInfo> grown_;  // the class's info with more workers than info_; used from the next record on
  std::vector<int> left_;                 // workers of the class that have left, as last reported
  bool renewLater_ = false;               // renew() was asked for while another record was made again
  bool reshapes_ = false;                 // info_ has changed since the latest record
  int lostWorker_ = -1;
  bool resumed_ = false;
  std::unique_ptr<Recorder> recorder_;  // after run_, whose pipes it reads
  std::int64_t wantedStep_ = 0;         // for requestStep(); 0: none
  std::size_t inherited_ = 0;           // number of the parent's steps in a branch
  int stepsAhead_ = 0;                  // for stepOnce() while Preparing
  bool stepsBackExpected_ = true;
  int shownTogether_ = 1;
  bool rests_ = false;       // the trainer is between two steps, and everything it reported is here
  std::deque<Aside> aside_;  // the latest one last
  QTimer timer_{this};
  QTimer restTimer_{this};
  int hurried_ = 0;                          // number of short ticks still to come
  std::vector<std::future<void>> retiring_;  // earlier runs, each finishing its last step
};

}  // namespace lab

// SPDX-License-Identifier: GPL-3.0-or-later
// The only class of the window that talks to the trainer. One timer drains the pipes and emits one updated(); views
// read from here, on the UI thread, and never wait for training. What a run has reported stays here until the next
// start. The timer stands still where nothing can come: when the run is over, or rests between two steps.
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
  // `recordBudget`: bytes, see RecordStore. Where several runs are shown each keeps fewer records.
  explicit RunController(QObject* parent = nullptr, std::int64_t recordBudget = RecordStore::kDefaultBudget);
  ~RunController() override;  // stops the run at its next step boundary, and puts its files in place

  // Where a branch comes from. `before`: what its parent reported up to there, which is the branch's own past. Without
  // it the parent, which is then trained again, reports it once more.
  struct Start {
    LiveRun::Origin origin;
    RunMetrics before;
    std::shared_ptr<ProcessFolder> checkpoints;  // of a run among real processes, which goes on from the newest
    std::optional<ClassRun::Wishes> serve;       // it trains with a class
    // Of a class that has trained the steps are shown, and `recorded` are its metrics; without them `before` are.
    std::shared_ptr<const serving::ClassRecording> recording;
    std::shared_ptr<RunMetrics> recorded;
  };

  // Ends the present run, if there is one, and starts another. A configuration that cannot run leaves state Failed.
  void start(const RunSettings& config, bool paused = false, const Start& from = {});
  // The same for one of which that is known already.
  void refuse(const RunSettings& config, const Message& why);
  // The present run may be brought back as it stands when another has taken its place: it rests meanwhile, its states
  // and latest records with it. Before start() or bringBack(); of runs that were set aside the last kMostAside are
  // kept. Nothing for one that has trained no more than its first step, writes files, or is of others than this
  // program.
  void setAside();
  // Is the present run again, which had these metrics. False where it is not kept.
  bool bringBack(const std::shared_ptr<const RunMetrics>& run);
  void forgetAside();
  static constexpr std::size_t kMostAside = 3;
  void play() override;
  void pause() override;
  void stop();
  // Of a run among real processes: ends one, as the system does where memory is short; on another host through mpirun,
  // and killFailed() says where that did not reach it. False where it cannot be, or is gone. Then the run ends as
  // Failed, and can go on from its newest checkpoint.
  bool killWorker(int worker);
  ProcessRun::Reach reachOf(int worker) const;
  int lostWorker() const { return lostWorker_; }  // which one was killed, by whomever; -1: none
  std::int64_t resumesAt() const;                 // the step of that checkpoint; 0: there is nothing to go on from
  Start resumption() const;
  std::vector<int> leftSinceRecord() const;  // of a class that goes on: workers that have, since the newest record
  std::optional<double> slowdownOf(int worker) const;  // how it is slowed now; nothing: nobody there can be
  ClassRun* classRun() const { return class_; }        // the present run, where a class trains it; until it is replaced
  bool wasResumed() const { return resumed_; }
  bool isRecording() const override { return ofClass_ != nullptr && class_ == nullptr; }
  // Of a class, for a branch of it from this step on; else empty.
  LiveRun::Origin::State stateBefore(std::int64_t step) const;
  void requestStep(std::int64_t step) override;
  void stepOnce(int steps = 1);  // so many more, then paused; while Preparing too
  void requestLiveRecord() override;
  void renew(std::int64_t step) override;
  void setLeisurely(bool leisurely) override;
  // A run at rest makes ready to show older steps. Not while the movie plays in strides, at each of which it rests: the
  // memory is given back.
  void setStepsBackExpected(bool expected);
  // How many runs are shown together with it, itself included. Of several each computes older steps on its share of the
  // threads, and one that rests for a while, ready for that, gives back the memory that it trains in until it goes on.
  void setShownTogether(int runs) { shownTogether_ = runs; }

  RunState state() const { return state_; }
  const Preparation& preparation() const { return preparation_; }  // while Preparing, and until the first step is there
  bool isOver() const override;
  // Trains no further and recomputes nothing until it is asked to, and all that it has reported is here.
  bool isAtRest() const { return (rests_ || isOver()) && !recomputing_; }
  const Message& why() const { return why_; }  // the same, as data
  // Of a run that failed before it began: there are no examples for it, here or where a worker is.
  bool lacksExamples() const;
  const QString& failure() const { return failure_; }  // a sentence that says what to do; empty unless Failed
  std::shared_ptr<const RunInfo> sharedInfo() const { return info_; }
  const RunInfo* info() const override { return info_.get(); }
  RunInfo fileInfo() const;  // what a file of the run begins with; where there is an info()
  std::int64_t liveStep() const override;
  const RunSettings& config() const { return config_; }  // as asked for
  std::shared_ptr<const StateHistory> history() const { return history_; }
  const std::vector<StepMetric>& steps() const { return metrics_->steps; }
  const std::vector<EvalMetric>& evaluations() const { return metrics_->evaluations; }
  const std::optional<EndMetric>& end() const { return metrics_->end; }
  std::shared_ptr<const RunMetrics> metrics() const { return metrics_; }  // the present run's, growing
  std::uint64_t droppedSpans() const;

  std::shared_ptr<const StepRecord> recordOf(std::int64_t step) override;
  std::shared_ptr<const StepRecord> newestRecord() const override { return records_.newest(); }
  const RecordStore& records() const { return records_; }
  bool isRecomputing() const override { return recomputing_.has_value(); }
  const QString& recomputeFailure() const { return recomputeFailure_; }  // of the latest recomputed step; "": none

 Q_SIGNALS:
  void killFailed(const QString& why);  // a worker on another host

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
  std::shared_ptr<const StepRecord> arriving_;  // without its metric yet
  std::shared_ptr<const StateHistory> history_;
  std::unique_ptr<Recomputer> recomputer_;   // from the first record that is not kept on
  std::optional<std::int64_t> recomputing_;  // which step
  QString recomputeFailure_;
  std::unique_ptr<WatchedRun> run_;
  ProcessRun* processes_ = nullptr;       // run_, where that is one
  WatchedClass* ofClass_ = nullptr;       // likewise
  ClassRun* class_ = nullptr;             // likewise
  std::shared_ptr<const RunInfo> grown_;  // of it, with more workers than info_ has; from the next record on
  std::vector<int> left_;                 // likewise, as it was last told
  bool reshapes_ = false;                 // info_ is another since the latest record
  int lostWorker_ = -1;
  bool resumed_ = false;
  std::unique_ptr<Recorder> recorder_;  // after run_, whose pipes it reads
  std::int64_t wantedStep_ = 0;         // of requestStep(); 0: none
  std::size_t inherited_ = 0;           // steps of a branch's parent
  int stepsAhead_ = 0;                  // of stepOnce() while Preparing
  bool stepsBackExpected_ = true;
  int shownTogether_ = 1;
  bool rests_ = false;       // the trainer is between two steps, and all that it has reported is here
  std::deque<Aside> aside_;  // the latest last
  QTimer timer_{this};
  QTimer restTimer_{this};
  int hurried_ = 0;                          // ticks that are still to come soon after one another
  std::vector<std::future<void>> retiring_;  // earlier runs, each within its last step
};

}  // namespace lab

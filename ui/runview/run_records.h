// SPDX-License-Identifier: GPL-3.0-or-later
// The records of the present run's steps, and the run's info, which has places for the same replicas: a class grows.
// Records that arrive are kept within a budget of bytes; other steps are recomputed, one at a time. UI thread.
#pragma once

#include <QObject>
#include <QString>
#include <QTimer>

#include <cstdint>
#include <memory>
#include <optional>
#include <utility>

#include "core/launching/watched_run.h"
#include "core/replay/recompute.h"
#include "ui/runview/earlier_runs.h"
#include "ui/runview/present_class.h"
#include "ui/runview/record_store.h"
#include "ui/runview/run_metrics.h"

namespace lab {

class RunRecords final : public QObject {
  Q_OBJECT

 public:
  // `budget`: bytes, see RecordStore. All references outlive this.
  RunRecords(const PresentClass& ofClass, EarlierRuns& earlier, std::int64_t budget, QObject* parent);

  const std::shared_ptr<const RunInfo>& info() const { return info_; }
  const std::shared_ptr<const StateHistory>& history() const { return history_; }
  const RecordStore& kept() const { return kept_; }
  std::int64_t liveStep() const;  // see RecordSource, as for all of the same name
  bool isRecomputing() const { return recomputing_.has_value(); }
  const QString& failure() const { return failure_; }  // about the latest recomputed step; "": none

  std::shared_ptr<const StepRecord> recordOf(std::int64_t step);
  void renew(std::int64_t step);
  // See RunController.
  void setStepsBackExpected(bool expected);
  void setShownTogether(int runs) { shownTogether_ = runs; }

  // For the controller, which owns the run. Another run begins, with these metrics; it is there, or gone (null).
  void begin(std::shared_ptr<const RunMetrics> metrics);
  void attach(WatchedRun* run);
  void describe() { info_ = run_->info(); }  // if there is none yet
  // Moves the records into a run that rests, and back.
  RecordStore setAside() { return std::move(kept_); }
  void bringBack(std::shared_ptr<const RunInfo> info, RecordStore records);
  // After the run's metrics have been taken: takes its records.
  void take();
  // After the listeners have acted: prepares for older steps if `mayStepBack`, and spares memory while the run rests.
  void settle(bool mayStepBack);
  void giveUp(const QString& why);          // the run has broken off: so does what is recomputed, at the next take()
  void cancel() { recomputing_.reset(); }   // nobody waits for it
  std::unique_ptr<Recomputer> endReplay();  // cancels, and hands over what recomputes; null: nothing does

 Q_SIGNALS:
  void wanted();  // take() and settle() are to be called regularly
  void grown();
  void reshaped(std::int64_t step);
  void arrived(std::int64_t step);
  void failed(std::int64_t step);

 private:
  bool rests() const;
  void recompute(std::int64_t step);
  void makeRecomputer();
  void followClass();
  void takeArrived();
  void takeRecomputed();
  bool receive(std::shared_ptr<const StepRecord> record);

  const PresentClass& class_;
  EarlierRuns& earlier_;
  WatchedRun* run_ = nullptr;
  std::shared_ptr<const RunMetrics> metrics_ = std::make_shared<RunMetrics>();
  std::shared_ptr<const RunInfo> info_;
  std::shared_ptr<const RunInfo> grown_;  // the class's info with more workers than info_; used from the next record on
  std::shared_ptr<const StateHistory> history_;
  RecordStore kept_;
  std::shared_ptr<const StepRecord> arriving_;  // its metric has not arrived yet
  std::unique_ptr<Recomputer> recomputer_;      // from the first record on that is not kept
  std::optional<std::int64_t> recomputing_;     // which step
  QString failure_;
  bool renewLater_ = false;  // renew() was asked for while another record was made again
  bool stepsBackExpected_ = true;
  int shownTogether_ = 1;
  QTimer restTimer_{this};
};

}  // namespace lab

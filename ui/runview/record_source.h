// SPDX-License-Identifier: GPL-3.0-or-later
// What the playback clock needs from a run: records of its steps, and control over how far it trains. RunController
// implements it; tests have their own. Nothing here waits: a signal announces what is not there yet.
#pragma once

#include <QObject>

#include <cstdint>
#include <memory>

#include "core/trace/step_record.h"
#include "core/training/trainer.h"

namespace lab {

class RecordSource : public QObject {
  Q_OBJECT

 public:
  using QObject::QObject;

  virtual const RunInfo* info() const = 0;            // null while Preparing
  virtual bool isOver() const = 0;                    // nothing more will be trained
  virtual std::int64_t liveStep() const = 0;          // the last trained step; info()->firstStep - 1 before the first
  virtual bool isRecomputing() const = 0;             // true while an older step is recomputed
  virtual bool isRecording() const { return false; }  // a finished run, shown from its first step on
  virtual std::shared_ptr<const StepRecord> newestRecord() const = 0;  // among the kept records; null: none

  // The record of a trained step. Null if not kept: the step is then recomputed, instead of any other step, and
  // recordArrived or recordFailed tells when that is done. Asking again for the same step changes nothing.
  virtual std::shared_ptr<const StepRecord> recordOf(std::int64_t step) = 0;

  // Trains up to `step`, at once or after the work in progress, with a record of this step, and stays paused there.
  // Asking again changes nothing; a higher step replaces a lower one.
  virtual void requestStep(std::int64_t step) = 0;
  virtual void requestLiveRecord() = 0;           // a record of the next step that begins, whenever that is
  virtual void renew(std::int64_t /*step*/) {}    // after grown(): makes the record again; reshaped() tells when
  virtual void play() = 0;                        // trains freely, and forgets what requestStep() asked for
  virtual void pause() = 0;                       // at the next step boundary; also forgets requestStep()
  virtual void setLeisurely(bool leisurely) = 0;  // nobody follows step by step: a record now and then is enough

 Q_SIGNALS:
  void started();  // another run replaces the present one; all records are forgotten
  // The run is paused, and now has places for more replicas than its records.
  void grown();
  // The same run now has places for more replicas, and another info(): all records except this step's are forgotten.
  void reshaped(std::int64_t step);
  void updated();  // at most once per 16 ms, or 100 ms if leisurely: the run's state, info or metrics have changed
  void recordArrived(std::int64_t step);
  void recordFailed(std::int64_t step);  // the step cannot be recomputed
};

}  // namespace lab

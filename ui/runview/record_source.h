// SPDX-License-Identifier: GPL-3.0-or-later
// What the playback clock needs of a run: records of its steps, and a hold on how far it trains. RunController is one;
// tests have another. Nothing here waits: what is not there yet is announced by a signal.
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

  virtual const RunInfo* info() const = 0;    // null while Preparing
  virtual bool isOver() const = 0;            // nothing more will be trained
  virtual std::int64_t liveStep() const = 0;  // how far training is; info()->firstStep - 1 before the first step
  virtual bool isRecomputing() const = 0;     // an older step
  virtual bool isRecording() const { return false; }  // it was over before: it is told from its first step on
  virtual std::shared_ptr<const StepRecord> newestRecord() const = 0;  // of what is kept; null: none

  // Of a trained step. Null where it is not kept: it is then recomputed, in place of any other step that is being
  // recomputed, and recordArrived or recordFailed says when it is done. Asking again for the same step changes nothing.
  virtual std::shared_ptr<const StepRecord> recordOf(std::int64_t step) = 0;

  // Trains up to `step`, at once or when what is under way has ended, with a record of it, and stays paused there.
  // Asking again changes nothing; a higher step takes the place of a lower one.
  virtual void requestStep(std::int64_t step) = 0;
  virtual void requestLiveRecord() = 0;           // of the next step that begins, whenever that is
  virtual void renew(std::int64_t /*step*/) {}    // after grown(): its record once more, reshaped() says when
  virtual void play() = 0;                        // trains freely, and what requestStep() asked for is forgotten
  virtual void pause() = 0;                       // at the next step boundary; likewise
  virtual void setLeisurely(bool leisurely) = 0;  // nobody watches step by step: a record now and then is enough

 Q_SIGNALS:
  void started();  // another run takes the place of the present one; all records are forgotten
  // The run rests, and has places for more replicas than its records.
  void grown();
  // The same run has places for more replicas, and another info(): all records but this step's are forgotten.
  void reshaped(std::int64_t step);
  void updated();  // at most once in 16 ms, 100 ms at leisure: the run's state, info or metrics have changed
  void recordArrived(std::int64_t step);
  void recordFailed(std::int64_t step);  // it cannot be recomputed
};

}  // namespace lab

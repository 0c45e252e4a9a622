// SPDX-License-Identifier: GPL-3.0-or-later
// A step as a movie: which beat follows which, when each begins, what its caption says, and which moment of the step's
// clock each moment of the movie shows. A pure function of the step's record: playing, scrubbing and stepping back all
// read the same story.
// Movie time (seconds, from 0 at the step's start) and the step's clock (ns, modelled or measured) are joined by a
// piecewise linear map. Where the clock would show nothing (a hold for reading, a reference swapped) it stands still.
#pragma once

#include <QString>

#include <cstdint>
#include <vector>

#include "core/trace/step_record.h"
#include "core/training/trainer.h"

namespace lab {

enum class BeatKind {
  Startup,     // before the first step: TPU initialisation, the first broadcast
  Input,       // an epoch begins: scale, cache, shuffle, batch
  Batch,       // the global batch is there
  Distribute,  // to the replicas
  Pull,        // weights are copied from where they are kept
  Gather,      // weights that lie in parts come to all: before a pass, or when each part has been updated
  Forward,
  Backward,
  Aggregate,
  Update,
  Losses,    // the replicas' losses are added, as strategy.reduce does when strategy.run has returned
  Check,     // the copies have been compared
  Epoch,     // an epoch is over: the mean of its losses
  Evaluate,  // the test step
  Flow,      // parameter server: everybody at once, on the clock
  Apply,     // parameter server: the step's gradients have been applied
  Aborted,   // in place of Check and Apply: a task has died, and the step was given up with an error
};

struct Beat {
  BeatKind kind = BeatKind::Batch;
  QString name;  // "forward", for the scrubber
  // What is said, each from its moment on until the next one's.
  struct TimedCaption {
    double fromS = 0;
    QString text;
  };
  std::vector<TimedCaption> sayings;
  QString note;        // a second one, smaller: what a slide claims and TensorFlow's code does otherwise; may be empty
  double beginS = 0;   // movie time
  double motionS = 0;  // until here nothing moves, so that the caption can be read
  double endS = 0;
  std::int64_t beginNs = 0, endNs = 0;  // shown from motionS to endS; equal where the clock stands

  QString captionAt(double seconds) const;  // movie time
  double verdictS() const;                  // of the check: from here on the copies have been compared
};

struct Story {
  // Movie time to clock, piecewise linear, both ascending. Aggregations get more movie than clock where they are short
  // beside what they wait for, so that every transfer can be seen.
  struct Knot {
    double seconds = 0;
    std::int64_t ns = 0;
  };

  std::int64_t step = 0;
  std::vector<Beat> beats;  // in order, without gaps
  std::vector<Knot> clock;
  std::vector<double> messageS;  // where each transfer has arrived, ascending, each moment once
  double seconds = 0;            // in all

  std::int64_t clockAt(double seconds) const;  // ns on the step's clock
  double secondsAt(std::int64_t ns) const;     // the first moment that shows it
  double leavesAt(std::int64_t ns) const;      // the last moment that shows it, where the clock stands there
  std::size_t beatAt(double seconds) const;    // index into beats; the last beat from its end on
  QString captionAt(double seconds) const;     // what is said then; "" without beats
  const Beat* find(BeatKind kind) const;       // null where the step has no such beat
  double workBeginsS() const;                  // what only comes before a run's first batch has been told
  bool isBeginning(double second) const;       // its first moment, or the first batch's
  bool isUnderWay(double seconds) const;       // the batch has been shown: from here on the step itself is
};

enum class Pace {
  Story,  // with holds for reading
  Play,   // without
};

Story makeStory(const RunInfo& info, const StepRecord& record, Pace pace);

}  // namespace lab

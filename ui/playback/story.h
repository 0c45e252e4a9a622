// SPDX-License-Identifier: GPL-3.0-or-later
// A step as a movie: the order of its beats, when each begins, what its caption says, and which moment of the step's
// clock each moment of the movie shows. A pure function of the step's record: playing, scrubbing and stepping back all
// read the same story.
// A piecewise linear map joins movie time (seconds, from 0 at the step's start) and the step's clock (ns, modelled or
// measured). Where running the clock would show nothing (a hold for reading, a reference swapped), it stands still.
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
  Pull,        // weights are copied from where they are stored
  Gather,      // weights that are stored in parts come together on all replicas: before a pass, or after each part's
               // update
  Forward,
  Backward,
  Aggregate,
  Update,
  Losses,    // the replicas' losses are added, as strategy.reduce does when strategy.run has returned
  Check,     // the copies have been compared
  Epoch,     // an epoch is over: the mean of its losses
  Evaluate,  // the test step
  Flow,      // parameter server: all workers at once, on the clock
  Apply,     // parameter server: the step's gradients have been applied
  Aborted,   // instead of Check and Apply: a task has died, and the step was given up with an error
};

struct Beat {
  BeatKind kind = BeatKind::Batch;
  QString name;  // "forward", for the scrubber
  // The captions, each from its moment until the next one's.
  struct TimedCaption {
    double fromS = 0;
    QString text;
  };
  std::vector<TimedCaption> sayings;
  QString note;        // a second, smaller caption: where TensorFlow's code differs from a slide's claim; may be empty
  double beginS = 0;   // movie time
  double motionS = 0;  // nothing moves before this, so that the caption can be read
  double endS = 0;
  std::int64_t beginNs = 0, endNs = 0;  // shown from motionS to endS; equal if the clock stands

  QString captionAt(double seconds) const;  // movie time
  double verdictS() const;                  // for the check: from here on the copies have been compared
};

struct Story {
  // Movie time to clock, piecewise linear, both ascending. Aggregations that are short compared with what they wait for
  // get more movie time than their share, so that every transfer can be seen.
  struct Knot {
    double seconds = 0;
    std::int64_t ns = 0;
  };

  std::int64_t step = 0;
  std::vector<Beat> beats;  // in order, without gaps
  std::vector<Knot> clock;
  std::vector<double> arrivalS;  // when each transfer arrives; ascending, without duplicates
  double seconds = 0;            // the whole length

  std::int64_t clockAt(double seconds) const;  // ns on the step's clock
  double secondsAt(std::int64_t ns) const;     // the first moment that shows it
  double leavesAt(std::int64_t ns) const;      // the last moment that shows it, if the clock stands there
  std::size_t beatAt(double seconds) const;    // index into beats; after the end, the last beat
  QString captionAt(double seconds) const;     // the caption at that moment; "" without beats
  const Beat* find(BeatKind kind) const;       // null if the step has no such beat
  double workBeginsS() const;                  // the end of what only precedes a run's first batch
  bool isBeginning(double second) const;       // the story's first moment, or the first batch's
  bool isUnderWay(double seconds) const;       // true once the batch has been shown and the step itself runs
};

enum class Pace {
  Story,  // with holds for reading
  Play,   // without
};

Story makeStory(const RunInfo& info, const StepRecord& record, Pace pace);

}  // namespace lab

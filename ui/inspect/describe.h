// SPDX-License-Identifier: GPL-3.0-or-later
// The inspector's description of an object: a pure function of the step's record and a moment of its story. Every
// number is the run's own; what has not happened by that moment is described as not computed yet.
#pragma once

#include <QImage>
#include <QString>
#include <QStringList>

#include <cstdint>
#include <vector>

#include "core/trace/memory_timeline.h"
#include "ui/playback/story.h"
#include "ui/step/object.h"
#include "ui/step/step_index.h"

namespace lab {

// Values of one variable, or of the part of it that an object covers.
struct TensorPart {
  QString name;              // "dense/kernel, rows 12 to 40"
  std::int64_t columns = 1;  // of the picture; the variable's last axis
  std::vector<float> values;
};

// A device's memory over the step, and the moment that the stage shows.
struct DeviceMemoryShown {
  MemoryTimeline timeline;  // empty: not known
  std::int64_t beginNs = 0, endNs = 0, nowNs = 0;
  double deviceBytes = 0;  // the device's memory; 0: not known
};

struct Description {
  struct Row {
    QString name, value;
    bool isState = false;    // what the object is doing at the moment
    bool isHeading = false;  // a heading for the rows below it; without a value
  };

  QString title, subtitle;
  QImage digit;                   // an example in its original size
  std::vector<TensorPart> parts;  // largest first
  std::vector<Row> rows;
  QString sumsTitle;
  QStringList sums;  // "dense/kernel[3, 17]   0.0123 + −0.0045 = 0.0078"
  QString code;      // a listing
  QString note;
  int replica = -1;  // the replica whose speed can be changed here
  double slowdown = 1;
  DeviceMemoryShown memory;
};

// Accepts any object, even one that this run or step does not have. `evaluation`: after this step, if known.
Description describe(const Object& object, const StepIndex& step, const Story& story, double seconds,
                     const EvalMetric* evaluation = nullptr);
// The evaluation after this step among those that a run has reported; null: none.
const EvalMetric* evaluationAfter(const std::vector<EvalMetric>& all, const StepIndex& step);

// The step at the shown moment, for the inspector's part about the run.
std::vector<Description::Row> describeMoment(const StepIndex& step, const Story& story, double seconds);

// What TensorFlow's program on this host finds in its environment; "" if the strategy uses none.
QString tfConfig(const RunInfo& info, int host);

// The rule that gave a replica its examples, as a sentence.
QString splitRule(const RunInfo& info, const StepRecord& record, int replica);

}  // namespace lab

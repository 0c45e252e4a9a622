// SPDX-License-Identifier: GPL-3.0-or-later
// Records of steps for tests: taken one by one, and compared in every field.
#pragma once

#include <QString>

#include <memory>
#include <vector>

#include "core/trace/step_record.h"
#include "core/training/trainer.h"

namespace lab::test {

using RecordPointer = std::shared_ptr<const StepRecord>;

// One step of the trainer, recorded.
RecordPointer recordedStep(Trainer& trainer, Telemetry& telemetry);

// A run with every step recorded, and all its spans.
struct RecordedRun {
  RunInfo info;
  std::vector<RecordPointer> records;
  std::vector<Span> spans;
  std::vector<float> weights;  // the trainer's, at the end
};
RecordedRun recordAll(const RunSettings& config, std::shared_ptr<const Dataset> data);

// The first field in which two records differ; "" if there is none. Numbers are compared by their bits. Values read
// from the steady clock are not compared: never wallNs, and no times at all if `times` is false.
QString difference(const StepRecord& a, const StepRecord& b, bool times = true);

}  // namespace lab::test

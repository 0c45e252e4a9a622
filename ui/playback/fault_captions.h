// SPDX-License-Identifier: GPL-3.0-or-later
// What is said of a step in which a task died, or is dead. Pure functions of the step's record.
#pragma once

#include <QString>

#include <cstdint>

#include "core/trace/step_record.h"
#include "core/training/trainer.h"
#include "ui/playback/story.h"

namespace lab {

// The movie second of its step at which the fault is seen to happen: of a beat in which the clock goes so far. Whoever
// comes back is there from the beginning on.
double faultSeconds(const Story& story, const StepRecord& record, const RunFault& fault);
// What ended the step that was given up, with TensorFlow's own words where they are known.
QString abortedCaption(const RunInfo& info, const StepRecord& record);
// Of a parameter server's worker that died, or whose closure has come back or was taken, in this step by then; "" where
// there is none.
QString deadWorkerCaption(const StepRecord& record, std::int64_t ns);
// Of an all-reduce that somebody who is dead by then should have a part in; "" where all live.
QString brokenReductionCaption(const StepRecord& record, std::int64_t ns);
// "killed in step 12, 3 ms ago (modelled)", at a moment of the clock.
QString deathWords(const RunInfo& info, const StepRecord& record, const DeadTask& dead, std::int64_t ns);

}  // namespace lab

// SPDX-License-Identifier: GPL-3.0-or-later
// Captions for a step in which a task died, or is dead. Pure functions of the step's record.
#pragma once

#include <QString>
#include <QStringList>

#include <cstdint>

#include "core/trace/step_record.h"
#include "core/training/trainer.h"
#include "ui/playback/story.h"

namespace lab {

// The second of its step's movie at which the fault is seen to happen, in a beat whose clock reaches that time. A task
// that comes back is there from the beginning.
double faultSeconds(const Story& story, const StepRecord& record, const RunFault& fault);
// What ended an aborted step, with TensorFlow's own words if they are known.
QString abortedCaption(const RunInfo& info, const StepRecord& record);
// About a parameter server's worker that died, or whose closure came back or was taken, in this step by `ns`; "" if
// there is none.
QString deadWorkerCaption(const StepRecord& record, std::int64_t ns);
// About an all-reduce that lacks a task that is dead by `ns`; "" if all live.
QString brokenReductionCaption(const StepRecord& record, std::int64_t ns);
// The task of a replica or a server if it is dead by `ns`, else null. In a synchronous strategy a worker is a host,
// with all its replicas.
const DeadTask* deadTaskOf(const RunInfo& info, const StepRecord& record, int endpoint, std::int64_t ns);
// "✕ worker 1 is dead", and shorter forms.
QStringList deadWorkerForms(int worker);
// "killed in step 12, 3 ms ago (modelled)", at a moment of the clock; "just now" at the moment itself.
QString deathWords(const RunInfo& info, const StepRecord& record, const DeadTask& dead, std::int64_t ns);

}  // namespace lab

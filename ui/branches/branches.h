// SPDX-License-Identifier: GPL-3.0-or-later
// What the window's run can become from the shown step on: the same run with one setting changed, or with one value of
// one replica changed by hand. Each offer contains the LaneSpec of the branch, or says why the core refuses it. Pure
// functions of the run and its shown step.
#pragma once

#include <QString>

#include <vector>

#include "ui/lanes/lane.h"
#include "ui/step/object.h"

namespace lab {

struct BranchOffer {
  enum class Of { Nothing, LearningRate, Reducer, Strategy, Edit };
  Of of = Of::Nothing;
  QString words;    // "Learning rate 0.001 → 0.01"
  QString refusal;  // a sentence; "": the branch is possible
  LaneSpec wish;
};

// Returns why no branch, or no change by hand, is possible now; "" if it is possible. Cheap.
QString branchRefusal(const RunController& run, const Playback& playback);
QString editRefusal(const RunController& run, const Playback& playback, const Object& object);

// `parent`: the name of the run. Returns nothing if branchRefusal() or editRefusal() gives a reason.
std::vector<BranchOffer> branchOffers(const Lane& lane, const QString& parent);
// Changes the largest value of the selected object, because a user can find this value again.
std::vector<BranchOffer> editOffers(const Lane& lane, const Object& object, const QString& parent);
// Branches of the window's run, from the shown step on, in which tasks die or come back.
struct FaultOffer {
  RunFault fault;
  QString words, refusal;
  RunController::Start from;
  int process = -1;  // this worker's real process is killed instead, and nothing branches
};
inline constexpr std::int64_t kBackupSteps = 10;  // steps between two backups, if not once per epoch
std::vector<FaultOffer> faultOffers(const RunController& run, const Playback& playback, const QString& parent);
// True if the object belongs to the fault's task, or shares a column with an object that does. Faults that restart
// everything, or happen to no object, concern all objects.
bool concerns(const FaultOffer& offer, const Object& object, const RunInfo& info, int perColumn);
QString struckWords(const RunFault& fault);  // "Worker 1 killed in step 12.", and how the run goes on
// The task's box on the stage; none if the task is a host whose replicas each have a box of their own.
Object boxOf(const RunFault& fault, const RunInfo& info);
QString taskWords(RunFault::Task task, int index);  // "worker 1", "the coordinator"

// Where a branch of the run begins, and what the run had reported before; and the parent's settings as the lineage
// keeps them: for a class, those of the simulated strategy with the same number of replicas.
RunController::Start branchOf(const RunController& run, RunBranch branch);
RunSettings parentSettings(const RunController& run);

QString editedValueWords(const Lane& lane, const Object& object);  // "The largest weight of …", and its place

}  // namespace lab

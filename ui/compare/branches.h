// SPDX-License-Identifier: GPL-3.0-or-later
// What the window's run may become from the shown step on: the same with one setting changed, or with one value of one
// replica changed by hand. Each offer is a lane's wish, or says why the core refuses it. Pure functions of the run and
// its shown step.
#pragma once

#include <QString>

#include <vector>

#include "ui/compare/lane.h"
#include "ui/scene/object.h"

namespace lab {

struct BranchOffer {
  enum class Of { Nothing, LearningRate, Reducer, Strategy, Edit };
  Of of = Of::Nothing;
  QString words;    // "Learning rate 0.001 → 0.01"
  QString refusal;  // a sentence; "": it can be
  LaneSpec wish;
};

// Why nothing can branch now, or be changed there by hand; "" where it can. Cheap.
QString branchRefusal(const RunController& run, const Playback& playback);
QString editRefusal(const RunController& run, const Playback& playback, const Object& object);

// `parent`: what the run is called. Empty where branchRefusal() or editRefusal() says why.
std::vector<BranchOffer> branchOffers(const Lane& lane, const QString& parent);
// Of the largest value of what is selected, which a person finds again.
std::vector<BranchOffer> editOffers(const Lane& lane, const Object& object, const QString& parent);
// Of the window's run, from the shown step on: tasks that die, or come back.
struct FaultOffer {
  RunFault fault;
  QString words, refusal;
  RunController::Start from;
  int process = -1;  // this worker's real process is killed instead, and nothing branches
};
inline constexpr std::int64_t kBackupSteps = 10;  // from backup to backup, where it is not once an epoch
std::vector<FaultOffer> faultOffers(const RunController& run, const Playback& playback, const QString& parent);
// Whether the object is one of the fault's task, or stands in a column with one that is. What starts all again, and
// what is done to no object, concerns everything.
bool concerns(const FaultOffer& offer, const Object& object, const RunInfo& info, int perColumn);
QString struckWords(const RunFault& fault);  // "Worker 1 killed in step 12." and how it goes on
// The box on the stage; none where it is a host with several replicas, each in a box of its own.
Object boxOf(const RunFault& fault, const RunInfo& info);
QString taskWords(RunFault::Task task, int index);  // "worker 1", "the coordinator"

// Where a branch of the run begins, with what it had reported before; and the parent's settings as its lineage has
// them: of a class those of the simulated strategy with as many replicas.
RunController::Start branchOf(const RunController& run, RunBranch branch);
RunSettings parentSettings(const RunController& run);

QString editedValueWords(const Lane& lane, const Object& object);  // "The largest weight of …", and where it is

}  // namespace lab

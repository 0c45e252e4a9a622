// SPDX-License-Identifier: GPL-3.0-or-later
// Errors that end a run, and of impossible branches or faults; descriptions of branches and faults. See
// core/base/message.h.
#pragma once

#include "core/base/message.h"

namespace lab::say {

LAB_TEXT(notCheckpoint,
         "'%1' is not a StrategyLab checkpoint. Name another --checkpoint-dir, or load plain weights with --init.");
LAB_TEXT(otherCheckpointVersion,
         "'%1' is a checkpoint of version %2, and this program reads version %3. Use the program that wrote it.");
LAB_TEXT(checkpointDamaged,
         "'%1' is damaged: its checksum does not match. Delete it to resume from an older checkpoint.");
LAB_TEXT(checkpointNotWhole,
         "'%1' is damaged: it is not a whole safetensors file. Delete it to resume from an older checkpoint.");
LAB_TEXT(checkpointNotJson,
         "'%1' is damaged: its description is not JSON. Delete it to resume from an older checkpoint.");
LAB_TEXT(cannotMakeCheckpointFolder,
         "cannot create the folder '%1' for checkpoints: %2. Name another --checkpoint-dir.");
LAB_TEXT(noCheckpoint, "there is no checkpoint in '%1'. Name the right --checkpoint-dir, or leave --resume out.");
LAB_TEXT(diverged,
         "the run has diverged: some of its weights are not finite numbers. Not written: %1. Train again with a lower "
         "--learning-rate.");
LAB_TEXT(otherExamples,
         "the checkpoint in '%1' was written with other training examples (%2). Name the same --dataset and "
         "--data-dir, or start over without --resume.");
LAB_TEXT(checkpointNotFinite,
         "the checkpoint in '%1' has numbers in '%2' that are not finite: the run had diverged. Start over without "
         "--resume, with a lower --learning-rate.");
LAB_TEXT(checkpointDoesNotFit,
         "the checkpoint in '%1' does not fit this run (%2). Delete it, or start over without --resume.");
LAB_TEXT(copiesDifferAmongProcesses,
         "the replicas' copies differ, so no checkpoint of step %1 was written. Check whether all hosts have the same "
         "kind of processor, then start again.");
LAB_TEXT(cannotBranch, "%1 cannot change in the middle of a run: %2. Start a new run with it.");
LAB_TEXT(fromTheFirstStep, "a run depends on it from its first step on");
LAB_TEXT(hostsReadTheirOwn, "each host reads its own files, or all of the examples, from the first step on");
LAB_TEXT(otherSlots, "the optimizer's slots would be missing or of another kind");
LAB_TEXT(gradientsUnderWay,
         "asynchronous workers still have gradients in flight that were computed with the old settings");
LAB_TEXT(branchOfClass,
         "the run is a branch of a class from step %1, and only the class's recording leads there. Open the recording, "
         "and branch from that step again.");
LAB_TEXT(copiesDiffer,
         "what the replicas keep differs before this step, because each was trained on its own, kept a part of its "
         "own gradients or had a value changed by hand, and a change of %1, %2 or %3 needs one state for all. Branch "
         "from a step before which all keep the same.");
LAB_TEXT(noEditOnGpu, "%1 cuda: values can be changed by hand only on simulated devices and on the processor.");
LAB_TEXT(noEditOfParts,
         "%1 at this stage keeps each weight on only one replica and gathers it again for each pass: change a "
         "gradient, or choose a lower stage.");
LAB_TEXT(noSuchReplica, "there is no replica %1: the last one is %2. Name one from 0 to %2.");
LAB_TEXT(noSuchValue, "there is no value %1: the variables have %2, counted from 0. Name one of them.");
LAB_TEXT(badEdit, "a changed value must be finite, its bit from 0 to 31, and its step the branch's first.");
LAB_TEXT(otherBranch,
         "the checkpoint in '%1' belongs to another branch of the run. Name the folder of this branch, or start over "
         "without --resume.");
LAB_TEXT(branchFrom, "branch of another run from step %1");
LAB_TEXT(branchOf, "branch of '%1' from step %2");
LAB_TEXT(editedWeight, "weight %1 of replica %2 changed by hand in step %3");
LAB_TEXT(editedGradient, "gradient value %1 of replica %2 changed by hand in step %3");
LAB_TEXT(oneProcess, "%1 runs in one process: a fault ends the program, and no other task can carry on.");
LAB_TEXT(faultsNotModelled,
         "what happens when a task of %1 dies is not modelled. Use %2 multi-worker-mirrored or %2 parameter-server.");
LAB_TEXT(faultNeedsSimulated, "tasks die only on the simulated clock. Use %1 simulated.");
LAB_TEXT(noSuchTask, "there is no such task: %1 %2. Name a task of the cluster.");
LAB_TEXT(
    badFault,
    "a fault must be in the first step of its branch. Only a living task can be killed, and only a dead one revived.");
LAB_TEXT(onlyFreezesCollectives,
         "cutting a task off was measured with MultiWorkerMirrored only. Kill the task instead.");
LAB_TEXT(lastWorker, "worker %1 is the last one alive, and training needs one. Revive another worker first.");
LAB_TEXT(trainingHasEnded, "training ended with an error because a task died. Revive that task first.");
LAB_TEXT(taskWorker, "worker");
LAB_TEXT(taskChief, "coordinator");
LAB_TEXT(taskServer, "parameter server");
LAB_TEXT(faultKilled, "%1 killed in step %2");
LAB_TEXT(faultFrozen, "%1 cut off in step %2");
LAB_TEXT(faultRevived, "%1 revived in step %2");
LAB_TEXT(faultRestarted, "%1 revived: all start again with step %2 from the backup");
LAB_TEXT(faultBegunAnew, "%1 revived: there was no backup yet, so all start again with step %2");
LAB_TEXT(otherSettings,
         "the checkpoint was written with %1 %2, and this run has %3. Resume with the same settings, or start over "
         "without --resume.");
LAB_TEXT(unset, "unset");
LAB_TEXT(itUnset, "it unset");
LAB_TEXT(andFile, ", and '%1'");
LAB_TEXT(checkpointsFrom, "the checkpoint of step %1 and later ones");
LAB_TEXT(otherContent, "the same name with other layers");

}  // namespace lab::say

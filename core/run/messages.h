// SPDX-License-Identifier: GPL-3.0-or-later
// What is wrong with settings and with the files of a run. See core/base/message.h.
#pragma once

#include "core/base/message.h"

namespace lab::say {

LAB_TEXT(notCheckpoint,
         "'%1' is not a StrategyLab checkpoint. Name another --checkpoint-dir, or load plain weights with --init.");
LAB_TEXT(otherCheckpointVersion,
         "'%1' is a checkpoint of version %2, and this program reads version %3. Use the program that wrote it.");
LAB_TEXT(checkpointDamaged,
         "'%1' is damaged: its checksum does not match. Delete it to resume from an older checkpoint.");
LAB_TEXT(checkpointNotJson,
         "'%1' is damaged: its description is not JSON. Delete it to resume from an older checkpoint.");
LAB_TEXT(cannotMakeCheckpointFolder,
         "cannot create the folder '%1' for checkpoints: %2. Name another --checkpoint-dir.");
LAB_TEXT(noCheckpoint, "there is no checkpoint in '%1'. Name the right --checkpoint-dir, or leave --resume out.");

LAB_TEXT(noTraceEvents, "has no list of traceEvents, so it is no Chrome trace");
LAB_TEXT(strangeTrace, "was not written by this program (or by a version before traces could be opened again)");
LAB_TEXT(noClock, "does not say whether its times are modelled or measured");
LAB_TEXT(eventWithoutPhase, "has an event without a phase");
LAB_TEXT(noEvents, "has no events to show");
LAB_TEXT(notOurTrace, "'%1' %2. Open a trace that 'Export trace' or --trace has written.");
LAB_TEXT(partLacking, "lacks '%1'");
LAB_TEXT(partNoText, "has something else than a text for '%1'");
LAB_TEXT(partNoWhole, "has something else than a whole number for '%1'");
LAB_TEXT(partOutOfRange, "has a '%1' out of range: %2");
LAB_TEXT(partNoTime, "has a '%1' that is no time in microseconds");
LAB_TEXT(partNoList, "has no list of %1");
LAB_TEXT(laneNotLink, "has a lane that does not say whether it is a link");
LAB_TEXT(labelsNoTexts, "has labels that are no texts");
LAB_TEXT(notInLegend, "names '%1', which its legend does not have");
LAB_TEXT(unknownEventKind, "has an event of the unknown kind '%1'");

LAB_TEXT(keyNoText, "'%1' must be a text. Correct the value, or save the experiment again.");
LAB_TEXT(viewNoName, "'%1' in 'view' must be a name. Leave it out, or save the experiment again.");
LAB_TEXT(viewNoObject, "'view' must be an object. Leave it out, or save the experiment again.");
LAB_TEXT(viewStep, "'step' in 'view' must be a whole number from 0. Leave it out, or save the experiment again.");
LAB_TEXT(viewPart, "'part' in 'view' must be a number from 0 to 1. Leave it out, or save the experiment again.");
LAB_TEXT(locksNoNames,
         "'locks' must have lists of names of controls under 'hide' and 'lock'. Leave it out, or save the experiment "
         "again.");
LAB_TEXT(linkNoNames, "'%1' of this link must be names of controls with commas between them. Copy the whole link.");
LAB_TEXT(notExperiment, "this is no experiment of StrategyLab. Name a file that was saved with File > Save.");
LAB_TEXT(badVersion, "'version' must be a whole number from 1. Correct the value, or save the experiment again.");
LAB_TEXT(newerExperiment,
         "the file was written by a newer StrategyLab (version %1 of the format, and this program reads %2). Update "
         "StrategyLab; the file is left as it is.");
LAB_TEXT(noConfig, "the key 'config' with the settings is missing. Save the experiment again.");
LAB_TEXT(experimentTooLarge, "'%1': the experiment exceeds the size limit (%2). Shorten its note.");
LAB_TEXT(linkTooLong, "the experiment's settings are too long for a link. Save the experiment as a file.");
LAB_TEXT(
    noLink,
    "this text has no link to an experiment. Such a link begins with '%1'. Copy one with File > Copy experiment link.");
LAB_TEXT(linkLongerThanAny, "this link is longer than any link to an experiment. Copy it again.");
LAB_TEXT(linkPartWithoutValue, "the part '%1' of this link has no value. Copy the whole link.");

LAB_TEXT(linesOf, "'%1' %2");
LAB_TEXT(linesNotGzip, "is not compressed with gzip, as run files are. Name a file that was written with --run.");
LAB_TEXT(linesEndEarly, "ends too early: the recording was cut off. Record the run again.");
LAB_TEXT(linesDamaged, "is damaged: its compressed data is not valid. Copy the file again or record the run again.");
LAB_TEXT(linesTooLong, "unpacks to more than the limit of %1. Record a shorter run.");
LAB_TEXT(tooManyLines, "has more than the limit of %1 lines. Record a shorter run.");
LAB_TEXT(lineTooLong, "has a line %1 longer than %2. Name a file that was written with --run.");
LAB_TEXT(linesGoOn, "continues after its end. Copy the file again or record the run again.");
LAB_TEXT(endsInsideLine, "ends inside a line. Record the run again.");

LAB_TEXT(csvNoNumber, "%1: '%2' in the column '%3' is no number. Save the values as CSV again.");
LAB_TEXT(csvOrder, "%1: step %2 comes after step %3. Save the values as CSV again.");
LAB_TEXT(tableNoText, "'%1' is no text, so it is no table. Name a file of comma-separated values.");
LAB_TEXT(tableEmpty, "'%1' is empty. Name a file whose first line has the names of the columns.");
LAB_TEXT(tableNoHeader, "'%1', line 1: there are numbers alone. Write the names of the columns into the first line.");
LAB_TEXT(tableNoRows, "'%1': no values follow the names of the columns. Name a file that has some.");
LAB_TEXT(tableNoNumbers, "'%1': no column has numbers, so there is nothing to plot. Name another file.");
LAB_TEXT(csvNoRuns,
         "'%1', line 1: the columns are not those of runs. Save values from a chart as CSV and use that file.");
LAB_TEXT(csvNoValues, "'%1', line 1: no values follow the names of the columns. Save the values as CSV again.");

LAB_TEXT(noSuchStep, "there is no step %1 in a run of %2 steps. Choose one from 1 to %2.");
LAB_TEXT(stepBeforeResumed, "step %1 is not stored, since this run resumed at step %2. Choose a later step.");

LAB_TEXT(streamUnreadable,
         "what the processes send cannot be read. Install the same version of the program on all hosts, and start "
         "again.");
LAB_TEXT(
    handedCutOff,
    "the files of this run did not arrive whole on standard input. Start it with `strategylab-cli launch`, or from "
    "the window.");
LAB_TEXT(streamOtherData,
         "the processes train on %1, and this window has %2. Put the same data on all hosts, and start again.");
LAB_TEXT(processKilled, "%1 was ended by signal %2 after step %3, and Open MPI ended the others with it. %4");
LAB_TEXT(processesFailed, "%1 %2");
LAB_TEXT(mpirunEnded, "mpirun ended with code %1 after step %2: %3 %4");
LAB_TEXT(mpirunKilled, "mpirun was ended by signal %1 after step %2, and the processes with it. %3");
LAB_TEXT(mpirunSaysNothing, "mpirun ended with code %1 after step %2 and did not say why. %3");
LAB_TEXT(mpirunStartedNothing, "mpirun ended with code %1 before the run began: %2");
LAB_TEXT(processesSilent, "the processes have not been heard from for %1 s, so they were ended, after step %2. %3");
LAB_TEXT(resumeFromStep, "Resume goes on from the checkpoint of step %1, in %2 on %3.");
LAB_TEXT(noCheckpointYet, "There is no checkpoint yet: start it again.");
LAB_TEXT(noBranchAmongProcesses,
         "a run on real processes cannot go back to an earlier step. Use %1 simulated, which has the same bits.");
LAB_TEXT(stepNotRecorded,
         "step %1 is not stored: a run on real processes stores only the steps that were shown while it trained. "
         "Choose another step, or use %2 simulated, which has the same bits.");

LAB_TEXT(badValue, "%1 is '%2', but must be %3.");
LAB_TEXT(emptyValue, "%1 is empty: give a value or leave the option out.");
LAB_TEXT(zeroByte, "%1 has a zero byte: give plain text.");
LAB_TEXT(settingsNoObject, "the settings are not a JSON object: write {\"strategy\": \"mirrored\", …}.");
LAB_TEXT(settingOfOtherKind, "the setting '%1' is neither text nor a number nor true or false: correct it.");

LAB_TEXT(noKey, "the key '%1' is missing");
LAB_TEXT(mustBeFromTo, "'%1' must be a whole number from %2 to %3");
LAB_TEXT(mustBeAText, "'%1' must be a text");
LAB_TEXT(mustBeListOf, "'%1' must be a list of at most %2");
LAB_TEXT(isLinkTruth, "'isLink' must be true or false");
LAB_TEXT(labelNoText, "a label must be a text");
LAB_TEXT(configNoObject, "'config' must be an object");
LAB_TEXT(clockUnknown, "'clock' must be modelled or measured");
LAB_TEXT(spanNoList, "a span must be a list of %1 whole numbers");
LAB_TEXT(spanOutside, "a span refers to something that the legend lacks, or its time is out of range");
LAB_TEXT(runTooLarge,
         "'%1': the run has more devices and links, or longer notes, than a run file holds. Use fewer replicas and "
         "servers, or leave --run out.");
LAB_TEXT(tooManyRunSteps, "the run has more steps than a run file holds. Train for fewer steps or leave --run out.");
LAB_TEXT(goesOnBehindEnd, "the file continues after its last line");
LAB_TEXT(lineNoObject, "a line must be a JSON object");
LAB_TEXT(otherCounts, "the file holds another number of metrics or spans than were written");
LAB_TEXT(recordingCutOff, "'%1' ends too early: the recording was cut off. Record the run again.");

LAB_TEXT(reducerNotUsable, "%1 %2: %3 cannot use it. Leave %1 out, or choose another strategy.");
LAB_TEXT(replicasDoNotFillHosts,
         "%1 replicas cannot fill hosts of %2 devices. Give --hosts, or another --devices-per-host.");
LAB_TEXT(replicasForOne, "%1 %2: %3 has one replica. Leave %1 out, or choose another strategy.");
LAB_TEXT(replicasBeyondCluster,
         "%1 %2 do not fit on a cluster of %3 devices. Give fewer replicas or a larger cluster.");
LAB_TEXT(runsOnOneHost,
         "%1 runs on one host, and %2 replicas are on %3. Choose --strategy multi-worker-mirrored, or fewer hosts.");
LAB_TEXT(noSuchPorts, "%1 %2: '%3' has no ports for it. Give one of these, or leave %1 out: %4.");
LAB_TEXT(linkStaysInHost,
         "%1 %2: it joins devices of one host alone. Give a network, such as eth_100g or ib_hdr, or leave %1 out.");
LAB_TEXT(slowReplica, "%1 %2: there are only %3 replicas, counted from 0. Name one of them.");

LAB_TEXT(repricedOnTpu,
         "%1 runs only on TPU cores with their own links: computing time is modelled as well, not taken from the "
         "recorded step.");
LAB_TEXT(repricedOffTpu,
         "%1 does not run on TPU cores: computing time is modelled as well, not taken from the recorded step.");
LAB_TEXT(repricedOnOne, "%1 has one replica: it computes all %2 examples.");
LAB_TEXT(repricedAsCycle,
         "Under %1 a step belongs to one worker: its mean cycle is compared with the recorded step of all replicas.");
LAB_TEXT(repricedUneven, "%1 examples cannot be shared equally by %2 workers: each takes %3.");
LAB_TEXT(repricedAsStep, "Under %1 a step belongs to all replicas; the recorded one was one worker's cycle.");
LAB_TEXT(repricedSending, "Computing time is the measured step's; communication time comes from the catalogue alone.");

LAB_TEXT(diverged,
         "the run has diverged: some of its weights are not finite numbers. Not written: %1. Train again with a lower "
         "--learning-rate.");
LAB_TEXT(otherExamples,
         "the checkpoint in '%1' was written with other training examples (%2). Name the same --dataset and "
         "--data-dir, or start anew without --resume.");
LAB_TEXT(checkpointNotFinite,
         "the checkpoint in '%1' has numbers in '%2' that are not finite: the run had diverged. Start anew without "
         "--resume, with a lower --learning-rate.");
LAB_TEXT(checkpointDoesNotFit,
         "the checkpoint in '%1' does not fit this run (%2). Delete it, or start anew without --resume.");

LAB_TEXT(exactlyOneReplica, "%1 %2: %3 has exactly one replica. Leave %1 out, or choose another --strategy.");
LAB_TEXT(hostsNotDividing, "%1 %2 does not divide %3 %4: every host must have the same number of replicas.");
LAB_TEXT(belongsToStrategy, "%1 belongs to --strategy %2. Leave it out, or change the strategy.");
LAB_TEXT(slowBeyondReplicas, "%1 %2:…: there are only replicas 0 to %3.");
LAB_TEXT(
    globalBatchOfServers,
    "%1 has no meaning for parameter-server, where a batch belongs to one worker's step. Use --batch-per-replica.");
LAB_TEXT(stalenessOfServers,
         "%1 staleness belongs to --strategy parameter-server: only there can a gradient be stale. Use %1 none.");
LAB_TEXT(batchesDisagree, "%1 %2 and --global-batch %3 disagree for %4 replicas. Give one of the two.");
LAB_TEXT(globalBatchTooLarge,
         "the global batch of %1 examples is more than 1000000000. Lower --batch-per-replica or --replicas.");
LAB_TEXT(tpuIsSimulated, "%1 cpu: TPU cores are always simulated. Leave %1 out.");
LAB_TEXT(nothingToReduce, "%1 %2: %3 reduces nothing over replicas. Leave %1 out.");
LAB_TEXT(reducerNotUsed, "%1 %2: %3 cannot use it. One of: auto%4.");
LAB_TEXT(ncclNeedsGpus, "%1 %2: NCCL works between GPUs, and --devices cpu has none. Use %1 ring.");
LAB_TEXT(
    ncclNeedsMoreGpus,
    "%1 %2: NCCL needs a GPU for each replica, and there are %3 for %4 replicas. Use %1 ring, or fewer --replicas.");
LAB_TEXT(noNccl, "%1 %2: %3. Or use %1 ring.");
LAB_TEXT(momentumOfSgd, "%1 belongs to --optimizer sgd; Adam has its own. Leave it out, or change the optimizer.");
LAB_TEXT(filesOfSplit, "%1 belongs to --split file: examples in memory are in no file. Add --split file.");
LAB_TEXT(resumeNeedsFolder, "%1 needs --checkpoint-dir, the folder with the checkpoints.");
LAB_TEXT(epochsAndSteps, "%1 and --steps both say how long to train. Give one of the two.");
LAB_TEXT(saveForm, "%1 '%2': weights are written as .safetensors or .keras. Give the file one of these endings.");
LAB_TEXT(initAndResume, "%1 and --resume both say where the weights come from. Give one of the two.");
LAB_TEXT(everyNeedsFolder, "%1 needs --checkpoint-dir, the folder for the checkpoints.");
LAB_TEXT(notEnoughMemory,
         "%1 %2 with --batch-per-replica %3 needs about %4 of memory, and this machine has %5. Lower one of the two.");
LAB_TEXT(hostsOfServers, "%1 %2: %3 gives every worker and every server a host of its own. Leave %1 out.");
LAB_TEXT(oneMachine, "%1 %2: %3 works on one machine. Use --strategy multi-worker-mirrored for several.");
LAB_TEXT(tpuIsSimulatedNotCuda, "%1 cuda: TPU cores are always simulated. Use %1 simulated.");
LAB_TEXT(noCuda, "%1 cuda: %2. Use %1 simulated or %1 cpu.");
LAB_TEXT(slowOnProcessor,
         "%1 needs simulated devices: time on this processor is measured, not modelled. Use --devices simulated.");
LAB_TEXT(slowOnGpu, "%1 needs simulated devices: time on a GPU is measured, not modelled. Use --devices simulated.");

LAB_TEXT(serversAmongProcesses,
         "%1 processes: %2 does not run in real processes yet. Its workers come and go, but a process that ends takes "
         "the whole MPI job with it. Use --strategy multi-worker-mirrored, or %1 cpu.");
LAB_TEXT(processesNeedHosts, "%1 processes: %2 runs in one process. Use --strategy multi-worker-mirrored, or %1 cpu.");
LAB_TEXT(noiseAmongProcesses,
         "%1 needs all replicas' own gradients in one process. Use --devices cpu or simulated, or leave it out.");
LAB_TEXT(slowAmongProcesses,
         "%1 needs simulated devices: time of real processes is measured, not modelled. Use --devices simulated.");
LAB_TEXT(hostsAreProcesses, "%1 %2: each real process is a host, and there are %3. Leave %1 out, or start %2.");
LAB_TEXT(mpiNeedsProcesses,
         "%1 %2: MPI_Allreduce works between real processes. Use `strategylab-cli launch`, or %1 ring.");
LAB_TEXT(ncclAmongProcesses,
         "%1 %2: NCCL works between GPUs, and the processes compute on processors. Use --worker-devices cuda, or %1 "
         "ring.");
LAB_TEXT(noGpuThere, "%1 cuda: %2 cannot use a GPU: %3. Use %1 cpu, or hosts that have GPUs.");
LAB_TEXT(noNcclThere, "%1 %2: %3 cannot use NCCL: %4. Use %1 ring, or install NCCL there.");
LAB_TEXT(ncclSharesGpu,
         "%1 %2: NCCL needs a GPU for each replica, and replicas %3 and %4 share one of %5's. Use fewer replicas, or "
         "%1 ring.");
LAB_TEXT(copiesDifferAmongProcesses,
         "the replicas' copies differ, so no checkpoint of step %1 was written. See whether all hosts have the same "
         "kind of processor, and start anew.");

LAB_TEXT(cannotBranch, "%1 cannot change in the middle of a run: %2. Start a new run with it.");
LAB_TEXT(fromTheFirstStep, "it decides a run from its first step on");
LAB_TEXT(otherSlots, "the optimizer's slots would be missing or of another kind");
LAB_TEXT(gradientsUnderWay,
         "asynchronous workers still have gradients in flight that were computed with the old settings");
LAB_TEXT(copiesDiffer,
         "the copies of the variables differ after a value was changed by hand, and %1 needs one state for all. Branch "
         "from a step before that.");
LAB_TEXT(noEditOnGpu, "%1 cuda: values can be changed by hand on simulated devices and on the processor alone.");
LAB_TEXT(noSuchReplica, "there is no replica %1: the last is %2. Name one of them.");
LAB_TEXT(noSuchValue, "there is no value %1: the variables have %2, counted from 0. Name one of them.");
LAB_TEXT(badEdit, "a changed value must be finite, its bit from 0 to 31, and its step the branch's first.");
LAB_TEXT(badLineage, "the file's record of the run's parents is damaged: '%1'. Save the run again.");
LAB_TEXT(otherBranch,
         "the checkpoint in '%1' is of another branch of the run. Name the folder of this one, or start anew without "
         "--resume.");
LAB_TEXT(branchFrom, "branch of another run from step %1");
LAB_TEXT(branchOf, "branch of '%1' from step %2");
LAB_TEXT(editedWeight, "weight %1 of replica %2 changed by hand in step %3");
LAB_TEXT(editedGradient, "gradient value %1 of replica %2 changed by hand in step %3");

LAB_TEXT(oneProcess, "%1 runs in one process: a fault ends the program, and there is no other task to go on.");
LAB_TEXT(faultNeedsSimulated, "tasks die on the simulated clock alone. Use %1 simulated.");
LAB_TEXT(noSuchTask, "there is no such task: %1 %2. Name one of the cluster's.");
LAB_TEXT(
    badFault,
    "a fault must be in the first step of its branch. Only a living task can be killed, and only a dead one revived.");
LAB_TEXT(onlyFreezesCollectives, "cutting a task off was measured with MultiWorkerMirrored only. Kill the task.");
LAB_TEXT(lastWorker, "worker %1 is the last one alive, and training needs one. Revive another worker first.");
LAB_TEXT(trainingHasEnded, "training ended with an error because a task died. Revive that task first.");
LAB_TEXT(taskWorker, "worker");
LAB_TEXT(taskChief, "coordinator");
LAB_TEXT(taskServer, "parameter server");
LAB_TEXT(faultKilled, "%1 %2 killed in step %3");
LAB_TEXT(faultFrozen, "%1 %2 cut off in step %3");
LAB_TEXT(faultRevived, "%1 %2 revived in step %3");
LAB_TEXT(faultRestarted, "%1 %2 revived: all start again with step %3 from the backup");

LAB_TEXT(wholeFromTo, "a whole number from %1 to %2");
LAB_TEXT(numberFromTo, "a number from %1 to %2");
LAB_TEXT(replicaFactor, "REPLICA:FACTOR, such as 3:2.5 (replica 3 takes 2.5 times as long, from 0.01 to 1000)");
LAB_TEXT(trueOrFalse, "true or false");
LAB_TEXT(settingWord, "setting");

LAB_TEXT(otherSettings,
         "the checkpoint was written with %1 %2, and this run has %3. Resume with the same settings, or start anew "
         "without --resume.");
LAB_TEXT(unset, "unset");
LAB_TEXT(itUnset, "it unset");
LAB_TEXT(andFile, ", and '%1'");
LAB_TEXT(checkpointsFrom, "the checkpoint of step %1 and later ones");

LAB_TEXT(wholeNotNegative, "a whole number, not negative");
LAB_TEXT(mustBe, "'%1' must be %2");
LAB_TEXT(listOfWholes, "a list of at most 65536 whole numbers, none negative");
LAB_TEXT(workersNumber, "a worker's number");
LAB_TEXT(numberOrNull, "a number or null");
LAB_TEXT(aText, "a text");
LAB_TEXT(truthOrNull, "true, false or null");
LAB_TEXT(aList, "a list");
LAB_TEXT(mustBeAbsent, "left out where there is a modelledStepNs");
LAB_TEXT(knownEvent, "step, eval or end");
LAB_TEXT(badMetric, "%1: %2. The file is damaged or of another kind; record the run again.");
LAB_TEXT(metricNoObject, "a metric is a JSON object");

LAB_TEXT(header, "the header");
LAB_TEXT(badLine, "%1: %2. The file is damaged; record the run again.");
LAB_TEXT(notRunFile, "%1: this is not a run file. Name a file that was written with --run.");
LAB_TEXT(newerRunFile,
         "%1: the file was written by a newer StrategyLab (version %2 of the format, and this program reads %3). "
         "Update StrategyLab or record the run again.");
LAB_TEXT(tooManySteps, "%1: more steps than can be read. Record a shorter run.");

LAB_TEXT(
    networkDoesNotFit,
    "%1 %2 takes examples of the shape %3, and --dataset %4 has the shape %5. Choose a network for these, or other "
    "examples.");
LAB_TEXT(
    synchronisedNormOfWorkers,
    "%1 has a synchronised batch normalisation. Under %2 no worker waits for another, so each normalises by its own "
    "batch: take a network with synchronized=False, or a synchronous strategy.");
LAB_TEXT(
    tooFewOutputs,
    "%1 %2 has %3 outputs, and %4 has %5 classes. Take a network whose last layer has as many, or other examples.");
LAB_TEXT(networkTakesNoPictures,
         "%1 %2 takes examples of the shape %3, which pictures cannot be scaled to. Use a network that begins with "
         "(height, width, 3) or (height, width, 1).");
LAB_TEXT(otherContent, "the same name with other layers");
LAB_TEXT(networkWord, "network");
LAB_TEXT(noSuchNetwork, "%1. There is no file of that name either.");
LAB_TEXT(compiledOtherwise,
         "'%1' was compiled with the optimizer %2 and the loss %3. Optimizer and learning rate are taken from the "
         "settings, and the loss is sparse cross-entropy.");
LAB_TEXT(rescalingLeftOut,
         "The Rescaling of '%1' is left out, since examples come in rescaled: a .keras file that is saved takes pixels "
         "from 0 to 1.");

}  // namespace lab::say

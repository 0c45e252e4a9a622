// SPDX-License-Identifier: GPL-3.0-or-later
// Messages for what is wrong with settings. See core/base/message.h.
#pragma once

#include "core/base/message.h"

namespace lab::say {

LAB_TEXT(badValue, "%1 is '%2', but must be %3.");
LAB_TEXT(emptyValue, "%1 is empty: give a value or leave the option out.");
LAB_TEXT(zeroByte, "%1 has a zero byte: give plain text.");
LAB_TEXT(settingsNoObject, "the settings are not a JSON object: write {\"strategy\": \"mirrored\", …}.");
LAB_TEXT(settingOfOtherKind, "the setting '%1' is not text, a number, or true or false: correct it.");
LAB_TEXT(exactlyOneReplica, "%1 %2: %3 has exactly one replica. Leave %1 out, or choose another --strategy.");
LAB_TEXT(hostsNotDividing, "%3 %4 cannot be spread evenly over %2 hosts. Give a multiple of %2, or another %1.");
LAB_TEXT(belongsToStrategy, "%1 belongs to --strategy %2. Leave it out, or change the strategy.");
LAB_TEXT(slowTwice, "%1 names replica %2 twice. Give each replica one factor.");
LAB_TEXT(slowBeyondReplicas, "%1 %2:…: there are only replicas 0 to %3.");
LAB_TEXT(globalBatchOfServers,
         "%1 has no meaning for an asynchronous strategy, where a batch belongs to one worker's step. Use "
         "--batch-per-replica.");
LAB_TEXT(stalenessOfServers,
         "%1 staleness belongs to an asynchronous strategy: only there can a gradient be stale. Use %1 none.");
LAB_TEXT(waitsForNobody, "%1 %2 leaves none of %3 %4 to wait for. Lower it, or give more replicas.");
LAB_TEXT(arrivalIsModelled,
         "%1: %2 asks the modelled clock who arrives first, so its devices are simulated. Use %1 simulated.");
LAB_TEXT(synchronisedNormWaits,
         "%1 has a synchronised batch normalisation: all replicas wait for each other in the middle of a pass. Under "
         "%2 nobody waits for the last ones: choose a network with synchronized=False, or another strategy.");
LAB_TEXT(synchronisedNormOfNeighbours,
         "%1 has a synchronised batch normalisation, whose sums go over all replicas. Under %2 a replica hears only "
         "from its neighbours: choose a network with synchronized=False, or another strategy.");
LAB_TEXT(batchesDisagree, "%1 %2 and --global-batch %3 disagree for %4 replicas. Give one of the two.");
LAB_TEXT(globalBatchTooLarge,
         "the global batch of %1 examples is more than %2. Lower --batch-per-replica or --replicas.");
LAB_TEXT(tpuIsSimulated, "%1 cpu: TPU cores are always simulated. Leave %1 out.");
LAB_TEXT(nothingToReduce, "%1 %2: %3 reduces nothing over replicas. Leave %1 out.");
LAB_TEXT(reducerNotUsed, "%1 %2: %3 cannot use it. One of: auto%4.");
LAB_TEXT(ncclNeedsGpus, "%1 %2: NCCL works between GPUs, but --devices cpu has none. Use %1 ring.");
LAB_TEXT(
    ncclNeedsMoreGpus,
    "%1 %2: NCCL needs a GPU for each replica, and there are %3 for %4 replicas. Use %1 ring, or fewer --replicas.");
LAB_TEXT(noNccl, "%1 %2: %3. Or use %1 ring.");
LAB_TEXT(wrongEnding, "%1 '%2': the file will be %3. Give its name one of these endings: %4.");
LAB_TEXT(jsonLinesWritten, "JSON, one object per line");
LAB_TEXT(chromeTraceWritten, "a Chrome trace, which is JSON");
LAB_TEXT(runFileWritten, "a run file");
LAB_TEXT(htmlWritten, "HTML");
LAB_TEXT(pictureWritten, "a PNG picture of the window, or a poster as PDF or SVG");
LAB_TEXT(oneFileTwice, "%1 and %2 name the same file '%3'. Give each a file of its own.");
LAB_TEXT(momentumOfSgd, "%1 belongs to --optimizer sgd; Adam has its own. Leave it out, or change the optimizer.");
LAB_TEXT(filesOfSplit, "%1 belongs to --split file: examples in memory are not in files. Add --split file.");
LAB_TEXT(everyWorkerReadsAll, "%1 has no effect here: every asynchronous worker reads all examples.");
LAB_TEXT(shardedByDataAnyway, "%1 data changes nothing here: auto also shards examples in memory this way.");
LAB_TEXT(nothingIsPacked, "%1 has no effect here: under %2 no gradients are packed.");
LAB_TEXT(resumeNeedsFolder, "%1 needs --checkpoint-dir, the folder with the checkpoints.");
LAB_TEXT(saveForm, "%1 '%2': weights are written as .safetensors or .keras. Give the file one of these endings.");
LAB_TEXT(initAndResume, "%1 and --resume both say where the weights come from. Give one of the two.");
LAB_TEXT(everyNeedsFolder, "%1 needs --checkpoint-dir, the folder for the checkpoints.");
LAB_TEXT(notEnoughMemory,
         "%1 %2 with --batch-per-replica %3 needs about %4 of memory, and this machine has %5. Lower one of the two.");
LAB_TEXT(hostsOfServers, "%1 %2: %3 gives every worker and every server a host of its own. Leave %1 out.");
LAB_TEXT(tooManyOnOneHost,
         "%1 %2 are too many for one host, which has %3 devices at most. Give fewer, or spread them over hosts with "
         "--strategy multi-worker-mirrored and --hosts.");
LAB_TEXT(tooManyOnEachHost, "%1 %2 on --hosts %3: a host has %4 devices at most. Give fewer replicas or more hosts.");
LAB_TEXT(oneMachine, "%1 %2: %3 works on one machine. Use --strategy multi-worker-mirrored for several.");
LAB_TEXT(tpuIsSimulatedNotCuda, "%1 cuda: TPU cores are always simulated. Use %1 simulated.");
LAB_TEXT(noCuda, "%1 cuda: %2. Use %1 simulated or %1 cpu.");
LAB_TEXT(slowOnProcessor,
         "%1 needs simulated devices: time on this processor is measured, not modelled. Use --devices simulated.");
LAB_TEXT(slowOnGpu, "%1 needs simulated devices: time on a GPU is measured, not modelled. Use --devices simulated.");
LAB_TEXT(
    serversAmongProcesses,
    "%1 processes: the workers of %2 come and go, but a process that ends takes the whole MPI job with it. As real "
    "processes they join a class: use `strategylab-cli launch`, or in the window Run > Serve to the class. Or use "
    "--strategy multi-worker-mirrored, or %1 cpu.");
LAB_TEXT(processesNeedHosts, "%1 processes: %2 runs in one process. Use --strategy multi-worker-mirrored, or %1 cpu.");
LAB_TEXT(noiseAmongProcesses,
         "%1 needs the gradients of all replicas in one process. Use --devices cpu or simulated, or leave it out.");
LAB_TEXT(checkpointsOfOwnCopies,
         "%1: the copies of %2 differ, and real processes do not send theirs to a checkpoint. Leave it out, or train "
         "in one process.");
LAB_TEXT(noiseOfOwnUpdates,
         "%1 needs gradients of the same weights and of one step, but every replica of %2 has weights, or parts of "
         "earlier gradients, of its own.");
LAB_TEXT(slowAmongProcesses,
         "%1 needs simulated devices: time of real processes is measured, not modelled. Use --devices simulated.");
LAB_TEXT(hostsAreProcesses, "%1 %2: each real process is a host, and there are %3. Leave %1 out, or start %2.");
LAB_TEXT(mpiNeedsProcesses,
         "%1 %2: MPI_Allreduce works between real processes. Use `strategylab-cli launch`, or %1 ring.");
LAB_TEXT(mpiSumsWhole,
         "%1 %2: MPI_Allreduce brings the whole sum to all, but under %3 each replica needs only its own part. Use %1 "
         "ring.");
LAB_TEXT(
    ncclAmongProcesses,
    "%1 %2: NCCL works between GPUs, but the processes compute on processors. Use --worker-devices cuda, or %1 ring.");
LAB_TEXT(noGpuThere, "%1 cuda: %2 cannot use a GPU: %3. Use %1 cpu, or hosts that have GPUs.");
LAB_TEXT(noNcclThere, "%1 %2: %3 cannot use NCCL: %4. Use %1 ring, or install NCCL there.");
LAB_TEXT(ncclSharesGpu,
         "%1 %2: NCCL needs a GPU for each replica, and replicas %3 and %4 share one of %5's. Use fewer replicas, or "
         "%1 ring.");
LAB_TEXT(wholeFromTo, "a whole number from %1 to %2");
LAB_TEXT(numberFromTo, "a number from %1 to %2");
LAB_TEXT(replicaFactor,
         "REPLICA:FACTOR, such as 3:2.5 (replica 3 takes 2.5 times as long, from 0.01 to 1000), or several with commas "
         "between them");
LAB_TEXT(trueOrFalse, "true or false");
LAB_TEXT(settingWord, "setting");
LAB_TEXT(networkDoesNotFit,
         "%1 %2 takes examples of the shape %3, but those of --dataset %4 have the shape %5. Choose a network for this "
         "shape, or other examples.");
LAB_TEXT(synchronisedNormOfWorkers,
         "%1 has a synchronised batch normalisation. Under %2 each worker makes its steps alone, so it normalises by "
         "its own batch: choose a network with synchronized=False, or a synchronous strategy.");
LAB_TEXT(tooFewOutputs,
         "%1 %2 has %3 outputs, but %4 has %5 classes. Choose a network whose last layer has one output per class, or "
         "choose other examples.");
LAB_TEXT(networkIsTimed,
         "%1 %2 cannot be trained here: %3. Choose another network. How long its steps take is answered by What if in "
         "the window, and by sweep --timing-only.");
LAB_TEXT(networkTakesNoPictures,
         "%1 %2 takes examples of the shape %3, which pictures cannot be scaled to. Use a network that begins with "
         "(height, width, 3) or (height, width, 1).");
LAB_TEXT(networkWord, "network");
LAB_TEXT(noSuchNetwork, "%1. There is no file of that name either.");
LAB_TEXT(compiledOtherwise,
         "'%1' was compiled with the optimizer %2 and the loss %3. Optimizer and learning rate are taken from the "
         "settings, and the loss is sparse cross-entropy.");
LAB_TEXT(rescalingLeftOut,
         "The Rescaling of '%1' is left out, since the examples are already rescaled: a saved .keras file takes pixels "
         "from 0 to 1.");
LAB_TEXT(epochsAndSteps, "%1 and --steps both say how long to train. Give one of the two.");

}  // namespace lab::say

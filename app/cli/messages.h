// SPDX-License-Identifier: GPL-3.0-or-later
// The command line's own messages. See core/base/message.h.
#pragma once

#include "core/base/message.h"

namespace lab::say {

LAB_TEXT(takesNoValue, "%1 takes no value, but was given '%2'. Write %1 alone.");
LAB_TEXT(givenOften, "%1 was given %2 times. Give it once.");
LAB_TEXT(givenEmpty, "%1 was given an empty value. Write %1 VALUE, or leave it out.");
LAB_TEXT(optionFollows,
         "%1 needs a value, but '%2' follows it. Write %1 VALUE (a file whose name begins with dashes is written "
         "./--name).");
LAB_TEXT(notWholeFromTo, "%1 cannot be '%2'. Give a whole number from %3 to %4.");
LAB_TEXT(notNumberFromTo, "%1 cannot be '%2'. Give a number from %3 to %4.");
LAB_TEXT(emptyItem, "%1 '%2' has an empty item. Write one comma between each two.");
LAB_TEXT(namedTwice, "%1 names '%2' twice. Name each once.");
LAB_TEXT(strategyTwice,
         "%1 names '%2' twice. All have the same settings, so both would be the same run: name each once; settings "
         "are compared by `sweep`.");
LAB_TEXT(allStandsAlone,
         "%1: 'all' stands for all strategies of tf.distribute and has nothing beside it. Write %1 all, or name "
         "strategies.");
LAB_TEXT(seeHelp, "`%1 --help` lists all.");
LAB_TEXT(andHelp, "%1. %2");
LAB_TEXT(commandWord, "command");
LAB_TEXT(notAnOption, "'%1' is not an option. Options begin with two dashes; write --NAME VALUE. %2");
LAB_TEXT(unknownOption, "unknown option '%1'. %2");
LAB_TEXT(unknownOptionNear, "unknown option '%1': did you mean %2? %3");
LAB_TEXT(optionOfOthers, "'%1' is an option of %2, not of this command. %3");
LAB_TEXT(noValueFollows, "%1 needs a value and none follows. Write %1 VALUE. %2");
LAB_TEXT(commandMissing, "a command is missing. %1");
LAB_TEXT(argumentMissing, "%1 is missing: %2. Write `%3 %1`. %4");

LAB_TEXT(noCommand, "no command was given. Start with `strategylab-cli train`; `strategylab-cli --help` lists all.");
LAB_TEXT(helpExplains, "%1. `strategylab-cli --help` explains them.");

LAB_TEXT(cannotPrint, "cannot write to standard output: %1. Send it to a place that has room and stays open.");

LAB_TEXT(nameOneOf, "%1: %2. Name one of these.");
LAB_TEXT(scheduleWord, "schedule");
LAB_TEXT(tooMuchMemory,
         "%1 %2 on %3 %4 needs about %5 GB of memory; this machine can give %6 GB. Give fewer bytes or fewer ranks, or "
         "--price-only.");
LAB_TEXT(hostsDoNotDivideRanks, "%1 %2 does not divide %3 %4. Every host must have as many ranks as the others.");
LAB_TEXT(bytesNoFloats, "%1 %2 is not a whole number of float32 values. Give a multiple of 4.");

LAB_TEXT(nameSomeOf, "%1: %2. Name one or more of these.");
LAB_TEXT(strategyWord, "strategy");

LAB_TEXT(noHome, "no home folder is set on this machine to keep data in. Name a folder with --data-dir DIR.");
LAB_TEXT(fetchNeedsName, "`strategylab-cli data fetch` needs a name: write data fetch mnist.");
LAB_TEXT(verifyNeedsFolder, "`strategylab-cli data verify` needs a folder: write data verify DIR.");

LAB_TEXT(deviceKindWord, "kind of device");
LAB_TEXT(selftestNoCuda, "%1 cuda: %2. Use %1 cpu.");

LAB_TEXT(notCounts, "%1: '%2' is not a whole number from 1 to %3. Give numbers with commas between them.");
LAB_TEXT(targetNeedsTraining, "%1 needs training, and %2 trains nothing. Leave one of them out.");
LAB_TEXT(targetNotResumed,
         "%1 counts from a run's first step, and a checkpoint does not say whether the target was reached before it. "
         "Leave %1 or %2 out.");
LAB_TEXT(targetNeedsEvaluations,
         "%1 needs evaluations on the test images, and %2 0 makes none. Leave %2 out, or give it a number of steps.");
LAB_TEXT(notWithHalving, "%1 has no meaning with %2, which stops runs that have diverged. Leave one of them out.");
LAB_TEXT(notARange,
         "%1 cannot be '%2'. Give a range LOW..HIGH of numbers from %3 to %4, or a list with commas and no range.");
LAB_TEXT(emptyRange, "%1 '%2': the first number of a range must be the smaller one. Write LOW..HIGH.");
LAB_TEXT(rangeWithoutRandom,
         "%1 '%2' is a range to draw from. Add --random N for N points, or give numbers with commas.");
LAB_TEXT(randomWithoutRange,
         "%1 draws from ranges, but there is none. Give one, such as --learning-rate 0.001..0.1, or leave %1 out.");
LAB_TEXT(giveOneOf, "%1 and %2 say the same in two ways. Give one of them.");

LAB_TEXT(unknownValue, "%1: %2.");
LAB_TEXT(valueWord, "value");
LAB_TEXT(belongsToTimingOnly, "%1 belongs to --timing-only. Add --timing-only, or leave %1 out.");

LAB_TEXT(timingIsModelled, "%1 %2: %3 models devices and uses none. Leave %1 out, or leave %3 out to train.");
LAB_TEXT(modelIsNamed, "%1 says which network is trained, and %2 which one is modelled. Leave one of the two out.");
LAB_TEXT(modelIsTrainable, "%1 '%2': this is a network to train, with a file of its own or a name. Give it as %3 %2.");
LAB_TEXT(networkIsModelled, "%1 '%2': this network is timed, not trained. Give it as %3 %2.");
LAB_TEXT(clusterSaysIt, "%1 is already in the file of %2. Leave one of the two out.");
LAB_TEXT(goesWith, "%1 has a meaning only with %2. Add %2, or leave %1 out.");
LAB_TEXT(hostForEachWorker,
         "%1: each worker of %2 is a host of its own. Leave %1 out, or choose --strategy multi-worker-mirrored.");
LAB_TEXT(oneHostAlone,
         "%1: %2 runs on one host. Leave %1 out, or choose --strategy mirrored or multi-worker-mirrored.");

LAB_TEXT(ofStrategy, "%1: %2");
LAB_TEXT(isBeyondTensorFlow, "beyond tf.distribute, which has no such strategy.");

LAB_TEXT(cannotLaunch,
         "`strategylab-cli launch` cannot start workers: %1. Or use `train --devices cpu`, which needs none.");
LAB_TEXT(noMpirun, "mpirun was not found. Install Open MPI (Debian: openmpi-bin), or use `train --devices cpu`.");
LAB_TEXT(workerKilled, "%1 was ended by signal %2, and the others with it. Find out why (memory, another program); %3");
LAB_TEXT(mpirunFailed, "mpirun ended with code %1: %2; %3");
LAB_TEXT(mpirunSaidNothing, "it did not say why");
LAB_TEXT(launchMpirunKilled,
         "mpirun was ended by signal %1, and the workers with it. Find out why (memory, another program); %2");
LAB_TEXT(launchNotAHost, "%1: '%2' is not the name of a host. Write names with one comma between each two.");
LAB_TEXT(launchOfHosts,
         "%1 %2: launch trains multi-worker-mirrored and similar strategies, whose workers are processes. Leave %1 "
         "out, or use "
         "`train`.");
LAB_TEXT(workersNotReplicas,
         "%1 %2 does not divide %3 %4: every worker must have the same number of replicas. Give a multiple of %2.");

LAB_TEXT(notOfAClass, "%1: this does not apply to workers that come and go. Leave it out.");
LAB_TEXT(workersAllGone, "all workers have ended. Read what they said, then start again.");
LAB_TEXT(launchedHere, "%1: the workers of %2 are started on this machine. Leave %1 out, or use `serve` and `join`.");
LAB_TEXT(replayDiffers,
         "not every loss equals the class's. Check that this version and processor path are those that served it.");
LAB_TEXT(replayFalse,
         "not every loss equals the class's, because a spot check found that worker %1 pushed a false gradient "
         "(closure %2): nobody knows what it really computed, then or before.");
LAB_TEXT(nameTooLong, "%1: this name is longer than %2 bytes. Give a shorter one.");
LAB_TEXT(nameBlank, "%1: this name has spaces alone. Give one that can be seen, or leave %1 out.");
LAB_TEXT(nameNotShown,
         "%1: this name has characters that cannot be shown, such as a line break. Give one of letters, digits, spaces "
         "and signs.");

LAB_TEXT(rowsMissing, "%1 is missing. Name a CSV file with measured rows.");

}  // namespace lab::say

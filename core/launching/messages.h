// SPDX-License-Identifier: GPL-3.0-or-later
// Messages for why a run among real processes fails. See core/base/message.h.
#pragma once

#include "core/base/message.h"

namespace lab::say {

LAB_TEXT(
    handedCutOff,
    "the files of this run did not arrive whole on standard input. Start it with `strategylab-cli launch`, or from "
    "the window.");
LAB_TEXT(streamOtherData,
         "the processes train on %1, but this window has %2. Put the same data on all hosts, and start again.");
LAB_TEXT(processKilled, "%1 was ended by signal %2 after step %3, and Open MPI ended the others with it. %4");
LAB_TEXT(processesFailed, "%1 %2");
LAB_TEXT(mpirunEnded, "mpirun ended with code %1 after step %2: %3 %4");
LAB_TEXT(mpirunKilled, "mpirun was ended by signal %1 after step %2, and the processes with it. %3");
LAB_TEXT(mpirunSaysNothing, "mpirun ended with code %1 after step %2 and did not say why. %3");
LAB_TEXT(mpirunStartedNothing, "mpirun ended with code %1 before the run began: %2");
LAB_TEXT(processesSilent, "the processes have not been heard from for %1 s, so they were ended, after step %2. %3");
LAB_TEXT(resumeFromStep, "Resume continues from the checkpoint of step %1, in %2 on %3.");
LAB_TEXT(noCheckpointYet, "There is no checkpoint yet: start the run again.");
LAB_TEXT(noBranchAmongProcesses,
         "a run on real processes cannot go back to an earlier step. Use %1 simulated, which has the same bits.");
LAB_TEXT(stepNotRecorded,
         "step %1 is not stored: a run on real processes stores only the steps that were shown while it trained. "
         "Choose another step, or use %2 simulated, which has the same bits.");

}  // namespace lab::say

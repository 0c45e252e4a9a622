// SPDX-License-Identifier: GPL-3.0-or-later
// Messages about the program of a class, its workers and servers. See core/base/message.h.
#pragma once

#include "core/base/message.h"

namespace lab::say {

LAB_TEXT(noClassProgram,
         "'%1' was not found. It is the program that a class needs. Build it with `STRATEGYLAB_CLASS=1 app/run.sh "
         "--version`, or name it in STRATEGYLAB_CLASS_PROGRAM.");
LAB_TEXT(classProgramEnded, "the class's program ended with code %1 and did not say why. Start it again.");
LAB_TEXT(classProgramKilled,
         "the class's program was killed (signal %1): training has ended, and its workers have lost their connection.");
LAB_TEXT(classProgramSilent,
         "the class's program has said nothing for %1 s since Stop, and was ended: what is written at the end is "
         "missing. Check that the disk with the checkpoints can be written, then start again.");
LAB_TEXT(parameterServerKilled,
         "parameter server %1 was killed (signal %2), and its variables with it: training has ended.");
LAB_TEXT(parameterServerSilent, "parameter server %1 has not answered for %2 s: training has ended.");
LAB_TEXT(parameterServerEnded, "parameter server %1 ended with code %2, without its class: training has ended.");
LAB_TEXT(workerProgramKilled,
         "this worker's program was killed (signal %1). The class goes on without it: join again with the same link.");
LAB_TEXT(classProgramUnreadable, "the class's program is of another version than this one. Build both again.");

}  // namespace lab::say

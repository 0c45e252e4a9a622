// SPDX-License-Identifier: GPL-3.0-or-later
// Messages for what a class refuses, and for why somebody is sent away. See core/base/message.h.
#pragma once

#include "core/base/message.h"

namespace lab::say {

LAB_TEXT(classStrategy, "%1: a class trains one of %2, and not %3. Choose one of them.");
LAB_TEXT(classFloat32, "%1: a class computes in float32. Leave it out.");
LAB_TEXT(classBatch, "%1: a worker of a class takes at most %2 examples at once, not %3. Give less.");
LAB_TEXT(classSynchronized,
         "%1: a synchronised batch normalisation stops in the middle of a step, which the workers of a class cannot. "
         "Choose a network without one.");
LAB_TEXT(classOtherLayers,
         "%1: the file has other layers than those of the network '%2'. Use the file as StrategyLab wrote it.");
LAB_TEXT(classNetworkLong, "%1: this network has too many layers to be sent to a class. Choose a smaller one.");
LAB_TEXT(classJournalShort,
         "%1 does not have all of the %2 updates before the checkpoint. Use the folder as the class left it, or start "
         "over.");
LAB_TEXT(classJournalTaken,
         "%1 belongs to another class, which is training now. Name another folder for the checkpoints, or end that "
         "class first.");
LAB_TEXT(classCheckpointDoesNotFit,
         "this checkpoint does not belong to a class with these settings and examples. Name the folder that the class "
         "made.");
LAB_TEXT(classOrderWrong, "this order of a class's pushes cannot have happened. Use the file as StrategyLab wrote it.");
LAB_TEXT(classOrderMissing,
         "'%1' is not a recording of a class. Name a run file that `serve --run` or the window has written.");
LAB_TEXT(classNothingDone,
         "'%1' is the recording of a class that ended before its first update, so there is nothing to train again. "
         "Name the file of a class in which workers have computed.");
LAB_TEXT(classStepsMissing,
         "this recording does not have the order of the class's pushes, so its steps cannot be shown. Its curves are "
         "among the runs.");
LAB_TEXT(aClassLine, "a line of a class's order");
LAB_TEXT(classOtherData, "the class trained on %1, but here is %2. Put the same data back where it was.");
LAB_TEXT(classServerWrong,
         "the server's reply is not that of a class. Check that the link comes from this version of StrategyLab.");
LAB_TEXT(classPicture, "%1: a picture of %2 bytes is larger than the %3 that a class can be sent. Choose other data.");

LAB_TEXT(classListenAddress,
         "%1: '%2' is not an address of this machine with a port. Give one that the class reaches, such as "
         "192.168.1.20:8080, or 127.0.0.1:0 for this machine only.");
LAB_TEXT(
    classLinkWrong,
    "this is not a link to a class. Give the whole link, as the teacher's program shows it: http://ADDRESS:PORT/#KEY.");

// Why somebody was sent away: shown by the worker's own program and by the teacher's.
LAB_TEXT(classWrongToken, "the key in the link does not belong to this class. Ask for the link again.");
LAB_TEXT(classOtherVersion, "this class uses another version of StrategyLab. Use the same version as the teacher.");
LAB_TEXT(classFull, "the class is full. Ask the teacher to let more in, or wait until somebody leaves.");
LAB_TEXT(classBadFrame, "this worker sent a message that no worker sends. Join again with the same version.");
LAB_TEXT(classNotFinite, "this worker sent numbers that are not finite. Ask the teacher for a lower learning rate.");
LAB_TEXT(classNormTooLarge,
         "this worker sent a gradient that is too large. Ask the teacher for a lower learning rate.");
LAB_TEXT(classTooMuch, "this worker sent more data than a worker should. Join again.");
LAB_TEXT(classRemoved, "the teacher has sent this worker away.");
LAB_TEXT(classSilent, "nothing was heard from this worker for too long. Check the network, and join again.");
LAB_TEXT(classFalseGradient,
         "this worker sent a gradient that is not the result of its closure: a spot check found this. Join again with "
         "the same version of StrategyLab as the teacher's.");
LAB_TEXT(classLeftOut, "the step was over without this worker: the class does not wait for the slowest.");
LAB_TEXT(classTooSlow,
         "this worker took too long for its part of a step, twice in a row, while the others waited. Join again on a "
         "faster machine, or ask the teacher for smaller batches.");
LAB_TEXT(classGivenToAnother, "another worker is computing this closure now.");

}  // namespace lab::say

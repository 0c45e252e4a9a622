// SPDX-License-Identifier: GPL-3.0-or-later
// Messages for what goes wrong with sweeps, and for what a comparison leaves out. See core/base/message.h.
#pragma once

#include "core/base/message.h"

namespace lab::say {

LAB_TEXT(tooManyCells, "%1 cells are too many for one sweep: give fewer values, at most %2 cells");
LAB_TEXT(notASweep, "this is not a sweep: %1");
LAB_TEXT(thirdAxis,
         "the sweep has '%1' as a further axis, and the window shows two. Make it the plan's 'rows' or 'columns', or "
         "give one value for it in the plan's 'config'.");
LAB_TEXT(noSweepInFile, "'%1' is an experiment without a sweep. Open it with File, or name another.");
LAB_TEXT(noCellsForEvents, "no cell of the sweep has finished, so TensorBoard would show nothing. Start the sweep.");
LAB_TEXT(eventsOfOthers,
         "'%1' has runs that are not of this sweep, and TensorBoard would show all of them as one. Choose another "
         "folder.");
LAB_TEXT(badComparison,
         "the file's comparison cannot be read: this version does not know '%1'. Update StrategyLab, or choose the "
         "lanes again.");
LAB_TEXT(badLane, "the file's comparison cannot be read, because of one of its lanes: %1");
LAB_TEXT(budgetBelowBatch,
         "a budget of %1 examples is less than one step of %2. Give a larger budget, or smaller batches.");
LAB_TEXT(fitUnfinished, "runs that have not ended: %1");
LAB_TEXT(fitOfFewBatches, "batch sizes that reached the target: %1, of at least three needed");
LAB_TEXT(fitOutside, "it lies outside the batches tried");
LAB_TEXT(tooFewToHalve, "%1 %2 needs at least %2 cells, but there are %3. Give more values or seeds, or leave %1 out.");
LAB_TEXT(tooFewStepsToHalve,
         "%1 %2 of %3 cells has %4 rungs, but a cell of %5 steps is too short for them. Give at least %6 steps, or "
         "leave %1 out.");
LAB_TEXT(valueOutOfRange, "a value is out of range");
LAB_TEXT(notAnObject, "it is not an object");

LAB_TEXT(hasOneReplica, "it has one replica");
LAB_TEXT(runsOnHost, "it runs on one host");
LAB_TEXT(itBelongsTo, "it belongs to %1");
LAB_TEXT(runsOnTpu, "it runs on TPU cores");
LAB_TEXT(notOnTpu, "it does not run on TPU cores");
LAB_TEXT(tpuHasOwnLinks, "TPU cores have links of their own");
LAB_TEXT(linkOfTpu, "that link is between TPU cores");
LAB_TEXT(cannotReduceSo, "it cannot reduce that way");
LAB_TEXT(tooLargeForWorkers, "%1 %2 is too large for %3 asynchronous workers. Give a smaller number.");
LAB_TEXT(
    workersDoNotDivideBatch,
    "%1 %2 cannot be shared equally by %3 workers of %4. Give a multiple of %3, or leave %4 out with --strategies.");
LAB_TEXT(workersDoNotDivideUsualBatch,
         "%1 %2: workers of %4 share the global batch equally, and without --global-batch it is %3, which is not a "
         "multiple of %2. Give a multiple as --global-batch, or leave %4 out with --strategies.");
LAB_TEXT(optionLeftOut, "%1: %2 is left out: %3");
LAB_TEXT(sentence, "%1.");
LAB_TEXT(suitsNone,
         "%1 suits none of the strategies compared: %2: %3. Leave it out, or compare others with --strategies.");

}  // namespace lab::say

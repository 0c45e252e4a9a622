// SPDX-License-Identifier: GPL-3.0-or-later
// Messages about mistakes in requests to the timing model and in published measurements. See core/base/message.h.
#pragma once

#include "core/base/message.h"

namespace lab::say {

LAB_TEXT(deviceWithoutFamily,
         "the device '%1' has no family, which NCCL's model needs. Give its catalogue a column 'family'.");

LAB_TEXT(replicasDoNotFit,
         "%1 replicas do not fit on a cluster of %2 devices. Give it more devices, or fewer replicas.");
LAB_TEXT(noExamplesInBatch, "a batch of no examples trains nothing. Give at least 1.");
LAB_TEXT(stepTakesTooLong,
         "a step would take more than a month, longer than the model counts. Choose faster devices or links, smaller "
         "factors, a smaller batch or a smaller network.");
LAB_TEXT(runTakesTooLong,
         "the run would take more than a century by its modelled clock. Choose faster devices or links, or train fewer "
         "steps.");
LAB_TEXT(noServer, "parameter servers need at least one server. Give 1 or more.");

LAB_TEXT(noRows, "'%1' holds no rows. Give it a header and rows.");

LAB_TEXT(columnTwice, "'%1': the column '%2' appears twice. Remove one.");
LAB_TEXT(badCell, "'%1', line %2: the cell '%3' is '%4', not a number from 0 to 1e15. Correct it or leave it empty.");

LAB_TEXT(hostsHoldUnequalRanks,
         "the reducer '%1' needs the same number of ranks on every host, but one host has %2 and another %3. Give "
         "every host equally many, or choose another reducer or strategy.");

LAB_TEXT(modelWord, "model");

LAB_TEXT(withinBand, "9 in 10 published steps like this are within %1");

LAB_TEXT(cellNotKnown, "'%1' is not known");
LAB_TEXT(methodNotModelled, "the method '%1' is not modelled");
LAB_TEXT(devicesNoMultiple, "'devices' is not a multiple of 'hosts'");
LAB_TEXT(noCalibratingPoint, "its row has no calibrating point: %1");
LAB_TEXT(unitOfNoStep, "the unit '%1' does not say what a step takes");
LAB_TEXT(unitNotKnown, "the unit '%1' is not known");

LAB_TEXT(noBfloat16, "'%1' has no bfloat16 units: modelled at its float32 rate.");
LAB_TEXT(noHalfPrecision, "'%1' has no half-precision units: modelled at its float32 rate.");

}  // namespace lab::say

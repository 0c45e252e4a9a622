// SPDX-License-Identifier: GPL-3.0-or-later
// Messages for what is wrong with the files of a run. See core/base/message.h.
#pragma once

#include "core/base/message.h"

namespace lab::say {

LAB_TEXT(keyNoText, "'%1' must be a string. Correct the value, or save the experiment again.");
LAB_TEXT(viewNoName, "'%1' in 'view' must be a name. Leave it out, or save the experiment again.");
LAB_TEXT(viewNoObject, "'view' must be an object. Leave it out, or save the experiment again.");
LAB_TEXT(viewStep, "'step' in 'view' must be a whole number from 0. Leave it out, or save the experiment again.");
LAB_TEXT(viewPart, "'part' in 'view' must be a number from 0 to 1. Leave it out, or save the experiment again.");
LAB_TEXT(locksNoNames,
         "'locks' must have lists of names of controls under 'hide' and 'lock'. Leave it out, or save the experiment "
         "again.");
LAB_TEXT(linkNoNames, "'%1' of this link must be names of controls with commas between them. Copy the whole link.");
LAB_TEXT(notExperiment, "this is not a StrategyLab experiment. Name a file that was saved with File > Save.");
LAB_TEXT(figuresForScripts,
         "these are figures for scripts, as --metrics and --json write them. The window opens recordings: train again "
         "with --run FILE and name that file.");
LAB_TEXT(badVersion, "'version' must be a whole number from 1. Correct the value, or save the experiment again.");
LAB_TEXT(newerExperiment,
         "the file was written by a newer StrategyLab (version %1 of the format, and this program reads %2). Update "
         "StrategyLab; the file stays unchanged.");
LAB_TEXT(noConfig, "the key 'config' with the settings is missing. Save the experiment again.");
LAB_TEXT(experimentTooLarge, "'%1': the experiment exceeds the size limit (%2). Shorten its note.");
LAB_TEXT(linkTooLong, "the experiment's settings are too long for a link. Save the experiment as a file.");
LAB_TEXT(linkNoOwnNetwork,
         "the experiment's network was changed in the window, and a link has no room for its layers. Save the "
         "experiment as a file.");
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
LAB_TEXT(lineTooLong, "is longer than %2 in line %1. Name a file that was written with --run.");
LAB_TEXT(linesGoOn, "continues after its end. Copy the file again or record the run again.");
LAB_TEXT(endsInsideLine, "ends inside a line. Record the run again.");
LAB_TEXT(csvNoNumber, "%1: '%2' in the column '%3' is not a number. Save the values as CSV again.");
LAB_TEXT(csvOrder, "%1: step %2 comes after step %3. Save the values as CSV again.");
LAB_TEXT(tableNoText, "'%1' is not text, so it is not a table. Name a file of comma-separated values.");
LAB_TEXT(tableEmpty, "'%1' is empty. Name a file whose first line has the names of the columns.");
LAB_TEXT(tableNoHeader, "'%1', line 1: it holds only numbers. Write the names of the columns into the first line.");
LAB_TEXT(tableNoRows, "'%1': no values follow the names of the columns. Name a file that has some.");
LAB_TEXT(tableNoNumbers, "'%1': no column has numbers, so there is nothing to plot. Name another file.");
LAB_TEXT(csvNoRuns,
         "'%1', line 1: the columns are not those of runs. Save values from a chart as CSV and use that file.");
LAB_TEXT(csvNoValues, "'%1', line 1: no values follow the names of the columns. Save the values as CSV again.");
LAB_TEXT(noKey, "the key '%1' is missing");
LAB_TEXT(mustBeFromTo, "'%1' must be a whole number from %2 to %3");
LAB_TEXT(mustBeAText, "'%1' must be a string");
LAB_TEXT(mustBeListOf, "'%1' must be a list of at most %2");
LAB_TEXT(isLinkTruth, "'isLink' must be true or false");
LAB_TEXT(labelNoText, "a label must be a string");
LAB_TEXT(configNoObject, "'config' must be an object");
LAB_TEXT(clockUnknown, "'clock' must be modelled or measured");
LAB_TEXT(spanNoList, "a span must be a list of %1 whole numbers");
LAB_TEXT(spanOutside, "a span refers to something that is not in the legend, or its time is out of range");
LAB_TEXT(runTooLarge,
         "'%1': the run has more devices and links, or longer notes, than a run file holds. Use fewer replicas and "
         "servers, or leave --run out.");
LAB_TEXT(tooManyRunSteps, "the run has more steps than a run file holds. Train for fewer steps or leave --run out.");
LAB_TEXT(goesOnBehindEnd, "the file continues after its last line");
LAB_TEXT(lineNoObject, "a line must be a JSON object");
LAB_TEXT(otherCounts, "the file holds a different number of metrics or spans from the one written");
LAB_TEXT(recordingCutOff, "'%1' ends too early: the recording was cut off. Record the run again.");
LAB_TEXT(badLineage, "the file's record of the run's parents is damaged: '%1'. Save the run again.");
LAB_TEXT(wholeNotNegative, "a whole number, not negative");
LAB_TEXT(mustBe, "'%1' must be %2");
LAB_TEXT(listOfWholes, "a list of at most 65536 whole numbers, none negative");
LAB_TEXT(replicasInOrder, "a list of some replicas' numbers, each once and in order");
LAB_TEXT(workersNumber, "a worker's number");
LAB_TEXT(numberOrNull, "a number or null");
LAB_TEXT(aText, "a string");
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

}  // namespace lab::say

// SPDX-License-Identifier: GPL-3.0-or-later
// Messages about the window's command line. See core/base/message.h.
#pragma once

#include "core/base/message.h"

namespace lab::say {

LAB_TEXT(badSize,
         "%1: '%2' is not a size: give WIDTHxHEIGHT in pixels, from 320x240 to 16384x16384, such as 1600x1000");
LAB_TEXT(badSteps, "%1: '%2' is not a number of steps: give a whole number from 0 to 1000000");
LAB_TEXT(badMoment,
         "%1: '%2' is not a moment: give seconds, such as 3.5, or a beat and how much of it has passed, such as "
         "aggregate:0.5");
LAB_TEXT(unknownWindowOption, "unknown option '%1': 'strategylab --help' lists them all");
LAB_TEXT(unknownWindowOptionNear, "unknown option '%1': did you mean '%2'? 'strategylab --help' lists them all");
LAB_TEXT(secondFile, "unexpected argument '%1': the window opens one file, and that is '%2'");
LAB_TEXT(needsValue, "%1 needs a value: see 'strategylab --help'");
LAB_TEXT(takesNone, "%1 takes no value: leave out what follows '='");
LAB_TEXT(fileAndOptions,
         "a file and training options were given: the file '%1' has all settings, so leave one of the two out");

LAB_TEXT(comparedTwice,
         "%1: '%2' is named twice, and would be the same run with the same settings: name each strategy once");
LAB_TEXT(comparedTooMany, "%1: name two to %3 strategies, not %2");
LAB_TEXT(comparedElsewhere, "--compare is shown in the workspace compare: leave --layout out");

LAB_TEXT(notOfPoster, "%1 applies to a picture of the window, but a poster is a page of its own: leave it out");
LAB_TEXT(pageWithoutPoster, "--page belongs to a poster: name one with --render, such as --render poster.pdf");
LAB_TEXT(tableAsPoster, "a poster shows a step, and '%1' is a table of numbers: name an experiment or a recording");
LAB_TEXT(badReplica, "%1: '%2' is not a replica: give its number, 0 for the first");
LAB_TEXT(noReplicaToZoom, "%1: this run has no replica %2: the last one is %3");
LAB_TEXT(noSuchBeat, "%1: this step has no beat '%2'. It has: %3");

}  // namespace lab::say

// SPDX-License-Identifier: GPL-3.0-or-later
// Messages about Chrome traces. See core/base/message.h.
#pragma once

#include "core/base/message.h"

namespace lab::say {

LAB_TEXT(noTraceEvents, "has no list of traceEvents, so it is not a Chrome trace");
LAB_TEXT(strangeTrace, "was not written by this program (or by a version before traces could be opened again)");
LAB_TEXT(noClock, "does not say whether its times are modelled or measured");
LAB_TEXT(eventWithoutPhase, "has an event without a phase");
LAB_TEXT(noEvents, "has no events to show");
LAB_TEXT(notOurTrace, "'%1' %2. Open a trace that 'Export trace' or --trace has written.");
LAB_TEXT(
    noTraceOfAnybody,
    "'%1' %2. Open a Chrome trace: one that 'Export trace' or --trace has written, the trace.json.gz of TensorFlow's "
    "profiler, or the JSON of PyTorch's.");
LAB_TEXT(traceNotJsonAt, "is not valid JSON (byte %1)");
LAB_TEXT(traceTooDeep, "is nested deeper than any trace");
LAB_TEXT(partLacking, "lacks '%1'");
LAB_TEXT(partNoText, "has something other than text for '%1'");
LAB_TEXT(partNoWhole, "has something other than a whole number for '%1'");
LAB_TEXT(partOutOfRange, "has a '%1' out of range: %2");
LAB_TEXT(partNoTime, "has a '%1' that is not a time in microseconds");
LAB_TEXT(partNoList, "has no list of %1");
LAB_TEXT(trackNotLink, "has a track that does not say whether it is a link");
LAB_TEXT(labelsNoTexts, "has labels that are not text");
LAB_TEXT(notInLegend, "names '%1', which its legend does not have");
LAB_TEXT(unknownEventKind, "has an event of the unknown kind '%1'");

}  // namespace lab::say

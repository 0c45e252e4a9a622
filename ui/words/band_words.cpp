// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/words/band_words.h"

#include "ui/words/core_words.h"

namespace lab {

QString bandText(BoundBy bound) {
  return coreSentence(bandWords(publishedBand(bound)));
}

QString bandText(const RunInfo& info, const StepMetric& step) {
  return info.clock == Clock::Modelled ? bandText(boundBy(info.config, step)) : QString();
}

}  // namespace lab

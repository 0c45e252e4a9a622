// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/i18n/band_words.h"

#include "core/prediction/hardware.h"
#include "ui/i18n/core_words.h"

namespace lab {

QString bandText(BoundBy bound) {
  return coreSentence(bandWords(publishedBand(bound)));
}

QString bandText(const RunInfo& info, const StepMetric& step) {
  if (info.clock != TimeSource::Modelled) return {};
  const Message extrapolated = whyExtrapolated(info.config);
  const Message asFloat32 = whyFloat32(info.config);
  const QString before = asFloat32.empty() ? QString() : coreSentence(asFloat32) + QLatin1Char(' ');
  return before + (extrapolated.empty() ? bandText(boundBy(info.config, step)) : coreSentence(extrapolated));
}

}  // namespace lab

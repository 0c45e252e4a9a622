// SPDX-License-Identifier: GPL-3.0-or-later
// Whatever the text: a Chrome trace is refused with a UserError, or each of its spans is valid and each device's
// breakdown sums to the whole. Another program's is refused, or its spans are valid.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "core/base/error.h"
#include "core/timeline/chrome_trace.h"
#include "core/timeline/foreign_trace.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace lab;
  try {
    const Timeline timeline = parseChromeTrace({reinterpret_cast<const char*>(data), size}, "fuzz");
    for (const Span& span : timeline.spans)
      if (!isValid(span, timeline.legend)) std::abort();
    for (int track = 0; track < timeline.tracks(); ++track)
      if (timeline.legend.tracks[static_cast<std::size_t>(track)].endpoint >= 0 &&
          sumOf(timeline.breakdown(track, timeline.beginNs, timeline.endNs)) != timeline.endNs - timeline.beginNs)
        std::abort();
  } catch (const UserError&) {
  }
  try {
    if (const auto foreign = parseForeignTrace({data, size}, "fuzz"))
      for (const Span& span : foreign->timeline.spans)
        if (!isValid(span, foreign->timeline.legend)) std::abort();
  } catch (const UserError&) {
  }
  return 0;
}

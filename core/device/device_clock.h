// SPDX-License-Identifier: GPL-3.0-or-later
// The clock and spans of one rank. Measured: the steady clock. Modelled: a virtual clock in ns that does not move while
// operations are executed; cluster/modelled_clock, which knows the step's time, advances it. One thread at a time uses
// a clock; the spans stay here until the trainer thread collects them in a fixed order.
#pragma once

#include <cstdint>
#include <vector>

#include "core/trace/span.h"

namespace lab {

std::int64_t steadyNs();  // the steady clock
// For tests: replaces the steady clock for all threads; null restores the real one.
void replaceSteadyClock(std::int64_t (*now)());

class DeviceClock {
 public:
  // `originNs` is the steady time that measured spans count as 0.
  DeviceClock(TimeSource kind, int track, std::int64_t originNs) : kind_(kind), track_(track), originNs_(originNs) {}

  TimeSource kind() const { return kind_; }
  int track() const { return track_; }
  std::int64_t nowNs() const { return kind_ == TimeSource::Modelled ? now_ : steadyNs() - originNs_; }

  // Call around an operation, which takes no time on a modelled clock.
  void begin() { begunNs_ = nowNs(); }
  void end(SpanKind kind, std::uint16_t label, std::int64_t count, std::int64_t bytes = 0);

  // Nothing to do until `ns`: records a Wait span and sets a modelled clock to `ns`. Earlier times change nothing.
  void waitUntil(std::int64_t ns, std::uint16_t label);

  // Sets a modelled clock to `ns` without a span, when what happened until then is recorded elsewhere.
  void setModelled(std::int64_t ns) {
    if (kind_ == TimeSource::Modelled) now_ = ns;
  }

  void record(const Span& span) { spans_.push_back(span); }
  std::vector<Span>& spans() { return spans_; }

  // Makes a measured clock skip the last `ns`, which do not belong to the run.
  void skip(std::int64_t ns) { originNs_ += ns; }

 private:
  TimeSource kind_;
  int track_;
  std::int64_t originNs_;
  std::int64_t now_ = 0;
  std::int64_t begunNs_ = 0;
  std::vector<Span> spans_;
};

}  // namespace lab

// SPDX-License-Identifier: GPL-3.0-or-later
// The clock and spans of one rank. Measured: the steady clock. Modelled: a virtual clock in ns that stops while
// operations are executed; cluster/modelled_clock, which knows the step's time, advances it. Used by one thread at a
// time; the spans wait here until the trainer thread collects them in a fixed order.
#pragma once

#include <cstdint>
#include <vector>

#include "core/trace/span.h"

namespace lab {

std::int64_t steadyNs();  // the steady clock
// Puts another clock in its place, whatever thread asks; null: the real one again. For tests.
void replaceSteadyClock(std::int64_t (*now)());

class DeviceClock {
 public:
  // `originNs` is the steady time of a measured span's 0.
  DeviceClock(TimeSource kind, int lane, std::int64_t originNs) : kind_(kind), lane_(lane), originNs_(originNs) {}

  TimeSource kind() const { return kind_; }
  int lane() const { return lane_; }
  std::int64_t nowNs() const { return kind_ == TimeSource::Modelled ? now_ : steadyNs() - originNs_; }

  // Around an operation. On a modelled clock it takes no time.
  void begin() { begunNs_ = nowNs(); }
  void end(SpanKind kind, std::uint16_t label, std::int64_t count, std::int64_t bytes = 0);

  // Nothing to do until `ns`: a Wait span, and a modelled clock is set to it. Earlier times change nothing.
  void waitUntil(std::int64_t ns, std::uint16_t label);

  // A modelled clock is put to `ns` without a span, when what happened until then is recorded elsewhere.
  void setModelled(std::int64_t ns) {
    if (kind_ == TimeSource::Modelled) now_ = ns;
  }

  void record(const Span& span) { spans_.push_back(span); }
  std::vector<Span>& spans() { return spans_; }

  // A measured clock skips the last `ns`: they are no part of the run.
  void skip(std::int64_t ns) { originNs_ += ns; }

 private:
  TimeSource kind_;
  int lane_;
  std::int64_t originNs_;
  std::int64_t now_ = 0;
  std::int64_t begunNs_ = 0;
  std::vector<Span> spans_;
};

}  // namespace lab

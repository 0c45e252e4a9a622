// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/device/device_clock.h"

#include <atomic>
#include <chrono>

namespace lab {
namespace {

std::atomic<std::int64_t (*)()> replacement{nullptr};

}  // namespace

void replaceSteadyClock(std::int64_t (*now)()) {
  replacement.store(now);
}

std::int64_t steadyNs() {
  if (const auto now = replacement.load(std::memory_order_relaxed)) return now();
  return std::chrono::duration_cast<std::chrono::nanoseconds>(std::chrono::steady_clock::now().time_since_epoch())
      .count();
}

void DeviceClock::end(SpanKind kind, std::uint16_t label, std::int64_t count, std::int64_t bytes) {
  Span span;
  span.startNs = begunNs_;
  span.durationNs = nowNs() - begunNs_;
  span.bytes = bytes;
  span.count = count;
  span.track = track_;
  span.label = label;
  span.kind = kind;
  span.clock = kind_;
  spans_.push_back(span);
}

void DeviceClock::waitUntil(std::int64_t ns, std::uint16_t label) {
  const std::int64_t now = nowNs();
  if (ns <= now) return;
  Span span;
  span.startNs = now;
  span.durationNs = ns - now;
  span.track = track_;
  span.label = label;
  span.kind = SpanKind::Wait;
  span.clock = kind_;
  spans_.push_back(span);
  setModelled(ns);
}

}  // namespace lab

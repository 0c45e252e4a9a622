// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/trace/span.h"

#include "core/base/error.h"

namespace lab {

const char* toString(SpanKind kind) {
  switch (kind) {
    case SpanKind::Input:
      return "input";
    case SpanKind::Compute:
      return "compute";
    case SpanKind::Transfer:
      return "transfer";
    case SpanKind::Reduce:
      return "reduce";
    case SpanKind::Update:
      return "update";
    case SpanKind::Wait:
      return "wait";
    case SpanKind::Startup:
      return "startup";
  }
  throwBrokenInvariant("known span kind", __FILE__, __LINE__);
}

const char* toString(Clock clock) {
  return clock == Clock::Modelled ? "modelled" : "measured";
}

}  // namespace lab

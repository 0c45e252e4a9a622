// SPDX-License-Identifier: GPL-3.0-or-later
// Which slice of a trace leads to which: from what a sender did last to its transfer, and from the transfer to what the
// receiver does next, be it computing, an update or a transfer of its own. So a ring's hops hang together, and the
// arrows of a viewer end at slices, although a device's own lane is idle while a transfer runs on its link's.
#pragma once

#include <cstdint>
#include <vector>

#include "core/trace/span.h"

namespace lab {

struct TraceFlow {
  struct End {
    std::int32_t lane = -1;
    std::int64_t ns = 0;  // within a slice of that lane: its last nanosecond at the tail, its first at the head
  };
  End tail, head;
};

class TraceFlows {
 public:
  explicit TraceFlows(const TraceLegend& legend);

  // Of a run's spans, in the order in which they begin: the arrows that end at this one.
  std::vector<TraceFlow> take(const Span& span);

 private:
  struct Endpoint {
    std::vector<Span> done;      // on its own lane, lately
    std::vector<Span> received;  // transfers that nothing has followed yet
  };

  std::vector<int> endpointOf_;  // of a device's lane; -1: of a link's
  std::vector<Endpoint> endpoints_;
};

}  // namespace lab

// SPDX-License-Identifier: GPL-3.0-or-later
// Which slice of a trace leads to which: from a sender's last action to its transfer, and from the transfer to the
// receiver's next action, be it computing, an update or a transfer of its own. So the hops of a ring are connected, and
// a viewer's arrows end at slices, although a device's own track is idle while a transfer runs on its link's.
#pragma once

#include <cstdint>
#include <vector>

#include "core/trace/span.h"

namespace lab {

struct TraceFlow {
  struct End {
    std::int32_t track = -1;
    std::int64_t ns = 0;  // within a slice of that track: its last nanosecond at the tail, its first at the head
  };
  End tail, head;
};

class TraceFlows {
 public:
  explicit TraceFlows(const TraceLegend& legend);

  // Takes a run's spans in the order of their beginnings; returns the arrows that end at this span.
  std::vector<TraceFlow> take(const Span& span);

 private:
  struct Endpoint {
    std::vector<Span> done;      // recent spans on its own track
    std::vector<Span> received;  // transfers that nothing has followed yet
  };

  std::vector<int> endpointOf_;  // by track: a device's endpoint; -1 for a link's track
  std::vector<Endpoint> endpoints_;
};

}  // namespace lab

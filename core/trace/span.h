// SPDX-License-Identifier: GPL-3.0-or-later
// What happened, when, on which track: the only record behind the trace, the stage and the totals. Plain values of a
// fixed size; names are stored once, in the run's TraceLegend, as kinds with values (messages.h).
#pragma once

#include <cstdint>
#include <vector>

#include "core/base/message.h"
#include "core/trace/messages.h"

namespace lab {

enum class TimeSource : std::uint8_t {
  Modelled,  // a virtual clock in ns, advanced by the cost model; deterministic
  Measured,  // the steady clock, ns since the run began
};

enum class SpanKind : std::uint8_t {
  Input,     // a batch read, shuffled, distributed and copied to its device
  Compute,   // one operation of the forward or backward pass
  Transfer,  // bytes from one rank to another; `add`: added to the receiver's values, otherwise replacing them
  Reduce,    // gradients added on one device
  Update,    // the optimizer's pass over the variables
  Wait,      // a rank was idle until others were ready
  Startup,   // before the first step: TPU initialisation, initial broadcast
};

// 80 bytes. For transfers, `offset` and `count` are elements of the flat variable buffer (see model/layout.h); for
// compute and input, `count` is the number of examples. A parameter server's share may lie in pieces: `offset` is then
// its lowest element, and `count` the elements of all pieces.
struct Span {
  std::int64_t startNs = 0;
  std::int64_t durationNs = 0;
  std::int64_t step = 0;   // 1-based; 0 before the first step
  std::int64_t bytes = 0;  // moved by a transfer, otherwise 0
  std::int64_t offset = 0;
  std::int64_t count = 0;
  std::int64_t launchNs = 0;  // of a modelled operation: kernel launches, at its beginning. Not in run files
  std::int32_t track = -1;    // index into TraceLegend::tracks
  std::int32_t from = -1;     // ranks of a transfer: indices into TraceLegend::endpoints
  std::int32_t to = -1;
  std::int32_t round = -1;  // the schedule's step within the collective, from 0; -1 outside one
  std::int32_t pack = -1;   // which gradient pack, from 0; -1 outside one
  std::uint16_t label = 0;  // index into TraceLegend::labels
  SpanKind kind = SpanKind::Compute;
  TimeSource clock = TimeSource::Modelled;
  bool add = false;
};

// Fixed before the first step, stored once at the head of a run file.
struct TraceLegend {
  struct Endpoint {
    Message name;  // say::replicaEndpoint 0, say::serverEndpoint 1, …
    int host = 0;
  };
  struct Track {
    Message name;  // say::deviceTrack or say::linkTrack, with endpoints and hardware
    int host = 0;
    bool isLink = false;
    int endpoint = -1;  // for a device track
  };
  std::vector<Endpoint> endpoints;
  std::vector<Track> tracks;
  std::vector<Message> labels;  // say::allReduce, say::forwardOf a layer, …
};

// Limits shared by readers and writers of legends, far beyond what can be shown.
inline constexpr std::size_t kMaxEndpoints = 1 << 16, kMaxTracks = 1 << 19, kMaxLabels = 1 << 16;
inline constexpr int kMaxHosts = 1 << 16;
bool isValid(const TraceLegend& legend);

// Returns whether the span's indices lie within the legend and its times and amounts are possible in a run. Drawing and
// writing rely on this.
bool isValid(const Span& span, const TraceLegend& legend);

const char* toString(SpanKind kind);     // "compute", …
const char* toString(TimeSource clock);  // "modelled" or "measured"

}  // namespace lab

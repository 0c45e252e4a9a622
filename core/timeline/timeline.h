// SPDX-License-Identifier: GPL-3.0-or-later
// Spans arranged for drawing and counting: by track and time, with the breakdown of each device's time. A trace panel
// shows the timeline of a recorded step, an opened trace or a modelled step. Immutable once arranged; any thread.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "core/base/at.h"
#include "core/timeline/counters.h"
#include "core/trace/memory_timeline.h"
#include "core/trace/span.h"

namespace lab {

// Where a device's time went: each instant has exactly one stage, so that the stages add up.
enum class StepStage : std::uint8_t {
  Compute,     // computing, while none of its bytes are under way
  Overlapped,  // computing while bytes from it or to it are under way
  Exposed,     // not computing: waiting for its own communication
  Straggler,   // waiting for other replicas
  Input,       // waiting for its examples, or preparing them
  Launch,      // kernels being launched
  Queue,       // waiting for a server: for its link while others use it, or for its update
  Fault,       // dead, or waiting for a dead task
  Idle,        // nothing recorded; or an asynchronous worker's next cycle, in a modelled mean step
};
inline constexpr std::size_t kStages = 9;

using StageBreakdown = std::array<std::int64_t, kStages>;  // ns of each
std::int64_t sumOf(const StageBreakdown& breakdown);

struct Timeline {
  TraceLegend legend;
  TimeSource clock = TimeSource::Modelled;
  std::int64_t beginNs = 0, endNs = 0;  // of the step, or of all spans
  std::vector<Span> spans;              // by track, then begin; arrange() sorts
  std::vector<std::int64_t> launchNs;   // parallel to `spans`: time at the span's beginning spent launching kernels
  std::vector<std::size_t> source;      // parallel to `spans`: the span's index in the source
  std::uint64_t dropped = 0;            // spans that were not recorded
  std::vector<MemoryTimeline> memory;   // per rank, or of the first ones; empty: unknown

  // Sorts `spans` together with `launchNs` (which may be empty: no launches known). LAB_CHECKs that they are valid.
  void arrange();

  std::span<const Span> track(int track) const;  // sorted by begin
  std::size_t trackBegin(int track) const { return at(trackBegin_, track); }
  int tracks() const { return static_cast<int>(legend.tracks.size()); }
  const std::vector<LinkUse>& linkUse() const { return linkUse_; }  // the changes, by time

  // Returns the breakdown of [fromNs, toNs) of the track's rank; the sum is toNs - fromNs, to the nanosecond. The track
  // must belong to a device.
  StageBreakdown breakdown(int track, std::int64_t fromNs, std::int64_t toNs) const;
  // Calls `take` for each stretch in order: its stage, and the index of its span; spans.size() if nothing is recorded.
  // If several spans overlap, the innermost counts: the one that began last, and of these the first to end.
  using TakeStretch = std::function<void(StepStage stage, std::size_t span, std::int64_t ns)>;
  void divide(int track, std::int64_t fromNs, std::int64_t toNs, const TakeStretch& take) const;

 private:
  std::vector<std::size_t> trackBegin_;  // tracks + 1
  std::vector<LinkUse> linkUse_;
};

// What was sent within a period of an arranged timeline: a transfer counts by the share of its time that lies within
// the period.
struct Traffic {
  std::int64_t transfers = 0;  // that overlap the period
  double bytes = 0;
  // The most that was under way on links at once, as the counters of a Chrome trace have it.
  std::int64_t mostBytes = 0, mostLinks = 0;
};
Traffic trafficOf(const Timeline& timeline, std::int64_t fromNs, std::int64_t toNs);

}  // namespace lab

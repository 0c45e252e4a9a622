// SPDX-License-Identifier: GPL-3.0-or-later
// Spans arranged for drawing and counting: by lane and time, with the breakdown of each device's time. A trace panel
// shows one for a recorded step, an opened trace or a modelled step.
// Immutable once arranged; any thread.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "core/trace/memory_timeline.h"
#include "core/trace/span.h"

namespace lab {

// Where an instant of a device went: exactly one of these, so that they add up.
enum class StepStage : std::uint8_t {
  Compute,     // computing, and nothing of its own being sent
  Overlapped,  // computing while bytes from it or to it are under way
  Exposed,     // not computing: its own communication
  Straggler,   // waiting for other replicas
  Input,       // waiting for its examples, or preparing them
  Launch,      // kernels being launched
  Queue,       // waiting for a server: for its link while others use it, or for its update
  Fault,       // dead, or waiting for a task that is
  Idle,        // nothing recorded
};
inline constexpr std::size_t kStages = 9;

using StageBreakdown = std::array<std::int64_t, kStages>;  // ns of each
std::int64_t sumOf(const StageBreakdown& breakdown);

struct Timeline {
  TraceLegend legend;
  TimeSource clock = TimeSource::Modelled;
  std::int64_t beginNs = 0, endNs = 0;  // of the step, or of everything
  std::vector<Span> spans;              // by lane, then begin; arrange() sorts
  std::vector<std::int64_t> launchNs;   // parallel: how much of the span, at its beginning, was launching kernels
  std::vector<std::size_t> source;      // parallel: where the span was in what this was made of
  std::uint64_t dropped = 0;            // spans that were not recorded
  std::vector<MemoryTimeline> memory;   // per rank, or of the first ones; an empty one: nothing is known

  // Puts `spans` with `launchNs` (which may be empty: no launches known) into order. LAB_CHECKs that they are valid.
  void arrange();

  std::span<const Span> lane(int lane) const;  // sorted by begin
  std::size_t laneBegin(int lane) const { return laneBegin_[static_cast<std::size_t>(lane)]; }
  int lanes() const { return static_cast<int>(legend.lanes.size()); }

  // The breakdown of [fromNs, toNs) of the lane's rank; the sum is toNs - fromNs, to the nanosecond. The lane must
  // belong to a device.
  StageBreakdown breakdown(int lane, std::int64_t fromNs, std::int64_t toNs) const;
  // The same stretch by stretch, in order: its stage, and which of `spans` it belongs to; spans.size() where nothing is
  // recorded. Of several spans at a time the one that began last has it, as the innermost.
  using TakeStretch = std::function<void(StepStage stage, std::size_t span, std::int64_t ns)>;
  void divide(int lane, std::int64_t fromNs, std::int64_t toNs, const TakeStretch& take) const;

 private:
  std::vector<std::size_t> laneBegin_;  // lanes + 1
};

// What was sent within a stretch of time: a transfer counts by the share of its time that lies within it.
struct Traffic {
  std::int64_t transfers = 0;  // that touch it
  double bytes = 0;
};
Traffic trafficOf(const Timeline& timeline, std::int64_t fromNs, std::int64_t toNs);

}  // namespace lab

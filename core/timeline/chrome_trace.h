// SPDX-License-Identifier: GPL-3.0-or-later
// The spans of a run as a Chrome trace, which Perfetto (https://ui.perfetto.dev) and chrome://tracing open: a host is a
// process, a track a thread, a span a complete event ("ph":"X") with its kind as the category. Format: "Trace Event
// Format", Google, 2016. Events are written as they arrive, with the memory of one step. An extra process after the
// hosts has each step as a slice, and counters: bytes in flight, and links in use. Each device has its memory by kind
// as a counter. Arrows connect slices as trace_flows.h describes. One file has one clock: times of two clocks would
// look comparable, but are not. `otherData` has the whole legend, so that this program can open its traces again.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/file.h"
#include "core/timeline/timeline.h"
#include "core/timeline/trace_flows.h"

namespace lab {

class ChromeTraceWriter {
 public:
  // Throws a UserError if the file cannot be created.
  ChromeTraceWriter(const std::filesystem::path& path, const TraceLegend& legend, TimeSource clock);

  // Writes the spans of one batch by start, the longer first: viewers nest slices found in this order. `launchNs`,
  // empty or parallel to `spans`: the time of each span spent launching kernels (Span::launchNs).
  void add(std::span<const Span> spans, std::span<const std::int64_t> launchNs = {});

  // Takes the memory of each rank of the legend, or of the first ones; an empty time line means that nothing is known.
  void addMemory(std::span<const MemoryTimeline> memory);

  // Puts the file in place. The file states how many spans were dropped before, and for a single step when it was: such
  // a file also has the step's input before it, and messages under way after it.
  struct Bounds {
    std::int64_t beginNs = 0, endNs = 0;
  };
  void finish(std::uint64_t droppedSpans, const std::optional<Bounds>& step = std::nullopt);

 private:
  void write(const Span& span, std::int64_t launchNs);
  void endStep();
  void writeStep();
  void writeFlow(const TraceFlow& flow);
  void count(std::int64_t beforeNs);
  // Begins an event with the members that all events have. `name` is a JSON text; a negative duration means that there
  // is none.
  void begin(const std::string& name, const char* category, const char* phase, std::int64_t ns, std::int64_t durationNs,
             int process, std::size_t thread);

  PartFile file_;
  TraceLegend legend_;
  TimeSource clock_;
  std::vector<std::string> labels_, endpoints_;  // as JSON texts
  std::string buffer_;
  std::uint64_t dropped_ = 0;
  TraceFlows flows_;
  std::int64_t flowsWritten_ = 0;
  std::vector<Span> step_;      // spans of the step that is not over yet
  std::int64_t stepEndNs_ = 0;  // of the last step written
  LinkUseCounter linkUse_;
  std::vector<MemoryByKind> memory_;  // last written, per rank
};

// Writes a whole timeline as a file.
void writeChromeTrace(const std::filesystem::path& path, const Timeline& timeline);

// Limits of reading. Later spans are left out of a file and counted as dropped; a larger file is written all the same,
// because other viewers open it, and the caller tells the user.
inline constexpr std::int64_t kMaxTraceFileBytes = std::int64_t{64} << 20;
inline constexpr std::int64_t kLatestTraceNs = 4'000'000'000'000'000;  // 46 days; up to here, microseconds keep the ns

// Parses a trace that this program has written: every span as it was. Begin and end are the step's if the file covers
// one, otherwise those of all spans. Throws a UserError naming the file and its fault: another program's trace, a
// damaged or too large file.
Timeline parseChromeTrace(std::string_view text, const std::string& name);
Timeline readChromeTrace(const std::filesystem::path& path);

}  // namespace lab

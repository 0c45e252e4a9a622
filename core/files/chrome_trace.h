// SPDX-License-Identifier: GPL-3.0-or-later
// The spans of a run as a Chrome trace, which Perfetto (https://ui.perfetto.dev) and chrome://tracing open: a host is a
// process, a lane a thread, a span a complete event ("ph":"X"), its kind the category. Format: "Trace Event Format",
// Google, 2016. Written as it comes, in the memory of one step. A process behind the hosts has each step as a slice,
// and counters: bytes in flight, and links in use. Each device has its memory by kind as a counter. Arrows lead from
// slice to slice as trace_flows.h says. One file holds one clock: the times of two would look comparable and are not.
// `otherData` has the legend as we know it, so that a trace of ours can be opened again.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/file.h"
#include "core/files/trace_flows.h"
#include "core/trace/timeline.h"

namespace lab {

class ChromeTraceWriter {
 public:
  // UserError where the file cannot be created.
  ChromeTraceWriter(const std::filesystem::path& path, const TraceLegend& legend, TimeSource clock);

  // The spans of one batch are written by start, the longer first: a viewer nests what it finds in this order.
  // `launchNs`, empty or parallel: how much of each was launching kernels, as Span::launchNs says.
  void add(std::span<const Span> spans, std::span<const std::int64_t> launchNs = {});

  // Of each rank of the legend, or of the first ones; an empty one: nothing is known.
  void addMemory(std::span<const MemoryTimeline> memory);

  // The file appears under its name. It says how many spans were dropped before, and, of one step, when that was: its
  // input and what was under way are in the file as well, before and behind.
  struct Bounds {
    std::int64_t beginNs = 0, endNs = 0;
  };
  void finish(std::uint64_t droppedSpans, const std::optional<Bounds>& step = std::nullopt);

 private:
  struct Change {  // of the counters, at a moment
    std::int64_t bytes = 0, links = 0;
  };
  void write(const Span& span, std::int64_t launchNs);
  void endStep();
  void writeStep();
  void writeFlow(const TraceFlow& flow);
  void count(std::int64_t beforeNs);
  // An event, as far as all have it. `name` is a JSON text; a duration below 0: it has none.
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
  std::vector<Span> step_;                  // those of the step that is not over yet
  std::int64_t stepEndNs_ = 0;              // of the last one that was written
  std::map<std::int64_t, Change> changes_;  // that are not written yet
  std::int64_t countedNs_ = 0;              // until here they are
  Change now_;
  std::vector<MemoryByKind> memory_;  // that is written last, per rank
};

// All of a timeline as a file.
void writeChromeTrace(const std::filesystem::path& path, const Timeline& timeline);

// What is read again here. A later span is left out and counted as dropped; a longer file is written all the same, for
// other viewers open it, and whoever asked for it says so.
inline constexpr std::int64_t kMaxTraceFileBytes = std::int64_t{64} << 20;
inline constexpr std::int64_t kLatestTraceNs = 4'000'000'000'000'000;  // 46 days: below it microseconds keep the ns

// A trace that this program has written: every span as it was; begin and end are the step's where the file is of one,
// else those of all spans. UserError naming the file and what is wrong with it: another program's trace, a damaged one,
// one that is too large.
Timeline parseChromeTrace(std::string_view text, const std::string& name);
Timeline readChromeTrace(const std::filesystem::path& path);

}  // namespace lab

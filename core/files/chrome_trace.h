// SPDX-License-Identifier: GPL-3.0-or-later
// The spans of a run as a Chrome trace, which Perfetto (https://ui.perfetto.dev) and chrome://tracing open: a host is a
// process, a lane a thread, a span a complete event ("ph":"X"), its kind the category. Format: "Trace Event Format",
// Google, 2016. Written as it comes, in constant memory.
// One file holds one clock: the times of two would look comparable and are not.
// `otherData` has the legend as we know it, so that a trace of ours can be opened again.
// No flow arrows: viewers tie their ends to slices on the two devices' own lanes, which are idle while a transfer runs
// on its link's lane; each transfer names its ends in its arguments instead.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/file.h"
#include "core/trace/timeline.h"

namespace lab {

class ChromeTraceWriter {
 public:
  // UserError where the file cannot be created.
  ChromeTraceWriter(const std::filesystem::path& path, const TraceLegend& legend, TimeSource clock);

  // The spans of one batch are written by start, the longer first: a viewer nests what it finds in this order.
  // `launchNs`, empty or parallel: how much of each was launching kernels, as Span::launchNs says.
  void add(std::span<const Span> spans, std::span<const std::int64_t> launchNs = {});

  // The file appears under its name. It says how many spans were dropped before, and, of one step, when that was: its
  // input and what was under way are in the file as well, before and behind.
  struct Bounds {
    std::int64_t beginNs = 0, endNs = 0;
  };
  void finish(std::uint64_t droppedSpans, const std::optional<Bounds>& step = std::nullopt);

 private:
  void write(const Span& span, std::int64_t launchNs);

  PartFile file_;
  TraceLegend legend_;
  TimeSource clock_;
  std::vector<std::string> labels_, endpoints_;  // as JSON texts
  std::string buffer_;
  std::uint64_t dropped_ = 0;
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

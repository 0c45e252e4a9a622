// SPDX-License-Identifier: GPL-3.0-or-later
// The spans of a run as a Chrome trace, which Perfetto (https://ui.perfetto.dev) and chrome://tracing open: a host is a
// process, a lane a thread, a span a complete event ("ph":"X"), its kind the category. Format: "Trace Event Format",
// Google, 2016. Written as it comes, in constant memory.
// One file holds one clock: the times of two would look comparable and are not.
// No flow arrows: viewers tie their ends to slices on the two devices' own lanes, which are idle while a transfer runs
// on its link's lane; each transfer names its ends in its arguments instead.
#pragma once

#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "core/base/file.h"
#include "core/trace/span.h"

namespace lab {

class ChromeTraceWriter {
 public:
  // UserError where the file cannot be created.
  ChromeTraceWriter(const std::filesystem::path& path, const TraceLegend& legend, Clock clock);

  // The spans of one batch are written by start, the longer first: a viewer nests what it finds in this order.
  void add(std::span<const Span> spans);

  // The file appears under its name. What was dropped before it came here is told in the file.
  void finish(std::uint64_t droppedSpans);

 private:
  void write(const Span& span);

  PartFile file_;
  TraceLegend legend_;
  Clock clock_;
  std::vector<std::string> labels_, parties_;  // as JSON texts
  std::string buffer_;
};

}  // namespace lab

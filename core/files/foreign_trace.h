// SPDX-License-Identifier: GPL-3.0-or-later
// A Chrome trace of another program, such as TensorFlow's profiler (trace.json.gz) or PyTorch's, as lanes. Format:
// "Trace Event Format", Google, 2016: a list of events, or an object with it under traceEvents. Complete slices ("X")
// and pairs ("B", "E") are read, and the names of processes and threads ("M"); nothing else is. The text is parsed as
// it is unpacked and never kept, so that a large one takes time and not memory, and everything is bounded.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <variant>

#include "core/trace/timeline.h"

namespace lab {

struct ForeignTrace {
  enum class By { Unknown, TensorFlow, PyTorch };
  By by = By::Unknown;
  Timeline timeline;            // from 0, where its first slice begins; slices within others have lanes of their own
  std::int64_t unreadable = 0;  // slices without a time or an end
  std::int64_t beyond = 0;      // slices that one of the bounds leaves out
};

inline constexpr std::int64_t kMostForeignText = std::int64_t{256} << 20;  // unpacked
inline constexpr std::int64_t kMostForeignSlices = 500'000;
inline constexpr std::size_t kMostForeignThreads = 512;
inline constexpr int kMostForeignDepth = 16;  // of slices within one another

// Nothing where this program has written it (parseChromeTrace). UserError naming the file and what is wrong with it.
std::optional<ForeignTrace> parseForeignTrace(std::span<const std::uint8_t> bytes, const std::string& name);

// Either kind, by what is in it; compressed with gzip or not.
std::variant<Timeline, ForeignTrace> openTrace(const std::filesystem::path& path);

}  // namespace lab

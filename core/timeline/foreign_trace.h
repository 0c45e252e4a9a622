// SPDX-License-Identifier: GPL-3.0-or-later
// A Chrome trace of another program, such as TensorFlow's profiler (trace.json.gz) or PyTorch's, as tracks. Format:
// "Trace Event Format", Google, 2016: a list of events, or an object with the list under traceEvents. Only complete
// slices ("X"), pairs ("B", "E"), and the names of processes and threads ("M") are read. The text is parsed while it is
// unpacked, and never stored, so a large file takes time but not memory, and everything is bounded.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <variant>

#include "core/timeline/timeline.h"

namespace lab {

struct ForeignTrace {
  enum class By { Unknown, TensorFlow, PyTorch };
  By by = By::Unknown;
  Timeline timeline;            // from 0, where its first slice begins; nested slices have their own tracks
  std::int64_t unreadable = 0;  // slices without a time or an end
  std::int64_t beyond = 0;      // slices left out because of a limit
};

inline constexpr std::int64_t kMostForeignText = std::int64_t{256} << 20;  // unpacked
inline constexpr std::int64_t kMostForeignSlices = 500'000;
inline constexpr std::size_t kMostForeignThreads = 512;
inline constexpr int kMostForeignDepth = 16;  // of nested slices

// Returns nothing if this program wrote the trace (parseChromeTrace). Throws a UserError naming the file and its fault.
std::optional<ForeignTrace> parseForeignTrace(std::span<const std::uint8_t> bytes, const std::string& name);

// Opens either kind, by its content; compressed with gzip or not.
std::variant<Timeline, ForeignTrace> openTrace(const std::filesystem::path& path);

}  // namespace lab

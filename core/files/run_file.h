// SPDX-License-Identifier: GPL-3.0-or-later
// A run as a file, which is all that a window needs of it: gzip of JSON lines. The first line is the header; then come
// metrics (as `--metrics` writes them) and batches of spans, each span one array of whole numbers; the last line counts
// them, so that a file that was cut off is recognised. A file is validated completely before any of it is used, and
// everything read is bounded by the ceilings below, which writing keeps to as well. Of a file that was cut off, or has
// a line that cannot be, the whole lines before that are kept, and it says so. Keys that are not known are ignored, and
// lines are kept as they stand, so that a later version may add some; a file with a newer version number is refused.
#pragma once

#include <cstdint>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/message.h"
#include "core/config/lineage.h"
#include "core/files/gzip_lines.h"
#include "core/trace/metric.h"
#include "core/trace/span.h"

namespace lab {

struct RunInfo;

// What one recording may hold; at most about 2 GB of memory when read. Far beyond this, nothing is left to look at.
inline constexpr std::int64_t kMaxRunFileBytes = std::int64_t{256} << 20;
inline constexpr LineLimits kRunFileLimits{.lineBytes = std::int64_t{4} << 20,
                                           .textBytes = std::int64_t{2} << 30,
                                           .lines = 10'000'000,
                                           .fileBytes = kMaxRunFileBytes};
inline constexpr std::int64_t kMaxRecordedSpans = 4'000'000;
inline constexpr std::int64_t kMaxRecordedMetrics = 4'000'000;
inline constexpr std::int64_t kMaxRecordedOthers = std::int64_t{256} << 20;  // bytes
inline constexpr std::int64_t kMaxRecordedShards = 32'000'000;               // entries of all steps' shards together

// Which model of time made modelled times: raised where the same settings give others than before. 1: of programs whose
// training runs had a model of their own, apart from that of sweeps and what-if. 2: took every matrix unit for one of
// bfloat16, and that of tf32 for no faster with it. 3: had slower TCP and gRPC, and a slower second half of a K80.
inline constexpr int kTimeModel = 4;

struct RunHeader {
  nlohmann::json config;  // an object; what is in it is between those who write and read it
  std::string dataset;
  std::int64_t parameters = 0;
  TimeSource clock = TimeSource::Modelled;
  TraceLegend legend;
  Lineage lineage;  // of a branch; its steps begin with its own
  // Of whoever kept the run; "" where the file does not say: the program's version, when the run began (ISO 8601), and
  // what a person called it and noted.
  std::string program, began, name, note;
  int timeModel = kTimeModel;
  bool isClass = false;  // its replicas were workers that came and went: its settings alone do not give its steps
  bool olderTimes() const { return clock == TimeSource::Modelled && timeModel < kTimeModel; }
};

RunHeader headerOf(const RunInfo& info);

struct RunRecord {
  RunHeader header;
  std::vector<Metric> metrics;
  std::vector<Span> spans;
  std::uint64_t droppedSpans = 0;
  std::vector<std::string> others;  // lines of other(), as they stand: of a class what happened in which order
  // Empty where the file is whole; else what is wrong with it, and `metrics` and `spans` are of the lines before that.
  Message fault;
};

class RunFileWriter {
 public:
  // UserError where the file cannot be created.
  RunFileWriter(const std::filesystem::path& path, const RunHeader& header, std::int64_t maxSpans = kMaxRecordedSpans);

  // UserError (kind Run) when there are more than a file may hold.
  void metrics(std::span<const Metric> metrics);
  // Spans beyond maxSpans, or beyond half of what a file may hold, are left out and counted as dropped.
  void spans(std::span<const Span> spans);
  // A line of whoever keeps more: a JSON object with a key of its own, which other readers pass over. UserError (kind
  // Run) as metrics().
  void other(std::string_view line);
  // The file appears under its name. `droppedSpans`: those that never came here.
  void finish(std::uint64_t droppedSpans);

 private:
  GzipLineWriter file_;
  TraceLegend legend_;
  std::int64_t maxSpans_;
  std::int64_t metrics_ = 0, spans_ = 0, shards_ = 0;
  std::uint64_t dropped_ = 0;
};

// Lines of a run file, for whoever passes a run on in another way. The readers throw UserError as below; `where` begins
// the message.
std::string runHeaderLine(const RunHeader& header);
RunHeader runHeaderFrom(const nlohmann::json& line, const Message& where);
std::string spansLine(std::span<const Span> spans);  // at most kSpansPerLine
std::vector<Span> spansFrom(const nlohmann::json& line, const TraceLegend& legend, const Message& where);
inline constexpr std::size_t kSpansPerLine = 4096;

// Every field of every metric and span comes back as it was, but for numbers that are not finite: see metric_json.h.
// UserError naming the file, the line, and what is wrong, where not even the header is whole or the bytes are not what
// was written; then no line can be trusted.
RunRecord parseRunFile(std::span<const std::uint8_t> bytes, const std::string& name);
RunRecord readRunFile(const std::filesystem::path& path);

}  // namespace lab

// SPDX-License-Identifier: GPL-3.0-or-later
// A run as a file, which is all that a window needs of the run: gzip of JSON lines. The first line is the header; then
// come metrics (as `--metrics` writes them) and batches of spans, each span an array of whole numbers; the last line
// counts them, so that a truncated file is recognised. A file is validated completely before any of it is used, and the
// limits below bound both reading and writing. If a file is truncated, or has an invalid line, the whole lines before
// are kept, and the record says so. Unknown keys are ignored, and unknown lines are kept unchanged, so that a later
// version may add some; a file with a newer version number is refused.
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

// Limits of one recording; at most about 2 GB of memory when read. Nobody could look at more than that.
inline constexpr std::int64_t kMaxRunFileBytes = std::int64_t{256} << 20;
inline constexpr LineLimits kRunFileLimits{.lineBytes = std::int64_t{4} << 20,
                                           .textBytes = std::int64_t{2} << 30,
                                           .lines = 10'000'000,
                                           .fileBytes = kMaxRunFileBytes};
inline constexpr std::int64_t kMaxRecordedSpans = 4'000'000;
inline constexpr std::int64_t kMaxRecordedMetrics = 4'000'000;
inline constexpr std::int64_t kMaxRecordedOthers = std::int64_t{256} << 20;  // bytes
inline constexpr std::int64_t kMaxRecordedShards = 32'000'000;               // entries of all steps' shards together

// The version of the timing model: raised when the same settings give other times than before. 1: training runs had
// their own model, apart from that of sweeps and what-if. 2: assumed that every matrix unit computes bfloat16, and that
// tf32's is no faster with it. 3: had slower TCP and gRPC, and a slower second half of a K80. 4: had a
// Wi-Fi for each host under NCCL, half of the link between sockets, and TPU chips of two cores only. 5: had a host's
// NICs for each of its asynchronous workers, host 0's for every server, and NCCL's latency on every network.
inline constexpr int kTimeModel = 6;

struct RunHeader {
  nlohmann::json config;  // an object, whose content its writers and readers define
  std::string dataset;
  std::int64_t parameters = 0;
  TimeSource clock = TimeSource::Modelled;
  TraceLegend legend;
  Lineage lineage;  // for a branch, whose steps begin after its ancestors'
  // The version of the program that trained the run; when it began (ISO 8601), and a person's name and note for it,
  // which are added when a run is kept. "" if the file does not say.
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
  std::vector<std::string> others;  // lines of other(), unchanged; for a class, the order of events
  // Empty if the file is whole; otherwise its fault, and `metrics` and `spans` are those of the lines before it.
  Message fault;
};

class RunFileWriter {
 public:
  // Throws a UserError if the file cannot be created.
  RunFileWriter(const std::filesystem::path& path, const RunHeader& header, std::int64_t maxSpans = kMaxRecordedSpans);

  // Throws a UserError (kind Run) if there are more than a file may hold.
  void metrics(std::span<const Metric> metrics);
  // Spans beyond maxSpans, or beyond half of a file's limits, are left out and counted as dropped.
  void spans(std::span<const Span> spans);
  // Writes an additional line: a JSON object with its own key, which other readers skip. Throws a UserError (kind Run)
  // as metrics() does.
  void other(std::string_view line);
  // Puts the file in place. `droppedSpans`: spans that never arrived here.
  void finish(std::uint64_t droppedSpans);

 private:
  GzipLineWriter file_;
  TraceLegend legend_;
  std::int64_t maxSpans_;
  std::int64_t metrics_ = 0, spans_ = 0, shards_ = 0;
  std::uint64_t dropped_ = 0;
};

// Single lines of a run file, for sending a run by other means. The readers throw a UserError as below; `where` begins
// the message.
std::string runHeaderLine(const RunHeader& header);
RunHeader runHeaderFrom(const nlohmann::json& line, const Message& where);
std::string spansLine(std::span<const Span> spans);  // at most kSpansPerLine
std::vector<Span> spansFrom(const nlohmann::json& line, const TraceLegend& legend, const Message& where);
inline constexpr std::size_t kSpansPerLine = 4096;

// Restores every field of every metric and span, except numbers that are not finite: see metric_json.h. Throws a
// UserError naming the file, the line and the fault if the header is not whole, or if the bytes are not those that were
// written, because then no line can be trusted.
RunRecord parseRunFile(std::span<const std::uint8_t> bytes, const std::string& name, const ReadWatch& watch = {});
RunRecord readRunFile(const std::filesystem::path& path);

}  // namespace lab

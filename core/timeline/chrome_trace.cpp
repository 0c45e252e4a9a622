// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/timeline/chrome_trace.h"

#include <algorithm>
#include <array>
#include <cstdio>
#include <limits>
#include <nlohmann/json.hpp>
#include <numeric>
#include <set>
#include <tuple>

#include "core/base/at.h"
#include "core/base/error.h"
#include "core/trace/messages.h"
#include "core/trace/names.h"

namespace lab {
namespace {

constexpr std::size_t kBufferBytes = std::size_t{1} << 16;

std::string quoted(const std::string& text) {
  return nlohmann::json(text).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

// Numbers begin at 1, as viewers take 0 for the idle process. Threads are numbered through all processes.
int processOf(const TraceLegend::Track& track) {
  return track.host + 1;
}

// Returns the process after all hosts, for what belongs to no host.
int runProcessOf(const TraceLegend& legend) {
  int last = 0;
  for (const TraceLegend::Track& track : legend.tracks) last = std::max(last, processOf(track));
  return last + 1;
}

// The format's times are microseconds; three decimals keep the nanoseconds exactly.
void appendMicroseconds(std::string& out, std::int64_t ns) {
  std::array<char, 32> text{};
  std::snprintf(text.data(), text.size(), "%lld.%03d", static_cast<long long>(ns / 1000), static_cast<int>(ns % 1000));
  out += text.data();
}

std::string nameEvents(const TraceLegend& legend) {
  std::string out;
  const auto event = [&](const char* name, int process, std::size_t thread, const std::string& arguments) {
    out += (out.empty() ? "{\"name\":\"" : ",\n{\"name\":\"") + std::string(name) +
           "\",\"ph\":\"M\",\"pid\":" + std::to_string(process) + ",\"tid\":" + std::to_string(thread) + ",\"args\":{" +
           arguments + "}}";
  };
  std::set<int> hosts;
  for (const TraceLegend::Track& track : legend.tracks) hosts.insert(track.host);
  for (const int host : hosts) {
    event("process_name", host + 1, 0, "\"name\":" + quoted(nameInFile({say::hostEndpoint, host})));
    event("process_sort_index", host + 1, 0, "\"sort_index\":" + std::to_string(host));
  }
  const int run = runProcessOf(legend);
  event("process_name", run, 0, "\"name\":\"run\"");
  event("process_sort_index", run, 0, "\"sort_index\":-1");  // above the hosts
  event("thread_name", run, legend.tracks.size() + 1, "\"name\":\"steps\"");
  event("thread_sort_index", run, legend.tracks.size() + 1, "\"sort_index\":0");
  for (std::size_t i = 0; i < legend.tracks.size(); ++i) {
    const TraceLegend::Track& track = legend.tracks[i];
    event("thread_name", processOf(track), i + 1, "\"name\":" + quoted(nameInFile(track.name)));
    // Devices above links, each in the legend's order.
    event("thread_sort_index", processOf(track), i + 1,
          "\"sort_index\":" + std::to_string(i + (track.isLink ? legend.tracks.size() : 0)));
  }
  return out;
}

std::string legendText(const TraceLegend& legend) {
  nlohmann::json endpoints = nlohmann::json::array(), tracks = endpoints, labels = endpoints;
  for (const TraceLegend::Endpoint& endpoint : legend.endpoints)
    endpoints.push_back({{"name", nameInFile(endpoint.name)}, {"host", endpoint.host}});
  for (const TraceLegend::Track& track : legend.tracks)
    tracks.push_back(
        {{"name", nameInFile(track.name)}, {"host", track.host}, {"isLink", track.isLink}, {"party", track.endpoint}});
  for (const Message& label : legend.labels) labels.push_back(nameInFile(label));
  const nlohmann::json whole{{"parties", endpoints}, {"lanes", tracks}, {"labels", labels}};
  return whole.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

}  // namespace

ChromeTraceWriter::ChromeTraceWriter(const std::filesystem::path& path, const TraceLegend& legend, TimeSource clock)
    : file_(path), legend_(legend), clock_(clock), flows_(legend) {
  LAB_CHECK(isValid(legend));
  for (const Message& label : legend.labels) labels_.push_back(quoted(nameInFile(label)));
  for (const TraceLegend::Endpoint& endpoint : legend.endpoints)
    endpoints_.push_back(quoted(nameInFile(endpoint.name)));
  buffer_ = "{\"displayTimeUnit\":\"ns\",\"otherData\":{\"program\":\"StrategyLab\",\"clock\":\"" +
            std::string(toString(clock)) + "\",\"legend\":" + legendText(legend) + "},\"traceEvents\":[\n" +
            nameEvents(legend);
}

void ChromeTraceWriter::add(std::span<const Span> spans, std::span<const std::int64_t> launchNs) {
  LAB_CHECK(launchNs.empty() || launchNs.size() == spans.size());
  std::vector<std::size_t> order(spans.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order, {},
                           [&](std::size_t i) { return std::tuple(spans[i].startNs, -spans[i].durationNs); });
  for (const std::size_t i : order) write(spans[i], launchNs.empty() ? 0 : launchNs[i]);
  // A batch may end in the middle of a step, without spans of another device: a step is processed when the next begins.
  std::ranges::stable_sort(order, {}, [&](std::size_t i) { return spans[i].step; });
  for (const std::size_t i : order) {
    if (spans[i].startNs > kLatestTraceNs || spans[i].durationNs > kLatestTraceNs) continue;
    if (!step_.empty() && spans[i].step > step_.back().step) endStep();
    step_.push_back(spans[i]);
  }
}

void ChromeTraceWriter::addMemory(std::span<const MemoryTimeline> memory) {
  memory_.resize(std::max(memory_.size(), memory.size()));
  for (std::size_t i = 0; i < memory.size(); ++i) {
    const TraceLegend::Endpoint& endpoint = legend_.endpoints[i];
    for (const MemoryTimeline::Change& change : memory[i].changes) {
      if (change.bytes == memory_[i] || change.ns < 0 || change.ns > kLatestTraceNs) continue;
      memory_[i] = change.bytes;
      begin(quoted("memory of " + nameInFile(endpoint.name)), "counter", "C", change.ns, -1, endpoint.host + 1, 0);
      buffer_ += ",\"args\":{";
      for (std::size_t kind = 0; kind < kMemoryKinds; ++kind)
        buffer_ += std::string(kind > 0 ? ",\"" : "\"") + keyOf(static_cast<MemoryKind>(kind)) +
                   "\":" + std::to_string(change.bytes[kind]);
      buffer_ += "}}";
    }
  }
}

void ChromeTraceWriter::endStep() {
  if (step_.empty()) return;
  std::ranges::stable_sort(step_, {}, &Span::startNs);
  for (const Span& span : step_) {
    for (const TraceFlow& flow : flows_.take(span)) writeFlow(flow);
    linkUse_.take(span, legend_);
  }
  count(step_.front().startNs);
  writeStep();
  step_.clear();
}

// Writes the step's slice: from the previous step, or from its first span, to its last span; a batch is read before.
void ChromeTraceWriter::writeStep() {
  std::int64_t beginNs = kLatestTraceNs, endNs = 0;
  for (const Span& span : step_) {
    if (span.kind == SpanKind::Input) continue;
    beginNs = std::min(beginNs, span.startNs);
    endNs = std::max(endNs, span.startNs + span.durationNs);
  }
  beginNs = std::max(beginNs, stepEndNs_);
  const std::int64_t step = step_.back().step;
  if (step == 0 || beginNs >= endNs) return;
  stepEndNs_ = endNs;
  begin("\"step " + std::to_string(step) + "\"", "step", "X", beginNs, endNs - beginNs, runProcessOf(legend_),
        legend_.tracks.size() + 1);
  buffer_ += ",\"args\":{\"step\":" + std::to_string(step) + "}}";
}

void ChromeTraceWriter::writeFlow(const TraceFlow& flow) {
  ++flowsWritten_;
  for (const bool isHead : {false, true}) {
    const TraceFlow::End& end = isHead ? flow.head : flow.tail;
    begin("\"leads to\"", "flow", isHead ? "f" : "s", end.ns, -1, processOf(at(legend_.tracks, end.track)),
          static_cast<std::size_t>(end.track) + 1);
    buffer_ += ",\"id\":" + std::to_string(flowsWritten_) + (isHead ? ",\"bp\":\"e\"}" : "}");
  }
}

// Writes the counters' changes before a moment.
void ChromeTraceWriter::count(std::int64_t beforeNs) {
  for (const LinkUse& use : linkUse_.before(beforeNs))
    for (const bool isLinks : {false, true}) {
      begin(isLinks ? "\"links in use\"" : "\"bytes in flight\"", "counter", "C", use.ns, -1, runProcessOf(legend_), 0);
      buffer_ += ",\"args\":{\"" + std::string(isLinks ? "links" : "bytes") +
                 "\":" + std::to_string(isLinks ? use.links : use.bytes) + "}}";
    }
}

void ChromeTraceWriter::begin(const std::string& name, const char* category, const char* phase, std::int64_t ns,
                              std::int64_t durationNs, int process, std::size_t thread) {
  if (buffer_.size() >= kBufferBytes) {
    file_.write(buffer_);
    buffer_.clear();
  }
  buffer_ += ",\n{\"name\":" + name + ",\"cat\":\"" + category + "\",\"ph\":\"" + phase + "\",\"ts\":";
  appendMicroseconds(buffer_, ns);
  if (durationNs >= 0) {
    buffer_ += ",\"dur\":";
    appendMicroseconds(buffer_, durationNs);
  }
  buffer_ += ",\"pid\":" + std::to_string(process) + ",\"tid\":" + std::to_string(thread);
}

void ChromeTraceWriter::write(const Span& span, std::int64_t launchNs) {
  LAB_CHECK(isValid(span, legend_) && span.clock == clock_);
  if (span.startNs > kLatestTraceNs || span.durationNs > kLatestTraceNs) {
    ++dropped_;
    return;
  }
  const TraceLegend::Track& track = at(legend_.tracks, span.track);
  const auto argument = [&](const char* name, std::int64_t value) {
    buffer_ += ",\"";
    buffer_ += name;
    buffer_ += "\":" + std::to_string(value);
  };
  begin(labels_[span.label], toString(span.kind), "X", span.startNs, span.durationNs, processOf(track),
        static_cast<std::size_t>(span.track) + 1);
  buffer_ += ",\"args\":{\"clock\":\"" + std::string(toString(span.clock)) + "\"";
  argument("step", span.step);
  if (launchNs > 0) argument("launchNs", launchNs);
  if (span.from >= 0) buffer_ += ",\"from\":" + at(endpoints_, span.from);
  if (span.to >= 0) buffer_ += ",\"to\":" + at(endpoints_, span.to);
  if (span.round >= 0) argument("round", span.round);
  if (span.pack >= 0) argument("pack", span.pack);
  if (span.kind == SpanKind::Transfer || span.kind == SpanKind::Reduce) {
    argument("bytes", span.bytes);
    argument("firstElement", span.offset);
    argument("elements", span.count);
    buffer_ += span.add ? ",\"add\":true" : ",\"add\":false";
  } else {
    if (span.bytes > 0) argument("bytes", span.bytes);
    if (span.count > 0) argument(span.kind == SpanKind::Update ? "elements" : "examples", span.count);
  }
  buffer_ += "}}";
}

void ChromeTraceWriter::finish(std::uint64_t droppedSpans, const std::optional<Bounds>& step) {
  endStep();
  count(std::numeric_limits<std::int64_t>::max());
  buffer_ += "\n],\"droppedSpans\":" + std::to_string(droppedSpans + dropped_);
  if (step) buffer_ += ",\"stepNs\":[" + std::to_string(step->beginNs) + "," + std::to_string(step->endNs) + "]";
  file_.write(buffer_ + "}\n");
  buffer_.clear();
  file_.finish();
}

void writeChromeTrace(const std::filesystem::path& path, const Timeline& timeline) {
  ChromeTraceWriter writer(path, timeline.legend, timeline.clock);
  writer.add(timeline.spans, timeline.launchNs);
  writer.addMemory(timeline.memory);
  const ChromeTraceWriter::Bounds step{timeline.beginNs, timeline.endNs};
  writer.finish(timeline.dropped, step.beginNs < step.endNs ? std::optional(step) : std::nullopt);
}

}  // namespace lab

// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/timeline/foreign_trace.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <istream>
#include <iterator>
#include <limits>
#include <map>
#include <nlohmann/json.hpp>
#include <streambuf>
#include <tuple>
#include <utility>
#include <vector>

#include "core/base/at.h"
#include "core/base/error.h"
#include "core/base/file.h"
#include "core/base/messages.h"
#include "core/data/gzip.h"
#include "core/data/messages.h"
#include "core/timeline/chrome_trace.h"
#include "core/timeline/messages.h"
#include "core/trace/messages.h"

namespace lab {
namespace {

constexpr int kMostNesting = 64;                             // of the JSON
constexpr std::int64_t kFarthestNs = std::int64_t{1} << 61;  // so two of them are less than 2^62 apart
constexpr std::size_t kMostName = 160, kMostKey = 64;        // bytes
constexpr std::size_t kMostOfLabels = kMaxLabels - 1;        // the last label is for all others

// Shortens the text at the beginning of a character.
std::string shortened(const std::string& text, std::size_t most) {
  if (text.size() <= most) return text;
  std::size_t end = most;
  while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xC0U) == 0x80U) --end;
  return text.substr(0, end) + "…";
}

// Converts microseconds from the file's text: a double would lose the nanoseconds of a time since 1970. Returns nothing
// for a time beyond every clock.
std::optional<std::int64_t> nanosecondsOf(const std::string& written, double value) {
  if (!(std::abs(value) < static_cast<double>(kFarthestNs) / 1e3)) return std::nullopt;
  const std::size_t point = written.find('.');
  if (written.find_first_of("eE") != std::string::npos || point == std::string::npos) return std::llround(value * 1e3);
  std::int64_t ns = 0;
  const bool negative = written.front() == '-';
  for (std::size_t i = negative ? 1 : 0; i < point; ++i) ns = ns * 10 + (written[i] - '0');
  for (std::size_t i = 1; i <= 3; ++i) ns = ns * 10 + (point + i < written.size() ? written[point + i] - '0' : 0);
  if (point + 4 < written.size() && written[point + 4] >= '5') ++ns;
  return negative ? -ns : ns;
}

using Fail = std::function<void(const Message& what)>;  // throws

// The file's text, unpacked piece by piece if it is compressed.
class Unpacked final : public std::streambuf {
 public:
  Unpacked(std::span<const std::uint8_t> bytes, const std::string& name) : name_(name) {
    if (isGzip(bytes)) {
      gzip_.emplace(bytes, name);
      piece_.resize(std::size_t{1} << 16);
      return;
    }
    char* text = const_cast<char*>(reinterpret_cast<const char*>(bytes.data()));  // never written to
    setg(text, text, text + bytes.size());
  }

 protected:
  int_type underflow() override {
    const std::size_t got = gzip_ ? gzip_->read(piece_) : 0;
    if (got == 0) return traits_type::eof();
    text_ += static_cast<std::int64_t>(got);
    if (text_ > kMostForeignText) throw UserError(say::gzipTooLarge, name_, Bytes{kMostForeignText});
    char* text = reinterpret_cast<char*>(piece_.data());
    setg(text, text, text + got);
    return traits_type::to_int_type(*text);
  }

 private:
  std::string name_;
  std::optional<GzipReader> gzip_;
  std::vector<std::uint8_t> piece_;
  std::int64_t text_ = 0;
};

struct Slice {
  std::int64_t startNs = 0, durationNs = 0;
  std::int32_t thread = 0;
  std::uint16_t label = 0;
};

// Collects the events: slices by thread, and all names.
class Gathered {
 public:
  struct Event {
    bool any = false;  // false for an empty event, with which TensorFlow ends its list
    std::string phase, name, process, thread, argument;
    std::optional<std::int64_t> startNs, durationNs, sortIndex;
  };

  void add(const Event& event) {
    if (event.phase == "M") return describe(event);
    if (event.phase != "X" && event.phase != "B" && event.phase != "E") return;
    if (!event.startNs || event.durationNs.value_or(0) < 0) {
      ++unreadable_;
      return;
    }
    const int thread = threadOf(event);
    if (thread < 0) {
      ++beyond_;
    } else if (event.phase == "E") {
      end(at(threads_, thread), *event.startNs);
    } else if (room_ == 0) {
      ++beyond_;
      if (event.phase == "B") ++at(threads_, thread).unkept;
    } else {
      --room_;
      const Slice slice{*event.startNs, event.durationNs.value_or(0), thread, labelOf(event.name)};
      (event.phase == "X" ? slices_ : at(threads_, thread).open).push_back(slice);
    }
  }

  bool empty() const { return slices_.empty(); }
  bool namesDevicesAsTensorFlow() const {
    return std::ranges::any_of(processes_, [](const auto& process) {
      const std::string& name = process.second.name;
      return name.starts_with("/host:") || name.starts_with("/device:") || name.starts_with("/job:");
    });
  }
  ForeignTrace finish();

 private:
  struct Process {
    std::string name;
    std::int64_t sortIndex = 0;
  };
  struct Thread {
    std::string process, key, name;
    std::int64_t sortIndex = 0;
    std::vector<Slice> open;  // slices that have begun
    std::int64_t unkept = 0;  // begun within these, but beyond the limit
  };

  void describe(const Event& event) {
    const bool ofThread = event.name.starts_with("thread_");
    if (!ofThread && !event.name.starts_with("process_")) return;
    if (ofThread) {
      const int thread = threadOf(event);
      if (thread < 0) return;
      if (event.name == "thread_name") at(threads_, thread).name = event.argument;
      if (event.sortIndex) at(threads_, thread).sortIndex = *event.sortIndex;
      return;
    }
    if (processes_.size() >= kMostForeignThreads && !processes_.contains(event.process)) return;
    Process& process = processes_[event.process];
    if (event.name == "process_name") process.name = event.argument;
    if (event.sortIndex) process.sortIndex = *event.sortIndex;
  }

  void end(Thread& thread, std::int64_t ns) {
    if (thread.unkept > 0) {
      --thread.unkept;
    } else if (thread.open.empty()) {
      ++unreadable_;
    } else {
      Slice slice = thread.open.back();
      thread.open.pop_back();
      slice.durationNs = std::max<std::int64_t>(0, ns - slice.startNs);
      slices_.push_back(slice);
    }
  }

  int threadOf(const Event& event) {
    const auto key = std::pair(event.process, event.thread);
    if (const auto known = threadAt_.find(key); known != threadAt_.end()) return known->second;
    if (threads_.size() >= kMostForeignThreads) return -1;
    threads_.push_back({event.process, event.thread, {}, 0, {}, 0});
    return threadAt_[key] = static_cast<int>(threads_.size()) - 1;
  }

  std::uint16_t labelOf(const std::string& name) {
    const auto known = labelAt_.find(name);
    if (known != labelAt_.end()) return known->second;
    if (labelAt_.size() >= kMostOfLabels) return static_cast<std::uint16_t>(kMostOfLabels);
    return labelAt_[name] = static_cast<std::uint16_t>(labelAt_.size());
  }

  // An event need not name its process and its thread.
  std::string trackName(const Thread& thread, int depth) const {
    const auto process = processes_.find(thread.process);
    const bool named = process != processes_.end() && !process->second.name.empty();
    const std::string& ofThread = thread.name.empty() ? thread.key : thread.name;
    const std::string& ofProcess = named ? process->second.name : thread.process;
    return (ofThread.empty() ? "–" : ofThread) + (depth > 0 ? " (" + std::to_string(depth + 1) + ")" : "") +
           (ofProcess.empty() ? "" : " · ") + ofProcess;
  }
  std::vector<int> threadOrder() const;
  void placeSlices(Timeline& timeline, std::span<const Slice> slices);

  std::map<std::string, Process> processes_;
  std::vector<Thread> threads_;
  std::map<std::pair<std::string, std::string>, int> threadAt_;
  std::map<std::string, std::uint16_t> labelAt_;
  std::vector<Slice> slices_;
  std::int64_t room_ = kMostForeignSlices, unreadable_ = 0, beyond_ = 0;
};

// Returns the order that a viewer uses: by sort index, otherwise the order of appearance.
std::vector<int> Gathered::threadOrder() const {
  std::map<std::string, int> firstOf;  // of a process
  for (int i = 0; i < static_cast<int>(threads_.size()); ++i) firstOf.emplace(at(threads_, i).process, i);
  std::vector<int> order(threads_.size());
  for (int i = 0; i < static_cast<int>(order.size()); ++i) at(order, i) = i;
  std::ranges::stable_sort(order, {}, [&](int i) {
    const Thread& thread = at(threads_, i);
    const auto process = processes_.find(thread.process);
    return std::tuple(process == processes_.end() ? 0 : process->second.sortIndex, firstOf[thread.process],
                      thread.sortIndex);
  });
  return order;
}

// Places one thread's slices, sorted by start, the longer first. A slice that begins before another has ended is a
// track deeper.
void Gathered::placeSlices(Timeline& timeline, std::span<const Slice> slices) {
  std::vector<std::int64_t> ends;    // of open slices
  std::vector<std::int32_t> tracks;  // by depth
  for (const Slice& slice : slices) {
    while (!ends.empty() && ends.back() <= slice.startNs) ends.pop_back();
    const std::size_t depth = ends.size();
    ends.push_back(slice.startNs + slice.durationNs);
    if (depth >= static_cast<std::size_t>(kMostForeignDepth)) {
      ++beyond_;
      continue;
    }
    if (depth == tracks.size()) {
      tracks.push_back(static_cast<std::int32_t>(timeline.legend.tracks.size()));
      const Thread& thread = at(threads_, slice.thread);
      timeline.legend.tracks.push_back({{say::verbatim, trackName(thread, static_cast<int>(depth))}, 0, false, -1});
    }
    Span span;
    span.startNs = slice.startNs;
    span.durationNs = slice.durationNs;
    span.track = tracks[depth];
    span.label = slice.label;
    span.clock = TimeSource::Measured;
    timeline.spans.push_back(span);
    timeline.endNs = std::max(timeline.endNs, slice.startNs + slice.durationNs);
  }
}

ForeignTrace Gathered::finish() {
  for (const Thread& thread : threads_) unreadable_ += std::ssize(thread.open);  // slices that never ended
  ForeignTrace trace;
  trace.timeline.clock = TimeSource::Measured;
  trace.timeline.legend.labels.resize(labelAt_.size(), {say::verbatim, std::string()});
  for (const auto& [name, label] : labelAt_) trace.timeline.legend.labels[label] = {say::verbatim, name};
  if (labelAt_.size() == kMostOfLabels) trace.timeline.legend.labels.push_back({say::verbatim, "…"});
  const std::int64_t origin = std::ranges::min(slices_, {}, &Slice::startNs).startNs;
  std::vector<int> placeOf(threads_.size());
  const std::vector<int> order = threadOrder();
  for (std::size_t i = 0; i < order.size(); ++i) at(placeOf, order[i]) = static_cast<int>(i);
  std::erase_if(slices_, [&](Slice& slice) {
    slice.startNs -= origin;
    const bool far = slice.durationNs >= kFarthestNs || slice.startNs + slice.durationNs >= 2 * kFarthestNs;
    unreadable_ += far ? 1 : 0;
    return far;
  });
  std::ranges::stable_sort(slices_, {}, [&](const Slice& slice) {
    return std::tuple(at(placeOf, slice.thread), slice.startNs, -slice.durationNs);
  });
  for (auto first = slices_.begin(); first != slices_.end();) {
    const auto last = std::find_if(first, slices_.end(), [&](const Slice& s) { return s.thread != first->thread; });
    placeSlices(trace.timeline, {first, last});
    first = last;
  }
  trace.timeline.arrange();
  trace.unreadable = unreadable_;
  trace.beyond = beyond_;
  return trace;
}

// nlohmann's parser passes on what it reads, and stores nothing.
class EventReader {
 public:
  using number_integer_t = nlohmann::json::number_integer_t;
  using number_unsigned_t = nlohmann::json::number_unsigned_t;
  using number_float_t = nlohmann::json::number_float_t;
  using string_t = nlohmann::json::string_t;
  using binary_t = nlohmann::json::binary_t;

  explicit EventReader(Fail fail) : fail_(std::move(fail)) {}

  bool isOurs() const { return ours_; }
  bool hasList() const { return hasList_; }
  Gathered& gathered() { return gathered_; }
  ForeignTrace::By by() const {
    return pyTorch_                                              ? ForeignTrace::By::PyTorch
           : tensorFlow_ || gathered_.namesDevicesAsTensorFlow() ? ForeignTrace::By::TensorFlow
                                                                 : ForeignTrace::By::Unknown;
  }

  bool null() { return true; }
  bool boolean(bool /*value*/) { return true; }
  bool binary(binary_t& /*value*/) { return true; }
  bool number_integer(number_integer_t value) { return number({}, static_cast<double>(value), value); }
  bool number_unsigned(number_unsigned_t value) {
    const auto most = static_cast<number_unsigned_t>(std::numeric_limits<std::int64_t>::max());
    return number({}, static_cast<double>(value), static_cast<std::int64_t>(std::min(value, most)));
  }
  bool number_float(number_float_t value, const string_t& written) { return number(written, value, std::nullopt); }
  bool string(string_t& value) {
    if (depth_ == 2 && outer_ == "otherData" && key_ == "program" && value == "StrategyLab") {
      ours_ = true;
      return false;  // nothing else is needed
    }
    if (isInEvent()) {
      if (key_ == "ph") event_.phase = shortened(value, kMostKey);
      if (key_ == "name") event_.name = shortened(value, kMostName);
      if (key_ == "pid") event_.process = shortened(value, kMostKey);
      if (key_ == "tid") event_.thread = shortened(value, kMostKey);
    } else if (isInArguments() && key_ == "name") {
      event_.argument = shortened(value, kMostName);
    }
    return true;
  }
  bool start_object(std::size_t /*size*/) {
    if (listDepth_ > 0 && depth_ == listDepth_) event_ = {};
    if (isInEvent()) inArguments_ = key_ == "args";
    return deeper();
  }
  bool key(string_t& key) {
    if (key.size() > kMostKey) key.resize(kMostKey);
    if (depth_ == 1) {
      outer_ = key;
      pyTorch_ = pyTorch_ || key == "schemaVersion" || key == "deviceProperties";
    }
    tensorFlow_ = tensorFlow_ || (depth_ == 2 && outer_ == "metadata" && key == "highres-ticks");
    if (isInEvent()) event_.any = true;
    key_ = key;
    return true;
  }
  bool end_object() {
    if (isInEvent() && event_.any) gathered_.add(event_);
    --depth_;
    return true;
  }
  bool start_array(std::size_t /*size*/) {
    if (listDepth_ == 0 && (depth_ == 0 || (depth_ == 1 && outer_ == "traceEvents"))) {
      listDepth_ = depth_ + 1;
      hasList_ = true;
    }
    if (isInEvent()) inArguments_ = false;
    return deeper();
  }
  bool end_array() {
    if (depth_ == listDepth_) listDepth_ = -1;  // the list of events is over
    --depth_;
    return true;
  }
  bool parse_error(std::size_t position, const std::string& /*last*/, const nlohmann::json::exception& /*why*/) {
    errorAt_ = static_cast<std::int64_t>(position);
    return false;
  }
  // `atEnd`: at the end of the text. The format allows a list without its closing bracket.
  void checkEnd(bool atEnd) const {
    if (errorAt_ && !(atEnd && listDepth_ == 1 && depth_ == 1)) fail_({say::traceNotJsonAt, Count{*errorAt_}});
  }

 private:
  bool isInEvent() const { return listDepth_ > 0 && depth_ == listDepth_ + 1; }
  bool isInArguments() const { return listDepth_ > 0 && depth_ == listDepth_ + 2 && inArguments_; }
  bool deeper() {
    if (++depth_ > kMostNesting) fail_(say::traceTooDeep);
    return true;
  }
  bool number(const std::string& written, double value, std::optional<std::int64_t> whole) {
    if (isInEvent()) {
      if (key_ == "ts") event_.startNs = time(written, value, whole);
      if (key_ == "dur") event_.durationNs = time(written, value, whole).value_or(-1);
      if (key_ == "pid") event_.process = std::to_string(whole.value_or(std::llround(std::clamp(value, -1e15, 1e15))));
      if (key_ == "tid") event_.thread = std::to_string(whole.value_or(std::llround(std::clamp(value, -1e15, 1e15))));
    } else if (isInArguments() && key_ == "sort_index") {
      event_.sortIndex = whole;
    }
    return true;
  }
  static std::optional<std::int64_t> time(const std::string& written, double value, std::optional<std::int64_t> whole) {
    if (!whole) return nanosecondsOf(written, value);
    return std::abs(value) < static_cast<double>(kFarthestNs) / 1e3 ? std::optional(*whole * 1000) : std::nullopt;
  }

  Fail fail_;
  std::optional<std::int64_t> errorAt_;
  Gathered gathered_;
  Gathered::Event event_;
  std::string key_, outer_;        // the latest key, and that of the outermost object
  int depth_ = 0, listDepth_ = 0;  // listDepth_: depth within the list of events; -1: it has ended
  bool inArguments_ = false, ours_ = false, hasList_ = false, pyTorch_ = false, tensorFlow_ = false;
};

}  // namespace

std::optional<ForeignTrace> parseForeignTrace(std::span<const std::uint8_t> bytes, const std::string& name) {
  const Fail fail = [&name](const Message& what) { throw UserError(say::noTraceOfAnybody, name, what); };
  Unpacked buffer(bytes, name);
  std::istream text(&buffer);
  EventReader reader(fail);
  nlohmann::json::sax_parse(text, &reader);
  if (reader.isOurs()) return std::nullopt;
  reader.checkEnd(text.eof());
  if (!reader.hasList()) fail(say::noTraceEvents);
  if (reader.gathered().empty()) fail(say::noEvents);
  ForeignTrace trace = reader.gathered().finish();
  if (trace.timeline.spans.empty()) fail(say::noEvents);
  trace.by = reader.by();
  return trace;
}

std::variant<Timeline, ForeignTrace> openTrace(const std::filesystem::path& path) {
  const std::vector<std::uint8_t> bytes = readFile(path, kMaxTraceFileBytes);
  if (auto foreign = parseForeignTrace(bytes, path.string())) return *std::move(foreign);
  const std::vector<std::uint8_t> text = isGzip(bytes) ? gunzip(bytes, kMaxTraceFileBytes, path.string()) : bytes;
  return parseChromeTrace({reinterpret_cast<const char*>(text.data()), text.size()}, path.string());
}

}  // namespace lab

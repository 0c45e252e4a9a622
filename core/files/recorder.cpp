// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/files/recorder.h"

#include <algorithm>
#include <iterator>

#include "core/base/file.h"
#include "core/config/resolved_settings.h"
#include "core/files/metric_json.h"
#include "core/files/run_file.h"
#include "core/options/config_field.h"
#include "core/timeline/chrome_trace.h"

namespace lab {

struct Recorder::State {
  RunInfo info;
  Telemetry& telemetry;
  std::unique_ptr<PartFile> metrics;
  std::unique_ptr<ChromeTraceWriter> trace;
  std::unique_ptr<RunFileWriter> run;
  std::vector<Span> spans;
  std::vector<std::int64_t> launchNs;  // of `spans`, for the trace
  std::vector<std::filesystem::path> older;
};

Recorder::Recorder(const RunInfo& info, Telemetry& telemetry, const std::string& program)
    : state_(new State{.info = info, .telemetry = telemetry}) {
  const ResolvedSettings& config = info.config;
  // The steps before the checkpoint are in files of the same names, which the same command names again.
  if (config.resume && info.firstStep > 1)
    for (const std::string& file : {config.metrics, config.trace, config.run})
      if (!file.empty())
        std::ranges::copy(keepOlder(file, "before-step-" + std::to_string(info.firstStep)),
                          std::back_inserter(state_->older));
  if (!config.metrics.empty()) state_->metrics = std::make_unique<PartFile>(config.metrics);
  if (!config.trace.empty()) state_->trace = std::make_unique<ChromeTraceWriter>(config.trace, info.legend, info.clock);
  if (!config.run.empty()) {
    RunHeader header = headerOf(info);
    header.program = program;
    state_->run = std::make_unique<RunFileWriter>(config.run, header);
  }
  telemetry.setSpansWanted(state_->trace || state_->run);
  telemetry.setMemoryWanted(state_->trace != nullptr);
}

Recorder::~Recorder() = default;

const std::vector<std::filesystem::path>& Recorder::older() const {
  return state_->older;
}

std::vector<Metric> Recorder::drain() {
  State& s = *state_;
  std::vector<Metric> metrics = s.telemetry.takeMetrics();
  if (s.metrics)
    for (const Metric& metric : metrics) s.metrics->write(toJsonLine(metric) + "\n");
  s.spans.clear();
  s.telemetry.drainSpans(s.spans);
  if (s.trace) {
    s.launchNs.clear();
    for (const Span& span : s.spans) s.launchNs.push_back(span.launchNs);
    s.trace->add(s.spans, s.launchNs);
    for (const std::vector<MemoryTimeline>& step : s.telemetry.takeMemory()) s.trace->addMemory(step);
  }
  if (s.run) {
    s.run->metrics(metrics);
    s.run->spans(s.spans);
  }
  return metrics;
}

void Recorder::addToRun(const std::string& line) {
  if (state_->run) state_->run->other(line);
}

std::vector<Metric> Recorder::finish() {
  State& s = *state_;
  std::vector<Metric> metrics = drain();
  if (s.metrics) s.metrics->finish();
  if (s.trace) s.trace->finish(s.telemetry.droppedSpans());
  if (s.run) s.run->finish(s.telemetry.droppedSpans());
  return metrics;
}

}  // namespace lab

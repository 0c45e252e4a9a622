// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/experiment.h"

#include <algorithm>
#include <exception>
#include <filesystem>
#include <optional>
#include <system_error>
#include <utility>
#include <variant>

#include "app/cli/cli.h"
#include "app/cli/progress.h"
#include "core/base/at.h"
#include "core/base/error.h"
#include "core/base/units.h"
#include "core/files/recorder.h"
#include "core/model/neural_network.h"
#include "core/options/config_field.h"
#include "core/options/network_of.h"
#include "core/prediction/step_timeline.h"
#include "core/process/peers.h"
#include "core/strategy/strategy.h"
#include "core/timeline/chrome_trace.h"
#include "core/timeline/link_bytes.h"
#include "core/trace/telemetry.h"
#include "core/training/process_role.h"

namespace lab::cli {
namespace {

void take(Outcome& outcome, const Metric& metric) {
  if (const auto* step = std::get_if<StepMetric>(&metric)) {
    outcome.lastStep = *step;
    outcome.lastFull.take(*step);
    outcome.bytesSent += step->bytesSent;
    outcome.stepNs += step->stepNs;
    if (step->staleness) {
      outcome.hasStaleness = true;
      outcome.stalenessSum += *step->staleness;
    }
  } else if (const auto* eval = std::get_if<EvalMetric>(&metric)) {
    outcome.lastEval = *eval;
  }
}

void takeBusiestLink(Outcome& outcome, const StepRecord& record) {
  const std::optional<LinkBytes> most = busiestLink(outcome.info.legend, record);
  if (!most) return;
  outcome.busiestLink = format(at(outcome.info.legend.tracks, most->track).name);
  outcome.busiestLinkBytes = most->bytes;
}

void takeTrace(Outcome& outcome, const StepRecord& record) {
  takeBusiestLink(outcome, record);
  outcome.trace = timelineFromZero(outcome.info, record);
  outcome.traceStep = record.metric.step;
  outcome.traceExamples = record.metric.distributed();
  outcome.traceStepNs = record.metric.stepNs;
}

// If an error leaves its scope. A run of several processes is told of by the program that has started them.
class Unfinished {
 public:
  explicit Unfinished(const ResolvedSettings& config) : outputs_{config.metrics, config.trace, config.run} {}
  ~Unfinished() {
    if (std::uncaught_exceptions() > 0 && !process::peers()) tellUnfinished(outputs_);
  }

 private:
  std::vector<std::string> outputs_;
};

// Notes the assumptions of modelled times.
void tellOfHardware(const ResolvedSettings& config, const Outcome& outcome, const ExperimentOptions& options) {
  if (!options.silent && outcome.steady && !outcome.steady->memory.fits())
    say("note: " + doesNotFit(networkOf(config)->key(), config.largestShare(), outcome.steady->memory));
  if (const Message note = familyNote(catalogueOf(config).device(config.deviceModel)); !note.empty())
    say("note: " + format(note));
}

}  // namespace

double Outcome::perStep(std::int64_t sum) const {
  return tally.steps == 0 ? 0.0 : static_cast<double>(sum) / static_cast<double>(tally.steps);
}

std::optional<double> Outcome::stalenessMean() const {
  if (!hasStaleness) return std::nullopt;
  return perStep(stalenessSum);
}

std::optional<std::int64_t> Outcome::divergedAt() const {
  const std::optional<std::size_t> index = tally.divergence.index();
  if (!index) return std::nullopt;
  return lastStep->step - tally.steps + 1 + static_cast<std::int64_t>(*index);
}

std::optional<double> Outcome::modelledMeanPerSecond() const {
  if (!tally.modelled || tally.seconds <= 0) return std::nullopt;
  return tally.imagesPerSecond();
}

void tellStopped(std::int64_t step, bool files) {
  say("stopped after step " + formatCount(step) + (files ? "; the files that were asked for are written." : "."));
}

void tellUnfinished(const std::vector<std::string>& outputs) {
  std::string names;
  std::error_code ignored;
  for (const std::string& file : outputs)
    if (!file.empty() && std::filesystem::exists(file + ".part", ignored))
      names += (names.empty() ? "'" : ", '") + file + ".part'";
  if (!names.empty()) say("note: the run has left unfinished: " + names);
}

void tellNothingTrained(std::int64_t checkpointStep, std::int64_t totalSteps, const std::string& what) {
  say("note: the newest checkpoint is of step " + formatCount(checkpointStep) + ", and this " + what + " has " +
      counted(totalSteps, "step") + ": nothing was trained. Give more --steps or --epochs.");
}

std::string dataText(const RunInfo& info) {
  return info.dataset + " (" + (info.datasetSource == "embedded" ? "built-in" : info.datasetSource) + ")";
}

std::string describe(const RunInfo& info) {
  const std::int64_t replicas = info.config.replicas, hosts = info.config.hosts;
  std::string text = std::string(strategyKey(info.config.strategy)) + ": " + counted(replicas, "replica");
  if (hosts > 1) text += " on " + counted(hosts, "host");
  text += info.clock == TimeSource::Modelled ? ", modelled time (" + info.config.deviceModel + ")" : ", measured time";
  return text + "; " + dataText(info) + ", " + counted(info.trainExamples, "training image") + "; " +
         counted(info.totalSteps, "step");
}

std::string doesNotFit(const std::string& network, std::int64_t batch, const DeviceMemory& memory) {
  return network + " with " + formatCount(batch) + " examples on a device does not fit: " + format(memory.endpoint) +
         " (" + memory.device + ") has " + formatBytes(static_cast<std::int64_t>(memory.deviceBytes)) +
         ", which first runs out in \"" + format(memory.firstTooMuchIn) + "\", and needs " +
         formatBytes(sumOf(memory.most)) + " or more. The times are those of a device with enough memory.";
}

Outcome runExperiment(const ResolvedSettings& asked, std::shared_ptr<const Dataset> dataset,
                      const std::function<void(const Metric&)>& sink, const ExperimentOptions& options) {
  ResolvedSettings config = withTarget(asked, options.target);
  TargetWatch watch(options.target, config);
  Telemetry telemetry;
  Trainer trainer(config, std::move(dataset), telemetry);
  Recorder recorder(trainer.info(), telemetry, STRATEGYLAB_VERSION);
  const Unfinished unfinished(config);
  for (const std::filesystem::path& file : recorder.older())
    say("note: what the run had written before is now '" + file.string() + "'.");
  Outcome outcome;
  outcome.info = trainer.info();
  outcome.steady = steadyStep(outcome.info.config);
  if (!options.silent) say(describe(outcome.info));
  if (outcome.info.clock == TimeSource::Modelled) tellOfHardware(config, outcome, options);

  Progress progress(outcome.info, outcome.steady, std::string(strategyKey(config.strategy)), options.quiet);
  const auto pass = [&](const std::vector<Metric>& metrics) {
    for (const Metric& metric : metrics) {
      take(outcome, metric);
      watch.take(metric);
      if (!options.silent) progress.show(metric);
      sink(metric);
    }
  };
  // Records the first step, with what begins a run, and then the second, or the first that sends, if there is one.
  if (options.comparing) telemetry.requestRecord();
  const std::int64_t before = nextExchange(config, 2) - 1;
  while (!trainer.finished() && !watch.isOver() && !agreed(config, interrupted())) {
    trainer.step();
    watch.afterStep(trainer);
    pass(recorder.drain());
    if (const auto record = telemetry.takeRecord(); record && record->metric.distributed() >= outcome.traceExamples)
      takeTrace(outcome, *record);
    if (options.comparing && watch.tally().steps == before) telemetry.requestRecord();
  }
  outcome.interrupted = !trainer.finished() && !watch.isOver();
  try {
    outcome.end = trainer.finish();
  } catch (const UserError&) {
    pass(recorder.finish());  // what was recorded is intact all the same
    throw;
  }
  pass(recorder.finish());
  outcome.tally = watch.tally();
  if (options.comparing) outcome.weights = trainer.weights();

  std::error_code error;
  if (!config.trace.empty() &&
      static_cast<std::int64_t>(std::filesystem::file_size(config.trace, error)) > kMaxTraceFileBytes && !error)
    say("note: '" + config.trace + "' is larger than the " + formatBytes(kMaxTraceFileBytes) +
        " that StrategyLab's own trace view opens. Perfetto opens it; with fewer --steps the window does, too.");
  const bool spansAsked = !config.trace.empty() || !config.run.empty();
  if (spansAsked && telemetry.droppedSpans() > 0)
    say("note: the buffer had no room for " + counted(static_cast<std::int64_t>(telemetry.droppedSpans()), "span") +
        ", so the trace is without them; use fewer replicas to record them all.");
  return outcome;
}

}  // namespace lab::cli

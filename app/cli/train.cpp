// SPDX-License-Identifier: GPL-3.0-or-later
// strategylab-cli train: one run.
#include <algorithm>
#include <cstdio>
#include <memory>
#include <nlohmann/json.hpp>
#include <variant>

#include "app/cli/cli.h"
#include "app/cli/experiment.h"
#include "app/cli/kept.h"
#include "app/cli/options.h"
#include "app/cli/table.h"
#include "app/cli/watched.h"
#include "core/base/platform.h"
#include "core/base/units.h"
#include "core/experiments/sweep.h"
#include "core/experiments/tensorboard.h"
#include "core/files/metric_json.h"
#include "core/launching/forwarded_inputs.h"
#include "core/launching/processes.h"
#include "core/options/config_field.h"
#include "core/options/derived_settings.h"
#include "core/options/keras_notes.h"
#include "core/options/resolve.h"
#include "core/prediction/hardware.h"
#include "core/process/messages.h"
#include "core/process/task_config.h"
#include "core/strategy/strategy.h"

namespace lab::cli {
namespace {

std::string perSecond(double rate) {
  return formatRounded(rate) + " images/s";
}

// Returns notes on modelled times if such hardware does not exist.
std::string modelledAs(const Outcome& outcome) {
  std::string text = whyExtrapolated(outcome.info.config).empty() ? "" : ", extrapolated";
  if (!whyFloat32(outcome.info.config).empty()) text += ", at the float32 rate";
  if (outcome.steady && !outcome.steady->memory.fits()) text += ", does not fit the memory";
  return text;
}

void printSummary(const Outcome& outcome) {
  const RunInfo& info = outcome.info;
  Table table({{"", Table::Align::Left}, {"", Table::Align::Left}});
  table.add({"strategy", strategyInfo(info.config.strategy).name + ", replicas: " + formatCount(info.config.replicas)});
  table.add({"data set", dataText(info)});
  table.add({"steps", formatCount(outcome.end.steps) + " of " + formatCount(info.totalSteps)});
  if (outcome.lastStep) {
    table.add({"last training loss", formatFixed(outcome.lastStep->loss, 4)});
    table.add({"last training accuracy", formatPercent(outcome.lastStep->accuracy)});
  }
  if (const auto step = outcome.divergedAt())
    table.add(
        {"diverged", "at step " + formatCount(*step) + ": start again with a lower learning rate or with warm-up"});
  if (outcome.lastEval) {
    table.add({"test loss", formatFixed(outcome.lastEval->testLoss, 4)});
    table.add({"test accuracy", formatPercent(outcome.lastEval->testAccuracy)});
  }
  if (outcome.lastStep && outcome.lastStep->noiseScale)
    table.add({"gradient noise scale", formatFixed(*outcome.lastStep->noiseScale, 0) +
                                           " examples: about the critical batch, where steps and examples are both "
                                           "twice their least"});
  if (!info.reducer.empty()) table.add({"reducer", info.reducer});
  if (outcome.tally.steps == 0) return print(table.text());
  table.add({"bytes sent per step", formatBytes(static_cast<std::int64_t>(outcome.perStep(outcome.bytesSent)))});
  if (const auto staleness = outcome.stalenessMean()) table.add({"staleness, mean", formatFixed(*staleness, 2)});
  const auto seconds = [](double value) { return formatDuration(static_cast<std::int64_t>(value * 1e9)); };
  table.add({"measured here, mean of the run",
             perSecond(outcome.end.imagesPerSecond) + ", " + seconds(outcome.end.seconds) + " in all"});
  // The steps of asynchronous workers overlap, so the rate is not one step's images over its time.
  const bool several = !strategyInfo(info.config.strategy).synchronous && info.config.replicas > 1;
  if (const auto& steady = outcome.steady)
    table.add({"modelled, steady",
               perSecond(steady->imagesPerSecond) + ", " + formatDuration(steady->stepNs) + " a step of " +
                   (several ? "the slowest of " + counted(info.config.replicas, "worker") + ", " : "") +
                   (steady->used < steady->examples ? formatCount(steady->used) + " of " : "") +
                   counted(steady->examples, "image") + modelledAs(outcome)});
  // The rate of a resumed run is of the steps taken here; its time is the whole run's, as in the last metric.
  if (const auto rate = outcome.modelledMeanPerSecond())
    table.add({"modelled, mean " + (info.firstStep > 1 ? "since step " + formatCount(info.firstStep) : "of the run"),
               perSecond(*rate) + ", " + seconds(outcome.end.modelledSeconds.value_or(outcome.tally.seconds)) +
                   " in all" + modelledAs(outcome)});
  if (outcome.end.copiesShared) table.add({"replicas' copies", "one in memory, shared by all: nothing to compare"});
  if (outcome.end.mirrorsIdentical)
    table.add({"replicas' copies", *outcome.end.mirrorsIdentical ? "identical bit by bit" : "DIFFERENT"});
  print(table.text());
}

// The event file of a run under way; it begins with the run's first metric, of its first step.
class RunEvents {
 public:
  RunEvents(std::string folder, const ResolvedSettings& config) : folder_(std::move(folder)), config_(config) {
    if (!folder_.empty()) makeSweepFolder(folder_);  // fails before a long run rather than after it
  }
  void add(const Metric& metric) {
    if (folder_.empty()) return;
    if (!file_) {
      file_.emplace(folder_, firstStepOf(metric));
      file_->begin(hyperparametersOf(config_));
      file_->steady(config_);
    }
    file_->add(metric);
  }
  void end(bool diverged) {
    if (file_) file_->end(diverged);
  }

 private:
  // A run that is resumed after its end takes no step, and keeps the existing steps.
  static std::int64_t firstStepOf(const Metric& metric) {
    if (const auto* step = std::get_if<StepMetric>(&metric)) return step->step;
    if (const auto* eval = std::get_if<EvalMetric>(&metric)) return eval->step + 1;
    return std::get<EndMetric>(metric).steps + 1;
  }

  std::string folder_;
  const ResolvedSettings& config_;
  std::optional<EventFile> file_;
};

// Prepared for one of several processes, or the only one; `config` omits what the other processes need not do.
struct Preparations {
  ResolvedSettings config;
  std::shared_ptr<const Dataset> dataset;
  bool tells = true;
};

Preparations prepare(RunSettings asked, bool handsFiles) {
  if (asked.devices != DeviceChoice::Processes) {
    Preparations alone{resolve(asked), nullptr, true};
    alone.dataset = openDataset(alone.config);
    return alone;
  }
  const std::shared_ptr<process::Peers> peers = process::join();
  catchStopSignals();
  peers->whenHanging(
      [](const Message& why) { isWatched() ? sayFailure(why) : say("strategylab-cli: " + format(why)); });
  process::takeTaskConfig(peers->rank());
  if (handsFiles && peers->isChief()) {
    setForwarded(takeForwardedInput(stdin));
    takeForwarded(asked);
  }
  shareFiles(*peers, asked);
  peers->setAlike(true);
  Preparations ready{resolve(asked), nullptr, peers->isChief()};
  peers->setAlike(false);
  try {
    ready.dataset = openDataset(ready.config);
  } catch (const UserError& error) {
    throw UserError(error.kind(), say::examplesFailThere, peers->nameOf(peers->rank()), error.message());
  }
  peers->setAlike(true);
  compareProcesses(*peers, ready.config, ready.dataset, STRATEGYLAB_VERSION);
  peers->setAlike(false);
  if (!ready.tells)
    for (std::string* file : {&ready.config.save, &ready.config.metrics, &ready.config.trace, &ready.config.run})
      file->clear();
  return ready;
}

// If one file has the spans of several processes, tells the maximum error between their times.
void tellClocks(const SettingsBase& config) {
  const std::shared_ptr<process::Peers> peers = process::peers();
  if (!peers || peers->size() == 1 || (config.trace.empty() && config.run.empty())) return;
  std::int64_t errorNs = 0;
  for (const process::Peers::Offset& offset : peers->offsets()) errorNs = std::max(errorNs, offset.errorNs);
  say("note: the clocks of the " + formatCount(peers->size()) +
      " processes are aligned in the trace; what remains is " + formatDuration(errorNs) + " at most.");
}

// The last metric's line also says if no such hardware exists, if the device has no units for the operands, or if no
// device's memory holds the step.
std::string lineOf(const Metric& metric, const ResolvedSettings& config) {
  if (!std::holds_alternative<EndMetric>(metric)) return toJsonLine(metric);
  nlohmann::ordered_json line = toJson(metric);
  if (!whyExtrapolated(config).empty()) line["extrapolated"] = true;
  if (!whyFloat32(config).empty()) line["modelledAsFloat32"] = true;
  if (const auto steady = steadyStep(config); steady && !steady->memory.fits()) line["fits"] = false;
  return line.dump();
}

// Reports what was requested but did not happen.
void tellWhatIsMissing(const Outcome& outcome) {
  const ResolvedSettings& config = outcome.info.config;
  if (config.resume && outcome.tally.steps == 0 && !outcome.interrupted)
    tellNothingTrained(outcome.end.steps, outcome.info.totalSteps, "run");
  if (!config.noiseScale || !outcome.lastStep || outcome.lastStep->noiseScale) return;
  const bool compares = strategyInfo(config.strategy).synchronous && config.replicas > 1;
  say(compares ? "note: --noise-scale has no estimate yet: it needs more steps."
               : "note: --noise-scale compares the gradients of replicas in one step, and this run has one at a time.");
}

// Options for starters of several processes.
struct StartedAs {
  std::string watchFolder;
  bool handsFiles = false, launched = false;
};

int train(const RunSettings& asked, bool asJson, const std::string& eventFolder, const StartedAs& started) {
  refuseImpossibleHardware(asked);
  asked.devices == DeviceChoice::Processes ? catchCtrlC() : catchInterrupts();
  const std::string& watchFolder = started.watchFolder;
  if (!watchFolder.empty()) beginWatched();
  const auto [config, dataset, tells] = prepare(asked, started.handsFiles);
  if (!watchFolder.empty()) return trainWatched(config, dataset, watchFolder, tells);
  if (!tells) {
    (void)runExperiment(config, dataset, [](const Metric&) {}, {.quiet = true, .silent = true});
    process::setPeers(nullptr);
    return 0;
  }
  if (asked.dataset == "auto" && dataset->name != "mnist")
    say("MNIST was not found, so this run uses the " + dataset->name + " (" + dataset->source +
        "). `strategylab-cli data fetch mnist` gets it.");
  if (dataset->leftOut > 0)
    say("note: " + counted(dataset->leftOut, "file") + " in '" + dataset->source +
        "' left out. `strategylab-cli data verify '" + dataset->source + "'` says which, and why.");
  for (const Message& note : notTakenOfKeras(config)) say("note: " + format(note));
  for (const Message& why : {idleSharding(config), idlePacks(config), whyExtrapolated(config), whyFloat32(config)})
    if (!why.empty()) say("note: " + format(why));
  tellWhatIsReplaced(config);
  const bool quiet = asJson && terminalColumns(stdout) > 0;
  RunEvents events(eventFolder, config);
  CheckpointReporter kept(config, started.launched);
  const auto sink = [&](const Metric& metric) {
    kept.take(metric);
    if (asJson) printOfRun(lineOf(metric, config) + "\n");
    events.add(metric);
  };
  const Outcome outcome = runExperiment(config, dataset, sink, {.quiet = quiet});
  tellClocks(config);
  tellWhatIsMissing(outcome);
  process::setPeers(nullptr);
  if (!outcome.interrupted) events.end(outcome.tally.diverged);
  if (!asJson) printSummary(outcome);
  if (outcome.interrupted) tellStopped(outcome.end.steps, hasOutputs(config) || !eventFolder.empty());
  checkPrinted();
  return outcome.interrupted ? kInterrupted : 0;
}

}  // namespace

void addTrain(CLI::App& app, Action& action) {
  CLI::App* command = app.add_subcommand("train", "Train a network under one strategy.");
  const auto options = std::make_shared<ConfigOptions>();
  options->addAll(*command);
  const CLI::Option* events =
      addValue(*command, "--tensorboard", "DIR",
               "Write a TensorBoard event file in this folder: loss, accuracy, learning rate, images/s, and the "
               "settings as hyperparameters.",
               "Output");
  const CLI::Option* json = addJson(*command);
  const CLI::Option* watched = addValue(
      *command, "--watched", "DIR",
      "For the window, which starts processes: take steps as standard input says, and leave records in this folder.",
      "Output");
  const CLI::Option* handed = command->add_flag("--handed")
                                  ->description(
                                      "For launch and the window, which start processes: the first one reads the "
                                      "contents of files from standard input.")
                                  ->group("Output");
  const CLI::Option* launched =
      command->add_flag("--launched")
          ->description("For launch, which starts processes: the first one tells it of checkpoints.")
          ->group("Output");
  command->callback([=, &action] {
    action = [=] {
      return train(options->read(), flagOf(json), textOf(events).value_or(""),
                   {textOf(watched).value_or(""), flagOf(handed), flagOf(launched)});
    };
  });
}

}  // namespace lab::cli

// SPDX-License-Identifier: GPL-3.0-or-later
// strategylab-cli compare: the same experiment under several strategies, side by side.
#include <algorithm>
#include <array>
#include <cmath>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>

#include "app/cli/cli.h"
#include "app/cli/experiment.h"
#include "app/cli/messages.h"
#include "app/cli/options.h"
#include "app/cli/table.h"
#include "core/base/error.h"
#include "core/base/file.h"
#include "core/base/json.h"
#include "core/base/platform.h"
#include "core/base/sentence.h"
#include "core/base/suggest.h"
#include "core/base/units.h"
#include "core/experiments/comparison.h"
#include "core/experiments/report.h"
#include "core/experiments/weight_distance.h"
#include "core/files/metric_json.h"
#include "core/options/config_field.h"
#include "core/options/derived_settings.h"
#include "core/options/messages.h"
#include "core/options/output_files.h"
#include "core/prediction/hardware.h"
#include "core/strategy/strategy.h"

namespace lab::cli {
namespace {

using nlohmann::json;

std::vector<StrategyKind> chosenStrategies(const CLI::Option* option) {
  std::vector<StrategyKind> kinds;
  std::vector<std::string> keys;
  std::vector<std::string> all;  // tf.distribute's
  for (const StrategyInfo& info : strategies()) {
    keys.push_back(info.key);
    if (!info.beyondTensorFlow) all.push_back(info.key);
  }
  std::vector<std::string> names = isGiven(option) ? listOf(option, say::strategyTwice) : all;
  if (names == std::vector<std::string>{"all"}) names = all;
  if (std::ranges::find(names, "all") != names.end()) throw UserError(say::allStandsAlone, Option{"strategies"});
  for (const std::string& name : names) {
    bool found = false;
    for (const StrategyInfo& info : strategies()) {
      if (info.key != name) continue;
      kinds.push_back(info.kind);
      found = true;
    }
    if (!found) throw UserError(say::nameSomeOf, Option{"strategies"}, unknownName(say::strategyWord, name, keys));
  }
  return kinds;
}

// Says that tf.distribute lacks the strategy; empty if it has it.
Message whyBeyond(const ResolvedSettings& config) {
  return strategyInfo(config.strategy).beyondTensorFlow ? Message(say::isBeyondTensorFlow) : Message();
}

// Returns the band of published steps with the same bottleneck as the steady step, beside which it stands.
std::optional<ErrorBand> bandOf(const Outcome& outcome) {
  return outcome.steady ? lab::bandOf(outcome.info.config, outcome.steady->bound) : std::nullopt;
}

json toJson(const Outcome& outcome, double weightDistance, const Target& target) {
  const ResolvedSettings& config = outcome.info.config;
  const auto orNull = [](const auto& value) { return value ? json(*value) : json(nullptr); };
  // JSON has no form for a number that overflowed; null stands for it.
  const auto finite = [](double value) { return std::isfinite(value) ? json(value) : json(nullptr); };
  json run{{"strategy", std::string(strategyKey(config.strategy))},
           {"beyondTensorFlow", strategyInfo(config.strategy).beyondTensorFlow},
           {"replicas", config.replicas},
           {"hosts", config.hosts},
           {"steps", outcome.end.steps},
           {"images", outcome.tally.examples},
           {"dataset", outcome.end.dataset},
           {"reducer", outcome.info.reducer},
           {"seconds", outcome.end.seconds},
           {"imagesPerSecond", outcome.end.imagesPerSecond},
           {"bytesSentPerStep", outcome.perStep(outcome.bytesSent)},
           {kCopiesKey, outcome.end.copiesShared ? json(kSharedCopies) : orNull(outcome.end.mirrorsIdentical)},
           {"stalenessMean", orNull(outcome.stalenessMean())},
           {"weightDistance", finite(weightDistance)},
           {"busiestLink", outcome.busiestLink.empty() ? json(nullptr) : json(outcome.busiestLink)},
           {"diverged", outcome.tally.diverged},
           {"complete", !outcome.interrupted}};
  if (!outcome.busiestLink.empty()) run["busiestLinkBytes"] = outcome.busiestLinkBytes;
  if (target.accuracy) {
    run["stepsToTarget"] = orNull(outcome.tally.stepsToTarget);
    run["examplesToTarget"] = orNull(outcome.tally.examplesToTarget);
    run[outcome.tally.modelled ? "modelledSecondsToTarget" : "secondsToTarget"] = orNull(outcome.tally.secondsToTarget);
  }
  if (config.globalBatch > 0) run["globalBatch"] = config.globalBatch;
  run["batchPerReplica"] = config.batchPerReplica;
  if (outcome.lastStep) run["loss"] = finite(outcome.lastStep->loss);
  if (outcome.lastEval) {
    run["testLoss"] = finite(outcome.lastEval->testLoss);
    run["testAccuracy"] = finite(outcome.lastEval->testAccuracy);
  }
  if (outcome.info.clock == TimeSource::Modelled) {
    run["modelledSeconds"] = orNull(outcome.end.modelledSeconds);
    run["modelledImagesPerSecond"] = run["modelledMeanImagesPerSecond"] = orNull(outcome.modelledMeanPerSecond());
    run["modelledStepNs"] = outcome.perStep(outcome.stepNs);
    if (outcome.steady) {
      run["modelledSteadyImagesPerSecond"] = outcome.steady->imagesPerSecond;
      run["modelledSteadyStepNs"] = outcome.steady->stepNs;
      run["fits"] = outcome.steady->memory.fits();
    }
    run["extrapolated"] = !whyExtrapolated(config).empty();
    run["modelledAsFloat32"] = !whyFloat32(config).empty();
    if (const auto band = bandOf(outcome))
      run["modelledStepBand"] = {{"bound", std::string(boundKey(band->bound))},
                                 {"points", band->points},
                                 {"low", band->low},
                                 {"high", band->high}};
  } else {
    run["stepNs"] = outcome.perStep(outcome.stepNs);
  }
  return run;
}

std::vector<std::string> row(const Outcome& outcome) {
  const auto staleness = outcome.stalenessMean();
  const auto mean = outcome.modelledMeanPerSecond();
  const auto& steady = outcome.steady;
  const auto band = bandOf(outcome);
  const auto identical = outcome.end.mirrorsIdentical;
  std::string accuracy = outcome.lastEval ? formatPercent(outcome.lastEval->testAccuracy) : "-";
  if (const auto at = outcome.divergedAt()) accuracy += ", diverged at step " + formatCount(*at);
  return {std::string(strategyKey(outcome.info.config.strategy)) + (outcome.interrupted ? " (stopped)" : ""),
          formatCount(outcome.info.config.replicas),
          formatCount(outcome.end.steps),
          accuracy,
          outcome.lastEval ? formatFixed(outcome.lastEval->testLoss, 4) : "-",
          formatRounded(outcome.end.imagesPerSecond),
          steady ? formatRounded(steady->imagesPerSecond) : "-",
          mean ? formatRounded(*mean) : "-",
          steady ? formatDuration(steady->stepNs) : "-",
          band ? bandRange(*band) : "-",
          formatBytes(std::llround(outcome.perStep(outcome.bytesSent))),
          staleness ? formatFixed(*staleness, 2) : "-",
          identical                  ? (*identical ? "yes" : "NO")
          : outcome.end.copiesShared ? kSharedCopies
                                     : "-"};
}

const std::vector<Table::Column>& columns() {
  const auto right = Table::Align::Right;
  static const std::vector<Table::Column> all{{"strategy"},
                                              {"replicas", right},
                                              {"steps", right},
                                              {"test accuracy", right},
                                              {"test loss", right},
                                              {"measured images/s, mean", right},
                                              {"modelled images/s, steady", right},
                                              {"modelled images/s, mean", right},
                                              {"modelled step, steady", right},
                                              {"published", right},
                                              {"sent/step", right},
                                              {"staleness", right},
                                              {"copies identical", right},
                                              {"weight distance", right},
                                              {"steps to target", right}};
  return all;
}

struct CompareRequest {
  Target target;
  std::string report;  // file; "": none
  bool asJson = false;
};

// Trains one strategy. `run` takes what there is of it, also where this throws. `first` has the first strategy's final
// weights, or nothing if it failed.
json trainOne(const ResolvedSettings& config, const std::shared_ptr<const Dataset>& dataset,
              const CompareRequest& request, ReportRun& run, std::optional<std::vector<float>>& first) {
  const bool quiet = request.asJson && terminalColumns(stdout) > 0;
  Outcome outcome = runExperiment(config, dataset, [&](const Metric& metric) { run.take(metric); },
                                  {.quiet = quiet, .target = request.target, .comparing = true});
  run.config = outcome.info.config;
  run.dataset = outcome.end.dataset;
  run.trace = std::exchange(outcome.trace, std::nullopt);
  run.traceStep = outcome.traceStep;
  run.traceExamples = outcome.traceExamples;
  run.traceStepNs = outcome.traceStepNs;
  if (outcome.lastFull.step()) run.band = lab::bandOf(outcome.info.config, *outcome.lastFull.step());
  const std::vector<float> weights = std::exchange(outcome.weights, {});
  if (!first) first = weights;
  const double apart = first->empty() ? std::nan("") : weightDistance(weights, *first);
  const RunTally& tally = outcome.tally;
  run.cells = row(outcome);
  run.cells.push_back(first->empty() ? "-" : apart == 0 ? "0" : scientific(apart));
  run.cells.push_back(tally.stepsToTarget       ? formatCount(*tally.stepsToTarget)
                      : request.target.accuracy ? "not reached"
                                                : "-");
  return toJson(outcome, apart, request.target);
}

int compare(const GivenFields& given, const std::vector<StrategyKind>& kinds, const CompareRequest& request) {
  if (!request.report.empty()) {
    checkEnding({"report"}, request.report, say::htmlWritten, ".html .htm .xhtml");
    checkWritable(request.report);
  }
  catchInterrupts();
  refuseImpossibleHardware(configOf(given));
  const Comparison comparison = planComparison(given, kinds);
  // The runs agree in everything that decides the data, so all of them share it.
  const std::shared_ptr<const Dataset> dataset = openDataset(comparison.runs.front());
  Table table(columns());
  Report report{.version = STRATEGYLAB_VERSION};
  for (const Table::Column& column : columns()) report.heads.push_back(column.title);
  std::vector<Message> notes = comparison.notes;
  for (const ResolvedSettings& config : comparison.runs)
    for (Message& why : std::array{whyBeyond(config), idleSharding(config), idlePacks(config), whyExtrapolated(config),
                                   whyFloat32(config)})
      if (!why.empty()) notes.emplace_back(say::ofStrategy, std::string(strategyKey(config.strategy)), std::move(why));
  for (const Message& note : notes) {
    say("note: " + format(note));
    report.notes.push_back(format(note));
  }
  std::optional<std::vector<float>> first;
  bool failed = false;
  for (const ResolvedSettings& config : comparison.runs) {
    if (interrupted()) break;
    ReportRun run;
    run.name = strategyKey(config.strategy);
    run.config = config;
    run.dataset = dataset->name;
    json line;
    try {
      line = trainOne(config, dataset, request, run, first);
    } catch (const UserError& error) {
      if (error.kind() == UserError::Kind::Request) throw;  // it is wrong for the others as well
      failed = true;
      if (!first) first.emplace();
      say("strategylab-cli: " + run.name + ": " + sentence(error.what()));
      line = {{"strategy", run.name}, {"failed", error.what()}};
      run.cells = {run.name + " (failed)"};
      run.cells.resize(columns().size(), "-");
    }
    table.add(run.cells);
    if (request.asJson) printOfRun(jsonLine(line) + "\n");
    report.runs.push_back(std::move(run));
  }
  if (!request.asJson) printOfRun(table.text());
  if (!request.report.empty() && !report.runs.empty()) writeFileAtomically(request.report, report.html());
  checkPrinted();
  if (!interrupted()) return failed ? 1 : 0;
  say("stopped; the runs that were begun are shown and their files are written.");
  return kInterrupted;
}

}  // namespace

void addCompare(CLI::App& app, Action& action) {
  CLI::App* command = app.add_subcommand("compare", "The same experiment under several strategies, side by side.");
  command->footer(
      "A file given for --save, --metrics, --trace or --run, and a --checkpoint-dir, is kept per strategy:\n"
      "run.jsonl becomes run-mirrored.jsonl. --steps and the other counts of steps are multiplied by the number of\n"
      "workers for parameter-server, where a step belongs to one worker, so that all see the same examples.\n"
      "steady: for full batches, as the model has it. mean: over the run, including the remainder of an epoch.\n"
      "published: how much longer than modelled the steps of 9 in 10 published measurements with the same bottleneck\n"
      "took: computing, sending within a host, between hosts, or to and from parameter servers (`validate` prints\n"
      "each). weight distance: |w - w0| / |w0| to the first strategy's weights at the end. With a target and without\n"
      "--steps and --epochs each run ends where it reaches the target, or after 20 epochs. A target does not go with\n"
      "--resume: what is counted would begin at the checkpoint.\n"
      "With --json one line per strategy; \"modelledStepBand\": its \"bound\", \"points\", \"low\" and \"high\", as "
      "fractions;\n"
      "\"modelledSteadyImagesPerSecond\", \"modelledSteadyStepNs\": of full batches; "
      "\"modelledMeanImagesPerSecond\", and\n\"modelledImagesPerSecond\" and \"modelledStepNs\": the mean of the run.");
  const CLI::Option* names =
      addValue(*command, "--strategies", "A,B,…",
               "Which to compare, each once, with the same settings; all: those of tf.distribute. [all]", "Strategy");
  const CLI::Option* target =
      addValue(*command, "--target-accuracy", "X", "Also count steps, examples and time to this test accuracy, 0 to 1.",
               "Strategy");
  const CLI::Option* report = addValue(
      *command, "--report", "FILE",
      "Write a report to this file (HTML that needs no other files): settings and where they differ, the table, "
      "where the step's time goes, curves.",
      "Output");
  const auto options = std::make_shared<ConfigOptions>();
  const std::string others = otherDefaults(kComparedReplicas, [](const StrategyInfo& info) {
    return info.singleReplica ? 1 : std::max(kComparedReplicas, info.defaultReplicas);
  });
  for (const ConfigField& field : configFields()) {
    if (field.name == "strategy") continue;
    options->add(*command, field.name,
                 field.name == "replicas"            ? std::to_string(kComparedReplicas) + "; " + others
                 : field.name == "global-batch"      ? std::to_string(kComparedGlobalBatch)
                 : field.name == "batch-per-replica" ? "64 for 4 replicas: all strategies have one global batch"
                                                     : "");
  }
  const CLI::Option* asJson = addJson(*command);
  command->callback([=, &action] {
    action = [=] {
      return compare(options->given(), chosenStrategies(names),
                     {targetOf(target, options->given()), textOf(report).value_or(""), flagOf(asJson)});
    };
  });
}

}  // namespace lab::cli

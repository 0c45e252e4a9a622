// SPDX-License-Identifier: GPL-3.0-or-later
// strategylab-cli serve: a class trains. The class's server is a program of its own (app/class); this one says how, and
// writes the files.
#include <memory>
#include <nlohmann/json.hpp>
#include <variant>
#include <vector>

#include "app/cli/class_program.h"
#include "app/cli/cli.h"
#include "app/cli/experiment.h"
#include "app/cli/options.h"
#include "app/cli/progress.h"
#include "app/cli/table.h"
#include "core/base/error.h"
#include "core/base/messages.h"
#include "core/base/units.h"
#include "core/files/metric_json.h"
#include "core/files/recorder.h"
#include "core/launching/run_stream.h"
#include "core/model/keras_file.h"
#include "core/model/safetensors.h"
#include "core/options/resolve.h"
#include "core/serving/class_link.h"
#include "core/serving/class_settings.h"
#include "core/strategy/strategy.h"

namespace lab::cli {
namespace {

constexpr const char* kUsualAddress = "127.0.0.1:0";

// What a class decides by itself, or does not have.
const std::vector<std::string_view> kNotOfAClass{"devices",     "device-model", "link",           "host-link",
                                                 "hosts",       "worker-hosts", "worker-devices", "catalogue",
                                                 "slow",        "reducer",      "bytes-per-pack", "matmul",
                                                 "threads",     "split",        "auto-shard",     "files",
                                                 "noise-scale", "trace",        "checkpoint-dir", "checkpoint-every",
                                                 "resume"};

struct ServeOptions {
  ConfigOptions config;
  const CLI::Option *listen = nullptr, *deadline = nullptr, *json = nullptr;
};

void writeWeights(const RunInfo& info, const std::string& bytes) {
  const Layout &weights = info.network->layout(), &moving = info.network->statistics();
  std::vector<float> values(static_cast<std::size_t>(weights.size() + moving.size()));
  if (bytes.size() != values.size() * sizeof(float)) throw UserError(UserError::Kind::Run, say::classProgramUnreadable);
  std::copy_n(bytes.data(), bytes.size(), reinterpret_cast<char*>(values.data()));
  const auto all = std::span<const float>(values);
  const auto first = static_cast<std::size_t>(weights.size());
  TensorFile tensors = weightsToTensors(weights, all.first(first));
  tensors.tensors.merge(weightsToTensors(moving, all.subspan(first)).tensors);
  const ResolvedSettings& config = info.config;
  if (isKerasFile(config.save))
    writeKerasFile(config.save, *info.network, tensors, {config.optimizer, config.learningRate, config.momentum});
  else
    writeSafetensors(config.save, tensors);
}

// What the class tells, into files and onto the terminal.
class Listening {
 public:
  Listening(const RunInfo& info, Telemetry& telemetry, bool asJson)
      : info_(info),
        telemetry_(telemetry),
        recorder_(info, telemetry),
        progress_(info, std::nullopt, "class", asJson && terminalColumns(stdout) > 0),
        asJson_(asJson) {}

  void take(const nlohmann::json& line) {
    if (line.contains("link")) {
      asJson_ ? print(line.dump() + "\n") : print(line.at("link").get<std::string>() + "\n");
    } else if (line.contains("joined")) {
      const auto& who = line.at("joined");
      names_[who.at("worker")] = who.at("name");
      ++joined_;
      const std::string nickname = who.at("nickname");
      say(who.at("name").get<std::string>() + (nickname.empty() ? "" : " (" + nickname + ")") + " has joined (" +
          who.at("path").get<std::string>() + ").");
    } else if (line.contains("left")) {
      const std::string why = line.at("why");
      say(names_[line.at("left")] + (why.empty() ? " has left." : " was sent away: " + why));
    } else if (line.contains("lost")) {
      ++lost_;
      say(names_[line.at("lost")] + "'s closure goes to another worker.");
    } else if (line.contains("weights")) {
      weights_ += bytesOfText(line.at("weights").get<std::string>());
    } else if (line.contains("over")) {
      isOver_ = true;
    } else if (line.contains("event")) {
      add(metricFromJson(line, {say::verbatim, "the class's program"}));
    }
  }

  bool isOver() const { return isOver_; }

  void finish() {
    EndMetric end;
    end.steps = steps_;
    end.seconds = static_cast<double>(wallNs_) / 1e9;
    end.imagesPerSecond = end.seconds > 0 ? static_cast<double>(examples_) / end.seconds : 0;
    end.dataset = info_.dataset;
    end.parameters = info_.parameters;
    add(end);
    (void)recorder_.finish();
    if (!info_.config.save.empty()) writeWeights(info_, weights_);
    if (!asJson_) printSummary(end);
  }

 private:
  void add(const Metric& metric) {
    if (const auto* step = std::get_if<StepMetric>(&metric)) {
      steps_ = step->step;
      examples_ += step->examples;
      wallNs_ += step->wallNs;
      staleness_ += step->staleness.value_or(0);
      lastLoss_ = step->loss;
    } else if (const auto* eval = std::get_if<EvalMetric>(&metric)) {
      accuracy_ = eval->testAccuracy;
    }
    telemetry_.metric(metric);
    for (const Metric& each : recorder_.drain()) {
      if (asJson_) print(toJsonLine(each) + "\n");
      progress_.show(each);
    }
  }

  void printSummary(const EndMetric& end) {
    const StrategyInfo& strategy = strategyInfo(info_.config.strategy);
    Table table({{"", Table::Align::Left}, {"", Table::Align::Left}});
    table.add({"strategy", strategy.name + ", for a class: " + counted(joined_, "worker") + " joined, " +
                               counted(lost_, "closure") + " done again"});
    table.add({"data set", info_.dataset + " (" + info_.datasetSource + ")"});
    table.add({"steps", formatCount(end.steps) + " of " + formatCount(info_.totalSteps)});
    if (end.steps > 0) table.add({"last training loss", formatFixed(lastLoss_, 4)});
    if (accuracy_) table.add({"test accuracy", formatPercent(*accuracy_)});
    if (!strategy.synchronous && end.steps > 0)
      table.add({"staleness, mean", formatFixed(static_cast<double>(staleness_) / static_cast<double>(end.steps), 2)});
    table.add({"measured here, mean of the run", formatInteger(end.imagesPerSecond) + " images/s, " +
                                                     formatDuration(static_cast<std::int64_t>(wallNs_)) + " in all"});
    print(table.text());
  }

  const RunInfo& info_;
  Telemetry& telemetry_;
  Recorder recorder_;
  Progress progress_;
  const bool asJson_;
  std::map<int, std::string> names_;
  std::string weights_;
  std::int64_t steps_ = 0, examples_ = 0, wallNs_ = 0, staleness_ = 0, joined_ = 0, lost_ = 0;
  double lastLoss_ = 0;
  std::optional<double> accuracy_;
  bool isOver_ = false;
};

ResolvedSettings settingsOf(const ServeOptions& options) {
  GivenFields given = options.config.given();
  const bool named = std::ranges::any_of(given, [](const auto& each) { return each.first->name == "strategy"; });
  if (!named) given.emplace_back(&configField("strategy"), "parameter-server");
  RunSettings asked = configOf(given);
  asked.threads = 1;
  // What is measured, where the strategy can be at all without a modelled clock.
  if (!strategyInfo(asked.strategy).modelledOnly()) asked.devices = DeviceChoice::Cpu;
  return resolve(asked);
}

int serve(const ServeOptions& options) {
  const ResolvedSettings config = settingsOf(options);
  const std::string listen = serving::parseListenAddress(textOf(options.listen).value_or(kUsualAddress)).text();
  const double deadline = realOf(options.deadline, 5, 0.5, 3600);
  catchInterrupts();
  const std::shared_ptr<const Dataset> dataset = openDataset(config);
  serving::checkClass(config, *dataset);
  Telemetry telemetry;
  RunInfo info = Trainer(config, dataset, telemetry).info();
  info.clock = TimeSource::Measured;
  Listening listening(info, telemetry, flagOf(options.json));
  const bool waits =
      std::ranges::any_of(options.config.given(), [](const auto& each) { return each.first->name == "replicas"; });
  ClassProgram program("serve", {{"settings", configToJson(withoutOutputs(config))},
                                 {"listen", listen},
                                 {"firstWorkers", waits ? config.replicas : 1},
                                 {"silentMs", static_cast<std::int64_t>(deadline * 1000)}});
  bool asked = false;
  while (true) {
    if (interrupted() && !std::exchange(asked, true)) program.order("stop");
    if (const auto line = program.next(kClassListenMs))
      listening.take(*line);
    else if (program.hasEnded())
      break;
  }
  if (!listening.isOver()) throw UserError(UserError::Kind::Run, say::classProgramEnded, 0);
  listening.finish();
  return asked ? kInterrupted : 0;
}

}  // namespace

void addServe(CLI::App& app, Action& action) {
  CLI::App* command = app.add_subcommand(
      "serve",
      "A class trains together: workers join with the link that is printed first, come and go, and each gradient "
      "counts "
      "as it comes (parameter-server), or in step (--strategy mirrored or backup-workers). Listens on one address "
      "alone, without encryption: everybody on that network can read what is sent, which are the examples and the "
      "weights. With --replicas the first step waits for so many workers. Ends after --steps updates; Ctrl-C ends it "
      "earlier, and writes what was asked for.");
  const auto options = std::make_shared<ServeOptions>();
  options->listen = addValue(*command, "--listen", "ADDRESS:PORT",
                             "The address of this machine that workers reach, and a port; 0 picks a free one. "
                             "Default: 127.0.0.1:0, for workers on this machine.");
  options->deadline = addValue(*command, "--deadline", "SECONDS",
                               "A worker that is not heard for this many seconds loses its closure to another. "
                               "Default: 5.");
  options->config.add(*command, "strategy", "parameter-server");
  options->config.add(*command, "replicas", "1: the first who joins begins");
  std::vector<std::string_view> others = kNotOfAClass;
  others.insert(others.end(), {"strategy", "replicas"});
  options->config.addAll(*command, others);
  options->json = addJson(*command);
  command->callback([=, &action] { action = [=] { return serve(*options); }; });
}

}  // namespace lab::cli

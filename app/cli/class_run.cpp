// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/class_run.h"

#include <algorithm>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <span>
#include <utility>
#include <variant>

#include "app/cli/class_program.h"
#include "app/cli/cli.h"
#include "app/cli/messages.h"
#include "app/cli/progress.h"
#include "app/cli/table.h"
#include "core/base/error.h"
#include "core/base/messages.h"
#include "core/base/platform.h"
#include "core/base/units.h"
#include "core/files/metric_json.h"
#include "core/files/recorder.h"
#include "core/launching/run_stream.h"
#include "core/model/keras_file.h"
#include "core/model/safetensors.h"
#include "core/options/network_of.h"
#include "core/options/resolve.h"
#include "core/serving/class_settings.h"
#include "core/strategy/strategy.h"

namespace lab::cli {
namespace {

// What the class tells, into files and onto the terminal.
class Listening {
 public:
  Listening(const RunInfo& info, Telemetry& telemetry, bool asJson, bool tellsLink)
      : info_(info),
        telemetry_(telemetry),
        recorder_(info, telemetry),
        progress_(info, std::nullopt, "class", asJson && terminalColumns(stdout) > 0),
        asJson_(asJson),
        tellsLink_(tellsLink) {}

  void take(const nlohmann::json& line) {
    if (line.contains("link")) {
      link_ = line.at("link");
      if (!tellsLink_) return;
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
    } else if (line.contains("class")) {
      recorder_.addToRun(line.dump());
    } else if (line.contains("over")) {
      isOver_ = true;
    } else if (line.contains("event")) {
      add(metricFromJson(line, {say::verbatim, "the class's program"}));
    }
  }

  bool isOver() const { return isOver_; }
  const std::string& link() const { return link_; }  // "": not yet

  void finish() {
    EndMetric end;
    end.steps = steps_;
    end.seconds = static_cast<double>(wallNs_) / 1e9;
    end.imagesPerSecond = end.seconds > 0 ? static_cast<double>(examples_) / end.seconds : 0;
    end.dataset = info_.dataset;
    end.parameters = info_.parameters;
    add(end);
    (void)recorder_.finish();
    std::vector<float> values(weights_.size() / sizeof(float));
    std::copy_n(weights_.data(), values.size() * sizeof(float), reinterpret_cast<char*>(values.data()));
    saveClassWeights(info_.config, values);
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
  const bool asJson_, tellsLink_;
  std::string link_;
  std::map<int, std::string> names_;
  std::string weights_;
  std::int64_t steps_ = 0, examples_ = 0, wallNs_ = 0, staleness_ = 0, joined_ = 0, lost_ = 0;
  double lastLoss_ = 0;
  std::optional<double> accuracy_;
  bool isOver_ = false;
};

// The workers that `launch` starts: each a program of its own, which joins as any other does.
class OwnWorkers {
 public:
  void start(int count, const std::string& link, std::int64_t threads) {
    for (int w = 0; w < count; ++w)
      programs_.push_back(
          std::make_unique<ClassProgram>("join", nlohmann::json{{"link", link}, {"name", ""}, {"threads", threads}}));
  }

  // What they say is what the class says of them; but not why one could not work.
  void listen() {
    for (auto& program : programs_) {
      if (!program) continue;
      try {
        while (program->next(0)) {
        }
        if (program->hasEnded()) program = nullptr;
      } catch (const UserError& error) {
        say("a worker has ended: " + std::string(error.what()));
        program = nullptr;
        ++failed_;
      }
    }
  }

  bool haveAllFailed() const { return !programs_.empty() && failed_ == programs_.size(); }

 private:
  std::vector<std::unique_ptr<ClassProgram>> programs_;
  std::size_t failed_ = 0;
};

}  // namespace

const std::vector<std::string_view>& optionsNotOfAClass() {
  static const std::vector<std::string_view> all{"devices",     "device-model", "link",           "host-link",
                                                 "hosts",       "worker-hosts", "worker-devices", "catalogue",
                                                 "slow",        "reducer",      "bytes-per-pack", "matmul",
                                                 "threads",     "split",        "auto-shard",     "files",
                                                 "noise-scale", "trace",        "checkpoint-dir", "checkpoint-every",
                                                 "resume"};
  return all;
}

void saveClassWeights(const ResolvedSettings& config, const std::vector<float>& variables) {
  if (config.save.empty()) return;
  const auto network = networkOf(config);
  const Layout &weights = network->layout(), &moving = network->statistics();
  if (std::ssize(variables) != weights.size() + moving.size())
    throw UserError(UserError::Kind::Run, say::classProgramUnreadable);
  const auto all = std::span<const float>(variables);
  const auto first = static_cast<std::size_t>(weights.size());
  TensorFile tensors = weightsToTensors(weights, all.first(first));
  tensors.tensors.merge(weightsToTensors(moving, all.subspan(first)).tensors);
  if (isKerasFile(config.save))
    writeKerasFile(config.save, *network, tensors, {config.optimizer, config.learningRate, config.momentum});
  else
    writeSafetensors(config.save, tensors);
}

ResolvedSettings classSettings(GivenFields given) {
  const bool named = std::ranges::any_of(given, [](const auto& each) { return each.first->name == "strategy"; });
  if (!named) given.emplace_back(&configField("strategy"), "parameter-server");
  for (const auto& [field, value] : given)
    if (std::ranges::find(optionsNotOfAClass(), field->name) != optionsNotOfAClass().end())
      throw UserError(say::notOfAClass, Option{field->name});
  RunSettings asked = configOf(given);
  asked.threads = 1;
  // What is measured, where the strategy can be at all without a modelled clock.
  if (!strategyInfo(asked.strategy).modelledOnly()) asked.devices = DeviceChoice::Cpu;
  return resolve(asked);
}

int runClass(const ResolvedSettings& config, const ClassRequest& request) {
  catchInterrupts();
  const std::shared_ptr<const Dataset> dataset = openDataset(config);
  serving::checkClass(config, *dataset);
  Telemetry telemetry;
  RunInfo info = Trainer(config, dataset, telemetry).info();
  info.clock = TimeSource::Measured;
  Listening listening(info, telemetry, request.json, request.ownWorkers == 0);
  ClassProgram program("serve", {{"settings", configToJson(withoutOutputs(config))},
                                 {"listen", request.listen},
                                 {"firstWorkers", request.firstWorkers},
                                 {"silentMs", static_cast<std::int64_t>(request.deadlineSeconds * 1000)}});
  OwnWorkers own;
  bool asked = false, begun = false;
  while (true) {
    const bool lost = own.haveAllFailed() && !listening.isOver();
    if ((interrupted() || lost) && !std::exchange(asked, true)) program.order("stop");
    if (request.ownWorkers > 0 && !listening.link().empty() && !std::exchange(begun, true))
      own.start(request.ownWorkers, listening.link(), request.workerThreads);
    own.listen();
    if (const auto line = program.next(kClassListenMs))
      listening.take(*line);
    else if (program.hasEnded())
      break;
  }
  if (!listening.isOver()) throw UserError(UserError::Kind::Run, say::classProgramEnded, 0);
  listening.finish();
  if (asked && !interrupted()) throw UserError(UserError::Kind::Run, say::workersAllGone);
  return asked ? kInterrupted : 0;
}

}  // namespace lab::cli

// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/class_run.h"

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <system_error>
#include <thread>
#include <utility>
#include <variant>
#include <vector>

#include "app/cli/cli.h"
#include "app/cli/experiment.h"
#include "app/cli/kept.h"
#include "app/cli/messages.h"
#include "app/cli/progress.h"
#include "app/cli/table.h"
#include "core/base/error.h"
#include "core/base/platform.h"
#include "core/base/units.h"
#include "core/classruns/class_program.h"
#include "core/classruns/messages.h"
#include "core/files/metric_json.h"
#include "core/files/recorder.h"
#include "core/options/config_field.h"
#include "core/protocol/class_settings.h"
#include "core/strategy/strategy.h"

namespace lab::cli {
namespace {

constexpr std::chrono::milliseconds kBetweenLooks{20};

// Writes the class's reports to files and to the terminal.
class Listening {
 public:
  Listening(ClassRun& run, const ClassRequest& request) : run_(run), request_(request) {}

  // Takes what has arrived so far.
  void listen() {
    for (const ClassNews& news : run_.takeNews()) tell(news);
    if (std::string link = run_.link(); link_.empty() && !link.empty()) {
      link_ = std::move(link);
      if (request_.ownWorkers == 0) print(request_.json ? nlohmann::json{{"link", link_}}.dump() + "\n" : link_ + "\n");
    }
    if (info_ == nullptr && (info_ = run_.info()) != nullptr) {
      recorder_.emplace(run_.fileInfo(), run_.telemetry(), STRATEGYLAB_VERSION);
      progress_.emplace(*info_, std::nullopt, "class", request_.json && terminalColumns(stdout) > 0);
    }
    if (!recorder_) return;
    add(recorder_->drain());
    for (const std::string& line : run_.takeOrder()) recorder_->addToRun(line);
  }

  const std::string& link() const { return link_; }  // "": not yet

  std::int64_t steps() const { return end_.steps; }  // after finish()

  // Called if the class's program is lost.
  void keepWhatThereIs() {
    listen();
    if (recorder_) add(recorder_->finish());
  }

  // Returns false if the class was stopped while its examples were being read: then there is nothing to write.
  bool finish() {
    listen();
    if (!recorder_) return false;
    add(recorder_->finish());
    // A class without a link was over when it was resumed.
    if (link_.empty() && end_.steps >= info_->totalSteps) tellNothingTrained(end_.steps, info_->totalSteps, "class");
    if (!request_.json) printSummary();
    return true;
  }

 private:
  void tell(const ClassNews& news) {
    const ClassMember& who = news.who;
    if (news.what == ClassNews::What::Joined) {
      ++joined_;
      say(who.name + (who.nickname.empty() ? "" : " (" + who.nickname + ")") + " has joined (" + who.path + ").");
    } else if (news.what == ClassNews::What::Left) {
      say(who.name + (who.why.empty() ? " has left." : " was sent away: " + format(who.why)));
    } else if (news.what == ClassNews::What::Lied) {
      say("a spot check: " + who.name +
          " has pushed a false gradient. It had been applied, and stays; the run file records it.");
    } else {
      ++lost_;
      say(who.name + "'s closure goes to another worker.");
    }
  }

  void add(const std::vector<Metric>& metrics) {
    for (const Metric& metric : metrics) {
      if (const auto* step = std::get_if<StepMetric>(&metric)) {
        wallNs_ += step->wallNs;
        staleness_ += step->staleness.value_or(0);
        lastLoss_ = step->loss;
      } else if (const auto* eval = std::get_if<EvalMetric>(&metric)) {
        accuracy_ = eval->testAccuracy;
      } else {
        end_ = std::get<EndMetric>(metric);
      }
      if (request_.json) printOfRun(toJsonLine(metric) + "\n");
      progress_->show(metric);
    }
  }

  void printSummary() {
    const StrategyInfo& strategy = strategyInfo(info_->config.strategy);
    Table table({{"", Table::Align::Left}, {"", Table::Align::Left}});
    table.add({"strategy", strategy.name + ", for a class: " + counted(joined_, "worker") + " joined, " +
                               counted(lost_, "closure") + " done again"});
    table.add({"data set", dataText(*info_)});
    table.add({"steps", formatCount(end_.steps) + " of " + formatCount(info_->totalSteps)});
    if (end_.steps > 0) table.add({"last training loss", formatFixed(lastLoss_, 4)});
    if (accuracy_) table.add({"test accuracy", formatPercent(*accuracy_)});
    if (!strategy.synchronous && end_.steps > 0)
      table.add({"staleness, mean", formatFixed(static_cast<double>(staleness_) / static_cast<double>(end_.steps), 2)});
    if (end_.steps > 0)
      table.add({"measured here, mean of the run", formatRounded(end_.imagesPerSecond) + " images/s, " +
                                                       formatDuration(static_cast<std::int64_t>(wallNs_)) + " in all"});
    print(table.text());
  }

  ClassRun& run_;
  const ClassRequest& request_;
  std::shared_ptr<const RunInfo> info_;  // from the beginning
  std::optional<Recorder> recorder_;
  std::optional<Progress> progress_;
  std::string link_;
  std::int64_t wallNs_ = 0, staleness_ = 0, joined_ = 0, lost_ = 0;
  double lastLoss_ = 0;
  std::optional<double> accuracy_;
  EndMetric end_;
};

// The workers that `launch` starts: each is a separate program, which joins as any other does.
class OwnWorkers {
 public:
  void start(int count, const std::string& link, std::int64_t threads) {
    for (int w = 0; w < count; ++w)
      workers_.push_back(
          {std::make_unique<ClassProgram>("join", nlohmann::json{{"link", link}, {"name", ""}, {"threads", threads}}),
           "a worker"});
  }

  // The class reports on the workers, but not why one could not work.
  void listen() {
    for (Worker& worker : workers_) {
      if (!worker.program) continue;
      try {
        while (const auto line = worker.program->next(0))
          if (line->contains("joined")) worker.name = line->at("joined").at("name").get<std::string>();
        if (worker.program->hasEnded()) worker.program = nullptr;
      } catch (const UserError& error) {
        // That it may join again is for somebody who has the link.
        say(error.message().is(say::workerProgramKilled)
                ? worker.name + "'s program was killed (signal " +
                      std::to_string(std::get<std::int64_t>(error.message().values().at(0))) + ")."
                : worker.name + " has ended: " + error.what());
        worker.program = nullptr;
        ++failed_;
      }
    }
  }

  bool haveAllFailed() const { return !workers_.empty() && failed_ == workers_.size(); }

 private:
  struct Worker {
    std::unique_ptr<ClassProgram> program;  // none once it has ended
    std::string name;                       // as the class calls it, when it has joined
  };

  std::vector<Worker> workers_;
  std::size_t failed_ = 0;
};

// Returns the checkpoint on this machine to continue from. Members need the new link, because the old one's key is not
// stored.
Kept keptOf(const RunSettings& config) {
  std::error_code ignored;
  const std::string& folder = config.checkpointDir;
  return {0, folder.empty() ? "" : std::filesystem::absolute(folder, ignored).string(), hostName()};
}

}  // namespace

RunSettings classSettings(GivenFields given) {
  const bool named = std::ranges::any_of(given, [](const auto& each) { return each.first->name == "strategy"; });
  if (!named) given.emplace_back(&configField("strategy"), "parameter-server");
  const std::vector<std::string_view>& none = serving::fieldsNotOfAClass();
  for (const auto& [field, value] : given)
    if (std::ranges::find(none, field->name) != none.end()) throw UserError(say::notOfAClass, Option{field->name});
  return configOf(given);
}

int runClass(const RunSettings& config, const ClassRequest& request) {
  catchInterrupts();
  tellWhatIsReplaced(config);
  ClassRun run(config, request);
  Listening listening(run, request);
  OwnWorkers own;
  bool asked = false, begun = false;
  while (run.state() == RunState::Preparing || run.state() == RunState::Running) {
    listening.listen();
    if ((interrupted() || own.haveAllFailed()) && !std::exchange(asked, true)) run.stop();
    if (request.ownWorkers > 0 && !listening.link().empty() && !std::exchange(begun, true))
      own.start(request.ownWorkers, listening.link(), request.workerThreads);
    own.listen();
    std::this_thread::sleep_for(kBetweenLooks);
  }
  if (run.state() == RunState::Failed) {
    if (listening.link().empty()) throw UserError(run.failure());
    listening.keepWhatThereIs();
    std::string why = format(run.failure());
    if (why.ends_with('.')) why.pop_back();
    throw UserError(UserError::Kind::Run, say::verbatim, why + "; " + adviceOn(keptOf(config), typed()));
  }
  if (!listening.finish())
    say("stopped before the class began; no files are written.");
  else if (asked && interrupted())
    tellStopped(listening.steps(), hasOutputs(config));
  checkPrinted();
  if (asked && !interrupted()) throw UserError(UserError::Kind::Run, say::workersAllGone);
  return asked ? kInterrupted : 0;
}

}  // namespace lab::cli

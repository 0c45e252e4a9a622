// SPDX-License-Identifier: GPL-3.0-or-later
// strategylab-cli launch: trains on real processes, which mpirun starts. This program is not one of them: it listens.
// Standard output is worker 0's; workers' lines on standard error are marked with their names.
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <optional>
#include <set>
#include <string_view>
#include <utility>
#include <vector>

#include "app/cli/class_run.h"
#include "app/cli/cli.h"
#include "app/cli/experiment.h"
#include "app/cli/kept.h"
#include "app/cli/messages.h"
#include "app/cli/options.h"
#include "core/base/child_process.h"
#include "core/base/error.h"
#include "core/base/file.h"
#include "core/base/messages.h"
#include "core/base/platform.h"
#include "core/experiments/comparison.h"
#include "core/launching/forwarded_inputs.h"
#include "core/options/config_field.h"
#include "core/options/resolve.h"
#include "core/prediction/hardware.h"
#include "core/process/launch_plan.h"
#include "core/process/messages.h"
#include "core/process/peers.h"
#include "core/process/tagged_lines.h"
#include "core/process/task_config.h"
#include "core/process/wire_module.h"
#include "core/strategy/strategy.h"

namespace lab::cli {
namespace {

constexpr const char* kLaunchedStrategy = "multi-worker-mirrored";  // unless another is named
constexpr std::int64_t kMostWorkers = 1024, kMostClassWorkers = 64;
constexpr std::chrono::seconds kMostAfterwards{3};  // for mpirun to end after a worker has ended the run

constexpr int kSignalled = 128;  // plus the signal's number, as in the shell

constexpr int kListenMs = 50, kPutMs = 2;  // waits for output; the shorter one while files are being passed

struct LaunchOptions {
  ConfigOptions config;
  const CLI::Option *workers = nullptr, *hosts = nullptr, *tfConfig = nullptr, *deadline = nullptr,
                    *startUpLimit = nullptr, *json = nullptr;
};

bool isSet(const char* name) {
  const char* value = std::getenv(name);
  return value != nullptr && std::string(value) == "1";
}

process::LaunchRequest requestOf(const LaunchOptions& options) {
  process::LaunchRequest request;
  if (const auto file = textOf(options.tfConfig)) {
    if (isGiven(options.hosts)) throw UserError(say::giveOneOf, aboutOf(options.tfConfig), aboutOf(options.hosts));
    request.addresses = process::parseTaskConfig(textOfFile(*file), *file).workers;
  }
  request.hosts = listOf(options.hosts);
  for (const std::string& host : request.hosts)
    if (!process::isHostName(host)) throw UserError(say::launchNotAHost, aboutOf(options.hosts), host);
  const auto usual = static_cast<std::int64_t>(!request.addresses.empty() ? request.addresses.size()
                                               : !request.hosts.empty()   ? request.hosts.size()
                                                                          : 2);
  request.workers = static_cast<int>(integerOf(options.workers, usual, 1, kMostWorkers));
  if (isGiven(options.deadline)) request.deadline = std::to_string(realOf(options.deadline, 10, 0.5, 86400));
  if (isGiven(options.startUpLimit))
    request.startUpLimit = std::to_string(realOf(options.startUpLimit, 60, 0.5, 86400));
  request.cores = processorCount();
  request.root = runsAsRoot();
  request.rootAllowed = isSet("OMPI_ALLOW_RUN_AS_ROOT") && isSet("OMPI_ALLOW_RUN_AS_ROOT_CONFIRM");
  request.program = (programFolder() / "strategylab-cli").string();
  return request;
}

bool isOfProcesses(const StrategyInfo& info) {
  return info.hosts == StrategyInfo::Hosts::Chosen && !info.simulatedOnly &&
         !info.notOn.contains(DeviceChoice::Processes);
}

// Workers that come and go are not MPI ranks: they join a class on this machine.
bool isOfAClass(const StrategyInfo& info) {
  return !info.synchronous && info.served;
}

// Each worker's options, and the files for the first worker: checked here, before anything is started.
struct Training {
  std::vector<std::string> options;
  std::vector<std::string> outputs;  // files that grow during the run; "": none
  std::string input;
};

Training trainingOf(const LaunchOptions& options, int workers) {
  GivenFields given = options.config.given();
  const auto names = [&](std::string_view name) {
    return std::ranges::any_of(given, [&](const auto& each) { return each.first->name == name; });
  };
  if (!names("strategy")) given.emplace_back(&configField("strategy"), kLaunchedStrategy);
  given.emplace_back(&configField("hosts"), std::to_string(workers));
  if (!names("replicas")) given.emplace_back(&configField("replicas"), std::to_string(workers));
  Training training;
  std::vector<std::string>& words = training.options;
  for (const auto& [field, value] : given) words.push_back("--" + field->name + "=" + value);
  RunSettings config = configOf(given);
  if (*config.replicas % workers != 0)
    throw UserError(say::workersNotReplicas, aboutOf(options.workers), workers, Option{"replicas"}, *config.replicas);
  if (const StrategyInfo& info = strategyInfo(config.strategy); !isOfProcesses(info))
    throw UserError(say::launchOfHosts, Option{"strategy"}, info.key);
  config.devices = DeviceChoice::Processes;
  refuseImpossibleHardware(config);
  if (!config.threads) config.threads = 1;
  const ResolvedSettings resolved = resolve(config);
  if (resolved.init != config.init) words.push_back("--init=" + resolved.init);  // also for a .keras file
  if (flagOf(options.json)) words.emplace_back("--json");
  words.emplace_back("--handed");
  words.emplace_back("--launched");
  training.outputs = {resolved.metrics, resolved.trace, resolved.run};
  training.input = forwardedInput(inputsToForward(resolved));
  return training;
}

// The file that tells mpirun each worker's host; deleted with this object, or before.
class HostFile {
 public:
  explicit HostFile(process::LaunchPlan& plan) {
    if (plan.hostFile.empty()) return;
    path_ = temporaryFolder() / ("strategylab-hosts-" + std::to_string(processId()));
    process::placeHostFile(plan, path_.string());
  }
  ~HostFile() { remove(); }
  void remove() const {
    std::error_code ignored;
    if (!path_.empty()) std::filesystem::remove(path_, ignored);
  }

 private:
  std::filesystem::path path_;
};

// Passes on the workers' output until mpirun has ended; Ctrl-C asks all of them to stop.
class Listener {
 public:
  Listener(const process::LaunchPlan& plan, const std::vector<std::string>& outputs, ChildProcess& mpirun,
           const HostFile& hostFile, std::chrono::seconds mostBefore)
      : plan_(plan), outputs_(outputs), mpirun_(mpirun), hostFile_(hostFile), mostBefore_(mostBefore) {}

  int listen() {
    bool asked = false;
    for (std::size_t put = 0;;) {
      put += mpirun_.write(std::string_view(plan_.input).substr(put));
      const bool puts = put < plan_.input.size();
      if (const auto line = mpirun_.nextLine(puts ? kPutMs : kListenMs)) {
        for (const process::WorkerLine& each : lines_.add(line->text, line->isError)) take(each);
      } else if (const auto code = mpirun_.ended()) {
        for (const process::WorkerLine& each : lines_.rest()) take(each);
        return exitCode(*code);
      }
      // mpirun waits for ever for a daemon on a host that is cut off. Leaving here ends it.
      if (told_ && std::chrono::steady_clock::now() - toldAt_ > kMostAfterwards) return exitCode(1);
      if (!spoken_ && std::chrono::steady_clock::now() - began_ > mostBefore_)
        throw UserError(UserError::Kind::Run, say::nobodyStarted, mostBefore_.count(), Option{"start-up-limit"},
                        mpirunSaid_);
      // A worker that has not spoken yet would not handle the signal.
      if (interrupted() && !asked && (asked = true)) spoken_ ? mpirun_.askToStop() : mpirun_.terminate();
    }
  }

 private:
  void take(const process::WorkerLine& line) {
    if (line.worker < 0) {
      if (line.text.find_first_not_of('-') != std::string::npos) mpirunSaid_ += line.text + "\n";
      return;
    }
    if (!std::exchange(spoken_, true)) hostFile_.remove();  // mpirun has read it
    if (line.worker == 0 && line.isError)
      if (const auto kept = keptFrom(line.text)) {
        kept_ = kept;
        return;
      }
    if (!line.isError) return printOfRun(line.text + "\n");
    if (!told_ && line.text.starts_with("strategylab-cli: ")) {
      told_ = true;
      toldAt_ = std::chrono::steady_clock::now();
    }
    const auto worker = static_cast<std::size_t>(line.worker);
    say((worker < plan_.workers.size() ? plan_.workers[worker] : "worker ?") + ": " + line.text);
  }

  std::string advice() const {
    return kept_ ? adviceOn(*kept_, typed()) : "no step was done, so run the same command again.";
  }

  int exitCode(int code) {
    if (code == 0) return 0;
    if (interrupted() && (code == kInterrupted || !told_)) {
      if (!spoken_) say("stopped before a worker had reported.");  // otherwise the first one says what was done
      return kInterrupted;
    }
    const auto killed = process::killedWorker(mpirunSaid_);
    // The first worker was asked to stop, not this program: all have ended at a step.
    if (code == kInterrupted && !killed && !told_) return kInterrupted;
    // Before the first step, such files are an earlier run's.
    if (kept_ && kept_->host == hostName()) tellUnfinished(outputs_);
    if (told_) {  // a worker has reported the cause
      if (code != 2 && kept_) say("strategylab-cli: " + advice());
      return code == 2 ? 2 : 1;
    }
    if (killed)
      throw UserError(UserError::Kind::Run, say::workerKilled,
                      killed->pid == "0" ? Message(say::workerThere, killed->worker, killed->host)
                                         : Message(say::workerOnHost, killed->worker, killed->host, killed->pid),
                      killed->signal, advice());
    if (const Message why = process::whyNotStarted(mpirunSaid_); !why.empty() && !spoken_)
      throw UserError(why, UserError::Kind::Run);
    if (mpirunSaid_.empty() && code > kSignalled)
      throw UserError(UserError::Kind::Run, say::launchMpirunKilled, code - kSignalled, advice());
    throw UserError(UserError::Kind::Run, say::mpirunFailed, code,
                    mpirunSaid_.empty() ? Message(say::mpirunSaidNothing) : Message(say::verbatim, mpirunSaid_),
                    spoken_ ? advice() : "fix that, then start again.");
  }

  const process::LaunchPlan& plan_;
  const std::vector<std::string>& outputs_;
  ChildProcess& mpirun_;
  const HostFile& hostFile_;
  process::TaggedLines lines_;
  bool spoken_ = false, told_ = false;
  std::chrono::steady_clock::time_point toldAt_;  // when a worker reported the cause
  std::string mpirunSaid_;
  const std::chrono::seconds mostBefore_;  // until a worker must have said something
  const std::chrono::steady_clock::time_point began_ = std::chrono::steady_clock::now();
  std::optional<Kept> kept_;  // as reported by the first worker
};

bool isOfAClass(const LaunchOptions& options) {
  const GivenFields given = options.config.given();
  const auto strategy = std::ranges::find_if(given, [](const auto& each) { return each.first->name == "strategy"; });
  if (strategy == given.end()) return false;
  return isOfAClass(strategyInfo(configOf({*strategy}).strategy));
}

int launchClass(const LaunchOptions& options) {
  for (const CLI::Option* option : {options.hosts, options.tfConfig, options.startUpLimit})
    if (isGiven(option)) throw UserError(say::launchedHere, aboutOf(option), "parameter-server");
  GivenFields given;
  ClassRequest request;
  std::optional<std::int64_t> replicas;  // of one worker each
  for (const auto& each : options.config.given()) {
    if (each.first->name == "threads")
      request.workerThreads = configOf({each}).threads.value_or(1);
    else if (each.first->name == "replicas")
      replicas = configOf({each}).replicas;
    else
      given.push_back(each);
  }
  const std::int64_t workers = integerOf(options.workers, replicas.value_or(2), 1, kMostClassWorkers);
  if (replicas.value_or(workers) != workers)
    throw UserError(say::giveOneOf, aboutOf(options.workers), Option{"replicas"});
  if (workers > kMostClassWorkers)
    throw UserError(say::notWholeFromTo, Option{"replicas"}, std::to_string(workers), Count{1},
                    Count{kMostClassWorkers});
  request.ownWorkers = static_cast<int>(workers);
  request.checkShare = 0;  // the workers are its own
  request.firstWorkers = request.ownWorkers;
  request.deadlineSeconds = realOf(options.deadline, request.deadlineSeconds, 0.5, 3600);
  request.json = flagOf(options.json);
  given.emplace_back(&configField("replicas"), std::to_string(request.ownWorkers));
  return runClass(classSettings(given), request);
}

int launch(const LaunchOptions& options) {
  if (isOfAClass(options)) return launchClass(options);
  process::LaunchRequest request = requestOf(options);
  const Training training = trainingOf(options, request.workers);
  request.options = training.options;
  if (const Message why = process::whyNoProcesses(); !why.empty()) throw UserError(say::cannotLaunch, why);
  if (!isOnPath("mpirun")) throw UserError(say::noMpirun);
  process::LaunchPlan plan = process::planLaunch(request);
  const HostFile hostFile(plan);
  catchInterrupts();
  plan.input = training.input;
  ChildProcess mpirun(plan.command, plan.environment, ChildProcess::Input::Written);
  constexpr double kToSay = 5;
  process::TimeLimits limits = process::timeLimits();
  if (!request.deadline.empty()) limits.deadlineSeconds = std::stod(request.deadline);
  if (!request.startUpLimit.empty()) limits.startUpSeconds = std::stod(request.startUpLimit);
  const auto mostBefore = static_cast<std::int64_t>(limits.startUpSeconds + limits.deadlineSeconds + kToSay);
  const int code = Listener(plan, training.outputs, mpirun, hostFile, std::chrono::seconds(mostBefore)).listen();
  checkPrinted();
  return code;
}

}  // namespace

void addLaunch(CLI::App& app, Action& action) {
  CLI::App* command = app.add_subcommand(
      "launch",
      "Train on real processes, on this machine or on several, through Open MPI's mpirun: each is `strategylab-cli "
      "train --devices processes`, on the processor or with --worker-devices cuda on GPUs. All times are measured. "
      "Ctrl-C stops all at a step boundary. With srun or mpirun, "
      "start that command yourself. With --strategy parameter-server the workers come and go: they join a class on "
      "this "
      "machine, as with `serve` and `join`.");
  const auto options = std::make_shared<LaunchOptions>();
  options->workers = addValue(*command, "--workers", "W", "Processes to start. Default: 2, or as many as hosts.");
  options->hosts = addValue(*command, "--hosts", "A,B,…",
                            "Names of hosts that the workers are spread over, evenly; reached by ssh. The program and "
                            "the data are at the same place on all. Default: this machine.");
  options->tfConfig = addValue(*command, "--tf-config", "FILE",
                               "A cluster in the form of TensorFlow's TF_CONFIG: {\"cluster\": {\"worker\": "
                               "[\"host:port\", …]}}. Each worker gets its own TF_CONFIG in its environment.");
  options->deadline =
      addValue(*command, "--deadline", "SECONDS",
               "The run ends when a worker has been silent, or others have waited for it, for this many "
               "seconds. Default: 10.");
  options->startUpLimit = addValue(*command, "--start-up-limit", "SECONDS",
                                   "How long workers may take to start, that is, to read data and to join their GPUs; "
                                   "they have five times as long to write files at the end. Default: 60.");
  const auto isTrained = [](const StrategyInfo& info) { return isOfProcesses(info) || isOfAClass(info); };
  options->config.add(*command, "strategy", kLaunchedStrategy, strategiesOf(isTrained));
  options->config.add(*command, "replicas", "as many as workers");
  // Not those of simulated devices either, which real processes always refuse.
  std::vector<std::string_view> others = settingsOfOthers(isTrained);
  others.insert(others.end(), {"strategy", "replicas", "hosts", "devices", "worker-hosts", "threads", "device-model",
                               "link", "host-link", "slow", "slow-link", "noise-scale"});
  options->config.addAll(*command, others);
  options->config.add(*command, "threads", "cores / workers on the host; parameter-server 1");
  options->json = addJson(*command);
  command->callback([=, &action] { action = [=] { return launch(*options); }; });
}

}  // namespace lab::cli

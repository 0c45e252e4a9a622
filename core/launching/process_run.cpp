// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/launching/process_run.h"

#include <algorithm>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <string_view>
#include <system_error>
#include <utility>

#include "core/base/at.h"
#include "core/base/ceil_divide.h"
#include "core/base/child_process.h"
#include "core/base/error.h"
#include "core/base/file.h"
#include "core/base/json.h"
#include "core/base/messages.h"
#include "core/base/platform.h"
#include "core/base/stopped.h"
#include "core/files/messages.h"
#include "core/files/metric_json.h"
#include "core/launching/process_failure.h"
#include "core/launching/remote_kills.h"
#include "core/launching/run_stream.h"
#include "core/options/config_field.h"
#include "core/options/resolve.h"
#include "core/process/awake_clock.h"
#include "core/process/failure_json.h"
#include "core/process/launch_check.h"
#include "core/process/launch_plan.h"
#include "core/process/messages.h"
#include "core/process/peers.h"
#include "core/training/checkpoint.h"

namespace lab {
namespace {

constexpr int kPollMs = 8;
constexpr int kLineDepth = 24;
constexpr std::int64_t kMostRecordBytes = std::int64_t{4} << 30;
constexpr std::size_t kMostSaid = 4000;  // of mpirun's output in a sentence
// Limit between two checks of the processes; in a longer gap this program was suspended, maybe with them.
constexpr std::int64_t kMostBetweenLooksNs = 2'000'000'000;

nlohmann::json jsonOfLine(const std::string& line) {
  try {
    return parseJson(line, say::header, kLineDepth);
  } catch (const UserError&) {
    throw UserError(UserError::Kind::Run, say::streamUnreadable);
  }
}

// Ends a process if it is one of the run that has this folder. Another machine of the same name, or a worker that has
// ended meanwhile, may have told a number that any program here has by now.
bool killOfRun(const ProcessFolder& folder, std::int64_t pid) {
  std::ifstream file("/proc/" + std::to_string(pid) + "/cmdline");
  const std::string command{std::istreambuf_iterator<char>(file), {}};
  return command.find(folder.path().string()) != std::string::npos && killProcess(pid);
}

}  // namespace

int ProcessPatience::usualStartUp() {
  constexpr int kToSay = 5'000;
  const process::TimeLimits limits = process::timeLimits();
  return static_cast<int>(1000 * (limits.startUpSeconds + limits.deadlineSeconds)) + kToSay;
}

// ---- The window's calls

ProcessRun::ProcessRun(const RunSettings& config, bool startPaused, std::shared_ptr<ProcessFolder> resumeIn,
                       const ProcessPatience& patience)
    : config_(config),
      resolved_(resolve(config)),
      patience_(patience),
      resumes_(resumeIn != nullptr),
      folder_(resumeIn != nullptr ? std::move(resumeIn) : std::make_shared<ProcessFolder>()),
      paused_(startPaused) {
  checkProcessRun(resolved_);
  if (!startPaused) order("go");
  thread_ = std::jthread([this](const std::stop_token& stop) { listen(stop); });
}

ProcessRun::~ProcessRun() {
  {
    const std::lock_guard lock(mutex_);
    hurried_ = !hasOutputs(config_);
  }
  stopAndWait();
}

RunState ProcessRun::state() const {
  const std::lock_guard lock(mutex_);
  return state_;
}
bool ProcessRun::isAtRest() const {
  const std::lock_guard lock(mutex_);
  return paused_ && restsAfter_ == ordered_ && !thread_.get_stop_token().stop_requested();
}
Message ProcessRun::failure() const {
  const std::lock_guard lock(mutex_);
  return failure_;
}
std::shared_ptr<const RunInfo> ProcessRun::info() const {
  const std::lock_guard lock(mutex_);
  return info_;
}
int ProcessRun::lostWorker() const {
  const std::lock_guard lock(mutex_);
  return lost_;
}
bool ProcessRun::lacksExamples() const {
  const std::lock_guard lock(mutex_);
  return lacksExamples_;
}
std::int64_t ProcessRun::checkpointStep() const {
  const std::lock_guard lock(mutex_);
  return checkpointStep_;
}

void ProcessRun::order(const char* word) {
  orders_ += std::string(word) + " " + std::to_string(++ordered_) + "\n";
}

void ProcessRun::pause() {
  const std::lock_guard lock(mutex_);
  // Requested steps are forgotten too.
  if (!paused_ || restsAfter_ != ordered_) order("pause");
  paused_ = true;
  if (state_ == RunState::Running) state_ = RunState::Paused;
}

// A record that was requested before is of the step that begins now.
void ProcessRun::resume() {
  const std::lock_guard lock(mutex_);
  if (telemetry_.takeRecordRequest()) order("record");
  if (paused_) order("go");
  paused_ = false;
  if (state_ == RunState::Paused) state_ = RunState::Running;
}

void ProcessRun::stepOnce() {
  const std::lock_guard lock(mutex_);
  if (telemetry_.takeRecordRequest()) order("record");
  order("step");
  paused_ = true;
  if (state_ == RunState::Running) state_ = RunState::Paused;
}

void ProcessRun::stop() {
  {
    const std::lock_guard lock(mutex_);
    if (!thread_.get_stop_token().stop_requested()) order("stop");
  }
  thread_.request_stop();
  telemetry_.stopPreparing();
}

void ProcessRun::stopAndWait() {
  stop();
  if (thread_.joinable()) thread_.join();
}

ProcessRun::Reach ProcessRun::reachOf(int worker) const {
  const std::lock_guard lock(mutex_);
  const auto w = static_cast<std::size_t>(worker);
  if (info_ == nullptr || worker < 0 || w >= info_->processes.size()) return Reach::Not;
  if (state_ != RunState::Running && state_ != RunState::Paused) return Reach::Not;
  if (info_->processes[w].host == hostName()) return Reach::Here;
  return w < hosts_.size() ? Reach::ThroughMpirun : Reach::Not;
}

bool ProcessRun::killWorker(int worker) {
  const Reach reach = reachOf(worker);
  const std::lock_guard lock(mutex_);
  if (reach == Reach::ThroughMpirun) toKill_.push_back(worker);
  return reach == Reach::ThroughMpirun ||
         (reach == Reach::Here && killOfRun(*folder_, at(info_->processes, worker).pid));
}

Message ProcessRun::takeKillFailure() {
  const std::lock_guard lock(mutex_);
  return std::exchange(killFailure_, {});
}

// ---- The thread

struct ProcessRun::Listening {
  RemoteKills kills;
  process::TaggedLines lines;
  std::shared_ptr<const Dataset> data;
  std::string input;    // for the first process, before all orders
  std::size_t put = 0;  // bytes of the input already sent
  std::string pieces;   // of a record
  std::string said;     // mpirun's output
  Message told;         // the first message of a process that fails
  bool over = false;    // the end was reported
  bool silent = false;  // nothing was heard for too long
  process::AwakeClock clock{kMostBetweenLooksNs};
  std::int64_t heardAtNs = 0;
  std::optional<std::int64_t> stoppingSince, terminatedAt, killedAt, toldAt;  // ns

  bool isPast(std::int64_t sinceNs, int ms) const { return clock.nowNs() - sinceNs > std::int64_t{1'000'000} * ms; }
};

void ProcessRun::listen(const std::stop_token& stop) {
  try {
    const process::LaunchPlan plan = planProcesses(config_, resolved_, *folder_, resumes_);
    {
      const std::lock_guard lock(mutex_);
      hosts_ = plan.hosts;
    }
    telemetry_.preparing({Preparation::Part::Data});
    Listening listening;
    listening.input = plan.input;
    // The processes get ready while the examples are read here, which may take longer than they wait for their input.
    ChildProcess mpirun(plan.command, plan.environment, ChildProcess::Input::Written);
    listening.put = mpirun.write(listening.input);
    try {
      listening.data = openDataset(config_, &telemetry_);
      telemetry_.preparing({Preparation::Part::Processes});
      listening.clock.tick();
      listening.heardAtNs = listening.clock.nowNs();
      listenTo(mpirun, listening, stop);
    } catch (...) {
      endAll(mpirun);
      throw;
    }
  } catch (const Stopped&) {
    end(RunState::Stopped);
  } catch (const std::exception& error) {
    end(RunState::Failed, messageOf(error));
  }
}

void ProcessRun::listenTo(ChildProcess& mpirun, Listening& listening, const std::stop_token& stop) {
  for (;;) {
    listening.clock.tick();
    passOrders(mpirun, listening);
    killElsewhere(listening);
    if (const auto line = mpirun.nextLine(kPollMs)) {
      listening.heardAtNs = listening.clock.nowNs();
      for (const process::WorkerLine& each : listening.lines.add(line->text, line->isError)) take(each, listening);
    } else if (const auto code = mpirun.ended()) {
      for (const process::WorkerLine& each : listening.lines.rest()) take(each, listening);
      return judge(*code, listening, stop.stop_requested());
    }
    watchTime(mpirun, listening, stop.stop_requested());
    // Waiting for a process that still holds the output would be in vain.
    if (listening.killedAt && listening.isPast(*listening.killedAt, patience_.terminate))
      return judge(-1, listening, stop.stop_requested());
  }
}

void ProcessRun::passOrders(ChildProcess& mpirun, Listening& listening) {
  listening.put += mpirun.write(std::string_view(listening.input).substr(listening.put));
  if (listening.put < listening.input.size()) return;
  const std::lock_guard lock(mutex_);
  if (telemetry_.takeRecordRequest()) order("record");
  orders_.erase(0, mpirun.write(orders_));
}

void ProcessRun::killElsewhere(Listening& listening) {
  std::vector<int> workers;
  std::vector<std::string> hosts;
  std::shared_ptr<const RunInfo> info;
  {
    const std::lock_guard lock(mutex_);
    workers = std::exchange(toKill_, {});
    if (!workers.empty()) {
      hosts = hosts_;
      info = info_;
    }
  }
  // Without the lock, which the window waits for: programs are started here, and ending one may take seconds.
  for (const int worker : workers) {
    const auto w = static_cast<std::size_t>(worker);
    const ProcessFacts& facts = info->processes[w];
    listening.kills.add(process::killCommand(process::mpirunProgram(), hosts[w], std::to_string(facts.pid)),
                        Message(say::workerOnHost, worker, facts.host, facts.pid), patience_.kill);
  }
  const Message why = listening.kills.poll();
  if (why.empty()) return;
  const std::lock_guard lock(mutex_);
  killFailure_ = why;
}

// First asks, then sends SIGTERM, which mpirun passes on, then a signal that nobody can ignore.
void ProcessRun::watchTime(ChildProcess& mpirun, Listening& listening, bool stopping) {
  bool known = false, hurried = false;
  {
    const std::lock_guard lock(mutex_);
    known = info_ != nullptr;
    hurried = hurried_;
  }
  if (!listening.terminatedAt) {
    // mpirun waits for ever for a daemon on a host that is cut off.
    if (!listening.told.empty() && !listening.toldAt) listening.toldAt = listening.clock.nowNs();
    if (listening.toldAt && listening.isPast(*listening.toldAt, patience_.afterwards)) {
      listening.terminatedAt = listening.killedAt = listening.clock.nowNs();
      return endAll(mpirun);
    }
    if (stopping && !listening.stoppingSince) listening.stoppingSince = listening.clock.nowNs();
    const int mostMs = hasOutputs(config_) ? std::max(patience_.stop, patience_.startUp) : patience_.stop;
    const bool unwilling = listening.stoppingSince && listening.isPast(*listening.stoppingSince, mostMs);
    listening.silent = listening.isPast(listening.heardAtNs, known ? patience_.silence : patience_.startUp);
    if (!unwilling && !listening.silent && !(stopping && (hurried || !known))) return;
    listening.terminatedAt = listening.clock.nowNs();
    return mpirun.terminate();
  }
  if (!listening.killedAt && listening.isPast(*listening.terminatedAt, patience_.terminate)) {
    listening.killedAt = listening.clock.nowNs();
    endAll(mpirun);
  }
}

void ProcessRun::endAll(ChildProcess& mpirun) {
  mpirun.kill();
  if (const std::shared_ptr<const RunInfo> run = info())
    for (const ProcessFacts& each : run->processes)
      if (each.host == hostName()) (void)killOfRun(*folder_, each.pid);
}

void ProcessRun::take(const process::WorkerLine& line, Listening& listening) {
  constexpr std::string_view kFailed = "strategylab-cli: ";
  if (line.worker == 0 && !line.isError && line.text.starts_with('{')) return takeJson(line.text, listening);
  if (line.worker < 0 && listening.said.size() < kMostSaid)
    listening.said += line.text.substr(0, kMostSaid - listening.said.size()) + "\n";
  if (!listening.told.empty() || !line.isError || line.worker < 0) return;
  if (line.text.starts_with(kFailed)) listening.told = Message(say::verbatim, line.text.substr(kFailed.size()));
  if (line.text.starts_with("{\"failure\"")) listening.told = failureFrom(jsonOfLine(line.text));
}

void ProcessRun::takeJson(const std::string& line, Listening& listening) {
  const nlohmann::json object = jsonOfLine(line);
  const auto integer = [&](const char* key) -> std::int64_t {
    const auto found = object.find(key);
    return found != object.end() && found->is_number_integer() ? found->get<std::int64_t>() : 0;
  };
  if (object.contains("about")) {
    auto made = infoFromAbout(object, resolved_, listening.data);
    telemetry_.preparing({Preparation::Part::Step});
    const std::lock_guard lock(mutex_);
    lastStep_ = made->firstStep - 1;
    checkpointStep_ = lastStep_;
    info_ = std::move(made);
    state_ = paused_ ? RunState::Paused : RunState::Running;
  } else if (object.contains("event")) {
    Metric metric = metricFromJson(object, say::header);
    if (const auto* step = std::get_if<StepMetric>(&metric)) {
      const std::lock_guard lock(mutex_);
      lastStep_ = step->step;
    }
    listening.over = listening.over || std::holds_alternative<EndMetric>(metric);
    telemetry_.metric(std::move(metric));
  } else if (object.contains("rest")) {
    const std::lock_guard lock(mutex_);
    restsAfter_ = integer("rest");
  } else if (object.contains("checkpoint")) {
    const std::lock_guard lock(mutex_);
    checkpointStep_ = integer("checkpoint");
  } else if (object.contains("piece") && object.at("piece").is_string()) {
    listening.pieces += bytesOfText(object.at("piece").get<std::string>());
  } else if (object.contains("record")) {
    takeRecord(integer("record"), std::exchange(listening.pieces, {}));
  }
}

// Takes a record in pieces, or as the file in a shared folder.
void ProcessRun::takeRecord(std::int64_t step, const std::string& bytes) {
  const std::shared_ptr<const RunInfo> run = info();
  if (run == nullptr) return;
  if (!bytes.empty()) return telemetry_.record(recordFromBytes(bytes, *run));
  const std::filesystem::path file = folder_->path() / recordFileName(step);
  std::error_code ignored;
  const std::vector<std::uint8_t> content =
      std::filesystem::exists(file, ignored) ? readFile(file, kMostRecordBytes) : std::vector<std::uint8_t>();
  std::filesystem::remove(file, ignored);
  telemetry_.record(recordFromBytes({reinterpret_cast<const char*>(content.data()), content.size()}, *run));
}

// ---- How the run ended

void ProcessRun::judge(int code, const Listening& listening, bool stopped) {
  if (code == 0 && listening.over && !stopped) {
    const std::lock_guard lock(mutex_);
    const bool all = info_ != nullptr && lastStep_ >= info_->totalSteps;
    state_ = all ? RunState::Finished : RunState::Stopped;
    return;
  }
  // Who was ended by a signal from here may say so, too: that is no failure.
  const bool saysWhy = !listening.told.empty() && (listening.toldAt || !listening.terminatedAt);
  if (stopped && !saysWhy) return end(RunState::Stopped);
  const int silentMs = !listening.silent ? 0 : info() == nullptr ? patience_.startUp : patience_.silence;
  const std::string folder =
      config_.checkpointDir.empty() ? (folder_->path() / "checkpoints").string() : config_.checkpointDir;
  const std::lock_guard lock(mutex_);
  // After mpirun's SIGTERM, the first worker ends at a step and may write a checkpoint that was never reported.
  checkpointStep_ = std::max(checkpointStep_, newestCheckpointStep(folder));
  lacksExamples_ = isOfExamples(listening.told);
  state_ = RunState::Failed;
  failure_ = failureOf({.code = code,
                        .silentSeconds = ceilDivide(silentMs, 1000),
                        .told = listening.told,
                        .said = listening.said,
                        .info = info_.get(),
                        .lastStep = lastStep_,
                        .checkpointStep = checkpointStep_,
                        .checkpoints = folder},
                       lost_);
}

void ProcessRun::end(RunState state, const Message& failure) {
  const std::lock_guard lock(mutex_);
  state_ = state;
  failure_ = failure;
}

}  // namespace lab

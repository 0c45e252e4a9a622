// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/classruns/class_run.h"

#include <algorithm>
#include <chrono>
#include <deque>
#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <stop_token>
#include <system_error>
#include <utility>
#include <variant>

#include "core/base/error.h"
#include "core/base/file.h"
#include "core/base/platform.h"
#include "core/base/stopped.h"
#include "core/classruns/class_info.h"
#include "core/classruns/class_program.h"
#include "core/classruns/class_record.h"
#include "core/classruns/messages.h"
#include "core/files/messages.h"
#include "core/files/metric_json.h"
#include "core/launching/process_launch.h"
#include "core/launching/run_stream.h"
#include "core/options/config_field.h"
#include "core/protocol/class_settings.h"

namespace lab {
namespace {

constexpr int kHearMs = 8;  // delay before orders are passed on

using nlohmann::json;

}  // namespace

// ---- The window's calls

ClassRun::ClassRun(const RunSettings& config, const Wishes& wishes)
    : WatchedClass(serving::classSettings(config), std::make_shared<serving::ClassHistory>()), wishes_(wishes) {
  ClassProgram::check();
  thread_ = std::jthread([this](const std::stop_token& stop) { listen(stop); });
}

ClassRun::~ClassRun() {
  stopAndWait();
}

std::string ClassRun::link() const {
  const std::lock_guard lock(mutex_);
  return link_;
}
std::vector<ClassMember> ClassRun::members() const {
  const std::lock_guard lock(mutex_);
  return members_;
}
std::vector<ClassMember> ClassRun::latest() const {
  const std::lock_guard lock(mutex_);
  std::map<int, const ClassMember*> latest;
  for (const ClassMember& each : members_) latest[each.worker] = &each;
  std::vector<ClassMember> all;
  for (const auto& [worker, member] : latest) all.push_back(*member);
  return all;
}
std::deque<ClassNews> ClassRun::takeNews() {
  const std::lock_guard lock(mutex_);
  return std::exchange(news_, {});
}
std::vector<std::string> ClassRun::takeOrder() {
  const std::lock_guard lock(mutex_);
  return std::exchange(order_, {});
}
RunState ClassRun::state() const {
  const std::lock_guard lock(mutex_);
  return state_;
}
bool ClassRun::isAtRest() const {
  const std::lock_guard lock(mutex_);
  return paused_ && restsAfter_ == ordered_ && !stateAwaited_ && !thread_.get_stop_token().stop_requested();
}
Message ClassRun::failure() const {
  const std::lock_guard lock(mutex_);
  return failure_;
}
std::shared_ptr<const RunInfo> ClassRun::info() const {
  const std::lock_guard lock(mutex_);
  return info_;
}

RunInfo ClassRun::fileInfo() const {
  const std::lock_guard lock(mutex_);
  RunInfo info = *firstInfo_;
  info.config = config_;
  return info;
}

void ClassRun::order(const std::string& line) {
  orders_.push_back(line);
  ++ordered_;
}

void ClassRun::orderState() {
  if (!telemetry_.takeRecordRequest()) return;
  order("state");
  stateAwaited_ = true;
}

void ClassRun::remove(int worker) {
  const std::lock_guard lock(mutex_);
  order("remove " + std::to_string(worker));
}

void ClassRun::slow(int worker, double factor) {
  const std::lock_guard lock(mutex_);
  memberOf(worker).slowdown = factor;
  order("slow " + std::to_string(worker) + " " + json(factor).dump());
}

void ClassRun::pause() {
  const std::lock_guard lock(mutex_);
  if (!std::exchange(paused_, true)) order("pause");
  if (state_ == RunState::Running) state_ = RunState::Paused;
}

void ClassRun::resume() {
  const std::lock_guard lock(mutex_);
  if (std::exchange(paused_, false)) order("resume");
  if (state_ == RunState::Paused) state_ = RunState::Running;
}

// The state is taken before anybody learns that the class rests.
void ClassRun::stepOnce() {
  pause();
  const std::lock_guard lock(mutex_);
  orderState();
  order("step");
}

void ClassRun::stop() {
  {
    const std::lock_guard lock(mutex_);
    if (!thread_.get_stop_token().stop_requested()) order("stop");
  }
  thread_.request_stop();
  telemetry_.stopPreparing();
}

void ClassRun::stopAndWait() {
  stop();
  if (thread_.joinable()) thread_.join();
}

// ---- The thread

struct ClassRun::Listening {
  std::optional<json> next() {
    if (heard.empty()) return program->next(kHearMs);
    std::optional<json> first(std::move(heard.front()));
    heard.pop_front();
    return first;
  }

  std::stop_token stop;
  ClassProgram* program = nullptr;
  std::deque<json> heard;  // lines that came while a record was made
  ProcessFolder folder;    // for states
  std::shared_ptr<const Dataset> dataset;
  std::unique_ptr<serving::ClassRecords> records;
  serving::ClassUpdate update;     // as far as it has arrived
  std::vector<std::string> order;  // its lines for the run file
  std::string weights;             // as bytes
  EndMetric end;
  std::int64_t examples = 0, wallNs = 0;
  std::int64_t recordOf = 0;                     // step of the wanted record; 0: none
  std::int64_t stateTaken = -1;                  // step of the latest state taken
  bool isOver = false, stateWasOrdered = false;  // stateWasOrdered: the latest state
};

void ClassRun::listen(const std::stop_token& stop) {
  try {
    Listening listening{.stop = stop};
    telemetry_.preparing({Preparation::Part::Data});
    listening.dataset = openDataset(config_, &telemetry_);
    serving::checkClass(config_, *listening.dataset);
    telemetry_.preparing({Preparation::Part::Step});
    // A record of many workers computes a closure of each; one processor is left to the viewer.
    const int threads = std::max(1, processorCount() - 1);
    listening.records = std::make_unique<serving::ClassRecords>(config_, listening.dataset, updates_, threads);
    {
      const std::lock_guard lock(mutex_);
      describe(listening.dataset);
    }
    ClassProgram program("serve", beginning(listening.folder.path().string()));
    listening.program = &program;
    auto heardAt = std::chrono::steady_clock::now();
    while (!listening.heard.empty() || !program.hasEnded()) {
      passOrders(program, true);
      const auto line = listening.next();
      if (line) take(*line, listening);
      // A program that works tells its members every second. One that hangs must not keep the window from closing.
      const auto now = std::chrono::steady_clock::now();
      if (line || !stop.stop_requested()) heardAt = now;
      if (now - heardAt > std::chrono::duration<double>(wishes_.stopSeconds))
        throw UserError(UserError::Kind::Run, say::classProgramSilent, wishes_.stopSeconds);
    }
    if (!listening.isOver) throw UserError(UserError::Kind::Run, say::classProgramEnded, 0);
    finish(listening);
    end(stop.stop_requested() ? RunState::Stopped : RunState::Finished);
  } catch (const Stopped&) {
    end(RunState::Stopped);
  } catch (const std::exception& error) {
    end(RunState::Failed, messageOf(error));
  }
}

json ClassRun::beginning(const std::string& states) const {
  json begin{{"settings", configToJson(withoutOutputs(config_))},
             {"listen", wishes_.listen},
             {"firstWorkers", wishes_.firstWorkers},
             {"silentMs", static_cast<std::int64_t>(wishes_.deadlineSeconds * 1000)},
             {"checkShare", wishes_.checkShare},
             {"states", states}};
  if (!config_.checkpointDir.empty())
    begin.update({{"checkpoints", config_.checkpointDir}, {"resume", config_.resume}});
  if (config_.checkpointEvery) begin["checkpointEvery"] = *config_.checkpointEvery;
  if (!wishes_.certificate.empty()) begin.update({{"certificate", wishes_.certificate}, {"key", wishes_.key}});
  return begin;
}

// A wanted record is of the next update, and needs the present state; one is made at a time.
void ClassRun::passOrders(ClassProgram& program, bool mayRecord) {
  std::vector<std::string> orders;
  {
    const std::lock_guard lock(mutex_);
    if (mayRecord) orderState();
    orders = std::exchange(orders_, {});
  }
  for (const std::string& each : orders) program.order(each);
}

// Describes all members with their names; for a reused number, the latest owner.
void ClassRun::describe(std::shared_ptr<const Dataset> dataset) {
  std::vector<ClassMember> members(static_cast<std::size_t>(std::max(1, wishes_.firstWorkers)));
  for (const ClassMember& each : members_) {
    const auto number = static_cast<std::size_t>(each.worker);
    if (number >= members.size()) members.resize(number + 1);
    members[number] = each;
  }
  info_ = serving::classInfo(config_, std::move(dataset), members);
  if (firstInfo_ == nullptr) firstInfo_ = info_;
  updates_->describe(info_);
}

void ClassRun::take(const json& line, Listening& listening) try {
  if (line.contains("link")) {
    const std::lock_guard lock(mutex_);
    link_ = line.at("link");
    state_ = paused_ ? RunState::Paused : RunState::Running;
  } else if (line.contains("joined") || line.contains("left") || line.contains("lost")) {
    takeWorker(line);
  } else if (line.contains("members")) {
    takeMembers(line);
  } else if (line.contains("state")) {
    listening.stateWasOrdered = line.at("ordered");
    takeState(line.at("state"), line.at("there"), listening);
  } else if (line.contains("rest")) {
    const std::lock_guard lock(mutex_);
    restsAfter_ = line.at("rest");
  } else if (line.contains("weights")) {
    listening.weights += bytesOfText(line.at("weights").get<std::string>());
  } else if (line.contains("class")) {
    listening.update.parts = serving::partsFrom(line);
    listening.order = {line.dump()};
  } else if (line.contains("falsePush")) {
    takeFalsePush(line);
  } else if (line.contains("times")) {
    listening.update.times = serving::timesFrom(line);
    listening.order.push_back(line.dump());
  } else if (line.contains("over")) {
    listening.isOver = true;
  } else if (line.contains("lostServer")) {
    loseServer(line.at("lostServer"), line.at("code"));
  } else if (line.contains("event")) {
    takeMetric(metricFromJson(line, say::header), listening);
  }
} catch (const json::exception&) {
  throw UserError(UserError::Kind::Run, say::classProgramUnreadable);
}

void ClassRun::takeWorker(const json& line) {
  const std::lock_guard lock(mutex_);
  if (line.contains("joined")) {
    const json& who = line.at("joined");
    const int worker = who.at("worker");
    const bool isNew = std::ranges::find(members_, worker, &ClassMember::worker) == members_.end();
    ClassMember& member = serving::rowOf(members_, worker);
    const std::string path =
        std::exchange(
            member,
            {.worker = worker, .name = who.at("name"), .nickname = who.value("nickname", ""), .path = who.at("path")})
            .path;
    updates_->joined(member.worker);
    order_.push_back(serving::joinedLine(member.worker, member.name, member.path));
    if (isNew || member.path != path) describe(info_->data);
    addNews(ClassNews::What::Joined, member);
    return;
  }
  const bool left = line.contains("left");
  const int worker = line.at(left ? "left" : "lost");
  ClassMember& member = memberOf(worker);
  if (left) {
    member.state = ClassMember::State::Left;
    updates_->left(worker);
    order_.push_back(serving::leftLine(worker));
    if (const json why = line.value("why", json()); !why.is_null())
      member.why = serving::sentenceOf(static_cast<serving::Reason>(why.get<std::uint8_t>()));
  }
  addNews(left ? ClassNews::What::Left : ClassNews::What::Lost, member);
}

// Returns the latest owner of the number, which is reused after somebody has left.
ClassMember& ClassRun::memberOf(int worker) {
  const auto found = std::ranges::find(members_.rbegin(), members_.rend(), worker, &ClassMember::worker);
  if (found == members_.rend()) throw UserError(UserError::Kind::Run, say::classProgramUnreadable);
  return *found;
}

// What a resumed class says before its link is of its journal, and no news.
void ClassRun::addNews(ClassNews::What what, const ClassMember& who) {
  if (link_.empty()) return;
  news_.push_back({what, who});
  if (news_.size() > kMostNews) news_.pop_front();
}

// A line of its own in the run file, after the update with the false push.
void ClassRun::takeFalsePush(const json& line) {
  const std::lock_guard lock(mutex_);
  order_.push_back(line.dump());
  const int worker = serving::falsePushFrom(line).worker;  // after a resumption it may be gone
  if (std::ranges::find(members_, worker, &ClassMember::worker) != members_.end())
    addNews(ClassNews::What::Lied, memberOf(worker));
}

void ClassRun::loseServer(int number, int code) {
  constexpr auto kRun = UserError::Kind::Run;
  if (code < 0) throw UserError(kRun, say::parameterServerSilent, number, wishes_.deadlineSeconds);
  if (code > ChildProcess::kKilled)
    throw UserError(kRun, say::parameterServerKilled, number, code - ChildProcess::kKilled);
  throw UserError(kRun, say::parameterServerEnded, number, code);
}

void ClassRun::takeMembers(const json& line) {
  const std::lock_guard lock(mutex_);
  for (const json& each : line.at("members")) serving::updateMember(memberOf(each.at("worker")), each);
}

void ClassRun::takeMetric(const Metric& metric, Listening& listening) {
  if (const auto* step = std::get_if<StepMetric>(&metric)) {
    listening.end.steps = step->step;
    listening.examples += step->examples;
    listening.wallNs += step->wallNs;
    listening.update.metric = *step;
    updates_->add(std::exchange(listening.update, {}));
    recordIfDue(listening);
  }
  telemetry_.metric(metric);
  const std::lock_guard lock(mutex_);
  for (std::string& line : std::exchange(listening.order, {})) order_.push_back(std::move(line));
}

void ClassRun::takeState(std::int64_t step, bool isThere, Listening& listening) {
  constexpr std::int64_t kMostBytes = std::int64_t{1} << 30;
  const std::filesystem::path file = listening.folder.path() / recordFileName(step);
  // A step's state may come twice in one file, on order and by itself: the first time, it was read and removed.
  try {
    if (isThere && std::exchange(listening.stateTaken, step) != step)
      updates_->keep(std::make_shared<const Checkpoint>(parseCheckpoint(readFile(file, kMostBytes), file.string())));
  } catch (const UserError&) {  // without the state, records only take longer
  }
  std::error_code ignored;
  std::filesystem::remove(file, ignored);
  if (!listening.stateWasOrdered) return;
  listening.recordOf = step + 1;
  recordIfDue(listening);
  const std::lock_guard lock(mutex_);
  stateAwaited_ = false;
}

// The class trains on without a record: a later request recomputes the step, and learns why that fails.
// Meanwhile the teacher's orders are passed on, and the class does not wait until somebody reads what it says.
void ClassRun::recordIfDue(Listening& listening) {
  if (listening.recordOf == 0 || updates_->updates() < listening.recordOf) return;
  const std::int64_t step = std::exchange(listening.recordOf, 0);
  const auto goesOn = [&] {
    passOrders(*listening.program, false);
    while (auto line = listening.program->next(0)) listening.heard.push_back(std::move(*line));
    return !listening.stop.stop_requested();
  };
  try {
    if (auto record = listening.records->record(step, goesOn)) telemetry_.record(std::move(record));
  } catch (const UserError&) {
  }
}

void ClassRun::finish(const Listening& listening) {
  EndMetric end = listening.end;
  end.seconds = static_cast<double>(listening.wallNs) / 1e9;
  end.imagesPerSecond = end.seconds > 0 ? static_cast<double>(listening.examples) / end.seconds : 0;
  end.dataset = info_->dataset;
  end.parameters = info_->parameters;
  telemetry_.metric(end);
  std::vector<float> values(listening.weights.size() / sizeof(float));
  std::copy_n(listening.weights.data(), values.size() * sizeof(float), reinterpret_cast<char*>(values.data()));
  serving::saveClassWeights(config_, values);
}

void ClassRun::end(RunState state, const Message& failure) {
  const std::lock_guard lock(mutex_);
  state_ = state;
  failure_ = failure;
  for (ClassMember& member : members_) member.state = ClassMember::State::Left;  // nobody told where it broke off
}

}  // namespace lab

// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/serving/class_session.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <utility>

#include "core/base/at.h"
#include "core/strategy/strategy.h"

namespace lab::serving {
namespace {

constexpr std::int64_t kSecondNs = 1'000'000'000, kQuietNs = 5 * kSecondNs;
constexpr std::size_t kMostWaiting = 256;  // frames queued for a connection that does not read, besides a closure's
constexpr std::size_t kWaitingLittle = 8;  // connections with more waiting get no progress

}  // namespace

std::string nameOf(int worker) {
  constexpr std::array<const char*, 16> kAnimals{"Otter", "Heron",  "Lynx",   "Badger", "Falcon", "Seal",
                                                 "Hare",  "Marten", "Plover", "Beaver", "Stork",  "Newt",
                                                 "Ibex",  "Puffin", "Vole",   "Crane"};
  return std::string(kAnimals[static_cast<std::size_t>(worker) % kAnimals.size()]) + " " + std::to_string(worker + 1);
}

ClassSession::ClassSession(ClassTraining& training, const Token& token, const ClassLimits& limits, ClassEvents events)
    : training_(training),
      coordinator_(training.coordinator()),
      token_(token),
      limits_(limits),
      events_(std::move(events)),
      checks_(limits.checkShare, limits.processors, limits.checkSeed) {}

// ---- Connections

bool ClassSession::opened(int connection, std::int64_t ns, bool isLocal) {
  nowNs_ = ns;
  if (std::ssize(connections_) >= limits_.connections || over_) return false;
  Connection& it = connections_[connection];
  it.openedNs = it.countingSinceNs = ns;
  it.isLocal = isLocal;
  return true;
}

void ClassSession::answered(int connection, std::int64_t roundTripNs, std::uint64_t has, std::int64_t ns) {
  const auto found = connections_.find(connection);
  if (found == connections_.end()) return;
  nowNs_ = ns;
  Connection& it = found->second;
  it.roundTripNs = roundTripNs;
  if (over_ || it.sentNs < 0 || has != it.newest) return;
  endTurn(connection);
  assign(ns);
}

std::uint64_t ClassSession::sent(int connection) const {
  const auto found = connections_.find(connection);
  return found == connections_.end() ? 0 : found->second.sent;
}

void ClassSession::heard(int connection, std::int64_t ns) {
  nowNs_ = ns;
  const auto found = connections_.find(connection);
  if (found == connections_.end() || found->second.worker < 0) return;
  coordinator_.heard(found->second.worker, ns);
}

void ClassSession::received(int connection, std::span<const std::uint8_t> bytes, std::int64_t ns) {
  const auto found = connections_.find(connection);
  if (found == connections_.end() || found->second.closing) return;
  Connection& it = found->second;
  nowNs_ = ns;
  it.counts.moved(std::ssize(bytes), ns);
  if (it.worker < 0 && bytes.size() > kMostHelloBytes) return drop(connection, it, Reason::BadFrame);
  if (const auto chunk = viewChunk(bytes); chunk && it.worker >= 0)
    addChunk(connection, it, *chunk, ns);
  else if (const std::optional<Frame> frame = decode(bytes))
    take(connection, it, *frame, ns);
  else
    drop(connection, it, Reason::BadFrame);
  if (!over_) assign(ns);
}

void ClassSession::greet(int connection, Connection& it, const Hello& hello, std::int64_t ns) {
  // Checks the token first: without it, a stranger learns nothing, not even the version.
  if (!equalInConstantTime(hello.token, token_)) return drop(connection, it, Reason::WrongToken);
  if (hello.protocol != kProtocol) return drop(connection, it, Reason::OtherVersion);
  if (coordinator_.workers() >= limits_.workers) return drop(connection, it, Reason::ClassFull);
  int worker = 0;  // the lowest free number
  while (connectionOf_.contains(worker)) ++worker;
  it.worker = worker;
  it.path = hello.path;
  it.has.assign(static_cast<std::size_t>(training_.dataset().train.count), false);
  connectionOf_[worker] = connection;
  it.counts.joined(ns);
  coordinator_.join(worker, ns);
  Welcome welcome;
  welcome.worker = static_cast<std::uint16_t>(worker);
  welcome.name = nameOf(worker);
  welcome.strategy = strategyInfo(training_.config().strategy).key;
  welcome.network = training_.networkDescription();
  welcome.seed = static_cast<std::uint64_t>(training_.config().seed);
  welcome.steps = static_cast<std::uint64_t>(training_.updatesWanted());
  welcome.mostExamples = static_cast<std::uint32_t>(training_.config().largestShare());
  const std::string& dataset = training_.dataset().name;
  welcome.digits = dataset == "mnist" || dataset == "digits";
  welcome.weights = static_cast<std::uint32_t>(training_.shape().weights);
  welcome.statistics = static_cast<std::uint32_t>(training_.shape().statistics);
  welcome.wire = training_.config().wire;
  send(connection, it, welcome);
  if (coordinator_.isPaused()) send(connection, it, Pause{true});
  events_.joined({worker, welcome.name, hello.name, hello.path});
}

void ClassSession::take(int connection, Connection& it, const Frame& frame, std::int64_t ns) {
  const auto* hello = std::get_if<Hello>(&frame);
  if ((hello != nullptr) != (it.worker < 0)) return drop(connection, it, Reason::BadFrame);
  if (hello != nullptr) return greet(connection, it, *hello, ns);
  coordinator_.heard(it.worker, ns);
  if (ns - it.countingSinceNs >= kSecondNs) {
    it.countingSinceNs = ns;
    it.frames = 0;
  }
  if (++it.frames > limits_.frames) return drop(connection, it, Reason::TooMuch);
  const bool pushes = std::holds_alternative<Push>(frame);
  // No frame may come in the middle of a push, and no push after one that is held back.
  if (it.values.left() > 0 || (it.heldUntilNs && pushes)) return drop(connection, it, Reason::BadFrame);
  if (std::holds_alternative<Pull>(frame)) return coordinator_.ask(it.worker);
  if (const auto* push = std::get_if<Push>(&frame)) return beginPush(connection, it, *push, ns);
  if (const auto* asleep = std::get_if<Asleep>(&frame)) return coordinator_.setAsleep(it.worker, asleep->asleep, ns);
  if (!std::holds_alternative<Leave>(frame)) return drop(connection, it, Reason::BadFrame);
  it.closing = true;
  events_.wantsToSend(connection);
}

void ClassSession::closed(int connection, std::int64_t ns) {
  const auto found = connections_.find(connection);
  if (found == connections_.end()) return;
  const int worker = found->second.worker;
  if (worker >= 0) events_.leaving(worker);
  connections_.erase(found);
  nowNs_ = ns;
  endTurn(connection);
  if (worker < 0) return;
  connectionOf_.erase(worker);
  const bool lost = !over_ && coordinator_.workOf(worker) != nullptr;  // at the end nobody computes it any more
  coordinator_.leave(worker);
  if (lost) events_.lost(worker);
  events_.left(worker, std::nullopt);
  if (!over_) assign(ns);
}

void ClassSession::tick(std::int64_t ns) {
  nowNs_ = ns;
  training_.variables().check();
  std::vector<int> late;
  for (const auto& [connection, it] : connections_)
    if ((it.worker < 0 && !it.closing && ns - it.openedNs >= limits_.helloNs) ||
        it.out.size() > kMostWaiting + it.ofClosure)
      late.push_back(connection);
  for (const int connection : late) drop(connection, connections_.at(connection), Reason::Silent);
  if (over_) return;
  const Coordinator::Overdue overdue = coordinator_.expire(ns);
  for (const int worker : overdue.lost) {
    refuse(worker, connections_.at(connectionOf(worker)).newest, Reason::GivenToAnother);
    events_.lost(worker);
  }
  for (const int worker : overdue.gone) {
    const int connection = connectionOf(worker);
    drop(connection, connections_.at(connection), Reason::Silent);
  }
  for (const int worker : overdue.slow) {
    const int connection = connectionOf(worker);
    // Who is slow because the teacher wants it stays.
    if (Connection& it = connections_.at(connection); it.slowdown <= 1) drop(connection, it, Reason::TooSlow);
  }
  releaseHeld(ns);
  if (over_) return;
  wakeNext();  // a slow link's turn may no longer count
  tellProgress(ns);
  assign(ns);
}

void ClassSession::tellProgress(std::int64_t ns) {
  if (ns - toldNs_ < (examplesToTell_ > 0 ? kSecondNs : kQuietNs)) return;
  const Progress progress{.updates = static_cast<std::uint64_t>(training_.updates()),
                          .workers = static_cast<std::uint16_t>(coordinator_.workers()),
                          .loss = examplesToTell_ > 0 ? lossToTell_ / static_cast<double>(examplesToTell_)
                                                      : std::numeric_limits<double>::quiet_NaN()};
  toldNs_ = ns;
  examplesToTell_ = 0;
  lossToTell_ = 0;
  for (auto& [connection, it] : connections_)
    if (it.worker >= 0 && !it.closing && it.out.size() < kWaitingLittle) {
      // Variables may wait for their turn longer than a page waits for the server.
      const bool isHeldUp = !it.out.empty() && std::holds_alternative<Outgoing>(it.out.front());
      it.out.insert(isHeldUp ? it.out.begin() : it.out.end(), encode(progress));
      events_.wantsToSend(connection);
    }
}

void ClassSession::drop(int connection, Connection& it, Reason reason) {
  if (it.closing) return;
  it.out.clear();  // no other frame matters any more
  endTurn(connection);
  send(connection, it, Dropped{reason});
  it.closing = true;
  if (it.worker < 0) return;
  events_.leaving(it.worker);
  const int worker = std::exchange(it.worker, -1);
  connectionOf_.erase(worker);
  const bool lost = coordinator_.workOf(worker) != nullptr;
  coordinator_.leave(worker);
  if (lost) events_.lost(worker);
  events_.left(worker, reason);
}

int ClassSession::connectionOf(int worker) const {
  return connectionOf_.at(worker);
}

void ClassSession::send(int connection, Connection& it, const Frame& frame) {
  it.out.emplace_back(encode(frame));
  events_.wantsToSend(connection);
}

std::optional<FrameBytes> ClassSession::next(int connection, std::int64_t ns) {
  nowNs_ = std::max(nowNs_, ns);
  const auto found = connections_.find(connection);
  if (found == connections_.end() || found->second.out.empty()) return std::nullopt;
  Connection& it = found->second;
  auto& out = it.out;
  if (auto* bytes = std::get_if<FrameBytes>(&out.front())) {
    FrameBytes taken = std::move(*bytes);
    out.pop_front();
    it.counts.moved(std::ssize(taken), nowNs_);
    return taken;
  }
  auto& values = std::get<Outgoing>(out.front());
  if (!it.isLocal && !turns_.begin(connection, nowNs_)) return std::nullopt;
  FrameBytes chunk = nextChunk(training_.shape(), *values.values, values.at);
  if (values.at == values.values->size()) {
    out.pop_front();
    it.sentNs = nowNs_;
    it.sent = it.newest;
  }
  it.counts.moved(std::ssize(chunk), nowNs_);
  return chunk;
}

void ClassSession::endTurn(int connection) {
  turns_.end(connection, nowNs_);
  wakeNext();
}

void ClassSession::wakeNext() {
  if (const std::optional<int> next = turns_.next(nowNs_)) events_.wantsToSend(*next);
}

bool ClassSession::isClosing(int connection) const {
  const auto found = connections_.find(connection);
  return found == connections_.end() || found->second.closing;
}

bool ClassSession::hasEarned(int connection) const {
  const auto found = connections_.find(connection);
  return found != connections_.end() && found->second.worker >= 0 && found->second.hasPushed;
}

// ---- Closures

// Gives nobody a closure, and with it a version, before the link has a turn for the variables. In a class in step all
// get the same version, and ask for the link when they have their closures. Workers on this machine use no link, and
// never wait for a turn.
void ClassSession::assign(std::int64_t ns) {
  const int most = training_.isSynchronous() ? Coordinator::kEverybody : turns_.free(ns);
  const auto isLocal = [this](int worker) { return connections_.at(connectionOf(worker)).isLocal; };
  for (const Coordinator::Assignment& each : coordinator_.assign(ns, most, isLocal)) {
    const int connection = connectionOf(each.worker);
    if (!training_.isSynchronous() && !isLocal(each.worker)) (void)turns_.begin(connection, ns);
    give(connection, connections_.at(connection), each.work, ns);
  }
}

void ClassSession::give(int connection, Connection& it, const Work& work, std::int64_t ns) {
  it.newest = work.number;
  ++it.mayPush;
  it.givenNs = ns;
  it.sentNs = -1;
  it.heldUntilNs.reset();
  it.frames = 0;
  const std::size_t waiting = it.out.size();
  const auto size = static_cast<std::size_t>(training_.dataset().train.imageSize());
  Pictures pictures{.pictureBytes = static_cast<std::uint32_t>(size)};
  const auto flush = [&] {
    if (!pictures.indices.empty()) send(connection, it, pictures);
    pictures.indices.clear();
    pictures.labels.clear();
    pictures.pixels.clear();
  };
  Closure closure{.number = work.number,
                  .step = static_cast<std::uint64_t>(work.step),
                  .globalOffset = static_cast<std::uint64_t>(work.globalOffset),
                  .scale = work.scale};
  for (const std::int64_t example : work.examples) {
    closure.examples.push_back(static_cast<std::uint32_t>(example));
    if (std::vector<bool>::reference has = at(it.has, example); has)
      continue;
    else
      has = true;
    if (pictures.pixels.size() + size > kMostPictureBytes) flush();
    pictures.indices.push_back(static_cast<std::uint32_t>(example));
    pictures.labels.push_back(at(training_.dataset().train.labels, example));
    const std::uint8_t* pixels = training_.dataset().train.image(example);
    pictures.pixels.insert(pictures.pixels.end(), pixels, pixels + size);
  }
  flush();
  send(connection, it, closure);
  it.version = training_.updates();
  const Snapshot values = training_.variables().pulled();
  send(connection, it,
       Variables{.closure = work.number,
                 .version = static_cast<std::uint64_t>(it.version),
                 .floats = static_cast<std::uint32_t>(values->size())});
  it.variables = values;
  it.out.emplace_back(Outgoing{values});
  it.ofClosure = it.out.size() - waiting;
  it.suspect = checks_.picks(coordinator_.workers(), ns) ? suspectOf(connection, it.worker, work, *values) : nullptr;
}

std::shared_ptr<Suspect> ClassSession::suspectOf(int connection, int worker, const Work& work,
                                                 const std::vector<float>& variables) const {
  auto suspect = std::make_shared<Suspect>();
  suspect->connection = connection;
  suspect->worker = worker;
  suspect->path = connections_.at(connection).path;
  Job& job = suspect->job;
  job = {.closure = work.number,
         .version = static_cast<std::uint64_t>(training_.updates()),
         .seed = static_cast<std::uint64_t>(training_.config().seed),
         .step = work.step,
         .globalOffset = work.globalOffset,
         .scale = work.scale,
         .wire = training_.config().wire,
         .variables = variables};
  for (const std::int64_t example : work.examples) {
    const std::uint8_t* pixels = training_.dataset().train.image(example);
    job.pixels.insert(job.pixels.end(), pixels, pixels + training_.dataset().train.imageSize());
    job.labels.push_back(at(training_.dataset().train.labels, example));
  }
  return suspect;
}

void ClassSession::beginPush(int connection, Connection& it, const Push& push, std::int64_t ns) {
  if (--it.mayPush < 0) return drop(connection, it, Reason::TooMuch);  // the worker has pushed this closure already
  const Work* work = coordinator_.workOf(it.worker);
  const bool has = work != nullptr && work->number == push.closure;
  const bool fits =
      push.floats == training_.shape().floats() && push.closure > 0 && push.closure <= it.newest &&
      (!has || (push.version == static_cast<std::uint64_t>(it.version) && push.correct <= work->examples.size()));
  if (!fits) return drop(connection, it, Reason::BadFrame);
  if (!std::isfinite(push.lossSum)) return drop(connection, it, Reason::NotFinite);
  if (push.lossSum < 0) return drop(connection, it, Reason::BadFrame);
  // A loss is as large as a gradient may be, so that a single push does not hide all others in a chart.
  if (has && push.lossSum > limits_.norm * static_cast<double>(work->examples.size()))
    return drop(connection, it, Reason::NormTooLarge);
  it.values.begin(training_.shape(), has);
  it.push.reset();
  if (!has) return;  // its chunks are read and discarded
  it.push = push;
  it.pushBeganNs = ns;
  endTurn(connection);  // needed for a worker that answers no pings
}

void ClassSession::addChunk(int connection, Connection& it, const ChunkView& chunk, std::int64_t ns) {
  coordinator_.heard(it.worker, ns);
  if (!it.values.take(chunk)) return drop(connection, it, Reason::BadFrame);
  if (it.values.left() == 0 && it.push && !it.heldUntilNs) finishPush(connection, it, ns);
}

// Returns whether this push, which is complete, does not count yet.
bool ClassSession::isHeld(Connection& it, std::int64_t ns) const {
  if (it.slowdown <= 1) return false;
  if (!it.heldUntilNs) {
    it.pushedNs = ns;
    it.heldUntilNs = it.givenNs + static_cast<std::int64_t>(static_cast<double>(ns - it.givenNs) * it.slowdown);
  }
  return ns < *it.heldUntilNs;
}

void ClassSession::releaseHeld(std::int64_t ns) {
  std::vector<int> due;
  for (auto& [connection, it] : connections_)
    if (it.heldUntilNs && !it.closing && (ns >= *it.heldUntilNs || it.slowdown <= 1)) due.push_back(connection);
  for (const int connection : due)
    if (!over_) finishPush(connection, connections_.at(connection), ns);
}

void ClassSession::finishPush(int connection, Connection& it, std::int64_t ns) {
  if (isHeld(it, ns)) return;
  if (!it.heldUntilNs) it.pushedNs = ns;
  it.heldUntilNs.reset();
  it.variables = nullptr;
  const Push push = *std::exchange(it.push, std::nullopt);
  std::vector<float> values = it.values.values();
  const Work* work = coordinator_.workOf(it.worker);
  if (work == nullptr || work->number != push.closure) return;  // the worker has lost the closure meanwhile, and knows
  if (const auto reason = training_.whyNot(values, limits_.norm)) return drop(connection, it, *reason);
  it.hasPushed = true;
  check(it, push, values);
  // The worker's own computing time is trusted as far as the clock here allows.
  const auto computeNs =
      std::clamp<std::int64_t>(static_cast<std::int64_t>(push.computeNs), 0, it.pushBeganNs - it.givenNs);
  pushed_[push.closure] = {
      connection, push, std::move(values), it.version, {it.givenNs, it.pushBeganNs, it.pushedNs, computeNs}, it.path};
  if (const auto due = coordinator_.pushed(it.worker)) update(*due, ns);
}

void ClassSession::check(Connection& it, const Push& push, const std::vector<float>& values) {
  const std::shared_ptr<Suspect> suspect = std::exchange(it.suspect, nullptr);
  if (!suspect || checks_.isRunning() || suspect->job.closure != push.closure) return;
  suspect->pushed = {.closure = push.closure,
                     .version = push.version,
                     .lossSum = push.lossSum,
                     .correct = push.correct,
                     .gradients = values};
  checks_.begin();
  events_.checkDue(suspect);
}

// A false gradient has been applied by now, and others have computed with the result: it stays, and the run notes it.
void ClassSession::checked(const Suspect& suspect, bool honest, std::int64_t tookNs, std::int64_t ns) {
  checks_.finish(tookNs, ns);
  if (honest) return;
  events_.falseFound(suspect.worker, suspect.job.closure);
  if (const auto found = connections_.find(suspect.connection); found != connections_.end())
    drop(suspect.connection, found->second, Reason::FalseGradient);
  if (!over_) assign(ns);
}

void ClassSession::refuse(int worker, std::uint64_t closure, Reason reason) {
  const int connection = connectionOf(worker);
  send(connection, connections_.at(connection), Refused{closure, reason});
}

// Removes the latest closure from the queue and returns true, if only pictures of it have been sent. A worker that
// reads more slowly than the others finish steps would otherwise be sent, and compute, every step that is already over,
// until its queue is too long.
bool ClassSession::takeBack(Connection& it) {
  auto& out = it.out;
  const auto isValues = [](const auto& each) { return std::holds_alternative<Outgoing>(each); };
  const auto values = std::find_if(out.rbegin(), out.rend(), isValues);  // the closure's last part
  if (std::distance(values, out.rend()) < 3) return false;
  const auto end = values.base();
  const auto frameAt = [](const auto& place) -> std::optional<Frame> {
    const auto* bytes = std::get_if<FrameBytes>(&*place);
    return bytes == nullptr ? std::nullopt : decode(*bytes);
  };
  auto begin = end - 3;
  const std::optional<Frame> frame = frameAt(begin);
  const auto* closure = frame ? std::get_if<Closure>(&*frame) : nullptr;
  if (closure == nullptr || closure->number != it.newest) return false;
  for (; begin != out.begin(); --begin) {
    const std::optional<Frame> before = frameAt(begin - 1);
    const auto* pictures = before ? std::get_if<Pictures>(&*before) : nullptr;
    if (pictures == nullptr) break;
    for (const std::uint32_t index : pictures->indices) at(it.has, index) = false;
  }
  out.erase(begin, end);
  it.ofClosure = 0;
  --it.mayPush;
  return true;
}

// ---- Updates

void ClassSession::update(const Coordinator::Update& due, std::int64_t ns) {
  const ClassUpdate update = training_.apply(due, pushed_, ns);
  for (const Coordinator::Contribution& late : due.leftOut)
    if (late.worker >= 0 && !takeBack(connections_.at(connectionOf(late.worker))))
      refuse(late.worker, late.work.number, Reason::LeftOut);
  double lossSum = 0;
  for (const Coordinator::Contribution& each : due.used) lossSum += pushed_.at(each.work.number).push.lossSum;
  lossToTell_ += lossSum;
  examplesToTell_ += update.metric.examples;
  tellApplied(due, update.metric, ns);
  events_.updated(update.metric, update.parts, update.times);
  pushed_.clear();
  if (training_.evaluationIsDue()) events_.evaluationDue(training_.updates(), training_.variables().snapshot());
  if (coordinator_.isOver()) finish();
}

void ClassSession::tellApplied(const Coordinator::Update& due, const StepMetric& metric, std::int64_t ns) {
  for (const Coordinator::Contribution& each : due.used) {
    const ReceivedPush& pushed = pushed_.at(each.work.number);
    const auto found = connections_.find(pushed.connection);
    // In step it may have left since its push; its number may be another's by now.
    if (found == connections_.end() || found->second.worker != each.worker) continue;
    Connection& it = found->second;
    const std::int64_t staleness = metric.step - 1 - pushed.version;
    it.counts.pushed(std::ssize(each.work.examples), staleness, ns);
    send(pushed.connection, it,
         Applied{.closure = each.work.number,
                 .version = static_cast<std::uint64_t>(metric.step),
                 .staleness = static_cast<std::uint32_t>(staleness),
                 .loss = metric.loss});
  }
}

// ---- The teacher

void ClassSession::pause(bool paused, std::int64_t ns) {
  coordinator_.pause(paused);
  for (auto& [connection, it] : connections_)
    if (it.worker >= 0) send(connection, it, Pause{paused});
  if (!paused && !over_) assign(ns);
}

void ClassSession::step(std::int64_t ns) {
  coordinator_.allow(1);
  if (!over_) assign(ns);
}

void ClassSession::slow(int worker, double factor, std::int64_t ns) {
  constexpr double kMost = 1000;
  const auto found = connectionOf_.find(worker);
  if (found == connectionOf_.end() || !(factor > 0)) return;
  connections_.at(found->second).slowdown = std::clamp(factor, 1.0, kMost);
  releaseHeld(ns);
  if (!over_) assign(ns);
}

bool ClassSession::isSlowed() const {
  return std::ranges::any_of(connections_, [](const auto& each) { return each.second.slowdown > 1; });
}

std::vector<ClassMember> ClassSession::members(std::int64_t ns) const {
  std::vector<ClassMember> all;
  for (const auto& [worker, connection] : connectionOf_) all.push_back(member(worker, ns));
  return all;
}

ClassMember ClassSession::member(int worker, std::int64_t ns) const {
  using State = ClassMember::State;
  using WaitsFor = ClassMember::WaitsFor;
  const int connection = connectionOf(worker);
  const Connection& it = connections_.at(connection);
  const Coordinator::Standing standing = coordinator_.standingOf(worker);
  const bool hasWork = coordinator_.workOf(worker) != nullptr;
  ClassMember member;
  member.worker = worker;
  it.counts.describe(member, ns);
  member.roundTripNs = it.roundTripNs;
  member.slowdown = it.slowdown;
  if (standing.asleep || standing.silent)
    member.state = standing.asleep ? State::Asleep : State::Silent;
  else if (it.heldUntilNs)
    member.state = State::Slowed;
  else if (hasWork && it.sentNs >= 0)
    member.state = State::Computing;
  if (member.state != State::Waiting) return member;
  const bool noTurn = !it.isLocal && (hasWork ? !turns_.has(connection) : standing.asks && turns_.free(ns) == 0);
  member.waitsFor = hasWork && !noTurn                      ? WaitsFor::Variables
                    : !hasWork && coordinator_.isPaused()   ? WaitsFor::Teacher
                    : !hasWork && training_.isSynchronous() ? WaitsFor::Others
                    : noTurn                                ? WaitsFor::Link
                                                            : WaitsFor::Server;
  return member;
}

ClassState ClassSession::state() {
  ClassState state{.step = training_.updates(),
                   .variables = training_.variables().snapshot(),
                   .optimizer = training_.variables().optimizer()};
  for (const auto& [worker, connection] : connectionOf_) {
    const Connection& it = connections_.at(connection);
    const Work* work = coordinator_.workOf(worker);
    if (work == nullptr || it.variables == nullptr) continue;
    if (it.version < state.step) state.older[it.version] = it.variables;
    state.held.push_back(
        {worker, work->number, it.version, std::ssize(work->examples), work->scale, it.path, it.givenNs, it.sentNs});
  }
  return state;
}

void ClassSession::remove(int worker, std::int64_t ns) {
  const auto found = connectionOf_.find(worker);
  if (found == connectionOf_.end()) return;
  const int connection = found->second;
  drop(connection, connections_.at(connection), Reason::Removed);
  if (!over_) assign(ns);
}

void ClassSession::end() {
  if (!over_) finish();
}

void ClassSession::finish() {
  over_ = true;
  for (auto& [connection, it] : connections_) {
    if (it.closing) continue;
    std::erase_if(it.out, [](const auto& each) { return std::holds_alternative<Outgoing>(each); });
    if (it.worker >= 0) send(connection, it, End{static_cast<std::uint64_t>(training_.updates())});
    it.closing = true;
    events_.wantsToSend(connection);
  }
  events_.ended();
}

}  // namespace lab::serving

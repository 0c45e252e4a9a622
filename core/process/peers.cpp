// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/process/peers.h"

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <nlohmann/json.hpp>
#include <span>
#include <thread>
#include <utility>

#include "core/base/at.h"
#include "core/base/error.h"
#include "core/base/platform.h"
#include "core/process/messages.h"
#include "core/process/wire_module.h"

namespace lab::process {
namespace {

// The library moves bytes only when it is polled, so a nap is no longer than what the link's buffers hold.
constexpr std::chrono::microseconds kNap{50};

thread_local std::shared_ptr<Peers> current;

std::int64_t clockNs() {
  return std::chrono::steady_clock::now().time_since_epoch().count();
}

Content contentOf(const std::string& text) {
  const auto* first = reinterpret_cast<const std::byte*>(text.data());
  return {first, first + text.size()};
}
// Returns launch's option that gives more time.
Option limitOf(Doing doing) {
  return {takesLong(doing) ? "start-up-limit" : "deadline"};
}

std::string textOf(const Content& content) {
  return {reinterpret_cast<const char*>(content.data()), content.size()};
}

}  // namespace

int reporterOf(const std::vector<Place>& places, int worker) {
  if (worker != 0) return 0;
  const auto elsewhere = std::ranges::find_if(places, [&](const Place& each) { return each.host != places[0].host; });
  return elsewhere == places.end() ? 1 : static_cast<int>(elsewhere - places.begin());
}

Peers::Peers(std::shared_ptr<Wire> wire, const TimeLimits& limits) : wire_(std::move(wire)) {
  health_ = std::make_unique<Health>(wire_, limits, [this](const Verdict& verdict) { endHanging(verdict); });
  health_->enter(Doing::StartUp, 0);
  findPlaces();
  offsets_.resize(static_cast<std::size_t>(size()));
}

// A process that leaves because of an error has already ended all processes.
Peers::~Peers() {
  try {
    enter(Doing::Leaving, health_->step());
    barrier();
  } catch (const std::exception&) {
    wire_->abort(1);
  }
  health_.reset();  // its thread handles the rest
}

void Peers::whenHanging(std::function<void(const Message&)> tell) {
  const std::lock_guard lock(telling_);
  tell_ = std::move(tell);
}

void Peers::endHanging(const Verdict& verdict) noexcept {
  try {
    const std::lock_guard lock(telling_);
    if (tell_ && rank() == reporterOf(places_, verdict.worker)) tell_(sentenceOf(verdict));
  } catch (const std::exception&) {
    // Ending is more important than the message.
  }
  wire_->abort(1);
}

void Peers::findPlaces() {
  const nlohmann::json mine = {{"host", hostName()}, {"pid", processId()}, {"processor", processorName()}};
  for (const Content& each : allGather(contentOf(mine.dump()))) {
    const nlohmann::json place = nlohmann::json::parse(textOf(each));
    places_.push_back({place.at("host").get<std::string>(), place.at("pid").get<std::int64_t>(), 1,
                       place.at("processor").get<std::string>()});
  }
  for (Place& place : places_)
    place.onHost =
        static_cast<int>(std::ranges::count_if(places_, [&](const Place& each) { return each.host == place.host; }));
  crowded_ = here().onHost > processorCount();
}

Message Peers::nameOf(int rank) const {
  if (static_cast<std::size_t>(rank) >= places_.size()) return {say::workerOnHost, rank, "?", "?"};
  const Place& place = at(places_, rank);
  return {say::workerOnHost, rank, place.host, place.pid};
}

// ---- Waiting

void Peers::pause(int from) {
  health_->waitFor(from);
  if (health_->hasVerdict()) {
    const Verdict verdict = health_->takeVerdict();
    alike_ = rank() == 0 || rank() != reporterOf(places_, verdict.worker);
    throw UserError(sentenceOf(verdict), UserError::Kind::Run);
  }
  const bool givesWay = wire_->givesWay(), shares = givesWay || crowded_;
  if (polls_ == 0) waitsSinceNs_ = clockNs();
  if (polls_ <= kSpins) ++polls_;
  // A spinning process does not ask for the time.
  const std::int64_t waitedNs = shares || polls_ > kSpins ? clockNs() - waitsSinceNs_ : 0;
  switch (restAfter(polls_, std::chrono::nanoseconds(waitedNs), shares)) {
    case Rest::Spin:
      return relaxProcessor();
    case Rest::Yield:
      if (!givesWay) std::this_thread::yield();
      return;
    case Rest::Nap:
      return std::this_thread::sleep_for(kNap);
  }
}

Message Peers::sentenceOf(const Verdict& verdict) const {
  const Message who = nameOf(verdict.worker), what = wordsOf(verdict.doing, verdict.step);
  const Option limit = limitOf(verdict.doing);
  const char* variable = takesLong(verdict.doing) ? kStartUpVariable : kDeadlineVariable;
  switch (verdict.kind) {
    case Verdict::Kind::Missing:
      return {say::workerMissing, who, verdict.seconds, what};
    case Verdict::Kind::Unreachable:
      return {say::workerUnreachable, who, verdict.seconds, what, nameOf(verdict.other)};
    case Verdict::Kind::Stuck:
      return {say::workersStuck, verdict.seconds, what, limit, variable};
    default:
      return {say::workerAbsent, who, verdict.seconds, what, limit, variable};
  }
}

void Peers::wait(Request& request, int from) {
  try {
    while (!wire_->test(request)) pause(from);
  } catch (...) {
    wire_->cancel(request);  // its bytes disappear with the caller's stack
    throw;
  }
  resume();
}

// ---- Collectives

void Peers::broadcast(void* bytes, std::size_t count) {
  const int n = size(), me = rank();
  int mask = 1;
  for (; mask < n; mask <<= 1)
    if ((me & mask) != 0) {
      Request request = wire_->receive(me - mask, Channel::Control, bytes, count);
      wait(request, me - mask);
      break;
    }
  std::vector<std::pair<Request, int>> sends;
  for (mask >>= 1; mask > 0; mask >>= 1)
    if (me + mask < n) sends.emplace_back(wire_->send(me + mask, Channel::Control, bytes, count), me + mask);
  for (auto& [request, to] : sends) wait(request, to);
}

// Bruck's algorithm: after round k everybody has the contributions of the next 2ᵏ⁺¹ ranks.
void Peers::allGather(const void* mine, void* all, std::size_t count) {
  const int n = size(), me = rank();
  Content blocks(count * static_cast<std::size_t>(n));
  std::memcpy(blocks.data(), mine, count);
  for (int have = 1; have < n; have *= 2) {
    const std::size_t bytes = count * static_cast<std::size_t>(std::min(have, n - have));
    const int to = (me - have + n) % n, from = (me + have) % n;
    Request in = wire_->receive(from, Channel::Control, blocks.data() + count * static_cast<std::size_t>(have), bytes);
    Request out = 0;
    try {
      out = wire_->send(to, Channel::Control, blocks.data(), bytes);
      wait(in, from);
      wait(out, to);
    } catch (...) {  // the blocks are freed, and nothing may arrive in them any more
      wire_->cancel(in);
      wire_->cancel(out);
      throw;
    }
  }
  auto* result = static_cast<std::byte*>(all);
  for (int i = 0; i < n; ++i)
    std::memcpy(result + count * static_cast<std::size_t>((me + i) % n),
                blocks.data() + count * static_cast<std::size_t>(i), count);
}

std::vector<Content> Peers::gather(const Content& mine) {
  std::vector<std::uint64_t> sizes(static_cast<std::size_t>(size()));
  const std::uint64_t own = mine.size();
  allGather(&own, sizes.data(), sizeof own);
  if (!isChief()) {
    Request request = wire_->send(0, Channel::Control, mine.data(), mine.size());
    wait(request, 0);
    return {};
  }
  std::vector<Content> all(sizes.size());
  std::vector<Request> requests(sizes.size());
  all.front() = mine;
  for (std::size_t r = 1; r < all.size(); ++r) {
    all[r].resize(sizes[r]);
    requests[r] = wire_->receive(static_cast<int>(r), Channel::Control, all[r].data(), all[r].size());
  }
  try {
    for (std::size_t r = 1; r < all.size(); ++r) wait(requests[r], static_cast<int>(r));
  } catch (...) {
    for (Request& request : requests) wire_->cancel(request);
    throw;
  }
  return all;
}

std::vector<Content> Peers::allGather(const Content& mine) {
  std::vector<std::uint64_t> sizes(static_cast<std::size_t>(size()));
  const std::uint64_t own = mine.size();
  allGather(&own, sizes.data(), sizeof own);
  const std::uint64_t most = std::ranges::max(sizes);
  Content padded = mine, all(most * sizes.size());
  padded.resize(most);
  allGather(padded.data(), all.data(), most);
  std::vector<Content> result;
  for (std::size_t r = 0; r < sizes.size(); ++r) {
    const auto first = all.begin() + static_cast<std::ptrdiff_t>(most * r);
    result.emplace_back(first, first + static_cast<std::ptrdiff_t>(sizes[r]));
  }
  return result;
}

Content Peers::broadcast(Content content) {
  std::uint64_t bytes = content.size();
  broadcast(&bytes, sizeof bytes);
  content.resize(bytes);
  for (std::size_t at = 0; at < content.size(); at += kMostBroadcast)
    broadcast(content.data() + at, std::min(kMostBroadcast, content.size() - at));
  return content;
}

void Peers::barrier() {
  std::vector<std::byte> all(static_cast<std::size_t>(size()));
  const std::byte mine{};
  allGather(&mine, all.data(), 1);
}

// ---- Clocks

// Cristian's algorithm: of several exchanges, the shortest one is the most accurate; its error is at most half its
// time.
Peers::Offset Peers::offsetOf(int child, int exchanges) {
  Offset best{0, std::numeric_limits<std::int64_t>::max()};
  for (int i = 0; i < exchanges; ++i) {
    std::int64_t theirs = 0;
    std::byte asked{};
    const std::int64_t beganNs = clockNs();
    Request answer = wire_->receive(child, Channel::Control, &theirs, sizeof theirs);
    Request question = wire_->send(child, Channel::Control, &asked, 1);
    wait(question, child);
    wait(answer, child);
    const std::int64_t tookNs = clockNs() - beganNs;
    if (tookNs / 2 < best.errorNs) best = {theirs - beganNs - tookNs / 2, tookNs / 2};
  }
  return best;
}

void Peers::answerClock(int parent, int exchanges) {
  for (int i = 0; i < exchanges; ++i) {
    std::byte asked{};
    Request question = wire_->receive(parent, Channel::Control, &asked, 1);
    wait(question, parent);
    std::int64_t nowNs = clockNs();
    Request answer = wire_->send(parent, Channel::Control, &nowNs, sizeof nowNs);
    wait(answer, parent);
  }
}

// Before a process meets its parent, it has the offsets of the next `distance` ranks, including itself, to its own
// clock.
void Peers::alignClocks(int exchanges) {
  const int n = size(), me = rank();
  offsets_.assign(static_cast<std::size_t>(n), {});
  const auto from = [&](int rank, int distance) {
    return std::span(offsets_)
        .subspan(static_cast<std::size_t>(rank))
        .first(static_cast<std::size_t>(std::min(distance, n - rank)));
  };
  for (int distance = 1; distance < n; distance *= 2) {
    if ((me & distance) != 0) {
      answerClock(me - distance, exchanges);
      const std::span<const Offset> mine = from(me, distance);
      Request request = wire_->send(me - distance, Channel::Control, mine.data(), mine.size_bytes());
      return wait(request, me - distance);
    }
    const int child = me + distance;
    if (child >= n) continue;
    const Offset between = offsetOf(child, exchanges);
    const std::span<Offset> theirs = from(child, distance);
    Request request = wire_->receive(child, Channel::Control, theirs.data(), theirs.size_bytes());
    wait(request, child);
    for (Offset& each : theirs) each = {each.ns + between.ns, each.errorNs + between.errorNs};
  }
}

std::chrono::nanoseconds Peers::sinceToldToEnd() {
  const auto now = std::chrono::steady_clock::now();
  if (!toldToEndAt_) toldToEndAt_ = now;
  return now - *toldToEndAt_;
}

void Peers::abort(int exitCode) noexcept {
  wire_->abort(exitCode);
}

// ---- This process

std::shared_ptr<Peers> peers() {
  return current;
}

void setPeers(std::shared_ptr<Peers> peers) {
  current = std::move(peers);
}

TimeLimits timeLimits() {
  constexpr double kLeastSeconds = 0.1;
  TimeLimits limits;
  if (const char* text = std::getenv(kDeadlineVariable))
    limits.deadlineSeconds = std::max(kLeastSeconds, std::atof(text));
  if (const char* text = std::getenv(kStartUpVariable))
    limits.startUpSeconds = std::max(kLeastSeconds, std::atof(text));
  return limits;
}

std::shared_ptr<Peers> join() {
  if (current) return current;
  const Option devices{"devices"};
  if (const Message why = whyNoProcesses(); !why.empty()) throw UserError(say::noProcesses, devices, why);
  const Started started = howStarted();
  if (!started.together) throw UserError(say::notAmongProcesses, devices);
  std::shared_ptr<Wire> wire;
  try {
    wire = openWire();
  } catch (const UserError& error) {
    throw UserError(say::noProcesses, devices, error.message());
  }
  if (wire->size() == 1 && started.processes > 1) throw UserError(say::aloneAmongMany, devices, started.processes);
  current = std::make_shared<Peers>(std::move(wire), timeLimits());
  return current;
}

}  // namespace lab::process

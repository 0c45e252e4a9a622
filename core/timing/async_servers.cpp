// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/timing/async_servers.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <utility>

#include "core/base/at.h"
#include "core/base/error.h"
#include "core/base/json.h"
#include "core/timing/whole_ns.h"

namespace lab {

void AsyncServers::start(ServerSettings settings) {
  settings_ = std::move(settings);
  LAB_CHECK(settings_.updateNs.size() == settings_.transferNs.size());
  LAB_CHECK(settings_.portNs.empty() || settings_.portNs.size() == settings_.transferNs.size());
  LAB_CHECK(std::ranges::any_of(settings_.transferNs, [](std::int64_t ns) { return ns >= 0; }));
  workers_.assign(static_cast<std::size_t>(settings_.workers), {});
  servers_.assign(settings_.transferNs.size(), {});
  uplinks_.assign(settings_.uplinkFactors.size(), {});
  nics_.assign(settings_.nicFactors.size(), {});
  for (std::deque<Event>& line : lines_) line.clear();
  heap_.clear();
  sequence_ = 0;
  airFreeNs_ = 0;
  turnsTaken_ = 0;
  waiting_.clear();
  atClock_ = {{0, settings_.workers}};
}

void AsyncServers::add(Event event) {
  event.sequence = sequence_++;
  std::deque<Event>& line = at(lines_, event.kind);
  if (line.empty() || line.back().timeNs <= event.timeNs) return line.push_back(event);
  heap_.push_back(event);
  std::ranges::push_heap(heap_, Later());
}

AsyncServers::Event AsyncServers::takeEarliest() {
  std::deque<Event>* earliest = nullptr;
  for (std::deque<Event>& line : lines_)
    if (!line.empty() && (earliest == nullptr || Later()(earliest->front(), line.front()))) earliest = &line;
  LAB_CHECK(earliest != nullptr || !heap_.empty());
  Event event;
  if (earliest == nullptr || (!heap_.empty() && Later()(earliest->front(), heap_.front()))) {
    std::ranges::pop_heap(heap_, Later());
    event = heap_.back();
    heap_.pop_back();
  } else {
    event = earliest->front();
    earliest->pop_front();
  }
  return event;
}

std::vector<AsyncServers::Event> AsyncServers::pending() const {
  std::vector<Event> events = heap_;
  for (const std::deque<Event>& line : lines_) events.insert(events.end(), line.begin(), line.end());
  std::ranges::sort(events, {}, &Event::sequence);
  return events;
}

void AsyncServers::ask(int worker, std::int64_t nowNs) {
  at(workers_, worker).cycle = {.askedNs = nowNs};
  at(workers_, worker).dropped = false;
  // The request waits for its time, so that requests sent by others until then go first.
  add({.timeNs = nowNs, .kind = Kind::Asked, .worker = worker});
}

void AsyncServers::compute(int worker, std::int64_t computeNs, std::int64_t inputNs, bool prefetch) {
  Worker& w = at(workers_, worker);
  w.cycle.begunNs = prefetch ? std::max(w.cycle.pulledNs, w.inputReadyNs) : w.cycle.pulledNs + inputNs;
  w.inputReadyNs = w.cycle.begunNs + inputNs;
  w.cycle.computedNs = sumNs(w.cycle.begunNs, computeNs, kLongestRunNs);
  add({.timeNs = w.cycle.computedNs, .kind = Kind::Computed, .worker = worker});
}

// Takes what the worker's transfers share with those of others, beside the server's port: the NICs of its host, if they
// can delay it, and the uplinks above. Returns how much later the transfer ends because of the others. The port is free
// for transfers that take another way meanwhile.
std::int64_t AsyncServers::waitForSharedNs(int worker, std::size_t server, bool push, std::int64_t beginNs,
                                           std::int64_t endNs) {
  std::int64_t waitNs = 0;
  const auto pass = [&](SharedLink& link, double factor) {
    std::int64_t& freeNs = push ? link.inFreeNs : link.outFreeNs;
    freeNs = sumNs(std::max(freeNs, beginNs), wholeNs(factor * static_cast<double>(settings_.transferNs[server])),
                   kLongestRunNs);
    waitNs = std::max(waitNs, freeNs - endNs);
  };
  const auto w = static_cast<std::size_t>(worker);
  if (!settings_.nicsOf.empty() && settings_.nicsOf[w] >= 0) {
    const auto nic = static_cast<std::size_t>(settings_.nicsOf[w]);
    pass(nics_[nic], settings_.nicFactors[nic]);
  }
  if (!settings_.uplinksOf.empty())
    for (const std::size_t uplink : settings_.uplinksOf[w]) pass(uplinks_[uplink], settings_.uplinkFactors[uplink]);
  return waitNs;
}

// Exchanges a worker's transfers with every server. A server reads its variables when it is asked, and the answer then
// waits for the link. Calls come in order of time, so taking the links at once is first come, first served.
void AsyncServers::exchange(int worker, std::int64_t nowNs, bool push) {
  Worker& w = at(workers_, worker);
  double factor = settings_.linkFactors.empty() ? 1 : at(settings_.linkFactors, worker);
  if (!settings_.uplinksOf.empty())
    for (const std::size_t uplink : at(settings_.uplinksOf, worker))
      factor = std::max(factor, settings_.uplinkFactors[uplink]);
  const std::int64_t thereNs = nowNs + settings_.latencyNs;
  std::int64_t sendingNs = settings_.latencyNs, untilNs = thereNs;
  for (std::size_t i = 0; i < servers_.size(); ++i) {
    if (settings_.transferNs[i] < 0) continue;
    Server& server = servers_[i];
    std::int64_t& serverFreeNs = push ? server.inFreeNs : server.outFreeNs;
    std::int64_t& ownFreeNs = push ? w.outFreeNs : w.inFreeNs;
    std::int64_t beginNs = std::max({thereNs, serverFreeNs, ownFreeNs, airFreeNs_});
    // While the slower end of the link is still busy, the faster end is free for others.
    const std::int64_t portNs = settings_.portNs.empty() ? settings_.transferNs[i] : settings_.portNs[i];
    const std::int64_t ownNs = wholeNs(std::max(1.0, factor) * static_cast<double>(settings_.transferNs[i]));
    std::int64_t endNs = sumNs(beginNs, std::max(ownNs, portNs), kLongestRunNs);
    serverFreeNs = beginNs + portNs;
    ownFreeNs = beginNs + ownNs;
    if (settings_.sharedAir) airFreeNs_ = endNs;
    const std::int64_t waitNs = waitForSharedNs(worker, i, push, beginNs, endNs);
    beginNs += waitNs;
    endNs += waitNs;
    // What slower servers send at once counts once.
    sendingNs += std::max<std::int64_t>(0, endNs - std::max(beginNs, untilNs));
    untilNs = std::max(untilNs, endNs);
    ++w.underWay;
    add({.timeNs = push ? endNs : nowNs,
         .kind = push ? Kind::Push : Kind::Pull,
         .worker = worker,
         .server = static_cast<int>(i),
         .beginNs = beginNs,
         .endNs = endNs});
  }
  w.cycle.sendingNs += sendingNs;
  if (!push) w.cycle.pulledNs = untilNs;
}

bool AsyncServers::mayPull(int worker) const {
  const std::int64_t ahead = *at(workers_, worker).clock - slowestClock();
  return !isFull() && ahead <= settings_.turns.clocksAhead.value_or(ahead);
}

void AsyncServers::pull(int worker, std::int64_t nowNs) {
  exchange(worker, nowNs, false);
  if (settings_.turns.atOnce == 0) return;
  ++turnsTaken_;
  add({.timeNs = at(workers_, worker).cycle.pulledNs, .kind = Kind::Turn, .worker = worker});
}

// Pulls as soon as the worker may. One that comes back begins with the slowest.
void AsyncServers::takeTurn(int worker, std::int64_t nowNs) {
  if (!at(workers_, worker).clock) setClock(worker, slowestClock(), nowNs);
  if (mayPull(worker)) return pull(worker, nowNs);
  waiting_.push_back(worker);
}

// Lets all pull who wait and may.
void AsyncServers::giveTurns(std::int64_t nowNs) {
  for (auto next = waiting_.begin(); next != waiting_.end() && !isFull();) {
    if (mayPull(*next)) {
      pull(*next, nowNs);
      next = waiting_.erase(next);
    } else {
      ++next;
    }
  }
}

void AsyncServers::setClock(int worker, std::optional<std::int64_t> clock, std::int64_t nowNs) {
  std::optional<std::int64_t>& own = at(workers_, worker).clock;
  const std::int64_t slowest = slowestClock();
  if (clock) ++atClock_[*clock];
  if (own && --atClock_[*own] == 0) atClock_.erase(*own);
  own = clock;
  if (slowestClock() > slowest) giveTurns(nowNs);
}

// Something is over for which others may have waited.
void AsyncServers::endTurn(const Event& event) {
  const Worker& worker = at(workers_, event.worker);
  if (event.kind == Kind::Turn) {
    --turnsTaken_;
    giveTurns(event.timeNs);
  }
  if (event.kind == Kind::Ended && worker.clock) setClock(event.worker, *worker.clock + 1, event.timeNs);
  if (event.kind == Kind::Noticed && worker.dropped) setClock(event.worker, {}, event.timeNs);
}

ServerTransfer AsyncServers::next() {
  while (true) {
    const Event event = takeEarliest();
    if (event.kind == Kind::Asked) takeTurn(event.worker, event.timeNs);
    if (event.kind == Kind::Computed) exchange(event.worker, event.timeNs, true);
    if (!isLostWithItsWorker(event.kind)) endTurn(event);
    if (event.kind != Kind::Pull && event.kind != Kind::Push) continue;
    Worker& worker = at(workers_, event.worker);
    ServerTransfer transfer{.what = event.kind == Kind::Pull ? ServerTransfer::What::Pull : ServerTransfer::What::Push,
                            .worker = event.worker,
                            .server = event.server,
                            .beginNs = event.beginNs,
                            .endNs = event.endNs,
                            .last = --worker.underWay == 0};
    if (event.kind == Kind::Push) {
      Server& server = at(servers_, event.server);
      transfer.updateNs = std::max(event.endNs, server.updateFreeNs);
      transfer.appliedNs = transfer.updateNs + at(settings_.updateNs, event.server);
      server.updateFreeNs = transfer.appliedNs;
      worker.cycle.doneNs = std::max(worker.cycle.doneNs, transfer.appliedNs);
      if (transfer.last && settings_.turns.clocksAhead)
        add({.timeNs = worker.cycle.doneNs, .kind = Kind::Ended, .worker = event.worker});
    }
    return transfer;
  }
}

AsyncServers::Dropped AsyncServers::drop(int worker) {
  Worker& w = at(workers_, worker);
  Dropped dropped{.atNs = w.cycle.askedNs};
  const auto transfers = static_cast<int>(std::ranges::count_if(settings_.transferNs, [](auto ns) { return ns >= 0; }));
  std::int64_t firstNs = -1;
  for (const Event& event : pending()) {
    if (event.worker != worker) continue;
    if (event.kind == Kind::Computed) dropped.atNs = event.timeNs;  // the gradients are ready but never leave
    if (event.kind != Kind::Push) continue;
    const std::int64_t middleNs = event.beginNs + (event.endNs - event.beginNs) / 2;
    if (firstNs < 0 || middleNs < firstNs) firstNs = middleNs;
    dropped.lost.push_back({.what = ServerTransfer::What::Push,
                            .worker = worker,
                            .server = event.server,
                            .beginNs = event.beginNs,
                            .endNs = event.endNs});
  }
  if (!dropped.lost.empty()) {
    dropped.atNs = firstNs;
    dropped.applied = transfers - static_cast<int>(dropped.lost.size());
  }
  std::ranges::sort(dropped.lost, {}, &ServerTransfer::beginNs);
  // Transfers that were being sent to the worker keep their turn.
  const auto isGone = [worker](const Event& event) {
    return event.worker == worker && isLostWithItsWorker(event.kind);
  };
  for (std::deque<Event>& line : lines_) std::erase_if(line, isGone);
  std::erase_if(heap_, isGone);
  std::ranges::make_heap(heap_, Later());
  std::erase(waiting_, worker);
  w.underWay = 0;
  w.dropped = true;
  return dropped;
}

void AsyncServers::forget(int worker, std::int64_t atNs) {
  if (settings_.turns.clocksAhead) add({.timeNs = atNs, .kind = Kind::Noticed, .worker = worker});
}

std::vector<ServerTransfer> AsyncServers::underWay(std::int64_t ns) const {
  std::vector<ServerTransfer> transfers;
  for (const Event& event : pending())
    if ((event.kind == Kind::Pull || event.kind == Kind::Push) && event.beginNs < ns)
      transfers.push_back({.what = event.kind == Kind::Pull ? ServerTransfer::What::Pull : ServerTransfer::What::Push,
                           .worker = event.worker,
                           .server = event.server,
                           .beginNs = event.beginNs,
                           .endNs = event.endNs});
  return transfers;
}

nlohmann::json AsyncServers::save() const {
  nlohmann::json state{{"sequence", sequence_}};
  if (settings_.sharedAir) state["air"] = airFreeNs_;
  if (settings_.turns.mayWait()) state["turns"] = {{"taken", turnsTaken_}, {"waiting", waiting_}};
  if (settings_.turns.clocksAhead)
    for (const Worker& w : workers_)
      state["turns"]["clocks"].push_back(w.clock ? nlohmann::json(*w.clock) : nlohmann::json());
  for (const Worker& w : workers_)
    state["workers"].push_back({w.cycle.askedNs, w.cycle.pulledNs, w.cycle.begunNs, w.cycle.computedNs, w.cycle.doneNs,
                                w.cycle.sendingNs, w.inFreeNs, w.outFreeNs, w.inputReadyNs, w.underWay});
  for (const Server& s : servers_) state["servers"].push_back({s.inFreeNs, s.outFreeNs, s.updateFreeNs});
  for (const SharedLink& u : uplinks_) state["uplinks"].push_back({u.inFreeNs, u.outFreeNs});
  for (const SharedLink& n : nics_) state["nics"].push_back({n.inFreeNs, n.outFreeNs});
  for (std::size_t w = 0; w < workers_.size(); ++w)
    if (workers_[w].dropped) state["dropped"].push_back(w);
  state["events"] = nlohmann::json::array();
  for (const Event& e : pending())
    state["events"].push_back({e.timeNs, e.sequence, static_cast<int>(e.kind), e.worker, e.server, e.beginNs, e.endNs});
  return state;
}

void AsyncServers::load(const nlohmann::json& state) {
  sequence_ = integerOf<std::int64_t>(state.at("sequence"));
  airFreeNs_ = state.contains("air") ? integerOf<std::int64_t>(state.at("air")) : 0;
  LAB_CHECK(state.at("workers").size() == workers_.size() && state.at("servers").size() == servers_.size());
  for (std::size_t i = 0; i < workers_.size(); ++i) {
    const nlohmann::json& w = state.at("workers").at(i);
    const auto ns = [&w](std::size_t at) { return integerOf<std::int64_t>(w.at(at)); };
    workers_[i] = {{ns(0), ns(1), ns(2), ns(3), ns(4), ns(5)}, ns(6), ns(7), ns(8), integerOf<int>(w.at(9))};
  }
  for (std::size_t i = 0; i < servers_.size(); ++i) {
    const nlohmann::json& s = state.at("servers").at(i);
    servers_[i] = {integerOf<std::int64_t>(s.at(0)), integerOf<std::int64_t>(s.at(1)),
                   integerOf<std::int64_t>(s.at(2))};
  }
  for (std::size_t i = 0; i < uplinks_.size(); ++i) {
    const nlohmann::json& u = state.at("uplinks").at(i);
    uplinks_[i] = {integerOf<std::int64_t>(u.at(0)), integerOf<std::int64_t>(u.at(1))};
  }
  const nlohmann::json nics = state.value("nics", nlohmann::json::array());  // none before time model 6
  for (std::size_t i = 0; i < std::min(nics_.size(), nics.size()); ++i) {
    const nlohmann::json& n = nics.at(i);
    nics_[i] = {integerOf<std::int64_t>(n.at(0)), integerOf<std::int64_t>(n.at(1))};
  }
  for (const nlohmann::json& w : state.value("dropped", nlohmann::json::array()))
    workers_.at(integerOf<std::size_t>(w)).dropped = true;
  for (std::deque<Event>& line : lines_) line.clear();
  heap_.clear();
  for (const nlohmann::json& e : state.at("events")) {
    const int kind = integerOf<int>(e.at(2)), worker = integerOf<int>(e.at(3)), server = integerOf<int>(e.at(4));
    LAB_CHECK(kind >= 0 && kind <= static_cast<int>(Kind::Noticed) && worker >= 0 && worker < std::ssize(workers_) &&
              server >= 0 && server < std::ssize(servers_));
    heap_.push_back({integerOf<std::int64_t>(e.at(0)), integerOf<std::int64_t>(e.at(1)), static_cast<Kind>(kind),
                     worker, server, integerOf<std::int64_t>(e.at(5)), integerOf<std::int64_t>(e.at(6))});
  }
  std::ranges::make_heap(heap_, Later());
  loadTurns(state);
  // A worker without a transfer under way would never produce an event, and waiting for it would never end.
  for (std::size_t w = 0; w < workers_.size(); ++w) {
    const auto ofWorker = [w](const Event& e) {
      return isLostWithItsWorker(e.kind) && static_cast<std::size_t>(e.worker) == w;
    };
    const auto transfers = std::ranges::count_if(
        heap_, [&](const Event& e) { return ofWorker(e) && (e.kind == Kind::Pull || e.kind == Kind::Push); });
    const bool waits = std::ranges::find(waiting_, static_cast<int>(w)) != waiting_.end();
    LAB_CHECK(transfers == workers_[w].underWay &&
              (workers_[w].dropped != (waits || std::ranges::any_of(heap_, ofWorker))));
  }
}

// After the events, of which some end turns.
void AsyncServers::loadTurns(const nlohmann::json& state) {
  turnsTaken_ = static_cast<int>(std::ranges::count(heap_, Kind::Turn, &Event::kind));
  LAB_CHECK(turnsTaken_ == 0 || settings_.turns.atOnce > 0);
  waiting_.clear();
  if (!settings_.turns.mayWait()) return;
  const nlohmann::json& turns = state.at("turns");
  LAB_CHECK(integerOf<int>(turns.at("taken")) == turnsTaken_);
  turns.at("waiting").get_to(waiting_);
  for (const int worker : waiting_) LAB_CHECK(worker >= 0 && worker < std::ssize(workers_));
  LAB_CHECK(waiting_.empty() || turnsTaken_ > 0 || settings_.turns.clocksAhead);
  if (!settings_.turns.clocksAhead) return;
  LAB_CHECK(turns.at("clocks").size() == workers_.size());
  atClock_.clear();
  for (std::size_t w = 0; w < workers_.size(); ++w) {
    const nlohmann::json& saved = turns.at("clocks").at(w);
    workers_[w].clock.reset();
    if (saved.is_null()) continue;
    const auto clock = integerOf<std::int64_t>(saved);
    LAB_CHECK(clock >= 0 && clock <= sequence_);  // each cycle has had events
    workers_[w].clock = clock;
    ++atClock_[clock];
  }
  for (const int worker : waiting_) LAB_CHECK(at(workers_, worker).clock);
}

std::int64_t workerStartNs(int worker, std::int64_t latencyNs) {
  return (worker + 1) * latencyNs;
}

}  // namespace lab

// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/cluster/arrivals.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <tuple>
#include <utility>

#include "core/base/error.h"

namespace lab {
namespace {

// For the heap functions, which keep the largest on top.
constexpr auto kLater = [](const auto& a, const auto& b) {
  return std::tie(a.timeNs, a.sequence) > std::tie(b.timeNs, b.sequence);
};

}  // namespace

void Arrivals::start(int workers, std::vector<bool> serverHasVariables, TransferTime transferNs) {
  workers_.assign(static_cast<std::size_t>(workers), {});
  servers_.clear();
  for (const bool has : serverHasVariables) servers_.push_back({.hasVariables = has});
  LAB_CHECK(std::ranges::any_of(servers_, &Server::hasVariables));
  transferNs_ = std::move(transferNs);
  events_.clear();
  sequence_ = 0;
}

void Arrivals::add(Event event) {
  event.sequence = sequence_++;
  events_.push_back(event);
  std::push_heap(events_.begin(), events_.end(), kLater);
}

void Arrivals::requestPull(int worker, std::int64_t nowNs) {
  Worker& w = workers_[static_cast<std::size_t>(worker)];
  w.requestedNs = nowNs;
  for (std::size_t i = 0; i < servers_.size(); ++i) {
    Server& server = servers_[i];
    if (!server.hasVariables) continue;
    // The server reads its variables when the request reaches it, and the answer then waits for the port. Requests
    // come in the order of time, so taking the ports at once is first come, first served.
    const std::int64_t beginNs = std::max({nowNs, server.outFreeNs, w.inFreeNs});
    const std::int64_t endNs = beginNs + transferNs_(worker, static_cast<int>(i), false);
    server.outFreeNs = w.inFreeNs = endNs;
    ++w.underWay;
    add({.timeNs = nowNs,
         .kind = Kind::Pull,
         .worker = worker,
         .server = static_cast<int>(i),
         .beginNs = beginNs,
         .endNs = endNs});
  }
}

void Arrivals::requestPush(int worker, std::int64_t nowNs) {
  // Not before its time: messages that others send until then go first.
  add({.timeNs = nowNs, .kind = Kind::Computed, .worker = worker});
}

void Arrivals::sendGradients(int worker, std::int64_t nowNs) {
  Worker& w = workers_[static_cast<std::size_t>(worker)];
  for (std::size_t i = 0; i < servers_.size(); ++i) {
    Server& server = servers_[i];
    if (!server.hasVariables) continue;
    const std::int64_t beginNs = std::max({nowNs, server.inFreeNs, w.outFreeNs});
    const std::int64_t endNs = beginNs + transferNs_(worker, static_cast<int>(i), true);
    server.inFreeNs = w.outFreeNs = endNs;
    ++w.underWay;
    add({.timeNs = endNs,
         .kind = Kind::Push,
         .worker = worker,
         .server = static_cast<int>(i),
         .beginNs = beginNs,
         .endNs = endNs});
  }
}

Arrival Arrivals::next() {
  while (true) {
    LAB_CHECK(!events_.empty());
    std::pop_heap(events_.begin(), events_.end(), kLater);
    const Event event = events_.back();
    events_.pop_back();
    if (event.kind == Kind::Computed) {
      sendGradients(event.worker, event.timeNs);
      continue;
    }
    Worker& worker = workers_[static_cast<std::size_t>(event.worker)];
    return {.what = event.kind == Kind::Pull ? Arrival::What::Pull : Arrival::What::Push,
            .worker = event.worker,
            .server = event.server,
            .beginNs = event.beginNs,
            .endNs = event.endNs,
            .last = --worker.underWay == 0};
  }
}

std::vector<Arrival> Arrivals::underWay(std::int64_t ns) const {
  std::vector<Event> events;
  for (const Event& event : events_)
    if (event.kind != Kind::Computed && event.beginNs < ns) events.push_back(event);
  std::ranges::sort(events, {}, &Event::sequence);
  std::vector<Arrival> messages;
  for (const Event& event : events)
    messages.push_back({.what = event.kind == Kind::Pull ? Arrival::What::Pull : Arrival::What::Push,
                        .worker = event.worker,
                        .server = event.server,
                        .beginNs = event.beginNs,
                        .endNs = event.endNs});
  return messages;
}

nlohmann::json Arrivals::save() const {
  nlohmann::json state{{"sequence", sequence_}};
  for (const Worker& w : workers_) state["workers"].push_back({w.requestedNs, w.inFreeNs, w.outFreeNs, w.underWay});
  for (const Server& s : servers_) state["servers"].push_back({s.inFreeNs, s.outFreeNs});
  state["events"] = nlohmann::json::array();
  for (const Event& e : events_)
    state["events"].push_back({e.timeNs, e.sequence, static_cast<int>(e.kind), e.worker, e.server, e.beginNs, e.endNs});
  return state;
}

void Arrivals::load(const nlohmann::json& state) {
  sequence_ = state.at("sequence").get<std::int64_t>();
  LAB_CHECK(state.at("workers").size() == workers_.size() && state.at("servers").size() == servers_.size());
  for (std::size_t i = 0; i < workers_.size(); ++i) {
    const nlohmann::json& w = state.at("workers").at(i);
    workers_[i] = {w.at(0).get<std::int64_t>(), w.at(1).get<std::int64_t>(), w.at(2).get<std::int64_t>(),
                   w.at(3).get<int>()};
  }
  for (std::size_t i = 0; i < servers_.size(); ++i) {
    servers_[i].inFreeNs = state.at("servers").at(i).at(0).get<std::int64_t>();
    servers_[i].outFreeNs = state.at("servers").at(i).at(1).get<std::int64_t>();
  }
  events_.clear();
  for (const nlohmann::json& e : state.at("events")) {
    const int kind = e.at(2).get<int>(), worker = e.at(3).get<int>(), server = e.at(4).get<int>();
    LAB_CHECK(kind >= 0 && kind <= 2 && worker >= 0 && worker < std::ssize(workers_) && server >= 0 &&
              server < std::ssize(servers_));
    events_.push_back({e.at(0).get<std::int64_t>(), e.at(1).get<std::int64_t>(), static_cast<Kind>(kind), worker,
                       server, e.at(5).get<std::int64_t>(), e.at(6).get<std::int64_t>()});
  }
  std::make_heap(events_.begin(), events_.end(), kLater);
  // A worker that waits for no message would be waited for without end.
  for (std::size_t w = 0; w < workers_.size(); ++w) {
    const auto ofWorker = [w](const Event& e) { return static_cast<std::size_t>(e.worker) == w; };
    const auto messages =
        std::ranges::count_if(events_, [&](const Event& e) { return ofWorker(e) && e.kind != Kind::Computed; });
    LAB_CHECK(messages == workers_[w].underWay && std::ranges::any_of(events_, ofWorker));
  }
}

}  // namespace lab

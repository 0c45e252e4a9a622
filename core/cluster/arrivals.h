// SPDX-License-Identifier: GPL-3.0-or-later
// The order of events in an asynchronous cluster: workers pull from servers, compute, push, and nobody waits for
// anybody but for the ports that messages share. A discrete-event simulation on the virtual clock; ties go to the
// earlier request, so a run is deterministic. Where time is measured the same queue runs on a logical clock on which
// every computation takes one unit and messages take none, which gives equal workers fair turns.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include <nlohmann/json_fwd.hpp>

namespace lab {

struct Arrival {
  enum class What {
    Pull,  // a server answers a worker with its variables: what they are now is what the worker will get
    Push,  // a worker's gradients have arrived whole at a server
  };
  What what = What::Pull;
  int worker = 0;
  int server = 0;
  std::int64_t beginNs = 0;  // of the message
  std::int64_t endNs = 0;
  bool last = false;  // no other message of this pull or this push is under way
};

class Arrivals {
 public:
  // transferNs(worker, server, push) is what a message with that server's share takes; empty shares have no messages.
  using TransferTime = std::function<std::int64_t(int worker, int server, bool push)>;
  void start(int workers, std::vector<bool> serverHasVariables, TransferTime transferNs);

  // At `nowNs` a worker asks every server for its variables.
  void requestPull(int worker, std::int64_t nowNs);
  // At `nowNs` a worker has its gradients and sends each server its share.
  void requestPush(int worker, std::int64_t nowNs);

  // The next message, in the order of time. There must be one: a worker always pulls or pushes or computes.
  Arrival next();

  // Messages that begin before `ns`, and have not been returned by next(), in the order in which they were asked for.
  std::vector<Arrival> underWay(std::int64_t ns) const;

  // When the worker last asked.
  std::int64_t pullRequestedNs(int worker) const { return workers_[static_cast<std::size_t>(worker)].requestedNs; }

  nlohmann::json save() const;
  void load(const nlohmann::json& state);

 private:
  enum class Kind { Pull, Push, Computed };
  struct Event {
    std::int64_t timeNs = 0;
    std::int64_t sequence = 0;  // breaks ties: first come, first served
    Kind kind = Kind::Pull;
    int worker = 0;
    int server = 0;
    std::int64_t beginNs = 0;
    std::int64_t endNs = 0;
  };
  struct Worker {
    std::int64_t requestedNs = 0;
    std::int64_t inFreeNs = 0, outFreeNs = 0;  // its port, by direction
    int underWay = 0;                          // messages of the current pull or push
  };
  struct Server {
    bool hasVariables = true;
    std::int64_t inFreeNs = 0, outFreeNs = 0;
  };

  void add(Event event);
  void sendGradients(int worker, std::int64_t nowNs);

  std::vector<Worker> workers_;
  std::vector<Server> servers_;
  TransferTime transferNs_;
  std::vector<Event> events_;  // a heap, earliest on top
  std::int64_t sequence_ = 0;
};

}  // namespace lab

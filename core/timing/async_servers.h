// SPDX-License-Identifier: GPL-3.0-or-later
// Asynchronous workers and the servers that hold the variables, message by message: a worker pulls, computes, pushes,
// and waits only for the links and servers that all share. There is one simulation: a training run steps it with real
// arithmetic, sweeps and what-if run it for its figures. Ties go to the earlier request, so it is
// deterministic. Where time is measured it runs on a logical clock on which messages take no time, which gives equal
// workers fair turns.
#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "core/timing/step_model.h"

namespace lab {

// One worker's turn, from asking for the weights until every server has applied its gradients.
struct WorkerCycle {
  std::int64_t askedNs = 0;
  std::int64_t pulledNs = 0;    // the last weights are there
  std::int64_t begunNs = 0;     // it computes: the examples are there too
  std::int64_t computedNs = 0;  // the gradients are there, and go off
  std::int64_t doneNs = 0;
  std::int64_t sendingNs = 0;  // of pull and push: requests and its own messages under way; the rest is queueing

  std::int64_t stepNs() const { return doneNs - askedNs; }
  std::int64_t inputNs() const { return begunNs - pulledNs; }
  std::int64_t queueNs() const { return stepNs() - inputNs() - (computedNs - begunNs) - sendingNs; }
};

struct ServerMessage {
  enum class What {
    Pull,  // a server answers a worker with its variables: what they are now is what the worker will get
    Push,  // a worker's gradients have arrived whole at a server
  };
  What what = What::Pull;
  int worker = 0;
  int server = 0;
  std::int64_t beginNs = 0;  // of its bytes on the link, after the latency and the wait for the link
  std::int64_t endNs = 0;
  std::int64_t updateNs = 0, appliedNs = 0;  // of a push: the server's update, from and until
  bool last = false;                         // no other message of this pull or this push is under way
};

struct ServerSettings {
  int workers = 1;
  std::vector<std::int64_t> messageNs;  // per server: its share on a link; < 0: it holds nothing and has no messages
  std::vector<std::int64_t> updateNs;   // per server
  std::vector<double> linkFactors;      // per worker, on what its own link takes; empty: 1
  std::int64_t latencyNs = 0;           // of a message, before it waits for its link
  bool sharedAir = false;               // all messages, in both directions, take turns on one medium
  int turns = 0;  // pulls at once: whoever asks meanwhile is answered later, with what the variables are then; 0: all
};
// Of a request of ServersAsync: at most so many servers, the fullest first, since only those delay a worker.
ServerSettings serverSettingsOf(const StepRequest& request, std::size_t mostServers);

class AsyncServers {
 public:
  void start(ServerSettings settings);

  // At `nowNs`, which may be in the future, a worker asks every server for its variables.
  void ask(int worker, std::int64_t nowNs);
  // The worker, which has its weights, computes for so long, and then sends each server its share. `inputNs`: what its
  // host takes to prepare such a batch; `prefetch`: while the previous batch trains.
  void compute(int worker, std::int64_t computeNs, std::int64_t inputNs = 0, bool prefetch = true);

  // The next message, in the order of time. There must be one: a worker always pulls or pushes or computes.
  ServerMessage next();

  // The worker dies: what it asked for, computes or sends never is. Says when at the earliest, in the middle of what it
  // was at, and what it had sent of its gradients.
  struct Dropped {
    std::int64_t atNs = 0;
    std::vector<ServerMessage> lost;  // pushes under way
    int applied = 0;                  // servers that had got its gradients already
  };
  Dropped drop(int worker);
  bool isDropped(int worker) const { return workers_[static_cast<std::size_t>(worker)].dropped; }

  // Messages that begin before `ns`, and have not been returned by next(), in the order in which they were asked for.
  std::vector<ServerMessage> underWay(std::int64_t ns) const;

  // The worker's present turn, as far as it has come.
  const WorkerCycle& cycle(int worker) const { return workers_[static_cast<std::size_t>(worker)].cycle; }
  std::int64_t latencyNs() const { return settings_.latencyNs; }

  nlohmann::json save() const;
  void load(const nlohmann::json& state);

 private:
  enum class Kind { Asked, Pull, Computed, Push, Turn };  // a turn is over
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
    WorkerCycle cycle;
    std::int64_t inFreeNs = 0, outFreeNs = 0;  // its port, by direction
    std::int64_t inputReadyNs = 0;             // when the prefetched batch is there
    int underWay = 0;                          // messages of the current pull or push
    bool dropped = false;                      // until it asks again
  };
  struct Server {
    std::int64_t inFreeNs = 0, outFreeNs = 0;
    std::int64_t updateFreeNs = 0;
  };

  // For the heap functions, which keep the largest on top.
  struct Later {
    bool operator()(const Event& a, const Event& b) const {
      return a.timeNs != b.timeNs ? a.timeNs > b.timeNs : a.sequence > b.sequence;
    }
  };

  void add(Event event);
  Event takeEarliest();
  std::vector<Event> pending() const;  // by sequence
  void exchange(int worker, std::int64_t nowNs, bool push);
  void pull(int worker, std::int64_t nowNs);

  ServerSettings settings_;
  std::vector<Worker> workers_;
  std::vector<Server> servers_;
  // What is to come: most events of a kind are added in the order of time, and wait in line; the others are in a heap,
  // earliest on top.
  std::array<std::deque<Event>, 5> lines_;
  std::vector<Event> heap_;
  std::int64_t sequence_ = 0;
  std::int64_t airFreeNs_ = 0;
  int turnsTaken_ = 0;
  std::deque<int> waiting_;  // for a turn
};

// When a coordinator starts worker `worker`: it hands out the first closures one remote call after the other.
std::int64_t workerStartNs(int worker, std::int64_t latencyNs);

// simulateStep of ServersAsync: every worker's mean cycle, or the one that ends with update request.step.
StepTiming simulateWorkers(const StepRequest& request);

}  // namespace lab

// SPDX-License-Identifier: GPL-3.0-or-later
// Asynchronous workers and the servers that hold the variables, transfer by transfer: a worker pulls, computes, pushes,
// and waits only for the links and servers that all workers share, and for its turn to pull (pull_turns.h). There is
// one simulation: a training run steps it with real arithmetic; sweeps and what-if run it for its figures. Ties go to
// the earlier request, so the simulation is deterministic. Where a run measures time, the simulation uses a logical
// clock on which transfers take no time, which gives equal workers fair turns.
#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "core/base/at.h"
#include "core/timing/step_model.h"

namespace lab {

// One worker's turn, from asking for the weights until every server has applied its gradients.
struct WorkerCycle {
  std::int64_t askedNs = 0;
  std::int64_t pulledNs = 0;    // when the last weights arrive
  std::int64_t begunNs = 0;     // when it begins to compute: the examples have arrived too
  std::int64_t computedNs = 0;  // when the gradients are ready and leave
  std::int64_t doneNs = 0;
  std::int64_t sendingNs = 0;  // time that pull and push requests and transfers are under way; the rest is queueing

  std::int64_t stepNs() const { return doneNs - askedNs; }
  std::int64_t inputNs() const { return begunNs - pulledNs; }
  std::int64_t queueNs() const { return stepNs() - inputNs() - (computedNs - begunNs) - sendingNs; }
};

struct ServerTransfer {
  enum class What {
    Pull,  // a server answers a worker with its variables; the worker will get their present values
    Push,  // a worker's gradients have arrived whole at a server
  };
  What what = What::Pull;
  int worker = 0;
  int server = 0;
  std::int64_t beginNs = 0;  // when its bytes enter the link, after the latency and the wait for the link
  std::int64_t endNs = 0;
  std::int64_t updateNs = 0, appliedNs = 0;  // pushes only: when the server's update begins and ends
  bool last = false;                         // true if no other transfer of this pull or push is under way
};

struct ServerSettings {
  int workers = 1;
  // Per server: the time of its share on a link as fast as the fastest server's; < 0: it holds nothing, no transfers.
  std::vector<std::int64_t> transferNs;
  std::vector<std::int64_t> updateNs;  // per server
  std::vector<std::int64_t> portNs;    // per server: how long a transfer takes its own port; empty: as long as the link
  std::vector<double> linkFactors;     // per worker: factor on the time that its own link takes; empty: all 1
  // Switches' uplinks between workers and servers: a transfer's time on each, as a factor on transferNs; and those that
  // each worker's transfers cross (empty: none).
  std::vector<double> uplinkFactors;
  std::vector<std::vector<std::size_t>> uplinksOf;
  // NICs of hosts whose workers can fill them together: a transfer's time on each, as a factor on transferNs; and those
  // of each worker's host, −1: no other worker delays this one there (empty: nobody delays anybody).
  std::vector<double> nicFactors;
  std::vector<int> nicsOf;
  std::int64_t latencyNs = 0;  // of a transfer, before it waits for its link
  bool sharedAir = false;      // all transfers, in both directions, take turns on one medium
  PullTurns turns;
};
// Returns the settings of a ServersAsync request. Servers' hosts are like the workers', in turn. They are at most
// `mostServers` servers: the fullest, which delay workers, and one that stands for all others. It sends what they send
// together, as a worker's own port takes all of it, while its port is taken only as long as the fullest of theirs,
// since they send side by side.
ServerSettings serverSettingsOf(const StepRequest& request, std::size_t mostServers);

class AsyncServers {
 public:
  void start(ServerSettings settings);

  // Lets a worker ask every server for its variables at `nowNs`, which may be in the future.
  void ask(int worker, std::int64_t nowNs);
  // Lets a worker that has its weights compute for `computeNs` and then send each server its share. `inputNs`: how long
  // its host takes to prepare such a batch; `prefetch`: the host does so while the previous batch trains.
  void compute(int worker, std::int64_t computeNs, std::int64_t inputNs = 0, bool prefetch = true);

  // Returns the next transfer in order of time. There always is one: every worker pulls, pushes or computes, or waits
  // for one that does.
  ServerTransfer next();

  // Removes a worker that dies; its pending requests, computation and transfers are discarded. Returns the earliest
  // time at which it can have died in the middle of its work, and which of its gradients it had sent.
  struct Dropped {
    std::int64_t atNs = 0;
    std::vector<ServerTransfer> lost;  // pushes under way
    int applied = 0;                   // servers that had received its gradients already
  };
  Dropped drop(int worker);
  // From `atNs` on, which is in the future, nobody waits for a worker that has died; unless it asks before.
  void forget(int worker, std::int64_t atNs);
  bool isDropped(int worker) const { return at(workers_, worker).dropped; }

  // Returns the transfers that begin before `ns` and that next() has not returned yet, in the order of their requests.
  std::vector<ServerTransfer> underWay(std::int64_t ns) const;

  // Returns the worker's present turn, as far as it has come.
  const WorkerCycle& cycle(int worker) const { return at(workers_, worker).cycle; }
  std::int64_t latencyNs() const { return settings_.latencyNs; }

  nlohmann::json save() const;
  void load(const nlohmann::json& state);

 private:
  // Up to Push, a worker's own, which are lost when it dies. Turn: its turn to pull is over; Ended: its cycle is;
  // Noticed: the others know that it is dead.
  enum class Kind { Asked, Pull, Computed, Push, Turn, Ended, Noticed };
  static bool isLostWithItsWorker(Kind kind) { return kind <= Kind::Push; }
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
    std::int64_t inputReadyNs = 0;             // when the prefetched batch is ready
    int underWay = 0;                          // transfers of the current pull or push
    bool dropped = false;                      // until it asks again
    std::optional<std::int64_t> clock = 0;     // cycles that it has ended; nothing once it is known to be dead
  };
  struct Server {
    std::int64_t inFreeNs = 0, outFreeNs = 0;
    std::int64_t updateFreeNs = 0;
  };
  struct SharedLink {
    std::int64_t inFreeNs = 0, outFreeNs = 0;
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
  std::int64_t waitForSharedNs(int worker, std::size_t server, bool push, std::int64_t beginNs, std::int64_t endNs);
  bool mayPull(int worker) const;
  bool isFull() const { return settings_.turns.atOnce > 0 && turnsTaken_ >= settings_.turns.atOnce; }
  void takeTurn(int worker, std::int64_t nowNs);
  void pull(int worker, std::int64_t nowNs);
  void giveTurns(std::int64_t nowNs);
  std::int64_t slowestClock() const { return atClock_.empty() ? 0 : atClock_.begin()->first; }
  void setClock(int worker, std::optional<std::int64_t> clock, std::int64_t nowNs);
  void endTurn(const Event& event);
  void loadTurns(const nlohmann::json& state);

  ServerSettings settings_;
  std::vector<Worker> workers_;
  std::vector<Server> servers_;
  std::vector<SharedLink> uplinks_, nics_;
  // Future events. Most events of a kind are added in order of time and wait in that kind's line; the others are in a
  // heap, earliest on top.
  std::array<std::deque<Event>, 7> lines_;
  std::vector<Event> heap_;
  std::int64_t sequence_ = 0;
  std::int64_t airFreeNs_ = 0;
  int turnsTaken_ = 0;
  std::deque<int> waiting_;              // workers that wait for a turn, in the order in which they asked
  std::map<std::int64_t, int> atClock_;  // how many workers have each clock
};

// Returns when a coordinator starts a worker: it hands out the first closures by one remote call after the other.
std::int64_t workerStartNs(int worker, std::int64_t latencyNs);

// Does simulateStep's work for ServersAsync: returns the workers' mean cycles, or the cycle that ends with update
// request.step.
StepTiming simulateWorkers(const StepRequest& request);

}  // namespace lab

// SPDX-License-Identifier: GPL-3.0-or-later
// TensorFlow's ClusterCoordinator for workers that come and go: decides which worker computes which closure, and when
// an update is due. A closure is a numbered batch; each worker has at most one, each closure is done once, and a worker
// that leaves, is silent, sleeps or takes too long loses its closure to another. Knows no sockets, variables or clock:
// callers report events and their times in ns. Asynchronous: every push is an update. Synchronous: a step has a closure
// for each worker present at its beginning, and one update when all have pushed, or all but the backups; workers that
// join later take part in the next step.
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <limits>
#include <map>
#include <optional>
#include <vector>

#include "core/base/limits.h"
#include "core/config/choices.h"

namespace lab::serving {

struct Work {
  std::uint64_t number = 0;  // from 1
  int slot = 0;              // of a synchronous step: the closure's place in the sum
  std::int64_t step = 0, globalOffset = 0;
  float scale = 0;  // of each example's gradient
  std::vector<std::int64_t> examples;
};

struct ClosureRules {
  bool synchronous = false;
  std::int64_t updates = 0;                      // after these the class is over
  std::int64_t batch = kDefaultBatchPerReplica;  // of a closure
  std::int64_t backups = 0;                      // of a synchronous step
  int firstWorkers = 1;                          // the first closure waits for this many
  LossReduction lossReduction = LossReduction::Fit;
};

struct Patience {
  std::int64_t silentNs = 5'000'000'000;    // without a byte, until the closure goes to another worker
  std::int64_t asleepNs = 30'000'000'000;   // the same for a tab in the background; also of all its sleep in a closure
  std::int64_t closureNs = 60'000'000'000;  // from getting a closure to its push, without the time asleep
  std::int64_t goneNs = 60'000'000'000;     // without a byte, until the worker is sent away
};

class Coordinator {
 public:
  // In an asynchronous class, limits the workers without a push that has counted: kNewAtOnce of them get a closure at
  // once, then one more every kNewEveryNs. So somebody who joins, takes variables along and leaves costs the others
  // little time.
  static constexpr int kNewAtOnce = 64;
  static constexpr std::int64_t kNewEveryNs = 200'000'000;
  // Everybody waits for the slowest part of a step, so a worker that is too late this many times in a row must leave.
  static constexpr int kMostLate = 2;
  static constexpr int kEverybody = std::numeric_limits<int>::max();
  // Returns the next examples of this epoch, at most `most` but at least one.
  using Draw = std::function<std::vector<std::int64_t>(std::int64_t most)>;

  Coordinator(const ClosureRules& rules, const Patience& patience, Draw draw);

  // ---- Workers. The caller numbers them.
  void join(int worker, std::int64_t ns);
  void leave(int worker);
  void heard(int worker, std::int64_t ns);  // when any byte of it arrives
  // The worker wants a closure: now, or after it has pushed its present one.
  void ask(int worker);
  void setAsleep(int worker, bool asleep, std::int64_t ns);
  void pause(bool paused) {
    paused_ = paused;
    allowed_ = 0;
  }
  void allow(int updates) { allowed_ += updates; }  // allows more updates while it is paused
  bool isAtRest() const;                            // paused, and no worker has a closure
  bool isPaused() const { return paused_; }
  int workers() const { return static_cast<int>(workers_.size()); }

  struct Assignment {
    int worker = 0;
    Work work;
  };
  // Returns the closures to hand out now. In an asynchronous class they go to `most` workers and all that are apart;
  // those that have waited longest come first.
  std::vector<Assignment> assign(std::int64_t ns, int most = kEverybody,
                                 const std::function<bool(int worker)>& isApart = {});

  struct Standing {
    bool asleep = false, silent = false;
    bool asks = false;  // for a closure, and may get one
  };
  Standing standingOf(int worker) const;
  // Returns the worker's closure; null if it has none, or has lost it.
  const Work* workOf(int worker) const;

  struct Contribution {
    int worker = 0;
    Work work;
  };
  struct Update {
    std::vector<Contribution> used;  // in the order of the sum
    // Synchronous: closures not pushed in time, which their workers lose. Worker -1: none had it.
    std::vector<Contribution> leftOut;
  };
  // The worker has pushed its closure, and the push is valid. Returns the update that is due now.
  std::optional<Update> pushed(int worker);

  struct Overdue {
    std::vector<int> lost;  // lost their closures in this call
    std::vector<int> gone;  // silent for so long that they must be sent away
    std::vector<int> slow;  // the same because of kMostLate
  };
  Overdue expire(std::int64_t ns);

  bool isBetweenSteps() const { return slots_.empty(); }  // of a synchronous class; an asynchronous one always is
  // Between steps: the numbered closures that are not done, in the order of their numbers.
  struct Position {
    std::uint64_t scheduled = 0;
    std::int64_t updates = 0;
    std::vector<Work> undone;
  };
  Position position() const;
  void resume(Position position);  // must precede the first worker

  std::int64_t updates() const { return updates_; }
  bool isOver() const { return updates_ >= rules_.updates; }

 private:
  struct Worker {
    std::int64_t heardNs = 0;
    std::optional<std::int64_t> asleepSinceNs;
    bool silent = false;  // until it is heard again
    bool isNew = true;    // until a push of the worker counts
    bool asks = false;    // wants a closure and gets the next; also while it has one, or after it has lost one
    bool asksAgain = false;
    std::uint64_t asked = 0;  // position in the order of requests
    std::optional<Work> work;
    std::int64_t workSinceNs = 0;
    std::int64_t sleptNs = 0;  // since then, without a sleep that lasts
    int late = 0;              // parts of steps in a row that took too long
  };
  struct Slot {
    Work work;
    std::optional<int> pushedBy;
  };

  bool isFree(const Worker& worker) const {
    return worker.asks && !worker.work && !worker.silent && !worker.asleepSinceNs;
  }
  bool mayBegin() const;
  std::vector<int> inTurn() const;  // free workers, in turn
  std::int64_t closuresOut() const;
  void schedule();
  void beginStep();
  std::optional<Update> pushedInStep(int worker, const Work& work);
  void countUpdate();
  void lose(Worker& worker);
  bool admitsNew(std::int64_t ns);
  float scaleOf(std::int64_t examples, std::int64_t counted) const;

  const ClosureRules rules_;
  const Patience patience_;
  const Draw draw_;
  std::map<int, Worker> workers_;
  std::deque<Work> waiting_;  // lost closures first
  std::vector<Slot> slots_;   // of the current synchronous step; empty: none
  std::int64_t needed_ = 0;   // pushes needed for its update
  std::uint64_t scheduled_ = 0, asked_ = 0;
  std::int64_t updates_ = 0;
  std::int64_t newFromNs_ = -kNewAtOnce * kNewEveryNs;  // a new worker is allowed for each kNewEveryNs since then
  std::int64_t allowed_ = 0;                            // updates allowed while paused
  bool paused_ = false, begun_ = false;
};

}  // namespace lab::serving

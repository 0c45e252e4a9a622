// SPDX-License-Identifier: GPL-3.0-or-later
// TensorFlow's ClusterCoordinator for workers that come and go: which worker computes which closure, and when an update
// is due. A closure is a batch with a number; each worker has one at most, each closure is done once, and whoever
// leaves, is silent, sleeps or takes too long loses it to another. Knows no sockets, no variables and no clock: it is
// told what happened, and when, in ns. Asynchronous: every push is an update. Synchronous: a step has a closure for
// each worker that was there when it began, and one update when all have pushed, or all but the backups; who comes
// later takes part in the next step.
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <limits>
#include <map>
#include <optional>
#include <vector>

#include "core/config/choices.h"

namespace lab::serving {

struct Work {
  std::uint64_t number = 0;  // from 1
  int slot = 0;              // of a synchronous step: its place in the sum
  std::int64_t step = 0, globalOffset = 0;
  float scale = 0;  // of each example's gradient
  std::vector<std::int64_t> examples;
};

struct ClosureRules {
  bool synchronous = false;
  std::int64_t updates = 0;  // then it is over
  std::int64_t batch = 64;   // of a closure
  std::int64_t backups = 0;  // of a synchronous step
  int firstWorkers = 1;      // that the first closure waits for
  LossReduction lossReduction = LossReduction::Fit;
};

struct Patience {
  std::int64_t silentNs = 5'000'000'000;    // without a byte: the closure goes to another
  std::int64_t asleepNs = 30'000'000'000;   // likewise, of a tab in the background
  std::int64_t closureNs = 60'000'000'000;  // from getting a closure to its push
  std::int64_t goneNs = 60'000'000'000;     // without a byte: sent away
};

class Coordinator {
 public:
  // Of those that no push of counted yet, so many get a closure at once, and then one each time that so long has
  // passed: somebody who joins, takes variables along and leaves takes little time from those who train. An
  // asynchronous class.
  static constexpr int kNewAtOnce = 64;
  static constexpr std::int64_t kNewEveryNs = 200'000'000;
  static constexpr int kEverybody = std::numeric_limits<int>::max();
  // At most so many examples, the next of this epoch; never none.
  using Draw = std::function<std::vector<std::int64_t>(std::int64_t most)>;

  Coordinator(const ClosureRules& rules, const Patience& patience, Draw draw);

  // ---- Workers. Their numbers are the caller's.
  void join(int worker, std::int64_t ns);
  void leave(int worker);
  void heard(int worker, std::int64_t ns);  // any byte of it
  // It wants a closure: now, or when it has pushed the one that it has.
  void ask(int worker);
  void setAsleep(int worker, bool asleep, std::int64_t ns);
  void pause(bool paused) {
    paused_ = paused;
    allowed_ = 0;
  }
  void allow(int updates) { allowed_ += updates; }  // so many more, while it is paused
  bool isAtRest() const;                            // paused, and nobody has a closure
  bool isPaused() const { return paused_; }
  int workers() const { return static_cast<int>(workers_.size()); }

  struct Assignment {
    int worker = 0;
    Work work;
  };
  // To be handed out now, of an asynchronous class to `most` workers and all that are apart, those first that have
  // waited longest.
  std::vector<Assignment> assign(std::int64_t ns, int most = kEverybody,
                                 const std::function<bool(int worker)>& isApart = {});

  struct Standing {
    bool asleep = false, silent = false;
    bool asks = false;  // for a closure, and could have one
  };
  Standing standingOf(int worker) const;
  // What the worker has; nothing: it has none, or has lost it.
  const Work* workOf(int worker) const;

  struct Contribution {
    int worker = 0;
    Work work;
  };
  struct Update {
    std::vector<Contribution> used;  // in the order of the sum
    // Of a synchronous step: had not been pushed. It is taken from the worker; -1: none had it.
    std::vector<Contribution> leftOut;
  };
  // The worker has pushed what it has, and that is good. The update that is due now.
  std::optional<Update> pushed(int worker);

  struct Overdue {
    std::vector<int> lost;  // lost their closures just now
    std::vector<int> gone;  // have been silent for so long that they are to be sent away
  };
  Overdue expire(std::int64_t ns);

  bool isBetweenSteps() const { return slots_.empty(); }  // of a synchronous class; an asynchronous one always is
  // Between steps: closures that were given a number and are not done, in the order of their numbers.
  struct Position {
    std::uint64_t scheduled = 0;
    std::int64_t updates = 0;
    std::vector<Work> undone;
  };
  Position position() const;
  void resume(Position position);  // before anybody is there

  std::int64_t updates() const { return updates_; }
  bool isOver() const { return updates_ >= rules_.updates; }

 private:
  struct Worker {
    std::int64_t heardNs = 0;
    std::optional<std::int64_t> asleepSinceNs;
    bool silent = false;  // until it is heard again
    bool isNew = true;    // until a push of it counts
    bool asks = false;    // for a closure, and gets the next; also while it has one, and where it has lost that
    bool asksAgain = false;
    std::uint64_t asked = 0;  // when: the how manieth
    std::optional<Work> work;
    std::int64_t workSinceNs = 0;
  };
  struct Slot {
    Work work;
    std::optional<int> pushedBy;
  };

  bool isFree(const Worker& worker) const {
    return worker.asks && !worker.work && !worker.silent && !worker.asleepSinceNs;
  }
  bool mayBegin() const;
  std::vector<int> inTurn() const;  // who is free
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
  std::deque<Work> waiting_;  // lost ones first
  std::vector<Slot> slots_;   // of the synchronous step under way; empty: none is
  std::int64_t needed_ = 0;   // pushes, for its update
  std::uint64_t scheduled_ = 0, asked_ = 0;
  std::int64_t updates_ = 0;
  std::int64_t newFromNs_ = -kNewAtOnce * kNewEveryNs;  // a new one for each kNewEveryNs since then
  std::int64_t allowed_ = 0;                            // updates, while paused
  bool paused_ = false, begun_ = false;
};

}  // namespace lab::serving

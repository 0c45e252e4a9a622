// SPDX-License-Identifier: GPL-3.0-or-later
// Successive halving (Jamieson and Talwalkar 2016, arXiv 1502.07943): all cells of a sweep train to a first rung, the
// best 1 of `eta` by test loss go on to `eta` times as many steps, and so on; the last rung is the end. A cell that
// goes on has the same bits as without halving. Which cells go on depends on losses alone, so any number of jobs gives
// the same result. Results in the folder are not trained again. One thread calls; cells train on the queue's threads.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/base/message.h"
#include "core/experiments/cell_training.h"
#include "core/experiments/run_queue.h"
#include "core/experiments/sweep.h"

namespace lab {

inline constexpr std::int64_t kLeastEta = 2, kMostEta = 8;

class Halving {
 public:
  struct Setup {
    std::int64_t eta = 3;
    std::filesystem::path folder;  // "": nothing is stored
    std::optional<int> threads;    // per cell; otherwise the queue decides
    std::function<bool()> goOn;    // called before each step, besides the queue's own
    std::int64_t stateBytes = 0;   // limit for the states of all waiting cells together; 0: none
    // A cell has ended or was stopped; called on any thread. `kept`: the folder had the result.
    std::function<void(std::size_t cell, const RunTally&, std::span<const Metric>, bool kept)> ended;
  };

  // All `cells` must be trainable; ties go by their order. Throws a UserError if there are too few cells or steps to
  // stop any.
  Halving(std::vector<const SweepCell*> cells, std::shared_ptr<const Dataset> dataset, Setup setup);
  ~Halving();

  int rungs() const { return rungs_; }
  // Runs until all have ended, or the queue was cancelled.
  void run(RunQueue& queue);
  const std::map<std::size_t, Message>& failures() const { return failures_; }  // by cell

 private:
  struct Entry;
  struct Known {  // a cell's result at a rung
    std::int64_t steps = 0;
    double testLoss = 0;
  };

  std::int64_t divisorOf(int rung) const;  // a cell's steps are divided by this for a rung
  // Runs `what` for all entries on the queue, and waits. Returns false if the queue was cancelled.
  bool work(RunQueue& queue, const std::function<void(Entry&, RunQueue::Turn&)>& what, std::span<Entry* const> entries);
  std::vector<Entry*> besidesTheBest(int rung) const;
  bool trainTo(Entry& entry, int rung, RunQueue::Turn& turn);
  void climb(Entry& entry, int rung, RunQueue::Turn& turn);
  void stop(Entry& entry, int rung, RunQueue::Turn& turn);
  void tell(Entry& entry);           // reports the result of training here
  bool end(Entry& entry, int rung);  // takes the result from the folder; false: it has none
  const Known* known(const Entry& entry, int rung) const;
  void readLosses();
  void keepLoss(const Entry& entry, int rung);

  const std::vector<const SweepCell*> cells_;
  const std::shared_ptr<const Dataset> dataset_;
  const Setup setup_;
  int rungs_ = 1;
  std::vector<std::unique_ptr<Entry>> entries_;  // one per cell
  std::map<std::size_t, Message> failures_;
  mutable std::mutex mutex_;                                     // guards losses_ and held_
  std::map<std::string, std::map<std::int64_t, Known>> losses_;  // by a cell's file name and a rung's divisor
  bool cutOff_ = false;   // true if the last line of the losses' file is incomplete
  std::size_t held_ = 0;  // bytes of all stored states
};

}  // namespace lab

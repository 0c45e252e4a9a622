// SPDX-License-Identifier: GPL-3.0-or-later
// Successive halving (Jamieson and Talwalkar 2016, arXiv 1502.07943): all cells of a sweep train to a first rung, the
// best 1 of `eta` by test loss go on to `eta` times as many steps, and so on; the last rung is the end. A cell that
// goes on has the bits of one that nobody could have stopped. Who goes on depends on losses alone, so any number of
// jobs gives the same. What the folder has is not trained again. One thread calls; cells train on the queue's.
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
    std::filesystem::path folder;  // "": nothing is kept
    std::optional<int> threads;    // of a cell; else as the queue says
    std::function<bool()> goOn;    // before each step, besides the queue's own
    std::int64_t stateBytes = 0;   // that waiting cells may hold together; 0: any
    // A cell has ended or was stopped: on any thread. `kept`: the folder had it.
    std::function<void(std::size_t cell, const RunTally&, std::span<const Metric>, bool kept)> ended;
  };

  // `cells` can all be trained, and ties go by their order. UserError for cells or steps too few to stop any.
  Halving(std::vector<const SweepCell*> cells, std::shared_ptr<const Dataset> dataset, Setup setup);
  ~Halving();

  int rungs() const { return rungs_; }
  // Until all have ended, or the queue was cancelled.
  void run(RunQueue& queue);
  const std::map<std::size_t, Message>& failures() const { return failures_; }  // by cell

 private:
  struct Entry;
  struct Known {  // of a cell at a rung
    std::int64_t steps = 0;
    double testLoss = 0;
  };

  std::int64_t divisorOf(int rung) const;  // a rung is this part of a cell's steps
  // Hands all to the queue and waits. False where it was cancelled.
  bool work(RunQueue& queue, const std::function<void(Entry&, RunQueue::Turn&)>& what, std::span<Entry* const> entries);
  std::vector<Entry*> besidesTheBest(int rung) const;
  bool trainTo(Entry& entry, int rung, RunQueue::Turn& turn);
  void climb(Entry& entry, int rung, RunQueue::Turn& turn);
  void stop(Entry& entry, int rung, RunQueue::Turn& turn);
  void tell(Entry& entry);           // what came of it here
  bool end(Entry& entry, int rung);  // with what the folder has of it; false: nothing
  const Known* known(const Entry& entry, int rung) const;
  void readLosses();
  void keepLoss(const Entry& entry, int rung);

  const std::vector<const SweepCell*> cells_;
  const std::shared_ptr<const Dataset> dataset_;
  const Setup setup_;
  int rungs_ = 1;
  std::vector<std::unique_ptr<Entry>> entries_;  // of each cell
  std::map<std::size_t, Message> failures_;
  mutable std::mutex mutex_;                                     // of losses_ and held_
  std::map<std::string, std::map<std::int64_t, Known>> losses_;  // by a cell's file name and a rung's divisor
  bool cutOff_ = false;                                          // the last line of their file
  std::size_t held_ = 0;                                         // bytes of states
};

}  // namespace lab

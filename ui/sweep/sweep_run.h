// SPDX-License-Identifier: GPL-3.0-or-later
// A sweep in progress: its cells on the core's queue, and the result of each. Cells are stored as files named by their
// settings: results that are already there are read and not run again, and start() runs exactly what is missing or has
// failed, even after the program was killed. Diverged cells run again only on request. UI thread; cells train on the
// queue's threads.
#pragma once

#include <QObject>
#include <QString>
#include <QTimer>

#include <filesystem>
#include <memory>
#include <mutex>
#include <optional>
#include <vector>

#include "core/experiments/run_queue.h"
#include "core/experiments/sweep.h"
#include "core/experiments/sweep_limit.h"

namespace lab {

// NotRun: time was up before the cell had ended, so it has no result. Stopped: `sweep --halving` did not continue it.
enum class CellState {
  Waiting,
  Running,
  Reached,
  NotReached,
  Finished,
  Diverged,
  Failed,
  Cancelled,
  Refused,
  NotRun,
  Stopped
};
inline constexpr int kCellStates = 11;
// "reached", "not-reached", …: for files.
const char* keyOf(CellState state);
// True if the cell was trained to its end.
inline bool hasEnded(CellState state) {
  return state == CellState::Reached || state == CellState::NotReached || state == CellState::Finished ||
         state == CellState::Diverged;
}

class SweepRun final : public QObject {
  Q_OBJECT

 public:
  // `folder`: where cells are stored; created with the first one.
  explicit SweepRun(const QString& folder, QObject* parent = nullptr);
  ~SweepRun() override;  // cancels; results of ended cells are kept

  struct Cell {
    SweepCell cell;
    CellState state = CellState::Waiting;
    std::optional<RunTally> result;
    SteadyScaling steady;     // zeros if time is measured
    Message why;              // for Refused and Failed
    std::int64_t wallNs = 0;  // how long it trained here; 0: the result was there already
    bool again = false;       // to be trained although the folder has a result
  };

  // Sets another plan and takes the stored results for it; nothing trains before start(). Throws UserError, and keeps
  // the present plan, if no cell is possible. `withinSeconds`: each start() ends by then and leaves the rest NotRun; 0:
  // no limit.
  void setPlan(const SweepPlan& plan, int jobs, double withinSeconds = 0);
  // Shows cells with results that were trained elsewhere; call setPlan() before start().
  void showExample(const SweepPlan& plan);
  bool isExample() const { return example_; }
  const SweepPlan& plan() const { return plan_; }
  int jobs() const { return jobs_; }
  const std::vector<Cell>& cells() const { return cells_; }

  void start();          // runs what is missing, cancelled, stopped or failed, but not what has diverged
  void retryDiverged();  // runs the diverged cells too
  void pause();          // at the next step of each cell
  void resume();
  void cancel();
  bool isRunning() const { return phase_ == Phase::Running || phase_ == Phase::Paused; }
  bool isPaused() const { return phase_ == Phase::Paused; }
  bool isReading() const { return phase_ == Phase::Reading; }

  int count(CellState state) const;
  int ended() const;                          // cells that were trained to their end
  int runnable() const;                       // all but the refused ones
  std::optional<double> secondsLeft() const;  // estimated from the cells so far; nothing before the first has ended
  const std::filesystem::path& folder() const { return folder_; }
  void setClock(SweepLimit::TimeSource clock) { clockNs_ = std::move(clock); }  // the clock for limits
  // How many runs will have ended when time is up, as far as is known now; nothing without a limit.
  std::optional<int> inTime() const;
  void setMostKept(std::size_t cells) { mostKept_ = cells; }  // in the folder; the plan's own cells stay

 Q_SIGNALS:
  void planned();  // the cells are others: earlier cell numbers are invalid
  void changed();  // new results, at most ten times a second; or another phase
  void stopped(bool whole);

 private:
  enum class Phase { Idle, Reading, Running, Paused };
  struct Update {
    std::size_t cell = 0;
    CellState state = CellState::Waiting;
    std::optional<RunTally> result;
    SteadyScaling steady;
    Message why;
    std::int64_t wallNs = 0;
  };
  class Data;

  void place(const SweepPlan& plan, int jobs, double withinSeconds);
  void launch(bool train);
  void runCell(std::size_t index, bool train, RunQueue::Turn& turn);
  Update trained(std::size_t index, RunQueue::Turn& turn);
  void setLimit();
  void report(Update news);
  void drain();
  CellState stateOf(const SweepCell& cell, const RunTally& result) const;

  const std::filesystem::path folder_;
  std::size_t mostKept_ = 2 * kMaxSweepCells;
  SweepPlan plan_;
  int jobs_ = 1;
  double withinSeconds_ = 0;
  SweepLimit::TimeSource clockNs_;
  std::shared_ptr<SweepLimit> limit_;  // for the running cells
  std::vector<std::size_t> numbers_;   // a cell's number within the limit
  int endedBefore_ = 0;                // cells that had ended before start()
  std::vector<Cell> cells_;            // the queue's threads read their settings, which never change during a run
  Phase phase_ = Phase::Idle;
  bool example_ = false;
  QTimer timer_;
  std::shared_ptr<Data> data_;
  std::mutex mutex_;
  std::vector<Update> news_;         // guarded by mutex_
  std::unique_ptr<RunQueue> queue_;  // last member: its runs must end before the other members go
};

}  // namespace lab

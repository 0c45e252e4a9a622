// SPDX-License-Identifier: GPL-3.0-or-later
// A sweep under way: its cells on the core's queue, and what has come of each. Cells are kept as files under the names
// of their settings: whatever is there already is read and not run again, and start() runs exactly what is missing or
// has failed, also after the program was killed. What has diverged is run again only where that is asked for. UI
// thread; cells train on threads of the queue.
#pragma once

#include <QElapsedTimer>
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

// NotRun: time was up before it had ended, so nothing has come of it. Stopped: `sweep --halving` went no further with
// it.
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
// Whether it has trained to its end.
inline bool hasEnded(CellState state) {
  return state == CellState::Reached || state == CellState::NotReached || state == CellState::Finished ||
         state == CellState::Diverged;
}

class SweepRun final : public QObject {
  Q_OBJECT

 public:
  // `folder`: where cells are kept, made when the first one is.
  explicit SweepRun(const QString& folder, QObject* parent = nullptr);
  ~SweepRun() override;  // cancels; what has ended is kept

  struct Cell {
    SweepCell cell;
    CellState state = CellState::Waiting;
    std::optional<RunTally> result;
    SteadyScaling steady;     // zeros where time is measured
    Message why;              // of Refused and Failed
    std::int64_t wallNs = 0;  // that it trained for here; 0: it was there already
    bool again = false;       // to be trained though there is a result in the folder
  };

  // Another plan, with what is kept of it; nothing trains before start(). UserError where no cell can be; then the
  // present one stays. `withinSeconds`: each start() ends by then, with what could not be done left NotRun; 0: no
  // limit.
  void setPlan(const SweepPlan& plan, int jobs, double withinSeconds = 0);
  // Its cells with results that were trained elsewhere, to be looked at; another plan comes before start().
  void showExample(const SweepPlan& plan);
  bool isExample() const { return example_; }
  const SweepPlan& plan() const { return plan_; }
  int jobs() const { return jobs_; }
  const std::vector<Cell>& cells() const { return cells_; }

  void start();          // what is missing, cancelled, stopped or failed; what has diverged stays as it is
  void retryDiverged();  // that too
  void pause();          // at the next step of each
  void resume();
  void cancel();
  bool isRunning() const { return phase_ == Phase::Running || phase_ == Phase::Paused; }
  bool isPaused() const { return phase_ == Phase::Paused; }
  bool isReading() const { return phase_ == Phase::Reading; }

  int count(CellState state) const;
  int ended() const;                              // trained to their end
  int runnable() const;                           // all but the refused ones
  std::optional<double> secondsLeft() const;      // by the cells so far; nothing before the first has ended
  double secondsTaken() const { return taken_; }  // from start() until now or the end, pauses left out
  const std::filesystem::path& folder() const { return folder_; }
  void setClock(SweepLimit::TimeSource clock) { clockNs_ = std::move(clock); }  // of limits
  // So many runs will have ended when time is up, by what is known now; nothing where there is no limit.
  std::optional<int> inTime() const;
  void setMostKept(std::size_t cells) { mostKept_ = cells; }  // of all sweeps in the folder; those of the plan stay

 Q_SIGNALS:
  void planned();  // other cells: the numbers of the earlier ones mean nothing any more
  void changed();  // what has come of some, at most ten times a second; or the phase
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
  std::shared_ptr<SweepLimit> limit_;  // of what runs
  std::vector<std::size_t> numbers_;   // of a cell among those of the limit
  int endedBefore_ = 0;                // before start()
  std::int64_t fewest_ = 1;            // replicas of a cell
  std::vector<Cell> cells_;            // their settings are read by the queue's threads, and never change while it runs
  Phase phase_ = Phase::Idle;
  bool example_ = false;
  QTimer timer_;
  QElapsedTimer clock_;
  double taken_ = 0;
  std::shared_ptr<Data> data_;
  std::mutex mutex_;
  std::vector<Update> news_;         // guarded by mutex_
  std::unique_ptr<RunQueue> queue_;  // last: its runs end before the rest goes
};

}  // namespace lab

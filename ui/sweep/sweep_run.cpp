// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/sweep/sweep_run.h"

#include <QCoreApplication>

#include <algorithm>
#include <array>
#include <chrono>
#include <map>
#include <set>
#include <tuple>

#include "core/base/at.h"
#include "core/base/error.h"
#include "core/base/stopped.h"
#include "core/experiments/sweep_example.h"
#include "core/options/memory_need.h"
#include "core/training/trainer.h"

namespace lab {
namespace {

constexpr int kDrainMs = 100;

using Steady = std::chrono::steady_clock;

std::int64_t nsSince(Steady::time_point begin) {
  return std::chrono::duration_cast<std::chrono::nanoseconds>(Steady::now() - begin).count();
}

// Removes the oldest cells of earlier sweeps if there are too many; keeps those of `plan`.
void dropOldest(const std::filesystem::path& folder, const std::vector<SweepRun::Cell>& plan, std::size_t most) {
  std::error_code error;
  std::vector<std::pair<std::filesystem::file_time_type, std::filesystem::path>> files;
  for (const auto& entry : std::filesystem::directory_iterator(folder, error))
    if (entry.path().extension() == ".run") files.emplace_back(entry.last_write_time(error), entry.path());
  if (files.size() <= most) return;
  std::set<std::string> kept;
  for (const SweepRun::Cell& row : plan)
    if (!row.cell.refused) kept.insert({row.cell.fileName(), row.cell.fileName(true)});
  std::ranges::sort(files);
  for (std::size_t i = 0; i < files.size() - most; ++i)
    if (!kept.contains(files[i].second.filename().string())) std::filesystem::remove(files[i].second, error);
}

}  // namespace

const char* keyOf(CellState state) {
  constexpr std::array<const char*, kCellStates> kKeys{"waiting",  "running",  "reached", "not-reached",
                                                       "finished", "diverged", "failed",  "cancelled",
                                                       "refused",  "not-run",  "stopped"};
  return at(kKeys, state);
}

// Data sets, each opened once, by the first cell that needs it.
class SweepRun::Data {
 public:
  std::shared_ptr<const Dataset> of(const SettingsBase& config) {
    const std::lock_guard lock(mutex_);
    auto& dataset = opened_[{config.dataset, config.dataDir, config.trainExamples, config.testExamples}];
    if (!dataset) dataset = openDataset(config);
    return dataset;
  }

 private:
  std::mutex mutex_;
  using Count = std::optional<std::int64_t>;
  std::map<std::tuple<std::string, std::string, Count, Count>, std::shared_ptr<const Dataset>> opened_;
};

SweepRun::SweepRun(const QString& folder, QObject* parent)
    : QObject(parent), folder_(folder.toStdString()), clockNs_([] {
        return std::chrono::duration_cast<std::chrono::nanoseconds>(Steady::now().time_since_epoch()).count();
      }) {
  timer_.setInterval(kDrainMs);
  connect(&timer_, &QTimer::timeout, this, &SweepRun::drain);
}

SweepRun::~SweepRun() {
  queue_.reset();
}

void SweepRun::place(const SweepPlan& plan, int jobs, double withinSeconds) {
  std::vector<SweepCell> cells = cellsOf(plan);
  queue_.reset();
  limit_.reset();
  withinSeconds_ = withinSeconds;
  news_.clear();
  plan_ = plan;
  jobs_ = std::max(1, jobs);
  data_ = std::make_shared<Data>();
  cells_.clear();
  for (SweepCell& cell : cells) {
    Cell& row = cells_.emplace_back();
    row.cell = std::move(cell);
    row.cell.program = QCoreApplication::applicationVersion().toStdString();
    if (row.cell.refused) {
      row.state = CellState::Refused;
      row.why = *row.cell.refused;
    }
  }
  example_ = false;
}

void SweepRun::setPlan(const SweepPlan& plan, int jobs, double withinSeconds) {
  place(plan, jobs, withinSeconds);
  Q_EMIT planned();
  launch(false);
}

void SweepRun::showExample(const SweepPlan& plan) {
  place(plan, 1, 0);
  phase_ = Phase::Idle;
  timer_.stop();
  example_ = true;
  std::map<std::pair<std::int64_t, std::int64_t>, SteadyScaling> steady;  // the same for all rules and seeds
  for (Cell& row : cells_) {
    if (row.state != CellState::Waiting) continue;
    row.result = exampleResult(row.cell);
    if (!row.result) continue;
    row.state = stateOf(row.cell, *row.result);
    const auto [at, isNew] = steady.try_emplace({row.cell.config.replicas, row.cell.config.largestShare()});
    if (isNew) at->second = steadyScaling(row.cell.config);
    row.steady = at->second;
  }
  Q_EMIT planned();
  Q_EMIT changed();
}

void SweepRun::start() {
  queue_.reset();
  drain();
  for (Cell& row : cells_) {
    if (row.state != CellState::Cancelled && row.state != CellState::Failed && row.state != CellState::Running &&
        row.state != CellState::NotRun && row.state != CellState::Stopped)
      continue;
    row.state = CellState::Waiting;
    row.result.reset();
    row.why = {};
  }
  launch(true);
}

void SweepRun::retryDiverged() {
  if (isRunning()) return;
  queue_.reset();
  drain();
  for (Cell& row : cells_) {
    if (row.state != CellState::Diverged) continue;
    row.state = CellState::Waiting;
    row.result.reset();
    row.again = true;
  }
  start();
}

// The phase changes last, because the folder may be impossible to make: then nothing runs.
void SweepRun::launch(bool train) {
  if (train) {
    makeSweepFolder(folder_);
    dropOldest(folder_, cells_, mostKept_);
    setLimit();
  }
  queue_ = std::make_unique<RunQueue>(jobs_, memoryForRuns());
  for (std::size_t i = 0; i < cells_.size(); ++i) {
    if (cells_[i].state != CellState::Waiting) continue;
    const bool alone = train && isReal(cells_[i].cell.config.devices);
    queue_->add([this, i, train](RunQueue::Turn& turn) { runCell(i, train, turn); }, alone,
                train ? static_cast<std::int64_t>(memoryNeed(cells_[i].cell.config)) : 0);
  }
  phase_ = train ? Phase::Running : Phase::Reading;
  timer_.start();
  Q_EMIT changed();
}

void SweepRun::setLimit() {
  limit_.reset();
  endedBefore_ = ended();
  if (withinSeconds_ <= 0) return;
  numbers_.assign(cells_.size(), 0);
  std::vector<const SweepCell*> waiting;
  for (std::size_t i = 0; i < cells_.size(); ++i) {
    if (cells_[i].state != CellState::Waiting) continue;
    numbers_[i] = waiting.size();
    waiting.push_back(&cells_[i].cell);
  }
  limit_ = std::make_shared<SweepLimit>(withinSeconds_, waiting, clockNs_);
}

// Runs on a thread of the queue.
SweepRun::Update SweepRun::trained(std::size_t index, RunQueue::Turn& turn) {
  const SweepCell& cell = cells_[index].cell;
  Update news{.cell = index, .state = CellState::NotRun};
  if (limit_ && !limit_->mayBegin(numbers_[index])) return news;
  report({.cell = index, .state = CellState::Running});
  std::int64_t waitedNs = 0;
  bool inTime = true;
  const auto goOn = [&] {
    const auto asked = Steady::now();
    const bool on = turn.goOn();
    waitedNs += nsSince(asked);
    if (on && limit_) inTime = limit_->mayGoOn(numbers_[index]);
    return on && inTime;
  };
  const auto begin = Steady::now();
  news.result = trainCell(cell, data_->of(cell.config), turn.threads(), goOn, folder_);
  news.wallNs = std::max<std::int64_t>(1, nsSince(begin) - waitedNs);
  if (!news.result && inTime) news.state = CellState::Cancelled;
  return news;
}

// Runs on a thread of the queue.
void SweepRun::runCell(std::size_t index, bool train, RunQueue::Turn& turn) {
  const SweepCell& cell = cells_[index].cell;
  Update news{.cell = index};
  try {
    if (!cells_[index].again) news.result = keptResult(cell, folder_);
    if (!news.result && !train) news.result = keptStopped(cell, folder_);
    if (!news.result && !train) return;
    if (!news.result) news = trained(index, turn);
    if (news.result) news.state = stateOf(cell, *news.result);
    if (news.result && news.result->modelled) news.steady = steadyScaling(cell.config);
  } catch (const Stopped&) {
    news.state = CellState::Cancelled;
  } catch (const std::exception& error) {
    news.result.reset();
    news.state = CellState::Failed;
    news.why = messageOf(error);
  }
  report(std::move(news));
}

CellState SweepRun::stateOf(const SweepCell& cell, const RunTally& result) const {
  if (result.stopped) return CellState::Stopped;
  if (result.stepsToTarget) return CellState::Reached;
  if (result.diverged) return CellState::Diverged;
  return cell.target.accuracy ? CellState::NotReached : CellState::Finished;
}

void SweepRun::report(Update news) {
  const std::lock_guard lock(mutex_);
  news_.push_back(std::move(news));
}

void SweepRun::drain() {
  const bool idle = !queue_ || queue_->isIdle();  // checked before the news are taken, so that they are complete
  std::vector<Update> news;
  {
    const std::lock_guard lock(mutex_);
    news.swap(news_);
  }
  for (Update& item : news) {
    Cell& row = cells_[item.cell];
    row.state = item.state;
    row.result = std::move(item.result);
    row.steady = item.steady;
    row.why = std::move(item.why);
    row.wallNs = item.wallNs;
    row.again = row.again && !hasEnded(row.state);
  }
  const bool ends = idle && phase_ != Phase::Idle;
  const Phase before = phase_;
  if (ends) {
    timer_.stop();
    phase_ = Phase::Idle;
    if (before != Phase::Reading)
      for (Cell& row : cells_)
        if (row.state == CellState::Waiting || row.state == CellState::Running) row.state = CellState::Cancelled;
  }
  if (!news.empty() || ends || before == Phase::Running) Q_EMIT changed();
  if (ends && before != Phase::Reading)
    Q_EMIT stopped(count(CellState::Cancelled) == 0 && count(CellState::NotRun) == 0);
}

void SweepRun::pause() {
  if (phase_ != Phase::Running) return;
  queue_->pause();
  if (limit_) limit_->pause();
  phase_ = Phase::Paused;
  Q_EMIT changed();
}

void SweepRun::resume() {
  if (phase_ != Phase::Paused) return;
  phase_ = Phase::Running;
  if (limit_) limit_->resume();
  queue_->resume();
  Q_EMIT changed();
}

void SweepRun::cancel() {
  if (!isRunning()) return;
  resume();
  queue_->cancelAll();
}

int SweepRun::count(CellState state) const {
  return static_cast<int>(std::ranges::count(cells_, state, &Cell::state));
}

int SweepRun::ended() const {
  return static_cast<int>(std::ranges::count_if(cells_, [](const Cell& row) { return hasEnded(row.state); }));
}

int SweepRun::runnable() const {
  return static_cast<int>(cells_.size()) - count(CellState::Refused);
}

// A missing cell is expected to take as long as cells with its batch and replicas, or else the mean of all.
std::optional<double> SweepRun::secondsLeft() const {
  struct Mean {
    double sum = 0;
    int count = 0;
  };
  const auto kindOf = [](const Cell& row) {
    const ResolvedSettings& config = row.cell.config;
    return std::pair(config.replicas, config.largestShare());
  };
  std::map<std::pair<std::int64_t, std::int64_t>, Mean> kinds;
  Mean all;
  for (const Cell& row : cells_) {
    if (row.wallNs == 0 || !hasEnded(row.state)) continue;
    for (Mean* mean : {&all, &kinds[kindOf(row)]}) {
      mean->sum += static_cast<double>(row.wallNs) / 1e9;
      ++mean->count;
    }
  }
  if (all.count == 0) return limit_ ? std::optional(limit_->secondsLeft()) : std::nullopt;
  double left = 0;
  int missing = 0;
  bool alone = false;
  for (const Cell& row : cells_) {
    if (row.state != CellState::Waiting && row.state != CellState::Running) continue;
    const auto found = kinds.find(kindOf(row));
    const Mean& mean = found == kinds.end() ? all : found->second;
    left += mean.sum / mean.count * (row.state == CellState::Running ? 0.5 : 1);
    ++missing;
    alone = alone || isReal(row.cell.config.devices);
  }
  left /= std::clamp(missing, 1, alone ? 1 : jobs_);
  return limit_ ? std::min(left, limit_->secondsLeft()) : left;
}

std::optional<int> SweepRun::inTime() const {
  if (!limit_ || !isRunning()) return std::nullopt;
  return std::max(ended(), endedBefore_ + static_cast<int>(limit_->planned()));
}

}  // namespace lab

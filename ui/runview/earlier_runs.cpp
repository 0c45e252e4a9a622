// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/runview/earlier_runs.h"

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <iterator>
#include <utility>

namespace lab {
namespace {

constexpr std::int64_t kRestingBudget = 8'000'000;  // bytes of records; others are recomputed

bool isReady(const std::future<void>& one) {
  return one.wait_for(std::chrono::seconds(0)) == std::future_status::ready;
}

}  // namespace

void EarlierRuns::rest(RestingRun run) {
  run.run->pause();
  run.run->release();
  run.records.keepWithin(kRestingBudget);
  resting_.push_back(std::move(run));
}

std::optional<RestingRun> EarlierRuns::takeBack(const std::shared_ptr<const RunMetrics>& of) {
  const auto found = std::ranges::find_if(resting_, [&](const RestingRun& one) { return one.reports.metrics() == of; });
  if (found == resting_.end()) return std::nullopt;
  std::optional<RestingRun> back = std::move(*found);
  resting_.erase(found);
  return back;
}

void EarlierRuns::bound(std::size_t most) {
  while (resting_.size() > most) {
    resting_.front().reports.close();
    finish(std::move(resting_.front().run), nullptr);
    resting_.pop_front();
  }
}

void EarlierRuns::finish(std::unique_ptr<WatchedRun> run, std::unique_ptr<Recomputer> recomputer) {
  std::erase_if(finishing_, isReady);
  if (!run && !recomputer) return;
  if (run) run->stop();
  finishing_.push_back(
      std::async(std::launch::async, [run = std::move(run), recomputer = std::move(recomputer)]() mutable {
        recomputer.reset();
        run.reset();
      }));
}

void EarlierRuns::outlive() {
  static std::vector<std::future<void>> ending;  // of all controllers; only the window's thread comes here
  clear();
  std::erase_if(ending, isReady);
  std::ranges::move(finishing_, std::back_inserter(ending));
  finishing_.clear();
}

}  // namespace lab

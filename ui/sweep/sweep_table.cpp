// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/sweep/sweep_table.h"

#include <algorithm>
#include <array>

#include "core/base/at.h"

namespace lab {
namespace {

// The state reported for several runs: the first in this list that any of them has.
constexpr std::array kWorstFirst{CellState::Refused,    CellState::Failed,  CellState::Diverged,
                                 CellState::NotReached, CellState::Stopped, CellState::Cancelled,
                                 CellState::NotRun,     CellState::Running, CellState::Waiting};

bool isPending(CellState state) {
  return state == CellState::Waiting || state == CellState::Running || state == CellState::Cancelled ||
         state == CellState::NotRun;
}

}  // namespace

std::optional<bool> areModelled(const std::vector<SweepRun::Cell>& cells) {
  bool modelled = false, measured = false;
  for (const SweepRun::Cell& cell : cells)
    if (cell.result) (cell.result->modelled ? modelled : measured) = true;
  return modelled && measured ? std::nullopt : std::optional(!measured);
}

std::optional<double> valueOf(const SweepRun::Cell& cell, SweepQuantity quantity) {
  return cell.state == CellState::Stopped ? std::nullopt : lastValueOf(cell, quantity);
}

std::optional<double> lastValueOf(const SweepRun::Cell& cell, SweepQuantity quantity) {
  if (!cell.result) return std::nullopt;
  const RunTally& result = *cell.result;
  const auto real = [](const auto& value) {
    return value ? std::optional(static_cast<double>(*value)) : std::optional<double>();
  };
  switch (quantity) {
    case SweepQuantity::Steps:
      return real(result.stepsToTarget);
    case SweepQuantity::Examples:
      return real(result.examplesToTarget);
    case SweepQuantity::Seconds:
      return result.secondsToTarget;
    case SweepQuantity::Accuracy:
      return result.testAccuracy;
    case SweepQuantity::Rate:
      if (result.modelled)
        return cell.steady.imagesPerSecond > 0 ? std::optional(cell.steady.imagesPerSecond) : std::nullopt;
      return result.seconds > 0 ? std::optional(result.imagesPerSecond()) : std::nullopt;
    case SweepQuantity::Efficiency:
      return cell.steady.efficiency > 0 ? std::optional(cell.steady.efficiency) : std::nullopt;
    case SweepQuantity::Loss:
      return result.testLoss;
    case SweepQuantity::Duration:
      return result.seconds > 0 ? std::optional(result.seconds) : std::nullopt;
  }
  return std::nullopt;
}

SweepEntry entryOf(const std::vector<SweepRun::Cell>& cells, const std::vector<int>& which, SweepQuantity quantity) {
  SweepEntry entry{.cells = which};
  const auto is = [&](CellState state) {
    return std::ranges::any_of(which, [&](int cell) { return at(cells, cell).state == state; });
  };
  for (const int cell : which)
    if (const auto value = valueOf(at(cells, cell), quantity)) entry.values.push_back(*value);
  const auto has = [&](bool modelled) {
    return std::ranges::any_of(which, [&](int cell) {
      const auto& result = at(cells, cell).result;
      return result && result->modelled == modelled;
    });
  };
  entry.modelled = !has(false);
  entry.ofTwoClocks = isOfClock(quantity) && has(true) && has(false);
  for (const CellState state : kWorstFirst)
    if (!entry.mark && is(state)) entry.mark = state;
  for (const int cell : which)
    if (const SweepRun::Cell& run = at(cells, cell); run.state == CellState::Stopped && run.result)
      entry.stopped.push_back({run.result->steps, run.result->testAccuracy});
  // A loss that is NaN is a bad one.
  const bool lostLoss = quantity == SweepQuantity::Loss && is(CellState::Diverged);
  entry.misleads = (isOfTarget(quantity) && (is(CellState::NotReached) || is(CellState::Diverged))) || lostLoss ||
                   is(CellState::Stopped) || entry.ofTwoClocks;
  return entry;
}

SweepTable::SweepTable(const SweepRequest& request, const std::vector<SweepRun::Cell>& cells)
    : rows_(valuesOf(request.plan, request.rows)), columns_(valuesOf(request.plan, request.columns)) {
  const bool ofRule = request.rows == kRuleAxis || request.columns == kRuleAxis;
  if (!ofRule) rules_ = valuesOf(request.plan, kRuleAxis);
  if (rules_.size() < 2) rules_.clear();
  for (std::size_t i = 0; i < cells.size(); ++i) {
    const RunSettings& asked = cells[i].cell.asked;
    const auto on = [&](const std::string& axis) { return valueOn(request.plan, asked, axis); };
    runs_[{on(request.rows), on(request.columns), rules_.empty() ? "" : on(kRuleAxis)}].push_back(static_cast<int>(i));
  }
}

SweepEntry SweepTable::entry(const std::vector<SweepRun::Cell>& cells, int row, int column, SweepQuantity quantity,
                             const std::string& rule) const {
  const auto of = [&](const std::string& wanted) {
    const std::string &down = at(rows_, row), &across = at(columns_, column);
    auto found = runs_.find({down, across, wanted});
    const bool nothingStale = found == runs_.end() && wanted == kStalenessRule;  // nothing is stale: the same as with
                                                                                 // the rate kept
    if (nothingStale) found = runs_.find({down, across, "none"});
    SweepEntry entry = found == runs_.end() ? SweepEntry() : entryOf(cells, found->second, quantity);
    entry.rule = nothingStale ? "none" : wanted;
    return entry;
  };
  if (rules_.empty() || !rule.empty()) return of(rules_.empty() ? "" : rule);
  std::optional<SweepEntry> best;
  std::vector<int> all;
  bool pending = false;
  for (const std::string& each : rules_) {
    SweepEntry entry = of(each);
    all.insert(all.end(), entry.cells.begin(), entry.cells.end());
    pending = pending || (entry.mark && isPending(*entry.mark));
    const bool better =
        !best || (entry.hasMean() && (!best->hasMean() || (lessIsBetter(quantity) ? entry.mean() < best->mean()
                                                                                  : entry.mean() > best->mean())));
    if (better) best = std::move(entry);
  }
  if (SweepEntry whole = entryOf(cells, all, quantity); whole.ofTwoClocks) return whole;  // no rule is the best
  // The best so far may not be the final best.
  if (pending && !best->mark) best->mark = CellState::Running;
  return *best;
}

std::vector<SweepEntry> SweepTable::rowOf(const std::vector<SweepRun::Cell>& cells, int row, SweepQuantity quantity,
                                          const std::string& rule) const {
  std::vector<SweepEntry> entries;
  for (int column = 0; column < std::ssize(columns_); ++column)
    entries.push_back(entry(cells, row, column, quantity, rule));
  std::optional<double> best;
  bool modelled = false, measured = false;
  for (const SweepEntry& each : entries) {
    if (!each.hasMean()) continue;
    (each.modelled ? modelled : measured) = true;
    if (!best || (lessIsBetter(quantity) ? each.mean() < *best : each.mean() > *best)) best = each.mean();
  }
  if (isOfClock(quantity) && modelled && measured) return entries;
  for (SweepEntry& each : entries) each.best = each.hasMean() && each.mean() == *best;
  return entries;
}

}  // namespace lab

// SPDX-License-Identifier: GPL-3.0-or-later
// What a sweep's cells say together: the runs that differ in nothing but their seed as one entry, with mean and spread.
// Nothing is made up between entries. Pure functions of the cells; grid and charts read them, so that a number in two
// places is the same.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

#include "core/experiments/cell_columns.h"
#include "ui/sweep/sweep_request.h"
#include "ui/sweep/sweep_run.h"

namespace lab {

enum class SweepQuantity { Steps, Examples, Seconds, Accuracy, Rate, Efficiency, Loss, Duration };
inline constexpr int kSweepQuantities = 8;
inline bool isOfTarget(SweepQuantity quantity) {
  return quantity == SweepQuantity::Steps || quantity == SweepQuantity::Examples || quantity == SweepQuantity::Seconds;
}
inline bool lessIsBetter(SweepQuantity quantity) {
  return isOfTarget(quantity) || quantity == SweepQuantity::Loss || quantity == SweepQuantity::Duration;
}

// Of a run that was stopped, until there.
std::optional<double> lastValueOf(const SweepRun::Cell& cell, SweepQuantity quantity);
// Nothing of a run that was stopped: its last values are not those of its end.
std::optional<double> valueOf(const SweepRun::Cell& cell, SweepQuantity quantity);

// Runs that differ in their seed alone.
struct SweepEntry {
  std::vector<int> cells;      // of the sweep
  std::vector<double> values;  // of those that have one
  std::string rule;
  // What is to be said of it before any value: that runs wait or run, or the worst of how they ended. Nothing where all
  // have a value and ended as they should.
  std::optional<CellState> mark;
  bool best = false;  // of its row
  struct Stopped {
    std::int64_t steps = 0;
    std::optional<double> testAccuracy;  // there
  };
  std::vector<Stopped> stopped;  // of those that went no further

  // A mean of a target only where every run that has ended reached it, and of anything only where none was stopped:
  // else the lucky ones would speak for all.
  bool hasMean() const { return !values.empty() && !misleads; }
  bool misleads = false;
  double mean() const { return spreadOf(values)->mean; }
  double deviation() const { return values.empty() ? 0 : spreadOf(values)->deviation; }
};
SweepEntry entryOf(const std::vector<SweepRun::Cell>& cells, const std::vector<int>& which, SweepQuantity quantity);

class SweepTable {
 public:
  SweepTable() = default;
  SweepTable(const SweepRequest& request, const std::vector<SweepRun::Cell>& cells);

  const std::vector<std::string>& rows() const { return rows_; }  // values of the axis
  const std::vector<std::string>& columns() const { return columns_; }
  // Learning-rate rules, where they are no axis of the grid and there are several.
  const std::vector<std::string>& rules() const { return rules_; }

  // "": of the rule whose runs are best.
  SweepEntry entry(const std::vector<SweepRun::Cell>& cells, int row, int column, SweepQuantity quantity,
                   const std::string& rule) const;
  // A whole row, with its best marked.
  std::vector<SweepEntry> rowOf(const std::vector<SweepRun::Cell>& cells, int row, SweepQuantity quantity,
                                const std::string& rule) const;

 private:
  std::vector<std::string> rows_, columns_, rules_;
  std::map<std::tuple<std::string, std::string, std::string>, std::vector<int>> runs_;
};

}  // namespace lab

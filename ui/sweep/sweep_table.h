// SPDX-License-Identifier: GPL-3.0-or-later
// What a sweep's cells show together: runs that differ only in their seed form one entry, with mean and spread. Nothing
// is interpolated between entries. Pure functions of the cells; grid and charts both use them, so that a number is the
// same in both places.
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

// Times of two clocks, modelled and measured, are never ranked together.
inline bool isOfClock(SweepQuantity quantity) {
  return quantity == SweepQuantity::Rate || quantity == SweepQuantity::Seconds || quantity == SweepQuantity::Duration;
}
// Whether the runs' times are modelled; nothing if some are and some are not.
std::optional<bool> areModelled(const std::vector<SweepRun::Cell>& cells);

// For a stopped run, its value when it was stopped.
std::optional<double> lastValueOf(const SweepRun::Cell& cell, SweepQuantity quantity);
// Nothing for a stopped run, because its last values are not final.
std::optional<double> valueOf(const SweepRun::Cell& cell, SweepQuantity quantity);

// Runs that differ only in their seed.
struct SweepEntry {
  std::vector<int> cells;      // numbers in the sweep
  std::vector<double> values;  // of the cells that have a value
  std::string rule;
  // What is shown before any value: that runs wait or run, or the worst way in which one ended. Nothing if all have a
  // value and ended properly.
  std::optional<CellState> mark;
  bool best = false;         // of its row, perhaps with others
  bool modelled = true;      // its times
  bool ofTwoClocks = false;  // times of which some are modelled and some measured
  struct Stopped {
    std::int64_t steps = 0;
    std::optional<double> testAccuracy;  // at that step
  };
  std::vector<Stopped> stopped;  // for the cells that were not continued

  // A mean of a target exists only if every ended run reached it, and any mean only if no run was stopped: otherwise
  // the lucky runs would speak for all. Times of two clocks have none.
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
  // Learning-rate rules, if there are several and they are not an axis of the grid.
  const std::vector<std::string>& rules() const { return rules_; }

  // `rule`: "" for the rule with the best runs, or for all rules' runs if their times are of two clocks.
  SweepEntry entry(const std::vector<SweepRun::Cell>& cells, int row, int column, SweepQuantity quantity,
                   const std::string& rule) const;
  // A whole row, with its best entry marked.
  std::vector<SweepEntry> rowOf(const std::vector<SweepRun::Cell>& cells, int row, SweepQuantity quantity,
                                const std::string& rule) const;

 private:
  std::vector<std::string> rows_, columns_, rules_;
  std::map<std::tuple<std::string, std::string, std::string>, std::vector<int>> runs_;
};

}  // namespace lab

// SPDX-License-Identifier: GPL-3.0-or-later
// The cells of a sweep as a table: a column for each setting that it varies and for each measure. Ranges of columns
// leave cells out, and cells that share a value of a setting form a group. Plain values; any thread.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/base/at.h"

namespace lab {

struct CellColumn {
  std::string name;                       // of the setting, or the measure's key
  std::vector<std::string> values;        // values of the setting, in the plan's order; empty: a measure
  std::vector<std::optional<double>> at;  // per cell: the measure, or the value's index; nothing: the cell has none
  bool isSetting() const { return !values.empty(); }
};

struct CellRange {  // inclusive at both ends
  double from = 0, to = 0;
  bool operator==(const CellRange&) const = default;
};

struct CellGroup {
  int place = 0;           // index among the column's values
  std::vector<int> cells;  // in ascending order
};

struct Spread {
  double mean = 0, deviation = 0;  // sample standard deviation; 0 for one value
  double low = 0, high = 0;
};
std::optional<Spread> spreadOf(std::span<const double> values);  // nothing for no values

class CellColumns {
 public:
  CellColumns() = default;
  // `counted`: the cells to be considered. All columns have as many cells.
  CellColumns(std::vector<CellColumn> columns, std::vector<bool> counted);

  const std::vector<CellColumn>& columns() const { return columns_; }
  std::optional<std::size_t> find(const std::string& name) const;
  // Keeps the cells in the range; cells without a value in the column are outside every range.
  void setRange(std::size_t column, std::optional<CellRange> range);
  const std::optional<CellRange>& range(std::size_t column) const { return ranges_[column]; }
  bool hasRange() const;
  // Takes over the ranges of earlier columns by name, except for a setting whose values have changed: its places now
  // mean others.
  void takeRanges(const CellColumns& earlier);

  int size() const { return static_cast<int>(counted_.size()); }
  bool isCounted(int cell) const { return at(counted_, cell); }
  bool isIn(int cell) const;  // counted and in all ranges
  int counted() const;
  int in() const;
  // Returns the cells in all ranges, grouped by the column's values in the plan's order; no empty groups. Nothing for a
  // measure.
  std::vector<CellGroup> groupsBy(std::size_t column) const;

 private:
  std::vector<CellColumn> columns_;
  std::vector<std::optional<CellRange>> ranges_;  // of each column
  std::vector<bool> counted_;
};

}  // namespace lab

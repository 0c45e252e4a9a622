// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/experiments/cell_columns.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>

#include "core/base/at.h"
#include "core/base/error.h"

namespace lab {

std::optional<Spread> spreadOf(std::span<const double> values) {
  if (values.empty()) return std::nullopt;
  const auto count = static_cast<double>(values.size());
  const auto [low, high] = std::ranges::minmax_element(values);
  Spread spread{.mean = std::accumulate(values.begin(), values.end(), 0.0) / count, .low = *low, .high = *high};
  double sum = 0;
  for (const double value : values) sum += (value - spread.mean) * (value - spread.mean);
  if (values.size() > 1) spread.deviation = std::sqrt(sum / (count - 1));
  return spread;
}

CellColumns::CellColumns(std::vector<CellColumn> columns, std::vector<bool> counted)
    : columns_(std::move(columns)), ranges_(columns_.size()), counted_(std::move(counted)) {
  for (const CellColumn& column : columns_) LAB_CHECK(column.at.size() == counted_.size());
}

std::optional<std::size_t> CellColumns::find(const std::string& name) const {
  const auto found = std::ranges::find(columns_, name, &CellColumn::name);
  if (found == columns_.end()) return std::nullopt;
  return static_cast<std::size_t>(found - columns_.begin());
}

void CellColumns::setRange(std::size_t column, std::optional<CellRange> range) {
  if (range && range->from > range->to) std::swap(range->from, range->to);
  ranges_.at(column) = range;
}

bool CellColumns::hasRange() const {
  return std::ranges::any_of(ranges_, [](const auto& range) { return range.has_value(); });
}

void CellColumns::takeRanges(const CellColumns& earlier) {
  for (std::size_t i = 0; i < columns_.size(); ++i) {
    const auto other = earlier.find(columns_[i].name);
    if (other && earlier.columns_[*other].values == columns_[i].values) ranges_[i] = earlier.ranges_[*other];
  }
}

bool CellColumns::isIn(int cell) const {
  const auto at = static_cast<std::size_t>(cell);
  if (!counted_[at]) return false;
  for (std::size_t i = 0; i < columns_.size(); ++i) {
    const std::optional<double>& value = columns_[i].at[at];
    if (ranges_[i] && !(value && *value >= ranges_[i]->from && *value <= ranges_[i]->to)) return false;
  }
  return true;
}

int CellColumns::counted() const {
  return static_cast<int>(std::ranges::count(counted_, true));
}

int CellColumns::in() const {
  int count = 0;
  for (int cell = 0; cell < size(); ++cell) count += isIn(cell) ? 1 : 0;
  return count;
}

std::vector<CellGroup> CellColumns::groupsBy(std::size_t column) const {
  std::map<int, std::vector<int>> cells;
  for (int cell = 0; cell < size(); ++cell)
    if (const auto& place = at(columns_.at(column).at, cell); columns_[column].isSetting() && place && isIn(cell))
      cells[static_cast<int>(*place)].push_back(cell);
  std::vector<CellGroup> groups;
  for (auto& [place, which] : cells) groups.push_back({place, std::move(which)});
  return groups;
}

}  // namespace lab

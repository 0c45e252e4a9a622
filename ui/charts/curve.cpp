// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/charts/curve.h"

#include <algorithm>
#include <cmath>

#include "core/base/error.h"

namespace lab {
namespace {

constexpr std::size_t kBranch = 16;

}  // namespace

void Curve::clear() {
  x_.clear();
  y_.clear();
  tags_.clear();
  levels_.clear();
}

void Curve::append(double x, double y, std::uint32_t tag) {
  if (!std::isfinite(x) || !std::isfinite(y)) return;
  LAB_CHECK(x_.empty() || x >= x_.back());
  const auto index = static_cast<std::uint32_t>(x_.size());
  x_.push_back(x);
  y_.push_back(y);
  tags_.push_back(tag);
  std::size_t size = kBranch;
  for (std::size_t level = 0; level == 0 || size / kBranch < x_.size(); ++level, size *= kBranch) {
    if (level == levels_.size()) {
      levels_.emplace_back();
      // The first block of a level that begins late covers everything before it.
      const auto all = index == 0 ? std::pair<std::size_t, std::size_t>{0, 0} : extremesOf(0, index);
      levels_.back().push_back({static_cast<std::uint32_t>(all.first), static_cast<std::uint32_t>(all.second)});
    }
    std::vector<Extremes>& blocks = levels_[level];
    if (index / size == blocks.size()) {
      blocks.push_back({index, index});
    } else {
      Extremes& block = blocks.back();
      if (y < y_[block.smallest]) block.smallest = index;
      if (y > y_[block.largest]) block.largest = index;
    }
  }
}

std::pair<std::size_t, std::size_t> Curve::extremesOf(std::size_t begin, std::size_t end) const {
  std::size_t smallest = begin, largest = begin;
  const auto take = [&](std::size_t low, std::size_t high) {
    if (y_[low] < y_[smallest]) smallest = low;
    if (y_[high] > y_[largest]) largest = high;
  };
  for (std::size_t i = begin; i < end;) {
    std::size_t level = 0, size = 1;  // level of the largest block that begins here and ends in time; 0 is a single
                                      // point
    while (level < levels_.size() && i % (size * kBranch) == 0 && i + size * kBranch <= end) {
      size *= kBranch;
      ++level;
    }
    if (level == 0) {
      take(i, i);
    } else {
      const Extremes& block = levels_[level - 1][i / size];
      take(block.smallest, block.largest);
    }
    i += size;
  }
  return {smallest, largest};
}

std::pair<std::size_t, std::size_t> Curve::indexRange(double from, double to) const {
  const auto begin = std::lower_bound(x_.begin(), x_.end(), from);
  const auto end = std::upper_bound(begin, x_.end(), to);
  return {static_cast<std::size_t>(begin - x_.begin()), static_cast<std::size_t>(end - x_.begin())};
}

QList<QPointF> Curve::shown(double from, double to, int columns) const {
  LAB_CHECK(columns > 0 && from <= to);
  QList<QPointF> points;
  auto [begin, end] = indexRange(from, to);
  const std::size_t inner = begin, innerEnd = end;
  if (begin > 0) --begin;
  if (end < size()) ++end;
  const auto limit = static_cast<std::size_t>(columns) * 2;
  if (end - begin <= limit) {
    points.reserve(static_cast<qsizetype>(end - begin));
    for (std::size_t i = begin; i < end; ++i) points.append(point(i));
    return points;
  }

  points.reserve(static_cast<qsizetype>(limit + 4));
  std::size_t last = size();  // the index added last; none yet
  const auto add = [&](std::size_t i) {
    if (i == last) return;
    points.append(point(i));
    last = i;
  };
  if (begin < inner) add(begin);
  add(inner);
  std::size_t at = inner;
  for (int column = 1; column <= columns && at < innerEnd; ++column) {
    const double edge = from + (to - from) * column / columns;
    const std::size_t next =
        column == columns
            ? innerEnd
            : static_cast<std::size_t>(std::lower_bound(x_.begin() + static_cast<std::ptrdiff_t>(at),
                                                        x_.begin() + static_cast<std::ptrdiff_t>(innerEnd), edge) -
                                       x_.begin());
    if (next == at) continue;
    const auto [smallest, largest] = extremesOf(at, next);
    const auto [first, second] = std::minmax(smallest, largest);
    if (first > inner || points.isEmpty()) add(first);
    if (second > inner) add(second);
    at = next;
  }
  add(innerEnd - 1);
  if (end > innerEnd) add(end - 1);
  return points;
}

std::vector<Curve::Column> Curve::columns(double from, double to, int count) const {
  LAB_CHECK(count > 0 && from < to);
  std::vector<Column> columns;
  auto [at, end] = indexRange(from, to);
  std::size_t last = at == 0 ? size() : at - 1;  // the point before the column; size(): none
  for (int i = 0; i < count && at < end; ++i) {
    const double edge = from + (to - from) * (i + 1) / count;
    const auto begin = x_.begin() + static_cast<std::ptrdiff_t>(at),
               stop = x_.begin() + static_cast<std::ptrdiff_t>(end);
    const std::size_t next =
        i + 1 == count ? end : static_cast<std::size_t>(std::lower_bound(begin, stop, edge) - x_.begin());
    if (next == at) continue;
    const auto [smallest, largest] = extremesOf(at, next);
    Column column{from + (to - from) * (i + 0.5) / count, y_[smallest], y_[largest]};
    if (last < size()) {
      column.low = std::min(column.low, y_[last]);
      column.high = std::max(column.high, y_[last]);
    }
    columns.push_back(column);
    last = next - 1;
    at = next;
  }
  return columns;
}

std::size_t Curve::countWithin(double from, double to) const {
  const auto [begin, end] = indexRange(from, to);
  return end - begin;
}

bool Curve::isWithin(double from, double to) const {
  const auto [begin, end] = indexRange(from, to);
  return begin < end;
}

std::pair<double, double> Curve::extremes(double from, double to) const {
  const auto [begin, end] = indexRange(from, to);
  LAB_CHECK(begin < end);
  const auto [smallest, largest] = extremesOf(begin, end);
  return {y_[smallest], y_[largest]};
}

std::size_t Curve::nearest(double x) const {
  LAB_CHECK(!empty());
  const auto above = static_cast<std::size_t>(std::lower_bound(x_.begin(), x_.end(), x) - x_.begin());
  if (above == 0) return 0;
  if (above == size()) return size() - 1;
  return x - x_[above - 1] <= x_[above] - x ? above - 1 : above;
}

void SmoothedCurve::begin(double weight) {
  LAB_CHECK(weight >= 0 && weight < 1);
  curve_.clear();
  weight_ = weight;
  sum_ = share_ = 0;
}

void SmoothedCurve::follow(const Curve& raw) {
  for (std::size_t i = curve_.size(); i < raw.size(); ++i) {
    sum_ = weight_ * sum_ + (1 - weight_) * raw.y(i);
    share_ = weight_ * share_ + (1 - weight_);
    curve_.append(raw.x(i), sum_ / share_, raw.tag(i));
  }
}

}  // namespace lab

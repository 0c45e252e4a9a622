// SPDX-License-Identifier: GPL-3.0-or-later
// The points of one curve, as many as a run has steps, and a reduced set for the same picture: for each pixel column
// the smallest and the largest value, found in a pyramid of extremes, so that no spike is lost and a million points
// cost no more to draw than a thousand. Values that are not finite cannot be drawn and are left out.
#pragma once

#include <QList>
#include <QPointF>

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace lab {

class Curve {
 public:
  void clear();
  // `x` must not be less than the previous one. `tag` is returned with the point and identifies it.
  void append(double x, double y, std::uint32_t tag);

  std::size_t size() const { return x_.size(); }
  bool empty() const { return x_.empty(); }
  double x(std::size_t i) const { return x_[i]; }
  double y(std::size_t i) const { return y_[i]; }
  std::uint32_t tag(std::size_t i) const { return tags_[i]; }
  QPointF point(std::size_t i) const { return {x_[i], y_[i]}; }

  // The points within [from, to], and one more on either side so that lines reach the edge. Returns all of them if
  // there are at most two per column, otherwise the extremes of each column and the first and the last point. At most 2
  // * columns + 4.
  QList<QPointF> shown(double from, double to, int columns) const;

  // For more points than pixels: the middle of each non-empty column and its extremes, stretched until they meet those
  // of the previous column, as a line would.
  struct Column {
    double x = 0, low = 0, high = 0;
  };
  std::vector<Column> columns(double from, double to, int count) const;
  std::size_t countWithin(double from, double to) const;

  // Smallest and largest value among points whose x lies in [from, to]. The range must contain a point: see isWithin().
  std::pair<double, double> extremes(double from, double to) const;
  bool isWithin(double from, double to) const;  // true if the range contains any point

  std::size_t nearest(double x) const;  // index of the point nearest in x; the curve must not be empty

 private:
  // Where the smallest and the largest of the points [begin, end) are; the range must not be empty.
  std::pair<std::size_t, std::size_t> extremesOf(std::size_t begin, std::size_t end) const;
  std::pair<std::size_t, std::size_t> indexRange(double from, double to) const;  // [begin, end)

  struct Extremes {
    std::uint32_t smallest = 0, largest = 0;  // indices of points
  };
  std::vector<double> x_, y_;
  std::vector<std::uint32_t> tags_;
  std::vector<std::vector<Extremes>> levels_;  // for blocks of 16, 256, 4,096 … points; the last block may be
                                               // incomplete
};

// The running mean of a curve with weights that fall by `weight` (0 to 1) per point, corrected for the start: what
// TensorBoard calls smoothing. It is extended as the curve grows.
class SmoothedCurve {
 public:
  void begin(double weight);
  void follow(const Curve& raw);  // takes the curve's new points
  const Curve& curve() const { return curve_; }

 private:
  Curve curve_;
  double weight_ = 0, sum_ = 0, share_ = 0;
};

}  // namespace lab

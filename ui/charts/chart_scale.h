// SPDX-License-Identifier: GPL-3.0-or-later
// Converts between values, the unit square of a plot, and pixels. On a logarithmic axis, 0 and less lie at the foot.
#pragma once

#include <QPointF>
#include <QRectF>

#include <cmath>

#include "ui/charts/axis.h"

namespace lab {

struct ChartScale {
  Range x, y;
  bool logarithmic = false;   // for the y axis; y.from is above 0 then
  bool logarithmicX = false;  // the same for the x axis

  double unitX(double value) const { return unitOn(x, logarithmicX, value); }
  double unitY(double value) const { return unitOn(y, logarithmic, value); }
  double valueX(double unit) const { return valueOn(x, logarithmicX, unit); }
  double valueY(double unit) const { return valueOn(y, logarithmic, unit); }
  QPointF unit(const QPointF& value) const { return {unitX(value.x()), unitY(value.y())}; }

  // In a plot with this area.
  QPointF at(const QRectF& area, const QPointF& value) const {
    return {area.left() + unitX(value.x()) * area.width(), area.bottom() - unitY(value.y()) * area.height()};
  }
  QPointF valueAt(const QRectF& area, const QPointF& position) const {
    return {valueX((position.x() - area.left()) / area.width()),
            valueY((area.bottom() - position.y()) / area.height())};
  }

 private:
  static double unitOn(const Range& range, bool logarithmic, double value) {
    if (!logarithmic) return (value - range.from) / range.length();
    return value > 0 ? std::log(value / range.from) / std::log(range.to / range.from) : 0;
  }
  static double valueOn(const Range& range, bool logarithmic, double unit) {
    return logarithmic ? range.from * std::pow(range.to / range.from, unit) : range.from + unit * range.length();
  }
};

}  // namespace lab

// SPDX-License-Identifier: GPL-3.0-or-later
// Between values and the unit square of a plot. On a logarithmic axis what is 0 or less lies at the foot.
#pragma once

#include <QPointF>

#include <algorithm>
#include <cmath>

#include "ui/charts/axis.h"

namespace lab {

struct ChartScale {
  Range x, y;
  bool logarithmic = false;  // the y axis; y.from is above 0 then

  double unitY(double value) const {
    if (!logarithmic) return (value - y.from) / y.length();
    return std::log(std::max(value, y.from) / y.from) / std::log(y.to / y.from);
  }
  double valueY(double unit) const {
    return logarithmic ? y.from * std::pow(y.to / y.from, unit) : y.from + unit * y.length();
  }
  double unitX(double value) const { return (value - x.from) / x.length(); }
  double valueX(double unit) const { return x.from + unit * x.length(); }
  QPointF unit(const QPointF& value) const { return {unitX(value.x()), unitY(value.y())}; }
};

}  // namespace lab

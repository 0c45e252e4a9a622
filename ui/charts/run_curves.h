// SPDX-License-Identifier: GPL-3.0-or-later
// One quantity of one run as curves: each step's value, the smoothed values, and those of the test images. They are
// extended as the run goes on; nothing is read twice, unless the run has lost steps.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>

#include "core/trace/divergence.h"
#include "ui/charts/curve.h"
#include "ui/charts/quantity.h"

namespace lab {

struct ChartOptions {
  XAxis axis = XAxis::Steps;
  double smoothing = 0;  // 0 to 0.99
  bool logarithmic = false;
  bool operator==(const ChartOptions&) const = default;
};

class RunCurves {
 public:
  RunCurves(int run, std::shared_ptr<const RunMetrics> metrics, Quantity quantity, const ChartOptions& options);

  int run() const { return run_; }
  bool follow();  // takes new data; returns true if there was any
  bool isBehind() const;
  const Curve& each() const { return each_; }
  const Curve& smoothed() const { return smoothed_.curve(); }  // empty without smoothing
  const Curve& test() const { return test_; }
  // The curve to show if there is room for only one.
  const Curve& main() const { return smooth_ ? smoothed() : each_; }

  // Where the loss stops being comparable for good: a place on the x axis. Nothing if it never does.
  std::optional<double> divergesAt() const;
  std::int64_t stepOf(std::uint32_t tag, bool test) const;  // the step that a point of a curve stands for

 private:
  void begin();                                             // forgets all points
  std::optional<double> nextValue(const StepMetric& step);  // of the next step, in the order of the run

  int run_;
  std::shared_ptr<const RunMetrics> metrics_;
  Quantity quantity_;
  XAxis axis_;
  double smoothing_;
  bool applies_ = true, smooth_ = false;
  Places places_;
  Curve each_, test_;
  SmoothedCurve smoothed_;
  std::size_t steps_ = 0, evaluations_ = 0;
  std::int64_t images_ = 0, wallNs_ = 0;  // of the steps so far
  Divergence divergence_;
};

}  // namespace lab

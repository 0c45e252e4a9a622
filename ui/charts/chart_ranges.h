// SPDX-License-Identifier: GPL-3.0-or-later
// A chart's ranges of values: as the user has zoomed, otherwise large enough for all points. The axis of a loss covers
// comparable values only: a run that diverged leaves it.
#pragma once

#include <QObject>

#include <limits>
#include <optional>
#include <utility>

#include "ui/charts/chart_scale.h"

namespace lab {

class ChartLines;
class RunCurves;
class RunLibrary;

class ChartRanges final : public QObject {
  Q_OBJECT

 public:
  ChartRanges(const ChartLines& lines, const RunLibrary& library);

  const ChartScale& scale() const { return scale_; }     // as fitted last
  bool hasFoot() const { return hasZeros_ && !zoomY_; }  // true if values are at the foot of a logarithmic axis
  void fit(const QRectF& plot);
  bool isBesideStage() const { return besideStage_; }
  // On a projector, the axes are then those of the run on the stage. Returns true if it was not so before.
  bool setBesideStage(bool beside) { return std::exchange(besideStage_, beside) != beside; }

  bool isZoomed() const { return zoomX_ || zoomY_; }
  bool isZoomedUp() const { return zoomY_.has_value(); }
  void showAll();                                    // follows the run again
  void zoom(double factor, double at, bool alongY);  // factor below 1: closer; `at` in the unit square stays in place
  void pan(double dx, double dy);                    // in units of the plot
  void zoomInto(Range x, Range y);                   // in values
  // Before other options: forgets zooms whose values would mean something else.
  void forget(bool x, bool y);

 Q_SIGNALS:
  void zoomed();  // also emitted when everything is shown again

 private:
  struct Extent {  // a range of values; `positive`: the smallest above 0, for a logarithm
    double low = std::numeric_limits<double>::infinity(), high = -low, positive = low;
  };
  Extent extent(bool diverged) const;
  bool measures(const RunCurves& curves) const;  // true if the axes are fitted to this run's points
  void fitHeight(const QRectF& plot);

  const ChartLines& lines_;
  const RunLibrary& library_;
  ChartScale scale_;
  bool hasZeros_ = false, besideStage_ = false;
  std::optional<Range> zoomX_, zoomY_;  // in values
};

}  // namespace lab

// SPDX-License-Identifier: GPL-3.0-or-later
// The time axis of a trace: the shown time, fitted or chosen by hand, and what lies on it: the ends of the step, a
// measured range, the movie's moment. Its owner paints it again after a change.
#pragma once

#include <cstdint>
#include <optional>
#include <utility>

#include "core/timeline/timeline.h"
#include "ui/trace/time_scale.h"

class QPainter;
class QSize;

namespace lab {

class TraceAxis {
 public:
  static constexpr double kHeightEm = 1.7;  // in text sizes
  static constexpr double kEdgePx = 6;      // between names and bars, and at the right
  using Range = std::pair<std::int64_t, std::int64_t>;

  // Null: nothing. Fits the step, unless the user has zoomed or panned: then the same range after the step's beginning
  // is shown.
  void setTimeline(const Timeline* timeline);
  const TimeScale& scale() const { return scale_; }
  void setTimes(const TimeScale& scale);       // the shown time, not the drawing area
  void place(double namesPx, double widthPx);  // the room for names, and for all
  void zoom(double factor, double x);
  void pan(double share);
  void fit(const Span* bar);                 // shows the bar, or the step if that is null; called again: everything
  void forgetFit() { fittedStep_ = false; }  // the next fit() is the first one
  bool moveIntoSight(double ns);             // to the middle if it is not visible: true
  bool setRange(std::optional<Range> range) { return std::exchange(range_, range) != range; }  // true: it was another
  std::optional<Range> range() const { return range_; }
  void setNow(std::optional<std::int64_t> ns) { nowNs_ = ns; }  // the moment that the movie shows
  std::optional<std::int64_t> now() const { return nowNs_; }

  void paint(QPainter& painter, const QSize& area) const;  // ticks above, the step's ends through the whole area
  void paintBounds(QPainter& painter, double height) const;
  // The range, and below `top` the movie's moment. The clip stays.
  void paintMoments(QPainter& painter, double top, double height) const;

 private:
  void showByHand(const TimeScale& scale);

  std::optional<Range> step_;              // of the timeline
  std::int64_t firstNs_ = 0, lastNs_ = 1;  // over all spans
  TimeScale scale_;
  bool scaledByHand_ = false;
  bool fittedStep_ = false;  // so that pressing F again fits everything
  std::optional<Range> range_;
  std::optional<std::int64_t> nowNs_;
};

}  // namespace lab

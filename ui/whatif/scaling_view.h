// SPDX-License-Identifier: GPL-3.0-or-later
// How a step scales with the number of devices: images per second against the ideal line (both axes logarithmic), and
// below, for each number of devices, where the step's time goes. The lower chart shows why the curve bends, and a
// sentence above says so. Everything is modelled.
#pragma once

#include <QStringList>
#include <QWidget>

#include <algorithm>
#include <cstdint>
#include <vector>

#include "core/prediction/what_if.h"
#include "core/timeline/timeline.h"
#include "ui/charts/plot_view.h"

namespace lab {

class ScalingView final : public QWidget {
  Q_OBJECT

 public:
  explicit ScalingView(QWidget* parent = nullptr);

  struct Point {
    std::int64_t devices = 1, hosts = 1, examplesPerDevice = 1;
    bool sharesAlike = true;    // otherwise examplesPerDevice is the largest
    bool extrapolated = false;  // no such hardware exists: drawn open and dashed
    std::int64_t stepNs = 0;
    double imagesPerSecond = 0, efficiency = 1;
    StageBreakdown breakdown{};  // mean over the devices
  };
  // `present`: the present number of devices; 0: not on the curve. `heading`: what stays fixed.
  void setPoints(std::vector<Point> points, std::int64_t present, const QString& heading);
  // The same with the other kind of batch kept: a thin line. `heading`: what stays fixed there.
  void setOther(std::vector<Point> points, const QString& heading);
  const std::vector<Point>& points() const { return points_; }
  const std::vector<Point>& other() const { return other_; }
  // Why the present number of devices (or else the last) is faster or slower than one device.
  QString why() const { return why_; }
  // What the axis of images per second spans.
  Range rates() const;
  // Where the curve continues over several hosts, and where no such hardware exists; "" if neither applies.
  QString hardware() const;
  QSize sizeHint() const override;

 Q_SIGNALS:
  void leastHeightChanged();  // depends on the number of lines of words

 protected:
  void paintEvent(QPaintEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;
  void changeEvent(QEvent* event) override;
  bool event(QEvent* event) override;

 private:
  static double idealOf(const Point& point) { return point.imagesPerSecond / point.efficiency; }
  double mostRate() const;  // of both curves
  Plot axes() const;        // for both charts: the numbers of devices
  void paintCurve(QPainter& painter, const QRectF& place);
  void paintColumns(QPainter& painter, const QRectF& place);
  QString reason() const;
  QStringList words() const;  // above the curve, one line each
  void fitWords();
  std::size_t pointAt(double x) const;
  QString wordsAt(double x) const;

  std::size_t places() const { return std::max(points_.size(), other_.size()); }

  std::vector<Point> points_, other_;
  std::int64_t present_ = 1;
  QString heading_, otherHeading_, why_;
  PlotView curveView_, columnsView_;
};

ScalingView::Point viewOf(const ScalingPoint& point);

}  // namespace lab

// SPDX-License-Identifier: GPL-3.0-or-later
// One chart of a sweep: curves, a point for each seed, spread, and lines that are not measurements, in their own style.
// A click on a point, or the arrow keys and Enter, chooses its run. The picture for files is the same.
#pragma once

#include <QWidget>

#include <vector>

#include "ui/charts/plot_head.h"
#include "ui/charts/plot_view.h"
#include "ui/sweep/sweep_plots.h"

namespace lab {

class SweepChart final : public QWidget {
  Q_OBJECT

 public:
  explicit SweepChart(QWidget* parent = nullptr);

  void setPlot(SweepPlot plot);
  const SweepPlot& plot() const { return plot_; }
  void setLogarithmic(bool x, bool y);  // if the plot allows it
  bool isLogX() const { return logX_ && plot_.canLogX; }
  bool isLogY() const { return logY_ && plot_.canLogY; }

  QPointF positionOf(const QPointF& value) const;  // in the widget
  // Paints the chart as shown, at any size.
  void paintPicture(QPainter& painter, const QSizeF& size) const;
  QSize sizeHint() const override;
  QSize minimumSizeHint() const override;

 Q_SIGNALS:
  void cellChosen(int cell);

 protected:
  void paintEvent(QPaintEvent* event) override;
  void mousePressEvent(QMouseEvent* event) override;
  void mouseMoveEvent(QMouseEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;
  void focusInEvent(QFocusEvent* event) override;
  void focusOutEvent(QFocusEvent* event) override;
  bool event(QEvent* event) override;

 private:
  struct Place {  // the place of a point that has a run
    const SweepPlot::Point* point = nullptr;
    const SweepPlot::Curve* curve = nullptr;
  };

  void scale();
  PlotHead head() const;
  PlotHead::Layout layout(const QSizeF& size) const;
  Plot picture() const;
  std::vector<Place> places() const;           // from left to right
  int placeAt(const QPointF& position) const;  // -1: none
  void describe();

  static constexpr int kTicks = 6;  // along y

  SweepPlot plot_;
  bool logX_ = true, logY_ = true;
  std::vector<Curve> curves_;  // the plot's curves
  ChartScale scale_;
  mutable PlotView view_;
  int current_ = -1;  // an index into places()
};

}  // namespace lab

// SPDX-License-Identifier: GPL-3.0-or-later
// One chart: a quantity of all visible runs. It keeps its picture and draws it anew only in refresh(), if there is new
// data, and at once when the user zooms or pans; a hidden chart does nothing. Wheel: zoom along x; Ctrl+wheel: along y;
// drag: pan; Shift+drag: zoom into a box; double click: show everything. A click on a point asks for its step. The axis
// of a loss covers comparable values only: a run that diverged leaves the axis, and a mark shows where.
#pragma once

#include <QPixmap>
#include <QWidget>

#include <limits>
#include <optional>
#include <vector>

#include "ui/charts/plot_head.h"
#include "ui/charts/plot_view.h"
#include "ui/charts/readout.h"
#include "ui/charts/run_curves.h"

class QToolButton;

namespace lab {

class RunLibrary;

class MetricChart final : public QWidget {
  Q_OBJECT

 public:
  enum class Kind { Each, Smoothed, Test };

  MetricChart(Quantity quantity, RunLibrary& library, QWidget* parent = nullptr);
  ~MetricChart() override;

  Quantity quantity() const { return quantity_; }
  const ChartOptions& options() const { return options_; }
  void setOptions(const ChartOptions& options);
  void refresh();         // takes new data, and draws if there is any
  bool isBehind() const;  // true if refresh() would have something to draw
  void redraw();          // for a change of the theme or of the runs
  void setLegendBeside(bool beside) { legendBeside_ = beside; }
  void setBesideStage(bool beside);  // on a projector, its axes are then those of the run on the stage

  const ChartScale& scale() const { return scale_; }
  bool isZoomed() const { return zoomX_ || zoomY_; }
  void showAll();                                    // follows the run again
  void zoom(double factor, double at, bool alongY);  // factor below 1: closer; `at` in the unit square stays in place
  void pan(double dx, double dy);                    // in units of the plot
  void zoomInto(Range x, Range y);                   // in values

  // What is drawn, as values. Empty if there is no such curve.
  QList<QPointF> shownPoints(int run, Kind kind) const;
  const Curve* curve(int run, Kind kind) const;                    // null if there is none
  std::vector<Reading> readingsAt(const QPointF& position) const;  // in the widget
  // The global batch of the present run, or else of the latest visible one, to compare with the noise scale; nothing in
  // other charts.
  std::optional<double> batchLine() const;
  QStringList readingWords(const QPointF& position) const;  // "0.4213  2 · Mirrored ×2, test"
  QPointF positionOf(const QPointF& value) const;           // in the widget
  std::int64_t paints() const { return paints_; }           // number of pictures drawn

  // Paints the chart as shown, at any size. `names`: where the runs' names are: in a legend beside the chart, in its
  // head as far as there is room, or, for files, all in its head.
  enum class Names { Beside, InHeader, All };
  void paintPicture(QPainter& painter, const QSizeF& size, Names names);
  QSizeF pictureSize();  // for files: the widget's size, plus lines below the header for names without room
  QSize sizeHint() const override;
  QSize minimumSizeHint() const override;

 Q_SIGNALS:
  void pointClicked(int run, std::int64_t step);
  void menuWanted(const QPoint& globalPosition);
  void dragWanted();  // dragged by its head: the chart is to be dragged out
  void zoomed();      // also emitted when everything is shown again

 protected:
  bool event(QEvent* event) override;
  void paintEvent(QPaintEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;
  void showEvent(QShowEvent* event) override;
  void changeEvent(QEvent* event) override;
  void wheelEvent(QWheelEvent* event) override;
  void mousePressEvent(QMouseEvent* event) override;
  void mouseMoveEvent(QMouseEvent* event) override;
  void mouseReleaseEvent(QMouseEvent* event) override;
  void mouseDoubleClickEvent(QMouseEvent* event) override;
  void leaveEvent(QEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;
  void focusOutEvent(QFocusEvent* event) override;
  void contextMenuEvent(QContextMenuEvent* event) override;

 private:
  struct Line {              // a line of the picture
    std::size_t curves = 0;  // which run's curves
    Kind kind = Kind::Each;
    Plot::Line look;
  };

  const Curve& curveOf(const Line& line) const;
  bool matchRuns();  // returns true if the set of visible runs has changed
  void chooseLines();
  void chooseRanges();  // metric_chart_ranges.cpp
  struct Extent {       // a range of values; `positive`: the smallest above 0, for a logarithm
    double low = std::numeric_limits<double>::infinity(), high = -low, positive = low;
  };
  Extent extent(bool diverged) const;
  bool measures(const RunCurves& curves) const;  // true if the axes are fitted to this run's points
  void chooseHeight(const QRectF& plot);
  Plot plot() const;
  std::vector<Plot::Exit> exits() const;  // where diverged runs leave the axis
  PlotHead head(Names names) const;
  PlotHead::Layout layout(const PlotHead& head, const QSizeF& size, Names names) const;
  void drawReadout(QPainter& painter) const;
  void changed();  // after zooming or panning
  void point(const QPointF& position);
  QRectF plotArea() const;  // in the widget
  QPointF unitAt(const QPointF& position) const;
  QString nameOf(const Line& line) const;

  const Quantity quantity_;
  const QuantityWords words_;
  RunLibrary& library_;
  ChartOptions options_;
  PlotView view_;
  QToolButton* menu_;
  std::vector<RunCurves> curves_;  // one per visible run
  std::vector<Line> lines_;
  ChartScale scale_;
  bool hasZeros_ = false;               // true if values are drawn at the foot of a logarithmic axis
  std::optional<Range> zoomX_, zoomY_;  // in values
  QPixmap picture_;
  bool stale_ = true, legendBeside_ = false, besideStage_ = false;
  std::int64_t paints_ = 0;
  std::optional<QPointF> pointer_;        // the position of the crosshair, in the widget
  std::optional<QPointF> pressed_, box_;  // where the left button went down; the box's other corner
  std::optional<QPointF> head_;           // where the button went down, in the chart's head
  QPointF dragged_;
  bool moved_ = false;
};

}  // namespace lab

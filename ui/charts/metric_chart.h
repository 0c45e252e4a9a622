// SPDX-License-Identifier: GPL-3.0-or-later
// One chart: a quantity of all visible runs. It keeps its picture and draws it anew only in refresh(), if there is new
// data, and at once when the user zooms or pans; a hidden chart does nothing. Wheel: zoom along x; Ctrl+wheel: along y;
// drag: pan; Shift+drag: zoom into a box; double click: show everything. A click on a point asks for its step.
#pragma once

#include <QPixmap>
#include <QWidget>

#include <optional>

#include "ui/charts/chart_lines.h"
#include "ui/charts/chart_ranges.h"
#include "ui/charts/crosshair.h"
#include "ui/charts/plot_view.h"

class QToolButton;

namespace lab {

class MetricChart final : public QWidget {
  Q_OBJECT

 public:
  MetricChart(Quantity quantity, RunLibrary& library, QWidget* parent = nullptr);

  void setOptions(const ChartOptions& options);
  void refresh();  // takes new data, and draws if there is any
  void redraw();   // for a change of the theme or of the runs
  void setLegendBeside(bool beside) { legendBeside_ = beside; }
  void setBesideStage(bool beside);

  const ChartLines& lines() const { return lines_; }
  ChartRanges& ranges() { return ranges_; }
  const ChartRanges& ranges() const { return ranges_; }
  const Crosshair& crosshair() const { return crosshair_; }
  const ChartScale& scale() const { return ranges_.scale(); }
  QRectF plotArea() const;  // in the widget
  // What is drawn of a curve, as values. Empty if there is no such curve.
  QList<QPointF> shownPoints(int run, ChartLines::Kind kind) const;
  QPointF positionOf(const QPointF& value) const;  // in the widget
  std::int64_t paints() const { return paints_; }  // number of pictures drawn

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
  Plot plot() const;
  PlotHead head(Names names) const;
  PlotHead::Layout layout(const PlotHead& head, const QSizeF& size, Names names) const;
  void outdate();  // the picture
  void point(const QPointF& position);
  QPointF unitAt(const QPointF& position) const;

  const QuantityWords words_;
  ChartLines lines_;
  ChartRanges ranges_;
  Crosshair crosshair_;
  PlotView view_;
  QToolButton* menu_;
  QPixmap picture_;
  bool stale_ = true, legendBeside_ = false;
  std::int64_t paints_ = 0;
  std::optional<QPointF> pressed_, box_;  // where the left button went down; the box's other corner
  std::optional<QPointF> head_;           // where the button went down, in the chart's head
  QPointF dragged_;
  bool moved_ = false;
};

}  // namespace lab

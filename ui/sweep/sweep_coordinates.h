// SPDX-License-Identifier: GPL-3.0-or-later
// Parallel coordinates of a sweep: an upright axis for each varied setting and for each chosen measure, and a line for
// each run, in a stronger colour the better it is in the measure in view. Dragging along an axis, or Shift with ↑ and
// ↓, sets a range and leaves out runs beyond it. Grouped by a setting, the means are drawn above the runs. A click
// chooses a run.
#pragma once

#include <QPixmap>
#include <QWidget>

#include <string>
#include <vector>

#include "ui/charts/plot_head.h"
#include "ui/sweep/sweep_columns.h"

namespace lab {

class SweepCoordinates final : public QWidget {
  Q_OBJECT

 public:
  explicit SweepCoordinates(const SweepRun& run, QWidget* parent = nullptr);

  // The run's cells must belong to this request.
  void setCells(const SweepRequest& request, const std::vector<SweepQuantity>& measures, SweepQuantity inView);
  void setGroup(const std::string& setting);  // "": no groups
  const std::string& group() const { return group_; }
  void choose(int cell);  // draws the cell's line thick from now on
  int chosen() const { return chosen_; }
  void setRange(std::size_t column, std::optional<CellRange> range);
  void clearRanges();
  std::vector<bool> inRanges() const;  // one per cell; empty if there is no range

  const SweepColumns& columns() const { return columns_; }
  QString words() const;                                   // the runs in the ranges, and the means of groups
  QPointF positionOf(int cell, std::size_t column) const;  // in the widget
  void paintPicture(QPainter& painter, const QSizeF& size) const;
  QSize sizeHint() const override;
  QSize minimumSizeHint() const override;

 Q_SIGNALS:
  void cellChosen(int cell);
  void changed();  // the result of words()

 protected:
  void paintEvent(QPaintEvent* event) override;
  void mousePressEvent(QMouseEvent* event) override;
  void mouseMoveEvent(QMouseEvent* event) override;
  void mouseReleaseEvent(QMouseEvent* event) override;
  void leaveEvent(QEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;
  void focusInEvent(QFocusEvent* event) override;
  void focusOutEvent(QFocusEvent* event) override;
  bool event(QEvent* event) override;

 private:
  struct Frame {  // the geometry of a picture of some size
    PlotHead::Layout head;
    QRectF axes;  // from the first axis to the end of the last one's room
    double between = 0;
    double x(std::size_t column) const { return axes.left() + static_cast<double>(column) * between; }
  };

  void fill();    // with the cells' results
  void follow();  // ranges or groups have changed
  void repaintAll();
  PlotHead head() const;
  Frame frame(const QSizeF& size) const;
  QPointF point(const Frame& frame, std::size_t column, const std::optional<double>& value) const;
  QPolygonF line(const Frame& frame, int cell) const;
  std::optional<std::size_t> axisAt(const QPointF& position) const;
  int cellAt(const QPointF& position) const;  // -1: none
  double valueAt(std::size_t column, double y) const;
  void moveAlong(int by);  // to the next run by its value on the current axis
  void bound(bool below);  // makes the current run's value the end of the range
  void paintLines(QPainter& painter, const Frame& frame) const;
  void paintAxes(QPainter& painter, const Frame& frame) const;
  void paintGroups(QPainter& painter, const Frame& frame) const;
  void paintNamed(QPainter& painter, const Frame& frame) const;

  const SweepRun& run_;
  SweepRequest request_;
  std::vector<SweepQuantity> shown_;
  SweepQuantity inView_ = SweepQuantity::Accuracy;
  std::string group_;
  SweepColumns columns_;
  std::vector<SweepColumns::Group> groups_;
  int chosen_ = -1, current_ = -1, pointed_ = -1;  // cells: last chosen, at the keyboard cursor, under the pointer
  std::size_t axis_ = 0;                           // at the keyboard cursor
  std::optional<std::size_t> dragged_;             // the axis being dragged along
  QPointF from_;
  QPixmap lines_;  // everything that stays while the pointer moves; null: not painted yet
};

}  // namespace lab

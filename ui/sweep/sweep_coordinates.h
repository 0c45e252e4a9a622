// SPDX-License-Identifier: GPL-3.0-or-later
// Parallel coordinates of a sweep: an upright axis for each setting that it varies and for each chosen measure, a line
// for each run, the stronger its colour the better in the measure in view. Dragging along an axis, or Shift with ↑ and
// ↓, leaves out what is beyond. Grouped by a setting, its means are drawn above the runs. A click chooses a run.
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

  // The run's cells are this request's.
  void setCells(const SweepRequest& request, const std::vector<SweepQuantity>& measures, SweepQuantity inView);
  void setGroup(const std::string& setting);  // "": each run alone
  const std::string& group() const { return group_; }
  void choose(int cell);  // drawn thick from now on
  int chosen() const { return chosen_; }
  void setRange(std::size_t column, std::optional<CellRange> range);
  void clearRanges();
  std::vector<bool> inRanges() const;  // of each cell; empty where there is no range

  const SweepColumns& columns() const { return columns_; }
  QString words() const;                                   // the runs in the ranges, and the means of groups
  QPointF positionOf(int cell, std::size_t column) const;  // in the widget
  void paintPicture(QPainter& painter, const QSizeF& size) const;
  QSize sizeHint() const override;
  QSize minimumSizeHint() const override;

 Q_SIGNALS:
  void cellChosen(int cell);
  void changed();  // what words() says

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
  struct Frame {  // of a picture of some size
    PlotHead::Layout head;
    QRectF axes;  // from the first axis to where the last one's room ends
    double between = 0;
    double x(std::size_t column) const { return axes.left() + static_cast<double>(column) * between; }
  };

  void fill();    // with what has come of the cells
  void follow();  // ranges or groups have changed
  void repaintAll();
  PlotHead head() const;
  Frame frame(const QSizeF& size) const;
  QPointF point(const Frame& frame, std::size_t column, const std::optional<double>& value) const;
  QPolygonF line(const Frame& frame, int cell) const;
  std::optional<std::size_t> axisAt(const QPointF& position) const;
  int cellAt(const QPointF& position) const;  // -1: none
  double valueAt(std::size_t column, double y) const;
  void moveAlong(int by);  // to another run by its value on the current axis
  void bound(bool below);  // the current run's value ends the range
  // sweep_coordinates_paint.cpp
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
  int chosen_ = -1, current_ = -1, pointed_ = -1;  // cells: chosen last, of the keyboard, under the pointer
  std::size_t axis_ = 0;                           // of the keyboard
  std::optional<std::size_t> dragged_;             // an axis
  QPointF from_;
  QPixmap lines_;  // all that stays while the pointer moves; null: to be painted
};

}  // namespace lab

// SPDX-License-Identifier: GPL-3.0-or-later
// Operations below a device's roofs: FLOP per byte along x, FLOP/s along y, both logarithmic. A point is an operation;
// pointer and keys name it, a click chooses it. The chart is redrawn only when it gets new data.
#pragma once

#include <QWidget>

#include <optional>
#include <vector>

#include "ui/charts/plot_head.h"
#include "ui/charts/plot_view.h"
#include "ui/profile/operation_model.h"

namespace lab {

class RooflineChart final : public QWidget {
  Q_OBJECT

 public:
  explicit RooflineChart(QWidget* parent = nullptr);

  // `lacking`: the words shown if there are no roofs.
  void setOperations(const std::vector<OperationRow>& rows, const std::optional<DeviceRoofs>& roofs,
                     const QString& lacking);
  void setCurrent(int row);  // an index into the rows; -1: none
  int current() const { return current_; }
  QString words() const;                     // about the current operation, or about all
  std::vector<int> points() const;           // the rows with a place, by FLOP/byte
  std::optional<QPointF> at(int row) const;  // in the widget
  int rowAt(const QPointF& place) const;     // -1: none

  QSize sizeHint() const override;
  QSize minimumSizeHint() const override;

 Q_SIGNALS:
  void chosen(int row);

 protected:
  void paintEvent(QPaintEvent* event) override;
  void mousePressEvent(QMouseEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;
  void changeEvent(QEvent* event) override;
  bool event(QEvent* event) override;

 private:
  ChartScale scale() const;
  Plot plot() const;
  PlotHead head() const;
  QRectF area() const;
  void describe();
  bool isOnRoof(const QRectF& box) const;
  void paintNames(QPainter& painter) const;

  std::vector<OperationRow> rows_;
  std::optional<DeviceRoofs> roofs_;
  QString lacking_;
  Curve roof_;
  int current_ = -1;
  PlotView view_;
};

}  // namespace lab

// SPDX-License-Identifier: GPL-3.0-or-later
// A table from a file as a plot: which column is x, which are y, and the curves. Rows are drawn in the order of x. It
// is no run: it has no settings, steps or name among the runs, and goes with its dialog.
#pragma once

#include <QWidget>

#include <memory>
#include <vector>

#include "core/files/value_table.h"
#include "ui/charts/axis.h"
#include "ui/charts/curve.h"
#include "ui/charts/plot_view.h"

class QComboBox;
class QDialog;
class QLabel;
class QListWidget;

namespace lab {

// The curves alone.
class ValueCurves final : public QWidget {
  Q_OBJECT

 public:
  explicit ValueCurves(QWidget* parent = nullptr);

  struct Line {
    QString name;
    QColor colour;
    Qt::PenStyle style = Qt::SolidLine;
    Curve curve;
  };
  void show(std::vector<Line> lines, const QString& xName);
  const std::vector<Line>& lines() const { return lines_; }
  QSize sizeHint() const override;
  QSize minimumSizeHint() const override;

 protected:
  void paintEvent(QPaintEvent* event) override;

 private:
  void place(const QSizeF& size);

  std::vector<Line> lines_;
  QString xName_;
  Range x_, y_;
  PlotView plot_;
};

class TablePlot final : public QWidget {
  Q_OBJECT

 public:
  explicit TablePlot(ValueTable table, QWidget* parent = nullptr);

  const ValueCurves& curves() const { return *curves_; }

 private:
  void choose();

  const ValueTable table_;
  QComboBox* x_;
  QListWidget* y_;
  QLabel* note_;
  ValueCurves* curves_;
};

// Not modal. `name`: the file's.
QDialog* showTablePlot(ValueTable table, const QString& name, QWidget* parent);

}  // namespace lab

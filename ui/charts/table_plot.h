// SPDX-License-Identifier: GPL-3.0-or-later
// A table from a file as a plot: a choice of the columns for x and y, and the curves. Rows are drawn in the order of x.
// The table is not a run: it has no settings, steps or name among the runs, and is closed with its dialog.
#pragma once

#include <QWidget>

#include "core/files/value_table.h"
#include "ui/charts/series_chart.h"

class QComboBox;
class QDialog;
class QLabel;
class QListWidget;

namespace lab {

class TablePlot final : public QWidget {
  Q_OBJECT

 public:
  explicit TablePlot(ValueTable table, QWidget* parent = nullptr);

  const SeriesChart& curves() const { return *curves_; }

 private:
  void choose();

  const ValueTable table_;
  QComboBox* x_;
  QListWidget* y_;
  QLabel* note_;
  SeriesChart* curves_;
};

// Not modal. `name`: the file's name.
QDialog* showTablePlot(ValueTable table, const QString& name, QWidget* parent);

}  // namespace lab

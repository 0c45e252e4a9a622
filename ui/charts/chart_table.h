// SPDX-License-Identifier: GPL-3.0-or-later
// A chart as numbers, for reading, copying, and for users who cannot see curves: one line per point within the visible
// range of x. It is a snapshot of the moment of its creation.
#pragma once

#include <QAbstractTableModel>

#include <cstdint>
#include <vector>

class QDialog;

namespace lab {

class MetricChart;
class RunLibrary;

class ChartTable final : public QAbstractTableModel {
  Q_OBJECT

 public:
  ChartTable(const MetricChart& chart, const RunLibrary& library, QObject* parent = nullptr);

  int rowCount(const QModelIndex& parent = {}) const override;
  int columnCount(const QModelIndex& parent = {}) const override;
  QVariant data(const QModelIndex& index, int role) const override;
  QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

 private:
  struct Row {
    QString run;
    std::int64_t step = 0;
    double x = 0, each = 0, smoothed = 0, test = 0;  // NaN: not available
  };
  std::vector<Row> rows_;
  QStringList names_;
  bool smooth_ = false, tested_ = false;
};

// Not modal; Ctrl+C copies the selection.
QDialog* showChartTable(const MetricChart& chart, const RunLibrary& library, QWidget* parent);

}  // namespace lab

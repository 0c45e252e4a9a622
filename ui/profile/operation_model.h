// SPDX-License-Identifier: GPL-3.0-or-later
// The operations of a step as a table: how often and how long each ran, its share of the devices' time, what it
// computed and moved, and which of the device's bounds it reaches. Rows keep their places from step to step, so that a
// selected row stays selected; a proxy sorts and searches.
#pragma once

#include <QAbstractTableModel>

#include <optional>
#include <string>

#include "core/prediction/operation_table.h"
#include "core/prediction/roofline.h"

class QSortFilterProxyModel;

namespace lab {

class OperationModel final : public QAbstractTableModel {
  Q_OBJECT

 public:
  enum class Column { Name, Kind, Bound, Calls, Total, Mean, Share, Rate, Bytes, Intensity };
  static constexpr int kColumns = static_cast<int>(Column::Intensity) + 1;
  static constexpr int kSortRole = Qt::UserRole;

  using QAbstractTableModel::QAbstractTableModel;

  void setTable(OperationTable table, const std::optional<DeviceRoofs>& roofs);
  const std::vector<OperationRow>& rows() const { return table_.rows; }
  const std::optional<DeviceRoofs>& roofs() const { return roofs_; }
  std::int64_t deviceNs() const { return table_.deviceNs; }

  int rowCount(const QModelIndex& parent = {}) const override;
  int columnCount(const QModelIndex& parent = {}) const override;
  QVariant data(const QModelIndex& index, int role) const override;
  QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

  // For a spreadsheet: whole nanoseconds, and numbers as the command line writes them, RFC 4180.
  std::string csv() const;

 private:
  QString textOf(const OperationRow& row, Column column) const;
  QVariant valueOf(const OperationRow& row, Column column) const;  // invalid: not known
  double shareOf(const OperationRow& row) const;

  OperationTable table_;  // by kind and label
  std::optional<DeviceRoofs> roofs_;
};

QString operationName(const OperationRow& row);
QString flopRateText(double flopPerSecond);  // "1.24 TFLOP/s"
// Which bound the operation reaches, as a sentence; "" if it has no place below the roofs.
QString boundWords(const OperationRow& row, const DeviceRoofs& roofs);

// Unknown values come last in either sort order; rows are found by name and kind.
QSortFilterProxyModel* makeOperationOrder(OperationModel& model, QObject* parent);

}  // namespace lab

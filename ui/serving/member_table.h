// SPDX-License-Identifier: GPL-3.0-or-later
// The workers that have joined the class, a row each, with images/s, staleness, link and what each waits for. Workers
// that left stand below the others in every sort order.
#pragma once

#include <QAbstractTableModel>

#include <optional>
#include <vector>

#include "ui/serving/served_class.h"

class QTableView;

namespace lab {

class MemberTable final : public QAbstractTableModel {
  Q_OBJECT

 public:
  enum class Column { Name, State, WaitsFor, Rate, Pushes, Staleness, RoundTrip, Bytes };
  static constexpr int kColumns = static_cast<int>(Column::Bytes) + 1;
  static constexpr int kSortRole = Qt::UserRole, kWorkerRole = Qt::UserRole + 1, kThereRole = Qt::UserRole + 2;

  explicit MemberTable(ServedClass& served, QObject* parent = nullptr);

  int rowCount(const QModelIndex& parent = {}) const override;
  int columnCount(const QModelIndex& parent = {}) const override;
  QVariant data(const QModelIndex& index, int role) const override;
  QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

 private:
  void refresh();
  QString textOf(const ClassMember& member, Column column) const;

  ServedClass& served_;
  std::vector<ClassMember> shown_;
};

// A view that sorts when the user clicks a column's head.
QTableView* makeMemberView(MemberTable& table);
std::vector<int> selectedWorkers(const QTableView& view);  // only those still in the class

}  // namespace lab

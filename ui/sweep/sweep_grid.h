// SPDX-License-Identifier: GPL-3.0-or-later
// The grid of a sweep: a row and a column for each value of its two axes, in each cell heat and number of one quantity,
// with the spread over seeds, and a mark where a run has not ended as it should. Nothing is interpolated. A table for
// keyboard and screen reader like any other.
#pragma once

#include <QAbstractTableModel>
#include <QTableView>

#include <vector>

#include "ui/sweep/sweep_table.h"

namespace lab {

class SweepGridModel final : public QAbstractTableModel {
  Q_OBJECT

 public:
  explicit SweepGridModel(const SweepRun& run, QObject* parent = nullptr);

  void setRequest(const SweepRequest& request);  // and the run's cells, which are this request's; until then empty
  void setQuantity(SweepQuantity quantity);
  void setRule(const std::string& rule);  // "": of each cell the best
  void refresh();                         // what has come of the cells
  // Which cells a person looks at; empty: all. An entry without one of them is quiet, and its number stays.
  void setLookedAt(std::vector<bool> cells);
  bool isLookedAt(const SweepEntry& entry) const;

  SweepQuantity quantity() const { return quantity_; }
  const SweepTable& table() const { return table_; }
  const SweepEntry& entryAt(const QModelIndex& index) const;
  double heat(const SweepEntry& entry) const;  // 0 to 1, the better the higher; below 0: none
  bool isModelled() const { return modelled_; }

  int rowCount(const QModelIndex& parent = {}) const override;
  int columnCount(const QModelIndex& parent = {}) const override;
  QVariant data(const QModelIndex& index, int role) const override;
  QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

 private:
  void forget();
  QString whole(const QModelIndex& index) const;  // row, column and what came of it

  const SweepRun& run_;
  SweepRequest request_;
  SweepTable table_;
  SweepQuantity quantity_ = SweepQuantity::Steps;
  std::string rule_;
  bool modelled_ = true;
  std::vector<std::vector<SweepEntry>> entries_;
  double low_ = 0, high_ = 0;  // of the means
  std::vector<bool> lookedAt_;
};

class SweepGrid final : public QTableView {
  Q_OBJECT

 public:
  explicit SweepGrid(SweepGridModel& model, QWidget* parent = nullptr);
  void showCell(int cell);  // the entry that it is in becomes the current one

 Q_SIGNALS:
  void cellChosen(int cell);  // by click or Enter: the first seed's run of it

 protected:
  void resizeEvent(QResizeEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;
  void changeEvent(QEvent* event) override;

 private:
  void choose(const QModelIndex& index);
  void fit();

  SweepGridModel& model_;
};

}  // namespace lab

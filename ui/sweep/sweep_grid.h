// SPDX-License-Identifier: GPL-3.0-or-later
// The grid of a sweep: a row and a column for each value of its two axes; each cell shows one quantity as a colour and
// a number, with the spread over seeds, and a mark if a run has not ended properly. Nothing is interpolated. Keyboard
// and screen readers can use it like any other table.
#pragma once

#include <QAbstractTableModel>
#include <QTableView>

#include <optional>
#include <vector>

#include "ui/sweep/sweep_table.h"

namespace lab {

class SweepGridModel final : public QAbstractTableModel {
  Q_OBJECT

 public:
  explicit SweepGridModel(const SweepRun& run, QObject* parent = nullptr);

  void setRequest(const SweepRequest& request);  // and the run's cells, which are this request's; until then empty
  void setQuantity(SweepQuantity quantity);
  void setRule(const std::string& rule);  // "": each cell's best rule
  void refresh();                         // takes the cells' new results
  // The cells that the user looks at; empty: all. An entry without any of them is dimmed but keeps its number.
  void setLookedAt(std::vector<bool> cells);
  bool isLookedAt(const SweepEntry& entry) const;

  const SweepRequest& request() const { return request_; }
  SweepQuantity quantity() const { return quantity_; }
  const SweepTable& table() const { return table_; }
  const SweepEntry& entryAt(const QModelIndex& index) const;
  double heat(const SweepEntry& entry) const;  // 0 to 1, higher is better; below 0: none
  std::optional<bool> areTimesModelled() const { return modelled_; }

  int rowCount(const QModelIndex& parent = {}) const override;
  int columnCount(const QModelIndex& parent = {}) const override;
  QVariant data(const QModelIndex& index, int role) const override;
  QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

 private:
  void forget();
  QString whole(const QModelIndex& index) const;  // row, column and result

  const SweepRun& run_;
  SweepRequest request_;
  SweepTable table_;
  SweepQuantity quantity_ = SweepQuantity::Steps;
  std::string rule_;
  std::optional<bool> modelled_ = true;
  std::vector<std::vector<SweepEntry>> entries_;
  double low_ = 0, high_ = 0;  // range of the means
  std::vector<bool> lookedAt_;
};

class SweepGrid final : public QTableView {
  Q_OBJECT

 public:
  explicit SweepGrid(SweepGridModel& model, QWidget* parent = nullptr);
  void showCell(int cell);  // makes the entry that contains the cell the current one

 Q_SIGNALS:
  void cellChosen(int cell);  // by click or Enter: the run of the entry's first seed

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

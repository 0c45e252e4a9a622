// SPDX-License-Identifier: GPL-3.0-or-later
// The kept runs as a table, the present one first and then the latest: name, only those settings in which they differ,
// how far each got, and beside the figures their comparison with the baseline. The first column is checked if the run
// is shown in charts, and can be edited; so can the note.
#pragma once

#include <QAbstractTableModel>
#include <QTimer>

#include <vector>

#include "core/base/at.h"
#include "core/options/config_field.h"
#include "ui/runs/run_library.h"

namespace lab {

class RunTable final : public QAbstractTableModel {
  Q_OBJECT

 public:
  // The differing settings stand between Name and Steps.
  enum class Column { Name, Setting, Steps, Loss, Accuracy, Rate, TimeKind, Seed, Version, Note };

  explicit RunTable(RunLibrary& library, QObject* parent = nullptr);

  int rowCount(const QModelIndex& parent = {}) const override;
  int columnCount(const QModelIndex& parent = {}) const override;
  QVariant data(const QModelIndex& index, int role) const override;
  bool setData(const QModelIndex& index, const QVariant& value, int role) override;
  Qt::ItemFlags flags(const QModelIndex& index) const override;
  QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

  int idAt(int row) const { return row < 0 || row >= rowCount() ? 0 : at(ids_, row); }
  Column columnAt(int column) const;
  int columnOf(Column column) const;  // for Setting: the first one, if any
  void refresh();                     // the present run's figures
  int rowOf(int id) const;            // -1: not there
  // The whole table for a spreadsheet: numbers and settings as the command line writes them, RFC 4180.
  std::string csv() const;
  void schedule();  // calls refresh() soon: for figures that change faster than one can read

 Q_SIGNALS:
  void exportWanted();  // to a file; the receiver asks for its name

 private:
  void add(int row);  // a row of the library
  void remove(int row);
  void announceNames();
  void fitColumns();
  QString textOf(const KeptRun& run, int column) const;
  QString figureOf(const KeptRun& run, Column column) const;

  RunLibrary& library_;
  std::vector<int> ids_;
  std::vector<const ConfigField*> fields_;
  QTimer timer_;  // single shot
};

}  // namespace lab

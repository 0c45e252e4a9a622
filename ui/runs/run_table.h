// SPDX-License-Identifier: GPL-3.0-or-later
// The runs of this session, the present one last: what each was and how far it came. Activating a row starts that
// experiment anew.
#pragma once

#include <QAbstractTableModel>
#include <QTimer>

#include <optional>
#include <vector>

#include "core/run/run_config.h"
#include "core/trace/span.h"

namespace lab {

class Experiment;
class RunController;

class RunTable final : public QAbstractTableModel {
  Q_OBJECT

 public:
  enum Column { Strategy, Replicas, Batch, Steps, Loss, Accuracy, Rate, TimeKind, kColumns };

  RunTable(RunController& controller, Experiment& experiment, QObject* parent = nullptr);

  int rowCount(const QModelIndex& parent = {}) const override;
  int columnCount(const QModelIndex& parent = {}) const override;
  QVariant data(const QModelIndex& index, int role) const override;
  QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

  const RunConfig& configOf(int row) const { return runs_.at(static_cast<std::size_t>(row)).config; }
  void refresh();   // the present run's figures
  void schedule();  // the same, soon: for figures that change faster than they can be read

 private:
  struct Run {
    RunConfig config;    // as asked for
    RunConfig resolved;  // with everything filled in
    std::size_t steps = 0;
    double loss = 0;
    std::optional<double> accuracy;  // of the test images
    std::optional<double> rate;      // images/s on the clock below
    Clock clock = Clock::Modelled;
    bool failed = false;
  };

  void beginRun();
  QString textOf(const Run& run, int column) const;

  RunController& controller_;
  Experiment& experiment_;
  std::vector<Run> runs_;
  QTimer timer_;          // single shot
  bool between_ = false;  // the controller has the next run already, and the last row is still the one before
};

}  // namespace lab

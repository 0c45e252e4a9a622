// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/runs/run_table.h"

#include <cmath>

#include "core/base/units.h"
#include "ui/run_controller.h"
#include "ui/run_summary.h"
#include "ui/setup/experiment.h"

namespace lab {
namespace {

constexpr int kIntervalMs = 250;

QString count(std::int64_t value) {
  return QString::fromStdString(formatCount(value));
}

}  // namespace

RunTable::RunTable(RunController& controller, Experiment& experiment, QObject* parent)
    : QAbstractTableModel(parent), controller_(controller), experiment_(experiment) {
  timer_.setSingleShot(true);
  timer_.setInterval(kIntervalMs);
  connect(&timer_, &QTimer::timeout, this, &RunTable::refresh);
  connect(&experiment_, &Experiment::aboutToStart, this, [this] {
    refresh();
    between_ = true;
  });
  connect(&experiment_, &Experiment::started, this, &RunTable::beginRun);
}

int RunTable::rowCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : static_cast<int>(runs_.size());
}

int RunTable::columnCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : kColumns;
}

void RunTable::beginRun() {
  between_ = false;
  // A run that was replaced before it did anything is no run.
  if (!runs_.empty() && runs_.back().steps == 0) {
    const int row = static_cast<int>(runs_.size()) - 1;
    beginRemoveRows({}, row, row);
    runs_.pop_back();
    endRemoveRows();
  }
  const int row = static_cast<int>(runs_.size());
  beginInsertRows({}, row, row);
  runs_.push_back({experiment_.asked(), experiment_.resolved()});
  endInsertRows();
}

void RunTable::schedule() {
  if (!timer_.isActive()) timer_.start();
}

void RunTable::refresh() {
  timer_.stop();
  if (runs_.empty() || between_) return;
  Run& run = runs_.back();
  const auto& steps = controller_.steps();
  run.steps = steps.size();
  run.failed = controller_.state() == RunState::Failed;
  if (!steps.empty()) {
    const Throughput throughput = recentThroughput(steps);
    run.loss = steps.back().loss;
    run.clock = steps.back().clock;
    run.rate = run.clock == Clock::Modelled ? throughput.modelled : throughput.measured;
  }
  if (!controller_.evaluations().empty()) run.accuracy = controller_.evaluations().back().testAccuracy;
  const int row = static_cast<int>(runs_.size()) - 1;
  Q_EMIT dataChanged(index(row, 0), index(row, kColumns - 1));
}

QString RunTable::textOf(const Run& run, int column) const {
  const QString dash = QStringLiteral("–");
  switch (column) {
    case Strategy:
      return QString::fromStdString(strategyInfo(run.config.strategy).name);
    case Replicas:
      return count(run.resolved.replicas.value_or(1));
    case Batch:
      return run.resolved.globalBatch ? count(*run.resolved.globalBatch)
                                      : tr("%1 a worker").arg(count(run.resolved.batchPerReplica.value_or(0)));
    case Steps:
      return run.failed ? tr("%1, failed").arg(count(static_cast<std::int64_t>(run.steps)))
                        : count(static_cast<std::int64_t>(run.steps));
    case Loss:
      return run.steps == 0 ? dash : QString::number(run.loss, 'f', 4);
    case Accuracy:
      return run.accuracy ? QString::number(100 * *run.accuracy, 'f', 1) + QStringLiteral(" %") : dash;
    case Rate:
      return run.rate ? count(std::llround(*run.rate)) : dash;
    case TimeKind:
      return run.steps == 0 ? dash : run.clock == Clock::Modelled ? tr("modelled") : tr("measured");
    default:
      return {};
  }
}

QVariant RunTable::data(const QModelIndex& index, int role) const {
  if (!index.isValid()) return {};
  const Run& run = runs_.at(static_cast<std::size_t>(index.row()));
  if (role == Qt::DisplayRole) return textOf(run, index.column());
  if (role == Qt::TextAlignmentRole && index.column() != Strategy && index.column() != TimeKind)
    return QVariant::fromValue<int>(Qt::AlignRight | Qt::AlignVCenter);
  if (role == Qt::ToolTipRole) return tr("Double-click: the same experiment anew");
  return {};
}

QVariant RunTable::headerData(int section, Qt::Orientation orientation, int role) const {
  if (role != Qt::DisplayRole) return {};
  if (orientation == Qt::Vertical) return section + 1;
  const QString names[kColumns] = {tr("Strategy"),  tr("Replicas"),      tr("Global batch"), tr("Steps"),
                                   tr("Last loss"), tr("Test accuracy"), tr("Images/s"),     tr("Clock")};
  return names[section];
}

}  // namespace lab

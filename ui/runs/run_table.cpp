// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/runs/run_table.h"

#include <QFont>
#include <QPainter>
#include <QPixmap>
#include <QTextDocument>

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

#include "core/base/at.h"
#include "core/base/units.h"
#include "core/files/metrics_csv.h"
#include "core/options/config_field.h"
#include "core/training/branches.h"
#include "ui/i18n/core_words.h"
#include "ui/i18n/words.h"
#include "ui/runs/run_colours.h"
#include "ui/runview/run_summary.h"
#include "ui/theme/theme.h"

namespace lab {
namespace {

constexpr int kIntervalMs = 250;
constexpr int kFixed = 9;  // columns that are always there
constexpr double kNone = std::numeric_limits<double>::quiet_NaN();

std::optional<double> lossOf(const KeptRun& run) {
  if (run.metrics->steps.empty()) return std::nullopt;
  return run.metrics->steps.back().loss;
}

std::optional<double> accuracyOf(const KeptRun& run) {
  if (run.metrics->evaluations.empty()) return std::nullopt;
  return 100 * run.metrics->evaluations.back().testAccuracy;
}

std::optional<TimeSource> clockOf(const KeptRun& run) {
  if (run.metrics->steps.empty()) return std::nullopt;
  return run.metrics->steps.back().clock;
}

std::optional<double> rateOf(const KeptRun& run) {
  const Throughput throughput = meanThroughput(run.metrics->steps);
  return clockOf(run) == TimeSource::Modelled ? throughput.modelled : throughput.measured;
}

QString difference(double value, int decimals) {
  const QString number = numberText(std::abs(value), 'f', decimals);
  return (value < 0 ? QStringLiteral("−") : QStringLiteral("+")) + number;
}

std::string written(std::optional<double> value) {
  return value && std::isfinite(*value) ? shortest(*value) : "";
}

}  // namespace

RunTable::RunTable(RunLibrary& library, QObject* parent) : QAbstractTableModel(parent), library_(library) {
  timer_.setSingleShot(true);
  timer_.setInterval(kIntervalMs);
  connect(&timer_, &QTimer::timeout, this, &RunTable::refresh);
  connect(&library_, &RunLibrary::added, this, &RunTable::add);
  connect(&library_, &RunLibrary::removed, this, &RunTable::remove);
  connect(&library_, &RunLibrary::changed, this, [this] {
    fitColumns();  // the data set that a run has found
    // Every row mentions the baseline.
    if (!ids_.empty()) Q_EMIT dataChanged(index(0, 0), index(rowCount() - 1, columnCount() - 1));
  });
  for (const KeptRun& run : library_.runs()) ids_.insert(ids_.begin(), run.id);
  fields_ = differingFields(library_.runs());
}

int RunTable::rowCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : static_cast<int>(ids_.size());
}

int RunTable::columnCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : kFixed + static_cast<int>(fields_.size());
}

RunTable::Column RunTable::columnAt(int column) const {
  const int settings = static_cast<int>(fields_.size());
  if (column == 0) return Column::Name;
  if (column <= settings) return Column::Setting;
  return static_cast<Column>(column - settings + 1);
}

int RunTable::columnOf(Column column) const {
  if (column == Column::Name) return 0;
  if (column == Column::Setting) return 1;
  return static_cast<int>(column) - 1 + static_cast<int>(fields_.size());
}

// Columns of settings are added and removed one by one, so that views keep the state of the others.
void RunTable::fitColumns() {
  std::vector<const ConfigField*> wanted = differingFields(library_.runs());
  std::erase_if(wanted, [](const ConfigField* field) { return field->name == "seed"; });
  for (std::size_t i = 0; i < fields_.size();) {
    if (std::find(wanted.begin(), wanted.end(), fields_[i]) != wanted.end()) {
      ++i;
      continue;
    }
    beginRemoveColumns({}, static_cast<int>(i) + 1, static_cast<int>(i) + 1);
    fields_.erase(fields_.begin() + static_cast<std::ptrdiff_t>(i));
    endRemoveColumns();
  }
  for (std::size_t i = 0; i < wanted.size(); ++i) {
    if (i < fields_.size() && fields_[i] == wanted[i]) continue;
    beginInsertColumns({}, static_cast<int>(i) + 1, static_cast<int>(i) + 1);
    fields_.insert(fields_.begin() + static_cast<std::ptrdiff_t>(i), wanted[i]);
    endInsertColumns();
  }
}

void RunTable::add(int row) {
  const int at = rowCount() - row;
  beginInsertRows({}, at, at);
  ids_.insert(ids_.begin() + at, lab::at(library_.runs(), row).id);
  endInsertRows();
  fitColumns();
  announceNames();
}

void RunTable::remove(int row) {
  const int at = rowCount() - 1 - row;
  beginRemoveRows({}, at, at);
  ids_.erase(ids_.begin() + at);
  endRemoveRows();
  fitColumns();
  announceNames();
}

// Names depend on the differences between runs, and the set of runs has changed.
void RunTable::announceNames() {
  if (!ids_.empty()) Q_EMIT dataChanged(index(0, 0), index(rowCount() - 1, 0));
}

int RunTable::rowOf(int id) const {
  const auto found = std::find(ids_.begin(), ids_.end(), id);
  return found == ids_.end() ? -1 : static_cast<int>(found - ids_.begin());
}

void RunTable::schedule() {
  if (!timer_.isActive()) timer_.start();
}

void RunTable::refresh() {
  timer_.stop();
  const int row = rowOf(library_.presentId());
  if (row < 0) return;
  Q_EMIT dataChanged(index(row, columnOf(Column::Steps)), index(row, columnOf(Column::TimeKind)));
}

QString RunTable::figureOf(const KeptRun& run, Column column) const {
  const KeptRun* baseline = library_.find(library_.baselineId());
  if (baseline != nullptr && baseline->id == run.id) baseline = nullptr;
  const auto numberOf = column == Column::Loss ? lossOf : column == Column::Accuracy ? accuracyOf : rateOf;
  const std::optional<double> number = numberOf(run);
  if (!number) return QStringLiteral("–");
  const QString text = column == Column::Loss       ? lossText(*number, 4)
                       : column == Column::Accuracy ? percentText(*number / 100)
                                                    : countText(std::llround(*number));
  const double against = baseline == nullptr ? kNone : numberOf(*baseline).value_or(kNone);
  if (std::isnan(against)) return text;
  QString compared = difference(*number - against, column == Column::Loss ? 4 : 1);
  if (column == Column::Rate) {
    // Measured and modelled rates are never compared.
    if (against <= 0 || clockOf(run) != clockOf(*baseline)) return text;
    compared = QStringLiteral("×%1").arg(ratioText(*number / against));
  }
  return QStringLiteral("%1 (%2)").arg(text, compared);
}

QString RunTable::textOf(const KeptRun& run, int column) const {
  const Column kind = columnAt(column);
  const auto steps = static_cast<std::int64_t>(run.metrics->steps.size());
  switch (kind) {
    case Column::Name:
      return library_.nameOf(run);
    case Column::Setting: {
      if (!run.settingsKnown) return QStringLiteral("–");
      const ConfigField& field = *at(fields_, column - 1);
      const QString text = settingText(field, settingOf(run, field));
      return text.isEmpty() ? QStringLiteral("–") : text;
    }
    case Column::Steps:
      if (run.state == RunState::Failed) return tr("%1, failed").arg(countText(steps));
      if (steps > 0 && run.metrics->steps.back().aborted) return tr("%1, ended with an error").arg(countText(steps));
      if (const auto at = library_.divergenceOf(run).index())
        return tr("%1, diverged at step %2").arg(countText(steps), countText(run.metrics->steps[*at].step));
      return countText(steps);
    case Column::TimeKind:
      if (!clockOf(run)) return QStringLiteral("–");
      if (run.header && run.header->olderTimes()) return tr("modelled, older model");
      return clockOf(run) == TimeSource::Modelled ? tr("modelled") : tr("measured");
    case Column::Seed:
      return run.settingsKnown ? QString::number(run.resolved.seed) : QStringLiteral("–");
    case Column::Version:
      return run.version.isEmpty() ? QStringLiteral("–") : run.version;
    case Column::Note:
      return run.note;
    default:
      return figureOf(run, kind);
  }
}

QVariant RunTable::data(const QModelIndex& index, int role) const {
  if (!index.isValid()) return {};
  const KeptRun* run = library_.find(idAt(index.row()));
  if (run == nullptr) return {};
  const Column kind = columnAt(index.column());
  const bool words = kind == Column::Name || kind == Column::Setting || kind == Column::TimeKind ||
                     kind == Column::Version || kind == Column::Note;
  switch (role) {
    case Qt::DisplayRole:
    case Qt::EditRole:
      return textOf(*run, index.column());
    case Qt::TextAlignmentRole:
      return QVariant::fromValue<int>((words ? Qt::AlignLeft : Qt::AlignRight) | Qt::AlignVCenter);
    case Qt::CheckStateRole:
      if (kind != Column::Name) return {};
      return static_cast<int>(run->shown ? Qt::Checked : Qt::Unchecked);
    case Qt::DecorationRole:
      if (kind != Column::Name) return {};
      return runSwatch(run->colour);
    case Qt::FontRole: {
      QFont font;
      if (kind != Column::Name || run->id != library_.presentId()) return {};
      font.setWeight(QFont::DemiBold);
      return font;
    }
    case Qt::ToolTipRole: {
      QString tip =
          run->settingsKnown
              ? tr("%1\nSeed %2, StrategyLab %3").arg(library_.nameOf(*run)).arg(run->resolved.seed).arg(run->version)
              : tr("%1\nA curve to compare with: its settings are not known").arg(library_.nameOf(*run));
      if (run->began.isValid()) tip += tr(", began %1").arg(QLocale().toString(run->began, QLocale::ShortFormat));
      if (!run->source.isEmpty()) tip += tr("\nFrom %1").arg(run->source);
      if (run->header && run->header->olderTimes())
        tip += tr("\nIts times come from an older timing model: new runs with the same settings have other times");
      if (run->id == library_.presentId()) tip += tr("\nThe run on the stage");
      if (run->id == library_.baselineId()) tip += tr("\nThe baseline: others say in brackets how they differ");
      if (!run->note.isEmpty()) tip += QLatin1Char('\n') + run->note;
      return Qt::mightBeRichText(tip) ? Qt::convertFromPlainText(tip) : tip;  // a name is not markup
    }
    default:
      return {};
  }
}

bool RunTable::setData(const QModelIndex& index, const QVariant& value, int role) {
  if (!index.isValid()) return false;
  const int id = idAt(index.row());
  const Column kind = columnAt(index.column());
  if (role == Qt::CheckStateRole && kind == Column::Name) {
    library_.setShown(id, value.toInt() == Qt::Checked);
  } else if (role == Qt::EditRole && kind == Column::Name) {
    // Confirming without a change must not turn the generated name into the user's.
    if (value.toString() != library_.nameOf(id)) library_.rename(id, value.toString());
  } else if (role == Qt::EditRole && kind == Column::Note) {
    library_.annotate(id, value.toString());
  } else {
    return false;
  }
  return true;
}

Qt::ItemFlags RunTable::flags(const QModelIndex& index) const {
  if (!index.isValid()) return {};
  Qt::ItemFlags flags = Qt::ItemIsEnabled | Qt::ItemIsSelectable | Qt::ItemNeverHasChildren;
  const Column kind = columnAt(index.column());
  if (kind == Column::Name) flags |= Qt::ItemIsUserCheckable | Qt::ItemIsEditable;
  if (kind == Column::Note) flags |= Qt::ItemIsEditable;
  return flags;
}

QVariant RunTable::headerData(int section, Qt::Orientation orientation, int role) const {
  if (orientation == Qt::Vertical) return role == Qt::DisplayRole ? QVariant(section + 1) : QVariant();
  if (section < 0 || section >= columnCount()) return {};
  const Column kind = columnAt(section);
  if (kind == Column::Setting) {
    const ConfigField& field = *at(fields_, section - 1);
    if (role == Qt::ToolTipRole) return settingHelp(field);
    if (role == Qt::DisplayRole) return settingName(field);
    return {};
  }
  if (role == Qt::ToolTipRole && kind == Column::Rate)
    return tr("All images divided by the whole time, including the remainders of epochs, on the run's own clock");
  if (role != Qt::DisplayRole) return {};
  switch (kind) {
    case Column::Name:
      return tr("Run");
    case Column::Steps:
      return tr("Steps");
    case Column::Loss:
      return tr("Last loss");
    case Column::Accuracy:
      return tr("Test accuracy");
    case Column::Rate:
      return tr("Images/s, mean of the run");
    case Column::TimeKind:
      return tr("Clock");
    case Column::Seed:
      return tr("Seed");
    case Column::Version:
      return tr("Version");
    case Column::Note:
      return tr("Note");
    default:
      return {};
  }
}

std::string RunTable::csv() const {
  std::string text = "run";
  for (const ConfigField* field : fields_) text += "," + field->name;
  text +=
      ",steps,divergedAtStep,loss,testAccuracy,clock,imagesPerSecond,seed,version,note,branch,"
      "meanImagesPerSecond\r\n";
  for (const int id : ids_) {
    const KeptRun& run = *library_.find(id);
    const RunMetrics& recorded = *run.metrics;
    std::vector<std::string> cells{library_.nameOf(run).toStdString()};
    for (const ConfigField* field : fields_) cells.push_back(run.settingsKnown ? settingOf(run, *field) : "");
    cells.push_back(std::to_string(recorded.steps.size()));
    const auto diverged = library_.divergenceOf(run).index();
    cells.push_back(diverged ? std::to_string(recorded.steps[*diverged].step) : "");
    cells.push_back(recorded.steps.empty() ? "" : written(recorded.steps.back().loss));
    cells.push_back(recorded.evaluations.empty() ? "" : written(recorded.evaluations.back().testAccuracy));
    const bool modelled = !recorded.steps.empty() && recorded.steps.back().clock == TimeSource::Modelled;
    cells.push_back(recorded.steps.empty() ? "" : modelled ? "modelled" : "measured");
    const Throughput rate = recentThroughput(recorded.steps);
    cells.push_back(written(modelled ? rate.modelled : rate.measured));
    cells.push_back(run.settingsKnown ? std::to_string(run.resolved.seed) : "");
    cells.push_back(run.version.toStdString());
    cells.push_back(run.note.toStdString());
    std::string branch;
    for (const Message& part : describe(lineageOf(run))) branch += (branch.empty() ? "" : "; ") + format(part);
    cells.push_back(branch);
    const Throughput mean = meanThroughput(recorded.steps);
    cells.push_back(written(modelled ? mean.modelled : mean.measured));
    for (std::size_t i = 0; i < cells.size(); ++i) text += (i == 0 ? "" : ",") + csvText(cells[i]);
    text += "\r\n";
  }
  return text;
}

}  // namespace lab

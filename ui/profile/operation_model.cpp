// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/profile/operation_model.h"

#include <QSortFilterProxyModel>

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "core/base/at.h"
#include "core/base/units.h"
#include "core/files/metrics_csv.h"
#include "ui/i18n/core_words.h"
#include "ui/i18n/words.h"
#include "ui/trace/trace_paint.h"

namespace lab {
namespace {

using Column = OperationModel::Column;

struct Head {
  const char *words, *tip;
};
// In the order of Column.
constexpr Head kHeads[] = {
    {QT_TRANSLATE_NOOP("lab::OperationModel", "Operation"),
     QT_TRANSLATE_NOOP("lab::OperationModel", "As the trace calls it")},
    {QT_TRANSLATE_NOOP("lab::OperationModel", "Kind"),
     QT_TRANSLATE_NOOP("lab::OperationModel", "What kind of bar it is")},
    {QT_TRANSLATE_NOOP("lab::OperationModel", "Bound by"),
     QT_TRANSLATE_NOOP("lab::OperationModel",
                       "The limit of the roofline that applies to it, and how much of that limit it reaches; for "
                       "launches, their share of its time")},
    {QT_TRANSLATE_NOOP("lab::OperationModel", "Calls"),
     QT_TRANSLATE_NOOP("lab::OperationModel", "Bars of the trace, on all devices, hosts and links")},
    {QT_TRANSLATE_NOOP("lab::OperationModel", "Total"),
     QT_TRANSLATE_NOOP("lab::OperationModel", "The time of all its bars together")},
    {QT_TRANSLATE_NOOP("lab::OperationModel", "Mean"), QT_TRANSLATE_NOOP("lab::OperationModel", "The time of one bar")},
    {QT_TRANSLATE_NOOP("lab::OperationModel", "Share"),
     QT_TRANSLATE_NOOP(
         "lab::OperationModel",
         "The part of all devices' time in the step that belongs to this operation alone. Communication hidden behind "
         "computing counts as computing, as in the breakdown, so the shares add up to 100 %.")},
    {QT_TRANSLATE_NOOP("lab::OperationModel", "FLOP/s"),
     QT_TRANSLATE_NOOP("lab::OperationModel",
                       "Floating-point operations as counted on paper, divided by the total time")},
    {QT_TRANSLATE_NOOP("lab::OperationModel", "Bytes"),
     QT_TRANSLATE_NOOP("lab::OperationModel",
                       "To and from the device's memory as counted on paper; for transfers, over links")},
    {QT_TRANSLATE_NOOP("lab::OperationModel", "FLOP/byte"),
     QT_TRANSLATE_NOOP("lab::OperationModel", "Arithmetic intensity: operations for each byte to or from memory")}};

bool isWords(Column column) {
  return column == Column::Name || column == Column::Kind || column == Column::Bound;
}

const QString& none() {
  static const QString text = QStringLiteral("–");
  return text;
}

QString kindName(const OperationRow& row) {
  return row.kind ? nameOf(*row.kind) : none();
}

QString boundName(Bound bound) {
  switch (bound) {
    case Bound::Compute:
      return OperationModel::tr("arithmetic");
    case Bound::Memory:
      return OperationModel::tr("memory");
    case Bound::Launches:
      return OperationModel::tr("launches");
  }
  return {};
}

auto placeInTable(const OperationRow& row) {
  return std::pair(row.kind ? static_cast<int>(*row.kind) : -1, row.label);
}

class OperationOrder final : public QSortFilterProxyModel {
 public:
  using QSortFilterProxyModel::QSortFilterProxyModel;

 protected:
  bool lessThan(const QModelIndex& left, const QModelIndex& right) const override {
    const QVariant a = left.data(OperationModel::kSortRole), b = right.data(OperationModel::kSortRole);
    if (a.isValid() != b.isValid()) return a.isValid() == (sortOrder() == Qt::AscendingOrder);
    if (a.userType() == QMetaType::QString) return a.toString().localeAwareCompare(b.toString()) < 0;
    return a.toDouble() < b.toDouble();
  }
  bool filterAcceptsRow(int row, const QModelIndex& parent) const override {
    const auto has = [&](Column column) {
      const QModelIndex index = sourceModel()->index(row, static_cast<int>(column), parent);
      return index.data().toString().contains(filterRegularExpression());
    };
    return has(Column::Name) || has(Column::Kind);
  }
};

}  // namespace

QString operationName(const OperationRow& row) {
  return row.kind ? coreText(row.name) : OperationModel::tr("nothing recorded");
}

QString flopRateText(double flopPerSecond) {
  constexpr std::array kUnits{"FLOP/s", "kFLOP/s", "MFLOP/s", "GFLOP/s", "TFLOP/s", "PFLOP/s"};
  std::size_t unit = 0;
  for (; flopPerSecond >= 999.5 && unit + 1 < kUnits.size(); ++unit) flopPerSecond /= 1000;
  return QStringLiteral("%1 %2").arg(numberText(flopPerSecond, 'g', 3), QLatin1String(kUnits[unit]));
}

QString boundWords(const OperationRow& row, const DeviceRoofs& roofs) {
  const auto place = placeOf(row, roofs);
  if (!place) return {};
  const QString name = operationName(row), share = percentText(place->share);
  if (place->bound == Bound::Launches)
    return OperationModel::tr("%1: launching kernels takes %2 of its time. Larger batches or fused kernels help.")
        .arg(name, share);
  const QString intensity = numberText(row.flopPerByte(), 'g', 3), ridge = numberText(roofs.ridge(), 'g', 3);
  const QString words =
      place->bound == Bound::Memory
          ? OperationModel::tr(
                "%1: bound by memory, with %2 FLOP/byte below the ridge at %3. It reaches %4, which is %5 "
                "of what the bandwidth allows.")
          : OperationModel::tr(
                "%1: bound by arithmetic, with %2 FLOP/byte above the ridge at %3. It reaches %4, which is "
                "%5 of the peak.");
  QString text = words.arg(name, intensity, ridge, flopRateText(row.flopPerSecond()), share);
  if (place->share <= 1) return text;
  return text + QLatin1Char(' ') +
         (roofs.source == TimeSource::Modelled
              ? OperationModel::tr("More than all of it: the timing model counts fewer bytes than the count on paper.")
              : OperationModel::tr("More than all of it: part of its data stays in caches."));
}

void OperationModel::setTable(OperationTable table, const std::optional<DeviceRoofs>& roofs) {
  std::ranges::sort(table.rows, {}, placeInTable);
  const bool same = std::ranges::equal(table.rows, table_.rows, {}, placeInTable, placeInTable);
  if (!same) beginResetModel();
  table_ = std::move(table);
  roofs_ = roofs;
  if (!same) return endResetModel();
  if (!table_.rows.empty()) Q_EMIT dataChanged(index(0, 0), index(rowCount() - 1, kColumns - 1));
}

int OperationModel::rowCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : static_cast<int>(table_.rows.size());
}

int OperationModel::columnCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : kColumns;
}

double OperationModel::shareOf(const OperationRow& row) const {
  return table_.deviceNs > 0 ? static_cast<double>(sumOf(row.own)) / static_cast<double>(table_.deviceNs) : 0;
}

QVariant OperationModel::valueOf(const OperationRow& row, Column column) const {
  const auto known = [](double value) { return value > 0 ? QVariant(value) : QVariant(); };
  switch (column) {
    case Column::Name:
      return operationName(row);
    case Column::Kind:
      return kindName(row);
    case Column::Calls:
      return known(static_cast<double>(row.calls));
    case Column::Total:
      return known(static_cast<double>(row.totalNs));
    case Column::Mean:
      return known(static_cast<double>(row.meanNs()));
    case Column::Share:
      return shareOf(row);
    case Column::Rate:
      return known(row.flopPerSecond());
    case Column::Bytes:
      return known(row.bytes);
    case Column::Intensity:
      return known(row.flopPerByte());
    case Column::Bound:
      if (const auto place = roofs_ ? placeOf(row, *roofs_) : std::nullopt)
        return 10.0 * static_cast<double>(place->bound) + std::min(place->share, 9.0);
      return {};
  }
  return {};
}

QString OperationModel::textOf(const OperationRow& row, Column column) const {
  if (column == Column::Name || column == Column::Kind) return valueOf(row, column).toString();
  if (!valueOf(row, column).isValid()) return none();
  switch (column) {
    case Column::Calls:
      return countText(row.calls);
    case Column::Total:
      return durationText(row.totalNs);
    case Column::Mean:
      return durationText(row.meanNs());
    case Column::Share:
      return percentText(shareOf(row));
    case Column::Rate:
      return flopRateText(row.flopPerSecond());
    case Column::Bytes:
      return bytesText(std::llround(row.bytes));
    case Column::Intensity:
      return numberText(row.flopPerByte(), 'g', 3);
    default:
      break;
  }
  const Placement place = *placeOf(row, *roofs_);
  return tr("%1, %2", "a bound, how much of it").arg(boundName(place.bound), percentText(place.share));
}

QVariant OperationModel::data(const QModelIndex& index, int role) const {
  if (!index.isValid()) return {};
  const OperationRow& row = at(table_.rows, index.row());
  const auto column = static_cast<Column>(index.column());
  const auto exact = [](std::int64_t ns) { return QStringLiteral("%1 ns").arg(countText(ns)); };
  switch (role) {
    case Qt::DisplayRole:
      return textOf(row, column);
    case kSortRole:
      return valueOf(row, column);
    case Qt::TextAlignmentRole:
      return QVariant::fromValue<int>((isWords(column) ? Qt::AlignLeft : Qt::AlignRight) | Qt::AlignVCenter);
    case Qt::ToolTipRole:
      if (column == Column::Total) return exact(row.totalNs);
      if (column == Column::Mean) return exact(row.meanNs());
      if (column == Column::Share) return exact(sumOf(row.own));
      if (column == Column::Bound && roofs_ && placeOf(row, *roofs_)) return boundWords(row, *roofs_);
      return tr(kHeads[index.column()].tip);
    default:
      return {};
  }
}

QVariant OperationModel::headerData(int section, Qt::Orientation orientation, int role) const {
  if (orientation != Qt::Horizontal) return {};
  if (role == Qt::DisplayRole) return tr(kHeads[section].words);
  if (role == Qt::ToolTipRole) return tr(kHeads[section].tip);
  if (role == Qt::TextAlignmentRole)
    return QVariant::fromValue<int>((isWords(static_cast<Column>(section)) ? Qt::AlignLeft : Qt::AlignRight) |
                                    Qt::AlignVCenter);
  return {};
}

std::string OperationModel::csv() const {
  std::string text =
      "operation,kind,calls,totalNs,meanNs,launchNs,ownNs,share,flop,flopPerSecond,bytes,flopPerByte,bound,"
      "shareOfBound\r\n";
  const auto number = [](double value) { return value > 0 ? shortest(value) : std::string(); };
  for (const OperationRow& row : table_.rows) {
    const auto place = roofs_ ? placeOf(row, *roofs_) : std::nullopt;
    const char* const bounds[] = {"compute", "memory", "launches"};
    const std::string cells[] = {row.kind ? format(row.name) : "",
                                 row.kind ? toString(*row.kind) : "idle",
                                 std::to_string(row.calls),
                                 std::to_string(row.totalNs),
                                 std::to_string(row.meanNs()),
                                 std::to_string(row.launchNs),
                                 std::to_string(sumOf(row.own)),
                                 shortest(shareOf(row)),
                                 number(row.flop),
                                 number(row.flopPerSecond()),
                                 number(row.bytes),
                                 number(row.flopPerByte()),
                                 place ? at(bounds, place->bound) : "",
                                 place ? shortest(place->share) : ""};
    for (const std::string& cell : cells) text += (&cell == cells ? "" : ",") + csvText(cell);
    text += "\r\n";
  }
  return text;
}

QSortFilterProxyModel* makeOperationOrder(OperationModel& model, QObject* parent) {
  auto* order = new OperationOrder(parent);
  order->setSourceModel(&model);
  order->setFilterCaseSensitivity(Qt::CaseInsensitive);
  return order;
}

}  // namespace lab

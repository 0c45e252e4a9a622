// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/serving/member_table.h"

#include <QHeaderView>
#include <QSortFilterProxyModel>
#include <QStyledItemDelegate>
#include <QTableView>

#include <algorithm>
#include <cmath>

#include "core/base/at.h"
#include "ui/i18n/core_words.h"
#include "ui/i18n/words.h"
#include "ui/theme/theme.h"

namespace lab {
namespace {

using Column = MemberTable::Column;

QString slowedWords(const ClassMember& member) {
  return MemberTable::tr("slowed ×%1").arg(numberText(member.slowdown));
}

QString stateWords(const ClassMember& member) {
  const bool heard = member.state == ClassMember::State::Computing || member.state == ClassMember::State::Waiting;
  if (heard && member.slowdown > 1) return slowedWords(member);
  switch (member.state) {
    case ClassMember::State::Computing:
      return MemberTable::tr("computes");
    case ClassMember::State::Waiting:
      return MemberTable::tr("waits");
    case ClassMember::State::Asleep:
      return MemberTable::tr("asleep");
    case ClassMember::State::Silent:
      return MemberTable::tr("silent");
    case ClassMember::State::Slowed:
      return slowedWords(member);
    case ClassMember::State::Left:
      return member.why.empty() ? MemberTable::tr("has left") : MemberTable::tr("sent away");
  }
  return {};
}

QString waitsForWords(const ClassMember& member) {
  switch (member.waitsFor) {
    case ClassMember::WaitsFor::Nothing:
      break;
    case ClassMember::WaitsFor::Variables:
      return MemberTable::tr("variables");
    case ClassMember::WaitsFor::Others:
      return MemberTable::tr("the others");
    case ClassMember::WaitsFor::Teacher:
      return MemberTable::tr("the teacher");
    case ClassMember::WaitsFor::Server:
      return MemberTable::tr("the server");
    case ClassMember::WaitsFor::Link:
      return MemberTable::tr("the link");
  }
  return QStringLiteral("–");
}

struct Head {
  const char *words, *tip;
};
// In the order of Column.
constexpr Head kHeads[] = {
    {QT_TRANSLATE_NOOP("lab::MemberTable", "Worker"),
     QT_TRANSLATE_NOOP("lab::MemberTable", "The name that the program gave, and the nickname where those are shown")},
    {QT_TRANSLATE_NOOP("lab::MemberTable", "State"),
     QT_TRANSLATE_NOOP("lab::MemberTable", "Asleep: a tab in the background. Silent: nothing is heard from it")},
    {QT_TRANSLATE_NOOP("lab::MemberTable", "Waits for"),
     QT_TRANSLATE_NOOP("lab::MemberTable", "What it needs before it can go on")},
    {QT_TRANSLATE_NOOP("lab::MemberTable", "Images/s"),
     QT_TRANSLATE_NOOP("lab::MemberTable", "Images of the last seconds, measured")},
    {QT_TRANSLATE_NOOP("lab::MemberTable", "Pushes"),
     QT_TRANSLATE_NOOP("lab::MemberTable", "Gradients that were used")},
    {QT_TRANSLATE_NOOP("lab::MemberTable", "Staleness"),
     QT_TRANSLATE_NOOP("lab::MemberTable",
                       "Updates by others between a worker's pull and its push: the mean, and the latest")},
    {QT_TRANSLATE_NOOP("lab::MemberTable", "Round trip"),
     QT_TRANSLATE_NOOP("lab::MemberTable", "How long a ping to this worker and back takes")},
    {QT_TRANSLATE_NOOP("lab::MemberTable", "Link, kB/s"),
     QT_TRANSLATE_NOOP("lab::MemberTable", "What its link carries, both ways")}};

bool isWords(Column column) {
  return column == Column::Name || column == Column::State || column == Column::WaitsFor;
}

// Returns an invalid QVariant if the value is not known.
QVariant valueOf(const ClassMember& member, Column column) {
  switch (column) {
    case Column::Rate:
      return member.imagesPerSecond;
    case Column::Pushes:
      return static_cast<double>(member.pushes);
    case Column::Staleness:
      return member.pushes > 0 ? QVariant(member.meanStaleness) : QVariant();
    case Column::RoundTrip:
      return member.roundTripNs > 0 ? QVariant(static_cast<double>(member.roundTripNs)) : QVariant();
    case Column::Bytes:
      return member.bytesPerSecond;
    case Column::Name:
      return member.worker;
    case Column::State:
      return static_cast<int>(member.state);
    case Column::WaitsFor:
      return static_cast<int>(member.waitsFor);
  }
  return {};
}

// In both directions of sorting, workers that left come last, and unknown values come just before them.
class MemberOrder final : public QSortFilterProxyModel {
 public:
  using QSortFilterProxyModel::QSortFilterProxyModel;

 protected:
  bool lessThan(const QModelIndex& left, const QModelIndex& right) const override {
    const bool ascending = sortOrder() == Qt::AscendingOrder;
    const bool thereA = left.data(MemberTable::kThereRole).toBool(),
               thereB = right.data(MemberTable::kThereRole).toBool();
    if (thereA != thereB) return thereA == ascending;
    const QVariant a = left.data(MemberTable::kSortRole), b = right.data(MemberTable::kSortRole);
    if (a.isValid() != b.isValid()) return a.isValid() == ascending;
    return a.toDouble() < b.toDouble();
  }
};

class RoomyCells final : public QStyledItemDelegate {
 public:
  using QStyledItemDelegate::QStyledItemDelegate;
  QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const override {
    return QStyledItemDelegate::sizeHint(option, index) + QSize(theme::em(1), 0);
  }
};

}  // namespace

MemberTable::MemberTable(ServedClass& served, QObject* parent) : QAbstractTableModel(parent), served_(served) {
  connect(&served_, &ServedClass::changed, this, &MemberTable::refresh);
  refresh();
}

int MemberTable::rowCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : static_cast<int>(shown_.size());
}

int MemberTable::columnCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : kColumns;
}

// Adds a row for each worker that joins instead of resetting the model, so that the selection stays.
void MemberTable::refresh() {
  const std::vector<ClassMember>& now = served_.members();
  const auto same = std::min(shown_.size(), now.size());
  const auto isSame = [](const ClassMember& a, const ClassMember& b) { return a.worker == b.worker; };
  if (now.size() < shown_.size() || !std::equal(shown_.begin(), shown_.end(), now.begin(), isSame)) {
    beginResetModel();
    shown_ = now;
    endResetModel();
    return;
  }
  std::copy_n(now.begin(), same, shown_.begin());
  if (same > 0) Q_EMIT dataChanged(index(0, 0), index(static_cast<int>(same) - 1, kColumns - 1));
  if (now.size() == same) return;
  beginInsertRows({}, static_cast<int>(same), static_cast<int>(now.size()) - 1);
  shown_ = now;
  endInsertRows();
}

QString MemberTable::textOf(const ClassMember& member, Column column) const {
  const bool there = isThere(member);
  const QString none = QStringLiteral("–");
  switch (column) {
    case Column::Name:
      return served_.nameOf(member);
    case Column::State:
      return stateWords(member);
    case Column::Rate:
      return there ? countText(std::llround(member.imagesPerSecond)) : none;
    case Column::Pushes:
      return countText(member.pushes);
    case Column::Staleness:
      if (member.pushes == 0) return none;
      return tr("%1, now %2", "staleness: mean, latest")
          .arg(numberText(member.meanStaleness, 'f', 1), countText(member.latestStaleness));
    case Column::RoundTrip:
      return there && member.roundTripNs > 0 ? durationText(member.roundTripNs) : none;
    case Column::Bytes:
      return there ? countText(std::llround(member.bytesPerSecond / 1000)) : none;
    case Column::WaitsFor:
      return there ? waitsForWords(member) : none;
  }
  return {};
}

QVariant MemberTable::data(const QModelIndex& index, int role) const {
  if (!index.isValid()) return {};
  const ClassMember& member = at(shown_, index.row());
  const auto column = static_cast<Column>(index.column());
  switch (role) {
    case Qt::DisplayRole:
      return textOf(member, column);
    case kSortRole:
      return valueOf(member, column);
    case kWorkerRole:
      return member.worker;
    case kThereRole:
      return isThere(member);
    case Qt::ForegroundRole:
      return isThere(member) ? QVariant() : QVariant(theme::colours().quietInk);
    case Qt::TextAlignmentRole:
      return QVariant::fromValue<int>((isWords(column) ? Qt::AlignLeft : Qt::AlignRight) | Qt::AlignVCenter);
    case Qt::ToolTipRole:
      if (column == Column::State && !member.why.empty()) return coreSentence(member.why);
      if (column == Column::Name && !member.path.empty())
        return tr("Computes on %1", "an instruction set").arg(QString::fromStdString(member.path));
      return tr(kHeads[index.column()].tip);
    default:
      return {};
  }
}

QVariant MemberTable::headerData(int section, Qt::Orientation orientation, int role) const {
  if (orientation != Qt::Horizontal) return {};
  if (role == Qt::DisplayRole) return tr(kHeads[section].words);
  if (role == Qt::TextAlignmentRole)
    return QVariant::fromValue<int>((isWords(static_cast<Column>(section)) ? Qt::AlignLeft : Qt::AlignRight) |
                                    Qt::AlignVCenter);
  if (role == Qt::ToolTipRole) return tr(kHeads[section].tip);
  return {};
}

QTableView* makeMemberView(MemberTable& table) {
  auto* view = new QTableView;
  auto* order = new MemberOrder(view);
  order->setSourceModel(&table);
  order->setDynamicSortFilter(true);
  view->setObjectName(QStringLiteral("classMembers"));
  view->setAccessibleName(MemberTable::tr("Workers of the class"));
  view->setModel(order);
  view->setItemDelegate(new RoomyCells(view));
  view->setSortingEnabled(true);
  view->sortByColumn(static_cast<int>(MemberTable::Column::Name), Qt::AscendingOrder);
  view->setSelectionBehavior(QAbstractItemView::SelectRows);
  view->setSelectionMode(QAbstractItemView::ExtendedSelection);
  view->setTabKeyNavigation(false);
  view->setShowGrid(false);
  view->setWordWrap(false);
  view->verticalHeader()->hide();
  view->verticalHeader()->setSectionResizeMode(QHeaderView::Fixed);
  view->verticalHeader()->setMinimumSectionSize(1);
  view->horizontalHeader()->setHighlightSections(false);
  view->horizontalHeader()->setSectionResizeMode(QHeaderView::ResizeToContents);
  theme::follow(view, [view] { view->verticalHeader()->setDefaultSectionSize(theme::em(1.7)); });
  return view;
}

std::vector<int> selectedWorkers(const QTableView& view) {
  std::vector<int> workers;
  for (const QModelIndex& row : view.selectionModel()->selectedRows())
    if (row.data(MemberTable::kThereRole).toBool()) workers.push_back(row.data(MemberTable::kWorkerRole).toInt());
  std::ranges::sort(workers);
  return workers;
}

}  // namespace lab

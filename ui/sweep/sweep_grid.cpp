// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/sweep/sweep_grid.h"

#include <QHeaderView>
#include <QKeyEvent>
#include <QPainter>
#include <QStyledItemDelegate>

#include <algorithm>
#include <cmath>

#include "core/base/at.h"
#include "ui/i18n/core_words.h"
#include "ui/i18n/words.h"
#include "ui/sweep/sweep_words.h"
#include "ui/theme/painted_words.h"
#include "ui/theme/theme.h"

namespace lab {
namespace {

constexpr double kLeastWide = 4.4, kLeastHigh = 2.7, kMostHigh = 8;  // size of a cell, in text sizes
constexpr double kFaintest = 0.06, kStrongest = 0.6;                 // share of the accent

class CellDelegate final : public QStyledItemDelegate {
 public:
  CellDelegate(const SweepGridModel& model, QObject* parent) : QStyledItemDelegate(parent), model_(model) {}

  void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override {
    const theme::Colours& colours = theme::colours();
    const SweepEntry& entry = model_.entryAt(index);
    const QRectF box = option.rect;
    const bool quiet = !model_.isLookedAt(entry);
    const double heat = quiet ? -1 : model_.heat(entry), em = theme::textSize();
    painter->save();
    painter->fillRect(option.rect, heat < 0 ? colours.panel
                                            : theme::tint(colours.accent, kFaintest + heat * (kStrongest - kFaintest)));
    painter->setPen(quiet ? colours.quietInk : colours.ink);
    paintWords(*painter, box.adjusted(2, 2, -2, -2), entry);
    if (entry.best) {
      painter->setPen(QPen(colours.ink, std::max(2.0, em / 7)));
      painter->drawRect(box.adjusted(2, 2, -2, -2));
    }
    if (option.state & QStyle::State_HasFocus || option.state & QStyle::State_Selected) {
      painter->setPen(QPen(colours.accent, std::max(2.0, em / 6), Qt::DashLine));
      painter->drawRect(box.adjusted(1, 1, -2, -2));
    }
    painter->restore();
  }

 private:
  // The number, the spread below it, and the mark: in the corner beside a number, otherwise in the middle.
  void paintWords(QPainter& painter, const QRectF& box, const SweepEntry& entry) const {
    const double em = theme::textSize();
    const bool number = entry.hasMean();
    if (entry.mark) {
      const double side = number ? em * 0.8 : em * 1.1;
      const QRectF corner(box.right() - side - 1, box.top() + 1, side, side);
      const QRectF middle(box.center().x() - side / 2,
                          box.top() + (entry.values.empty() ? (box.height() - side) / 2 : 2), side, side);
      paintMark(painter, number ? corner : middle, *entry.mark);
    }
    const QString below = number ? entry.values.size() > 1
                                       ? QStringLiteral("± %1").arg(quantityText(model_.quantity(), entry.deviation()))
                                       : QString()
                          : entry.values.empty() || entry.ofTwoClocks
                              ? QString()
                              : lab::tr("%1 of %2").arg(entry.values.size()).arg(entry.cells.size());
    const QRectF upper = below.isEmpty() ? box : QRectF(box.left(), box.top(), box.width(), box.height() * 0.58);
    if (number) {
      const QString text = quantityText(model_.quantity(), entry.mean());
      const QFont font = painter.font();
      shrinkFont(painter, text, box.width(), 0.7);
      drawElided(painter, upper, Qt::AlignCenter, text);
      painter.setFont(font);
    }
    if (!number && !entry.mark) painter.drawText(box, Qt::AlignCenter, QStringLiteral("–"));
    if (below.isEmpty()) return;
    const QFont font = painter.font();
    painter.setFont(theme::smallFont(font));
    shrinkFont(painter, below, box.width(), 0.7);
    drawElided(painter, QRectF(box.left(), upper.bottom(), box.width(), box.bottom() - upper.bottom()),
               Qt::AlignHCenter | Qt::AlignTop, below);
    painter.setFont(font);
  }

  const SweepGridModel& model_;
};

}  // namespace

SweepGridModel::SweepGridModel(const SweepRun& run, QObject* parent) : QAbstractTableModel(parent), run_(run) {
  connect(&run, &SweepRun::planned, this, &SweepGridModel::forget);
}

// The run's cells are no longer those that the table's numbers refer to.
void SweepGridModel::forget() {
  beginResetModel();
  table_ = {};
  entries_.clear();
  lookedAt_.clear();
  endResetModel();
}

void SweepGridModel::setRequest(const SweepRequest& request) {
  beginResetModel();
  request_ = request;
  table_ = SweepTable(request, run_.cells());
  if (std::ranges::find(table_.rules(), rule_) == table_.rules().end()) rule_.clear();
  entries_.clear();
  refresh();
  endResetModel();
}

void SweepGridModel::setQuantity(SweepQuantity quantity) {
  quantity_ = quantity;
  refresh();
}

void SweepGridModel::setRule(const std::string& rule) {
  rule_ = rule;
  refresh();
}

void SweepGridModel::refresh() {
  entries_.clear();
  for (int row = 0; row < std::ssize(table_.rows()); ++row)
    entries_.push_back(table_.rowOf(run_.cells(), row, quantity_, rule_));
  modelled_ = areModelled(run_.cells());
  const bool ofTwoClocks = isOfClock(quantity_) && !modelled_;
  low_ = std::numeric_limits<double>::infinity();
  high_ = -low_;
  for (const auto& row : entries_)
    for (const SweepEntry& entry : row) {
      if (!entry.hasMean() || ofTwoClocks) continue;  // without a range, all have one colour
      low_ = std::min(low_, entry.mean());
      high_ = std::max(high_, entry.mean());
    }
  if (!entries_.empty()) Q_EMIT dataChanged(index(0, 0), index(rowCount() - 1, columnCount() - 1));
}

void SweepGridModel::setLookedAt(std::vector<bool> cells) {
  if (cells == lookedAt_) return;
  lookedAt_ = std::move(cells);
  if (!entries_.empty()) Q_EMIT dataChanged(index(0, 0), index(rowCount() - 1, columnCount() - 1));
}

bool SweepGridModel::isLookedAt(const SweepEntry& entry) const {
  const auto is = [this](int cell) { return cell >= std::ssize(lookedAt_) || at(lookedAt_, cell); };
  return entry.cells.empty() || std::ranges::any_of(entry.cells, is);
}

const SweepEntry& SweepGridModel::entryAt(const QModelIndex& index) const {
  return entries_.at(static_cast<std::size_t>(index.row())).at(static_cast<std::size_t>(index.column()));
}

// Counts and times by their logarithm, because they differ by factors of hundreds across a sweep.
double SweepGridModel::heat(const SweepEntry& entry) const {
  if (!entry.hasMean() || !(high_ > low_)) return entry.hasMean() ? 0.5 : -1;
  const bool logarithmic = quantity_ != SweepQuantity::Accuracy && quantity_ != SweepQuantity::Efficiency && low_ > 0;
  const auto at = [&](double value) { return logarithmic ? std::log(value) : value; };
  const double share = (at(entry.mean()) - at(low_)) / (at(high_) - at(low_));
  return lessIsBetter(quantity_) ? 1 - share : share;
}

int SweepGridModel::rowCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : static_cast<int>(entries_.size());
}

int SweepGridModel::columnCount(const QModelIndex& parent) const {
  return parent.isValid() || entries_.empty() ? 0 : static_cast<int>(table_.columns().size());
}

QString SweepGridModel::whole(const QModelIndex& index) const {
  const SweepEntry& entry = entryAt(index);
  QString text = QStringLiteral("%1 %2, %3 %4: %5")
                     .arg(axisName(request_.rows), axisText(request_.rows, at(table_.rows(), index.row())),
                          axisName(request_.columns), axisText(request_.columns, at(table_.columns(), index.column())),
                          entryText(entry, quantity_));
  if (!isLookedAt(entry)) text += QStringLiteral(". ") + lab::tr("no run in the ranges");
  for (const int cell : entry.cells)
    if (const Message& why = at(run_.cells(), cell).why; !why.empty()) {
      text += QStringLiteral(". ") + coreSentence(why);
      break;
    }
  return text;
}

QVariant SweepGridModel::data(const QModelIndex& index, int role) const {
  if (!index.isValid()) return {};
  const SweepEntry& entry = entryAt(index);
  if (role == Qt::DisplayRole)
    return entry.hasMean() ? quantityText(quantity_, entry.mean())
           : entry.mark    ? stateName(*entry.mark)
                           : QStringLiteral("–");
  if (role == Qt::AccessibleTextRole || role == Qt::ToolTipRole) return whole(index);
  if (role == Qt::TextAlignmentRole) return int(Qt::AlignCenter);
  return {};
}

QVariant SweepGridModel::headerData(int section, Qt::Orientation orientation, int role) const {
  const bool across = orientation == Qt::Horizontal;
  const auto& values = across ? table_.columns() : table_.rows();
  if (section < 0 || section >= std::ssize(values)) return {};
  const std::string& axis = across ? request_.columns : request_.rows;
  const QString text = axisText(axis, at(values, section));
  if (role == Qt::DisplayRole) return text;
  if (role == Qt::ToolTipRole || role == Qt::AccessibleTextRole)
    return QStringLiteral("%1 %2").arg(axisName(axis), text);
  return {};
}

SweepGrid::SweepGrid(SweepGridModel& model, QWidget* parent) : QTableView(parent), model_(model) {
  setModel(&model);
  setItemDelegate(new CellDelegate(model, this));
  setObjectName(QStringLiteral("sweepGrid"));
  setAccessibleName(lab::tr("Cells of the sweep"));
  setSelectionMode(SingleSelection);
  setEditTriggers(NoEditTriggers);
  setShowGrid(true);
  setTabKeyNavigation(false);
  setCornerButtonEnabled(false);
  theme::follow(this, [this] { setMinimumSize(theme::em(10), theme::em(4)); });
  horizontalHeader()->setSectionsClickable(false);
  verticalHeader()->setSectionsClickable(false);
  horizontalHeader()->setMinimumSectionSize(1);
  verticalHeader()->setMinimumSectionSize(1);
  connect(this, &QTableView::clicked, this, &SweepGrid::choose);
  connect(&model, &QAbstractItemModel::modelReset, this, &SweepGrid::fit);
}

void SweepGrid::choose(const QModelIndex& index) {
  if (!index.isValid()) return;
  const SweepEntry& entry = model_.entryAt(index);
  if (!entry.cells.empty()) Q_EMIT cellChosen(entry.cells.front());
}

// While only the best rule's runs are shown, a run of another rule is in no entry.
void SweepGrid::showCell(int cell) {
  for (int row = 0; row < model_.rowCount(); ++row)
    for (int column = 0; column < model_.columnCount(); ++column)
      if (const QModelIndex index = model_.index(row, column);
          std::ranges::find(model_.entryAt(index).cells, cell) != model_.entryAt(index).cells.end())
        return setCurrentIndex(index);
  setCurrentIndex({});
}

void SweepGrid::keyPressEvent(QKeyEvent* event) {
  if (event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter) return choose(currentIndex());
  QTableView::keyPressEvent(event);
}

// Shows the whole grid if there is room; otherwise it scrolls.
void SweepGrid::fit() {
  const int columns = model_.columnCount(), rows = model_.rowCount();
  if (columns == 0 || rows == 0) return;
  const int wide = std::max(theme::em(kLeastWide), viewport()->width() / columns);
  const int high = std::clamp(viewport()->height() / rows, theme::em(kLeastHigh), theme::em(kMostHigh));
  horizontalHeader()->setDefaultSectionSize(wide);
  verticalHeader()->setDefaultSectionSize(high);
}

void SweepGrid::resizeEvent(QResizeEvent* event) {
  QTableView::resizeEvent(event);
  fit();
}

void SweepGrid::changeEvent(QEvent* event) {
  QTableView::changeEvent(event);
  if (event->type() == QEvent::FontChange || event->type() == QEvent::StyleChange) fit();
}

}  // namespace lab

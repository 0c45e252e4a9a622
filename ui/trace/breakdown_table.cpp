// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/trace/breakdown_table.h"

#include <QEvent>
#include <QHeaderView>
#include <QPainter>
#include <QStyledItemDelegate>

#include <algorithm>
#include <numeric>

#include "core/base/at.h"
#include "core/base/ceil_divide.h"
#include "core/timing/whole_ns.h"
#include "ui/i18n/words.h"
#include "ui/theme/theme.h"
#include "ui/trace/trace_paint.h"

namespace lab {
namespace {

constexpr int kShareRole = Qt::UserRole, kSumRow = static_cast<int>(kStages);
constexpr double kBar = 4.3, kGap = 0.6, kLeastColumn = 5, kRow = 1.5;  // in text sizes

// Room for the number of any share beside its bar.
int numberWidth(const QFontMetrics& metrics) {
  return metrics.horizontalAdvance(widestPercentText()) + theme::em(kGap);
}

// Shows the share as a bar in the stage's look, and as a number.
class ShareDelegate final : public QStyledItemDelegate {
 public:
  using QStyledItemDelegate::QStyledItemDelegate;

  void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override {
    if (index.row() >= kSumRow) return QStyledItemDelegate::paint(painter, option, index);
    const double share = index.data(kShareRole).toDouble();
    const QRectF area = QRectF(option.rect).adjusted(2, 3, -2, -3);
    QRectF bar = area.adjusted(0, 0, -numberWidth(option.fontMetrics), 0);
    bar.setWidth(bar.width() * share);
    if (bar.width() > 0.5) paintBar(*painter, bar, lookOf(static_cast<StepStage>(index.row())));
    painter->setPen(theme::colours().ink);
    painter->setFont(option.font);
    painter->drawText(area, Qt::AlignRight | Qt::AlignVCenter, index.data().toString());
  }
};

}  // namespace

StageBreakdown meanBreakdown(const std::vector<StageBreakdown>& breakdowns) {
  StageBreakdown mean{};
  if (breakdowns.empty()) return mean;
  MeanNs whole(std::ssize(breakdowns));
  std::vector<MeanNs> all(kStages, whole);
  for (const StageBreakdown& breakdown : breakdowns) {
    whole.add(sumOf(breakdown));
    for (std::size_t s = 0; s < kStages; ++s) all[s].add(breakdown[s]);
  }
  // What is lost by rounding down is added to the stages that lost most.
  std::int64_t left = whole.ns();
  std::array<std::size_t, kStages> order{};
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order, std::greater{}, [&](std::size_t s) { return all[s].lost(); });
  for (std::size_t s = 0; s < kStages; ++s) left -= mean[s] = all[s].ns();
  for (std::size_t i = 0; i < kStages && left > 0; ++i, --left) ++mean[order[i]];
  return mean;
}

BreakdownTable::BreakdownTable(QWidget* parent) : QTableWidget(parent) {
  setObjectName(QStringLiteral("breakdown"));
  setAccessibleName(tr("Where the time went"));
  setEditTriggers(NoEditTriggers);
  setSelectionMode(ContiguousSelection);
  setShowGrid(false);
  setWordWrap(false);
  setHorizontalScrollMode(ScrollPerItem);
  setItemDelegateForColumn(0, new ShareDelegate(this));
  horizontalHeader()->setHighlightSections(false);
  horizontalHeader()->setDefaultAlignment(Qt::AlignRight | Qt::AlignVCenter);
  verticalHeader()->setHighlightSections(false);
  verticalHeader()->setSectionResizeMode(QHeaderView::Fixed);
  setRowCount(kSumRow + 1);
  setStyleSheet(
      QStringLiteral("QHeaderView { background: palette(base); }"
                     "QHeaderView::section { border: none; background: transparent; padding: 0 2px; }"
                     "QTableCornerButton::section { border: none; background: transparent; }"));
  setWhatsThis(
      tr("Every instant of a device belongs to exactly one row, so the rows add up to the step, to the "
         "nanosecond."));
  fill();
}

QSize BreakdownTable::sizeHint() const {
  return {theme::em(37), theme::em(15)};
}

int BreakdownTable::wholeWidth() const {
  return widthWith(columnCount() - 1);
}

int BreakdownTable::wholeHeight() const {
  return horizontalHeader()->sizeHint().height() + rowCount() * theme::em(kRow) + 2 * frameWidth();
}

int BreakdownTable::leastWidth() const {
  return widthWith(std::min(1, columnCount() - 1));
}

int BreakdownTable::widthWith(int devices) const {
  return verticalHeader()->sizeHint().width() + (isColumnHidden(0) ? 0 : shareWidth_) + devices * deviceWidth_ +
         2 * frameWidth() + theme::em(0.3);
}

void BreakdownTable::resizeEvent(QResizeEvent* event) {
  QTableWidget::resizeEvent(event);
  fitColumns();
}

// Makes all columns as wide as they need, or else shows as many whole ones as fit: half a number could be misread. The
// others are reached by scrolling, one at a time.
void BreakdownTable::fitColumns() {
  const int room = viewport()->width(), devices = columnCount() - 1;
  if ((isColumnHidden(0) ? 0 : shareWidth_) + devices * deviceWidth_ <= room || devices == 0) {
    setColumnWidth(0, shareWidth_);
    for (int c = 1; c <= devices; ++c) setColumnWidth(c, deviceWidth_);
    return;
  }
  // The rest of an uneven division goes to columns in turn, so that the visible ones always fill the room.
  const int times = shareWidth_ / deviceWidth_, seen = std::max(1, room / deviceWidth_);
  const auto widthOf = [&](int place) {
    return std::max(deviceWidth_, room / seen + (place % seen < room % seen ? 1 : 0));
  };
  int share = 0;
  for (int place = 0; place < times; ++place) share += widthOf(place);
  setColumnWidth(0, share);
  for (int c = 1; c <= devices; ++c) setColumnWidth(c, widthOf(times + c - 1));
}

void BreakdownTable::changeEvent(QEvent* event) {
  QTableWidget::changeEvent(event);
  if (event->type() == QEvent::PaletteChange || event->type() == QEvent::FontChange) fill();
}

void BreakdownTable::setColumns(const std::vector<Column>& columns, bool areWorkers) {
  columns_ = columns;
  areWorkers_ = areWorkers;
  fill();
}

void BreakdownTable::setCell(int row, int column, const QString& text, const QString& tip) {
  QTableWidgetItem* cell = item(row, column);
  if (cell == nullptr) {
    cell = new QTableWidgetItem;
    cell->setTextAlignment(Qt::AlignRight | Qt::AlignVCenter);
    setItem(row, column, cell);
  }
  if (cell->text() != text) cell->setText(text);
  if (cell->toolTip() != tip) cell->setToolTip(tip);
  QFont words = font();
  words.setBold(row == kSumRow);
  if (cell->font() != words) cell->setFont(words);
}

void BreakdownTable::fill() {
  const auto shown = static_cast<int>(std::min(columns_.size(), kMostColumns));
  if (columnCount() != shown + 1) setColumnCount(shown + 1);
  QStringList heads{columns_.empty() ? tr("share") : tr("all")};
  for (int c = 0; c < shown; ++c) heads << at(columns_, c).device;
  setHorizontalHeaderLabels(heads);
  for (int row = 0; row <= kSumRow; ++row) {
    const bool sum = row == kSumRow;
    QTableWidgetItem* head = verticalHeaderItem(row);
    if (head == nullptr) setVerticalHeaderItem(row, head = new QTableWidgetItem);
    head->setText(sum ? tr("sum") : nameOf(static_cast<StepStage>(row), areWorkers_));
    if (!sum) head->setIcon(swatchOf(static_cast<StepStage>(row)));
    QFont words = font();
    words.setBold(sum);
    head->setFont(words);
    head->setTextAlignment(Qt::AlignLeft | Qt::AlignVCenter);
  }
  StageBreakdown all{};
  for (const Column& column : columns_)
    for (std::size_t s = 0; s < kStages; ++s) all[s] += column.breakdown[s];
  const auto whole = static_cast<double>(std::max<std::int64_t>(1, sumOf(all)));
  const auto exact = [](std::int64_t ns) { return QStringLiteral("%1 ns").arg(countText(ns)); };
  for (int row = 0; row <= kSumRow; ++row) {
    const auto valueOf = [row](const StageBreakdown& breakdown) {
      return row == kSumRow ? sumOf(breakdown) : at(breakdown, row);
    };
    const double share = static_cast<double>(valueOf(all)) / whole;
    setCell(row, 0, columns_.empty() ? QString() : percentText(share), exact(valueOf(all)));
    item(row, 0)->setData(kShareRole, share);
    for (int c = 0; c < shown; ++c) {
      const std::int64_t ns = valueOf(at(columns_, c).breakdown);
      setCell(row, c + 1, ns == 0 ? QStringLiteral("–") : durationText(ns), exact(ns));
    }
    setRowHeight(row, theme::em(kRow));
  }
  QFont bold = font();
  bold.setBold(true);
  const QFontMetrics metrics(bold);  // for the sum
  shareWidth_ = std::max(numberWidth(metrics), metrics.horizontalAdvance(heads.front())) + theme::em(kBar);
  int widest = theme::em(kLeastColumn - 1);
  for (int c = 1; c <= shown; ++c) {
    widest = std::max(widest, metrics.horizontalAdvance(heads[c]));
    for (int row = 0; row <= kSumRow; ++row) widest = std::max(widest, metrics.horizontalAdvance(item(row, c)->text()));
  }
  // The shares' column is a multiple of the others in width: whichever column is the first visible, the last one is
  // whole.
  const int least = widest + theme::em(1), times = ceilDivide(shareWidth_, least);
  deviceWidth_ = std::max(least, ceilDivide(shareWidth_, times));
  shareWidth_ = times * deviceWidth_;
  fitColumns();
}

}  // namespace lab

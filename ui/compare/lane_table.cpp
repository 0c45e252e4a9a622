// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/compare/lane_table.h"

#include <QEvent>
#include <QHeaderView>
#include <QPainter>
#include <QPixmap>
#include <QSortFilterProxyModel>
#include <QStyledItemDelegate>
#include <QTableView>

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <utility>
#include <vector>

#include "ui/i18n/words.h"
#include "ui/runs/run_colours.h"
#include "ui/theme/projected.h"
#include "ui/theme/theme.h"

namespace lab {
namespace {

constexpr int kRefreshMs = 200;
constexpr double kWidest = 13, kNarrowest = 5;  // of a column, in text sizes; a link's full name is in its tool tip
constexpr int kFirst = 1;                       // column of the first figure; before it the name

LaneFigure figureAt(int column) {
  return static_cast<LaneFigure>(column - kFirst);
}

}  // namespace

QColor laneColour(const Lane& lane) {
  return runColour(lane.colour);
}

Qt::PenStyle laneStyle(std::size_t lane, std::size_t baseline) {
  return lane == baseline ? Qt::DashLine : Qt::SolidLine;
}

QPixmap laneMark(const Lanes& lanes, std::size_t lane) {
  const int side = theme::em(kRunMarkEm);
  QPixmap picture(side, side);
  picture.fill(Qt::transparent);
  QPainter painter(&picture);
  painter.setRenderHint(QPainter::Antialiasing);
  paintRunMark(painter, QRectF(picture.rect()).center(), theme::textSize(), laneColour(lanes.at(lane)),
               laneStyle(lane, lanes.baseline()));
  return picture;
}

LaneTable::LaneTable(Lanes& lanes, QObject* parent) : QAbstractTableModel(parent), lanes_(lanes) {
  timer_.setSingleShot(true);
  timer_.setInterval(kRefreshMs);
  connect(&timer_, &QTimer::timeout, this, &LaneTable::refresh);
  connect(&lanes_, &Lanes::moved, this, [this] {
    if (!timer_.isActive()) timer_.start();
  });
  connect(&lanes_, &Lanes::changed, this, &LaneTable::reset);
  connect(&lanes_, &Lanes::baselineChanged, this, &LaneTable::refresh);
  reset();
}

int LaneTable::rowCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : static_cast<int>(figures_.size());
}

int LaneTable::columnCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : kFirst + static_cast<int>(kLaneFigures);
}

bool LaneTable::isKnown(LaneFigure figure) const {
  return std::ranges::any_of(figures_, [&](const LaneFigures& each) { return each.of(figure).has_value(); });
}

void LaneTable::setTarget(std::optional<double> target) {
  target_ = target;
  refresh();
}

void LaneTable::reset() {
  beginResetModel();
  figures_.resize(lanes_.count());
  steady_.resize(lanes_.count());
  takeFigures();
  endResetModel();
}

void LaneTable::takeFigures() {
  for (std::size_t i = 0; i < figures_.size(); ++i) {
    const Lane& lane = lanes_.at(i);
    figures_[i] = figuresOf(lane, lanes_.at(lanes_.baseline()), target_, steady_[i].of(lane.controller().sharedInfo()));
  }
}

void LaneTable::refresh() {
  timer_.stop();
  takeFigures();
  Q_EMIT dataChanged(index(0, 0), index(rowCount() - 1, columnCount() - 1));
}

QVariant LaneTable::data(const QModelIndex& index, int role) const {
  if (!index.isValid()) return {};
  const auto lane = static_cast<std::size_t>(index.row());
  if (index.column() == 0) {
    if (role == Qt::DisplayRole || role == kSortRole) return lanes_.at(lane).name();
    if (role == Qt::DecorationRole) return laneMark(lanes_, lane);
    if (role == Qt::ToolTipRole && lane == lanes_.baseline()) return tr("The others are compared with this one.");
    return {};
  }
  const LaneFigure figure = figureAt(index.column());
  const std::optional<double>& value = figures_[lane].of(figure);
  switch (role) {
    case Qt::DisplayRole: {
      if (!value) return QStringLiteral("–");
      const LaneFigures& figures = figures_[lane];
      QString text = textOf(figure, *value);
      if (figure == LaneFigure::BusiestLink) text = tr("%1: %2", "link, bytes").arg(figures.busiestLink, text);
      if (figure == LaneFigure::ModelledStep && !figures.remainder.isEmpty())
        text = tr("%1, %2", "a step's time, of how many images").arg(text, figures.remainder);
      const LaneFigures& baseline = figures_[lanes_.baseline()];
      const std::optional<double>& base = baseline.of(figure);
      if (lane == lanes_.baseline() || !base || !areComparable(figure, figures, baseline)) return text;
      const QString difference = differenceText(figure, *value, *base);
      return difference.isEmpty() ? text : QStringLiteral("%1 (%2)").arg(text, difference);
    }
    case kSortRole:
      return value && std::isfinite(*value) ? QVariant(*value) : QVariant();
    case Qt::TextAlignmentRole:
      return QVariant::fromValue<int>(Qt::AlignRight | Qt::AlignVCenter);
    case Qt::ToolTipRole:
      return value ? index.data().toString() + QLatin1Char('\n') + tipOf(figure) : tipOf(figure);
    default:
      return {};
  }
}

QVariant LaneTable::headerData(int section, Qt::Orientation orientation, int role) const {
  if (orientation != Qt::Horizontal) return {};
  if (role == Qt::DisplayRole) return section == 0 ? tr("Lane") : nameOf(figureAt(section));
  if (role == Qt::ToolTipRole && section > 0) return tipOf(figureAt(section));
  return {};
}

namespace {

// Breaks at the space that makes the longer line shortest.
QString inTwoLines(const QString& words) {
  QString best = words;
  qsizetype longest = words.size();
  for (qsizetype at = words.indexOf(QLatin1Char(' ')); at >= 0; at = words.indexOf(QLatin1Char(' '), at + 1)) {
    const qsizetype longer = std::max(at, words.size() - at - 1);
    if (longer >= longest) continue;
    longest = longer;
    best = words;
    best[at] = QLatin1Char('\n');
  }
  return best;
}

// Unknown values come last, in either sort order.
class LaneOrder final : public QSortFilterProxyModel {
 public:
  using QSortFilterProxyModel::QSortFilterProxyModel;

  // Heads have two lines: on one line they would make the columns of short figures wide.
  QVariant headerData(int section, Qt::Orientation orientation, int role) const override {
    const QVariant words = QSortFilterProxyModel::headerData(section, orientation, role);
    return role == Qt::DisplayRole && orientation == Qt::Horizontal ? QVariant(inTwoLines(words.toString())) : words;
  }

 protected:
  bool lessThan(const QModelIndex& left, const QModelIndex& right) const override {
    const QVariant a = left.data(LaneTable::kSortRole), b = right.data(LaneTable::kSortRole);
    if (a.isValid() != b.isValid()) return a.isValid() == (sortOrder() == Qt::AscendingOrder);
    return left.column() == 0 ? a.toString().localeAwareCompare(b.toString()) < 0 : a.toDouble() < b.toDouble();
  }
};

// A gap between columns as wide as the letters ask for: figures that end here and words that begin there are two
// things. In little room figures go without their difference to the baseline, which the pointer then has, and the
// busiest link's bytes stand before its name, which may be cut.
class RoomyDelegate final : public QStyledItemDelegate {
 public:
  enum class Brief { No, Images, All };  // whose differences are left out: those of loss, accuracy and bytes first

  using QStyledItemDelegate::QStyledItemDelegate;
  QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const override {
    return QStyledItemDelegate::sizeHint(option, index) + QSize(theme::em(brief_ == Brief::No ? 0.7 : 0.3), 0);
  }
  void setBrief(Brief brief) { brief_ = brief; }
  void setBytesFirst(bool first) { bytesFirst_ = first; }

 protected:
  void initStyleOption(QStyleOptionViewItem* option, const QModelIndex& index) const override {
    QStyledItemDelegate::initStyleOption(option, index);
    if (index.column() < kFirst) return;
    const LaneFigure figure = figureAt(index.column());
    QString name, words = option->text;
    if (const qsizetype end = words.lastIndexOf(kAfterName); figure == LaneFigure::BusiestLink && end > 0) {
      name = words.left(end);  // may have brackets of its own
      words.remove(0, end + kAfterName.size());
    }
    const bool compared = figure == LaneFigure::ModelledStep || figure == LaneFigure::Rate;
    if (brief_ == Brief::All || (brief_ == Brief::Images && !compared))
      words = words.section(QStringLiteral(" ("), 0, 0);
    option->text = name.isEmpty() ? words
                   : bytesFirst_  ? words + QStringLiteral(" · ") + name
                                  : name + kAfterName + words;
  }

 private:
  static constexpr QLatin1String kAfterName{": "};

  Brief brief_ = Brief::No;
  bool bytesFirst_ = false;
};

// Keeps all columns in view as far as possible: first the differences are dropped if they have no room, then the ends
// of the links' names, and on a projector, where few figures are read at a time, the least important figures.
class ColumnsInView final : public QObject {
 public:
  ColumnsInView(QTableView& view, const LaneTable& table, RoomyDelegate& delegate)
      : QObject(&view), view_(view), table_(table), delegate_(delegate) {
    view.viewport()->installEventFilter(this);
    connect(&table, &QAbstractItemModel::dataChanged, this, [this] { fit(); });
    connect(&table, &QAbstractItemModel::modelReset, this, [this] { fit(); });
    theme::follow(&view, [this] { fit(); });
  }

 protected:
  bool eventFilter(QObject*, QEvent* event) override {
    if (event->type() == QEvent::Resize) fit();
    return false;
  }

 private:
  static int columnOf(LaneFigure figure) { return kFirst + static_cast<int>(figure); }
  // The width that a visible column needs for all of its words; 0 for a hidden one.
  int whole(int column) const {
    if (view_.isColumnHidden(column)) return 0;
    return std::max(static_cast<QAbstractItemView&>(view_).sizeHintForColumn(column),
                    view_.horizontalHeader()->sectionSizeHint(column));
  }
  // Only the time says that its step is smaller than others, so it is never cut.
  std::vector<int> widths() const {
    std::vector<int> all;
    for (int column = 0; column < table_.columnCount(); ++column)
      all.push_back(column == columnOf(LaneFigure::ModelledStep) ? whole(column)
                                                                 : std::min(theme::em(kWidest), whole(column)));
    return all;
  }
  int over(const std::vector<int>& widths) const {
    return std::accumulate(widths.begin(), widths.end(), 0) - view_.viewport()->width();
  }
  // The narrowest width in a table that has to scroll anyway: that of the column's head and of the bytes.
  int scrolled(int column) const {
    constexpr double kBytes = 7;  // "999.99 MB …", in text sizes
    return std::max(theme::em(kBytes), view_.horizontalHeader()->sectionSizeHint(column));
  }
  void fit() {
    if (std::exchange(fits_, true)) return;
    // A figure that no lane has takes no room.
    for (int column = kFirst; column < table_.columnCount(); ++column)
      view_.setColumnHidden(column, !table_.isKnown(figureAt(column)));
    using Brief = RoomyDelegate::Brief;
    std::vector<int> all;
    delegate_.setBytesFirst(false);
    for (const Brief brief : {Brief::No, Brief::Images, Brief::All}) {
      delegate_.setBrief(brief);
      all = widths();
      if (over(all) <= 0) break;
    }
    // The busiest link's column, whose words are the longest, takes up any excess or shortage.
    const int column = columnOf(LaneFigure::BusiestLink);
    const auto link = static_cast<std::size_t>(column);
    const auto most = [&] { return std::max(0, all[link] - theme::em(kNarrowest)); };
    constexpr std::array kLeastFirst{LaneFigure::Distance, LaneFigure::BusiestLink, LaneFigure::MeasuredStep,
                                     LaneFigure::Accuracy, LaneFigure::Bytes};
    for (auto least = kLeastFirst.begin(); theme::isProjected() && least != kLeastFirst.end() && over(all) > most();
         ++least) {
      view_.setColumnHidden(columnOf(*least), true);
      all = widths();
    }
    if (all[link] > 0) {
      const int wanted = whole(column);
      const int room = all[link] - over(all);
      const int narrowest = room >= theme::em(kNarrowest) ? theme::em(kNarrowest) : scrolled(column);
      all[link] = std::clamp(room, narrowest, std::max(narrowest, wanted));
      delegate_.setBytesFirst(all[link] < wanted);
    }
    for (std::size_t each = 0; each < all.size(); ++each)
      if (all[each] > 0) view_.setColumnWidth(static_cast<int>(each), all[each]);
    view_.viewport()->update();
    fits_ = false;
  }

  QTableView& view_;
  const LaneTable& table_;
  RoomyDelegate& delegate_;
  bool fits_ = false;  // true while the columns are being fitted
};

}  // namespace

QTableView* makeLaneTableView(LaneTable& table, QWidget* parent) {
  auto* view = new QTableView(parent);
  auto* order = new LaneOrder(view);
  order->setSourceModel(&table);
  order->setDynamicSortFilter(true);
  view->setObjectName(QStringLiteral("laneTable"));
  view->setAccessibleName(LaneTable::tr("Lanes in figures"));
  view->setModel(order);
  auto* delegate = new RoomyDelegate(view);
  view->setItemDelegate(delegate);
  view->setSortingEnabled(true);
  view->sortByColumn(-1, Qt::AscendingOrder);  // in the order of the lanes
  view->setSelectionBehavior(QAbstractItemView::SelectRows);
  view->setSelectionMode(QAbstractItemView::SingleSelection);
  view->setTabKeyNavigation(false);
  view->setShowGrid(false);
  view->setWordWrap(false);
  view->verticalHeader()->hide();
  view->verticalHeader()->setSectionResizeMode(QHeaderView::Fixed);
  // Rows are close together, so that those of four lanes are visible under their stages at 1280×720.
  view->verticalHeader()->setMinimumSectionSize(1);
  theme::follow(view, [view] {
    view->verticalHeader()->setDefaultSectionSize(theme::em(1.3));
    view->horizontalHeader()->setFont(theme::smallFont(view->font()));
  });
  view->horizontalHeader()->setHighlightSections(false);
  view->horizontalHeader()->setSectionResizeMode(QHeaderView::Fixed);
  new ColumnsInView(*view, table, *delegate);
  return view;
}

}  // namespace lab

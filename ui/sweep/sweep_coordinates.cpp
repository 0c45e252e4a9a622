// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/sweep/sweep_coordinates.h"

#include <QKeyEvent>
#include <QMouseEvent>
#include <QPolygonF>

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/base/at.h"
#include "ui/accessibility/announcer.h"
#include "ui/accessibility/own_events.h"
#include "ui/i18n/words.h"
#include "ui/sweep/sweep_words.h"
#include "ui/theme/theme.h"

namespace lab {
namespace {

constexpr double kLineReach = 0.7;  // reach of a click, in text sizes
constexpr double kNames = 4.1;      // above the axes: three lines of names
constexpr double kBelow = 4.3;      // room for cells without a value, and for the chosen run's name

double offLine(const QPolygonF& line, const QPointF& position) {
  double least = std::numeric_limits<double>::infinity();
  for (qsizetype i = 1; i < line.size(); ++i) {
    const QPointF a = line[i - 1], along = line[i] - a, to = position - a;
    const double share = std::clamp(QPointF::dotProduct(along, to) / QPointF::dotProduct(along, along), 0.0, 1.0);
    const QPointF off = to - share * along;
    least = std::min(least, std::hypot(off.x(), off.y()));
  }
  return least;
}

}  // namespace

SweepCoordinates::SweepCoordinates(const SweepRun& run, QWidget* parent) : QWidget(parent), run_(run) {
  setObjectName(QStringLiteral("sweepCoordinates"));
  setFocusPolicy(Qt::StrongFocus);
  setMouseTracking(true);
  setWhatsThis(
      tr("<p>Each line is one run: it crosses every axis at the run's value. The stronger its colour, the better; a "
         "dashed run was stopped early, and a line that goes below an axis has no value there.</p><p>Drag along an "
         "axis to keep the runs in that range, click on the axis to clear the range. Click on a line: the stage shows "
         "that run.</p><p>Keys: ← and → change the axis, ↑ and ↓ the run, Enter shows it; Shift+↑ keeps what is at or "
         "above it, Shift+↓ what is at or below; Delete clears the axis's range, Shift+Delete all ranges.</p>"));
  connect(&run, &SweepRun::planned, this, [this] {  // cell numbers have changed their meaning
    columns_ = {};
    chosen_ = current_ = pointed_ = -1;
    follow();
  });
  theme::follow(this, [this] { repaintAll(); });
  follow();
}

QSize SweepCoordinates::sizeHint() const {
  return {theme::em(30), theme::em(20)};
}
QSize SweepCoordinates::minimumSizeHint() const {
  return {theme::em(14), theme::em(12)};
}

void SweepCoordinates::setCells(const SweepRequest& request, const std::vector<SweepQuantity>& measures,
                                SweepQuantity inView) {
  request_ = request;
  shown_ = measures;
  inView_ = inView;
  if (std::ranges::find(shown_, inView) == shown_.end()) shown_.insert(shown_.begin(), inView);
  fill();
}

void SweepCoordinates::setGroup(const std::string& setting) {
  group_ = setting;
  fill();
}

void SweepCoordinates::fill() {
  SweepColumns columns = sweepColumns(request_, run_.cells(), shown_, group_);
  columns.table.takeRanges(columns_.table);
  columns_ = std::move(columns);
  follow();
}

void SweepCoordinates::follow() {
  groups_ = columns_.groups(group_, run_.cells());
  axis_ = std::min(axis_, columns_.measures.empty() ? 0 : columns_.measures.size() - 1);
  setAccessibleName(head().title);
  setAccessibleDescription(words());
  repaintAll();
  Q_EMIT changed();
}

void SweepCoordinates::repaintAll() {
  lines_ = {};
  update();
}

void SweepCoordinates::choose(int cell) {
  chosen_ = cell < columns_.table.size() ? cell : -1;
  update();
}

void SweepCoordinates::setRange(std::size_t column, std::optional<CellRange> range) {
  columns_.table.setRange(column, range);
  follow();
}

void SweepCoordinates::clearRanges() {
  for (std::size_t i = 0; i < columns_.measures.size(); ++i) columns_.table.setRange(i, std::nullopt);
  follow();
}

std::vector<bool> SweepCoordinates::inRanges() const {
  std::vector<bool> in;
  for (int cell = 0; columns_.table.hasRange() && cell < columns_.table.size(); ++cell)
    in.push_back(columns_.table.isIn(cell));
  return in;
}

QString SweepCoordinates::words() const {
  QStringList words{
      tr("%1 of %Ln runs", nullptr, plural(columns_.table.counted())).arg(countText(columns_.table.in()))};
  words << columns_.rangeWords();
  if (!groups_.empty()) {
    QStringList means;
    for (const SweepColumns::Group& group : groups_) means << columns_.groupText(group_, group, inView_);
    words << tr("%1 by %2: %3")
                 .arg(quantityName(inView_, columns_.modelled), axisName(group_), means.join(QStringLiteral("; ")));
  }
  return words.join(QStringLiteral(". "));
}

SweepCoordinates::Frame SweepCoordinates::frame(const QSizeF& size) const {
  Frame frame{.head = head().layout(font(), size, PlotHead::Names::All), .axes = {}};
  const double em = theme::textSize();
  frame.axes = frame.head.plot.adjusted(0.8 * em, kNames * em, -0.2 * em, -kBelow * em);
  frame.between = frame.axes.width() / static_cast<double>(std::max<std::size_t>(1, columns_.measures.size()));
  return frame;
}

QPointF SweepCoordinates::point(const Frame& frame, std::size_t column, const std::optional<double>& value) const {
  if (!value) return {frame.x(column), frame.axes.bottom() + 1.1 * theme::textSize()};
  return {frame.x(column), frame.axes.bottom() - columns_.scales[column].share(*value) * frame.axes.height()};
}

QPolygonF SweepCoordinates::line(const Frame& frame, int cell) const {
  QPolygonF points;
  for (std::size_t i = 0; i < columns_.measures.size(); ++i)
    points << point(frame, i, at(columns_.table.columns()[i].at, cell));
  return points;
}

QPointF SweepCoordinates::positionOf(int cell, std::size_t column) const {
  return line(frame(size()), cell).at(static_cast<qsizetype>(column));
}

std::optional<std::size_t> SweepCoordinates::axisAt(const QPointF& position) const {
  const Frame frame = this->frame(size());
  const double em = theme::textSize();
  for (std::size_t i = 0; i < columns_.measures.size(); ++i)
    if (std::abs(position.x() - frame.x(i)) <= 0.6 * em && position.y() >= frame.axes.top() - 0.4 * em &&
        position.y() <= frame.axes.bottom() + 0.4 * em)
      return i;
  return std::nullopt;
}

int SweepCoordinates::cellAt(const QPointF& position) const {
  const Frame frame = this->frame(size());
  int nearest = -1;
  double least = kLineReach * theme::textSize(), best = -2;
  for (int cell = 0; cell < columns_.table.size(); ++cell) {
    if (!columns_.table.isIn(cell)) continue;
    const double off = offLine(line(frame, cell), position), heat = columns_.heat(cell, inView_);
    // If lines coincide, takes the better one, which is painted on top.
    if (off > least + 1e-9 || (std::abs(off - least) <= 1e-9 && heat <= best)) continue;
    least = off;
    best = heat;
    nearest = cell;
  }
  return nearest;
}

// A setting has only its own values, nothing between them.
double SweepCoordinates::valueAt(std::size_t column, double y) const {
  const QRectF axes = frame(size()).axes;
  const double value = columns_.scales[column].value(std::clamp((axes.bottom() - y) / axes.height(), 0.0, 1.0));
  return columns_.measures[column] ? value : std::round(value);
}

void SweepCoordinates::mousePressEvent(QMouseEvent* event) {
  if (event->button() != Qt::LeftButton) return QWidget::mousePressEvent(event);
  dragged_ = axisAt(event->position());
  from_ = event->position();
  if (dragged_) axis_ = *dragged_;
  if (const int cell = cellAt(from_); !dragged_ && cell >= 0) {
    current_ = cell;
    Q_EMIT cellChosen(cell);
  }
}

void SweepCoordinates::mouseMoveEvent(QMouseEvent* event) {
  const QPointF at = event->position();
  if (dragged_ && (event->buttons() & Qt::LeftButton)) {
    if (std::abs(at.y() - from_.y()) >= 0.3 * theme::textSize())
      setRange(*dragged_, CellRange{valueAt(*dragged_, from_.y()), valueAt(*dragged_, at.y())});
    return;
  }
  const bool axis = axisAt(at).has_value();
  const int cell = axis ? -1 : cellAt(at);
  setCursor(axis ? Qt::SizeVerCursor : cell >= 0 ? Qt::PointingHandCursor : Qt::ArrowCursor);
  if (cell == pointed_) return;
  pointed_ = cell;
  update();
}

void SweepCoordinates::mouseReleaseEvent(QMouseEvent* event) {
  if (dragged_ && std::abs(event->position().y() - from_.y()) < 0.3 * theme::textSize())
    setRange(*dragged_, std::nullopt);
  dragged_.reset();
}

void SweepCoordinates::leaveEvent(QEvent* event) {
  QWidget::leaveEvent(event);
  pointed_ = -1;
  update();
}

void SweepCoordinates::moveAlong(int by) {
  std::vector<int> cells;
  for (int cell = 0; cell < columns_.table.size(); ++cell)
    if (columns_.table.isIn(cell)) cells.push_back(cell);
  if (cells.empty()) return;
  const auto value = [this](int cell) { return at(columns_.table.columns()[axis_].at, cell); };
  std::ranges::stable_sort(cells, {}, value);
  const auto found = std::ranges::find(cells, current_);
  const auto last = std::ssize(cells) - 1;
  const auto next = found == cells.end() ? (by > 0 ? 0 : last) : std::clamp(found - cells.begin() + by, {0}, last);
  current_ = at(cells, next);
  announce(*this, columns_.cellText(current_, inView_));
}

void SweepCoordinates::bound(bool below) {
  if (current_ < 0) return;
  const auto& value = at(columns_.table.columns()[axis_].at, current_);
  if (!value) return;
  const Range whole = columns_.scales[axis_].range;
  CellRange range = columns_.table.range(axis_).value_or(CellRange{whole.from, whole.to});
  (below ? range.to : range.from) = *value;
  setRange(axis_, range);
  announce(*this, words());
}

void SweepCoordinates::keyPressEvent(QKeyEvent* event) {
  const bool shift = event->modifiers() & Qt::ShiftModifier;
  const int key = event->key();
  if (columns_.measures.empty()) return QWidget::keyPressEvent(event);
  if (key == Qt::Key_Left || key == Qt::Key_Right) {
    const int last = static_cast<int>(columns_.measures.size()) - 1;
    axis_ = static_cast<std::size_t>(std::clamp(static_cast<int>(axis_) + (key == Qt::Key_Right ? 1 : -1), 0, last));
    announce(*this, columns_.title(axis_));
  } else if (key == Qt::Key_Up || key == Qt::Key_Down) {
    shift ? bound(key == Qt::Key_Down) : moveAlong(key == Qt::Key_Up ? 1 : -1);
  } else if (key == Qt::Key_Delete || key == Qt::Key_Backspace) {
    shift ? clearRanges() : setRange(axis_, std::nullopt);
    announce(*this, words());
  } else if ((key == Qt::Key_Return || key == Qt::Key_Enter) && current_ >= 0) {
    Q_EMIT cellChosen(current_);
  } else {
    return QWidget::keyPressEvent(event);
  }
  update();
}

bool SweepCoordinates::event(QEvent* event) {
  if (takesKey(*event, {Qt::Key_Left, Qt::Key_Right, Qt::Key_Up, Qt::Key_Down, Qt::Key_Return, Qt::Key_Enter,
                        Qt::Key_Delete, Qt::Key_Backspace}))
    return true;
  const auto words = [this](const QPoint& at) {
    const int cell = axisAt(at) ? -1 : cellAt(at);
    return cell < 0 ? QString() : columns_.cellText(cell, std::nullopt);
  };
  return showsTip(*event, *this, words) || QWidget::event(event);
}

void SweepCoordinates::focusInEvent(QFocusEvent* event) {
  QWidget::focusInEvent(event);
  update();
}
void SweepCoordinates::focusOutEvent(QFocusEvent* event) {
  QWidget::focusOutEvent(event);
  update();
}

}  // namespace lab

// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/sweep/sweep_coordinates.h"

#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QPainterPath>
#include <QPolygonF>

#include <algorithm>
#include <cmath>
#include <limits>
#include <ranges>

#include "core/base/at.h"
#include "ui/accessibility/announcer.h"
#include "ui/accessibility/own_events.h"
#include "ui/i18n/words.h"
#include "ui/runs/run_colours.h"
#include "ui/sweep/sweep_words.h"
#include "ui/theme/painted_words.h"
#include "ui/theme/paper.h"
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

constexpr double kFaintestLine = 0.25;  // share of the accent

QColor colourOf(double heat) {
  return heat < 0 ? theme::colours().quietInk
                  : theme::faint(theme::colours().accent, kFaintestLine + heat * (1 - kFaintestLine));
}

// Words on their own background, so that they stay legible above lines.
void paintTick(QPainter& painter, const QRectF& room, const QString& text) {
  const QFont usual = painter.font();
  shrinkFont(painter, text, room.width(), 0.75);
  const double wide = std::min(room.width(), painter.fontMetrics().horizontalAdvance(text) + 2.0);
  QColor ground = theme::colours().panel;
  ground.setAlphaF(0.85F);
  painter.fillRect(QRectF(room.left(), room.top(), wide, room.height()), ground);
  drawElided(painter, room, Qt::AlignLeft | Qt::AlignVCenter, text);
  painter.setFont(usual);
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

// Parallel coordinates as a picture: runs, means of groups, axes with their ranges, and the named run.

PlotHead SweepCoordinates::head() const {
  const QString title = groups_.empty() ? tr("All axes, colour: %1").arg(quantityName(inView_, columns_.modelled))
                                        : tr("All axes, means by: %1").arg(axisName(group_));
  PlotHead head{.title = title, .unit = {}, .entries = {}};
  if (!groups_.empty()) {
    for (const SweepColumns::Group& group : groups_) {
      const int place = group.cells.place;
      head.entries.push_back({runColour(place), columns_.text(*columns_.table.find(group_), place), runStyle(place)});
    }
  } else if (!columns_.isCompared(inView_)) {
    head.entries = {{colourOf(0.5), tr("modelled and measured, not compared"), Qt::SolidLine}};
  } else if (columns_.table.counted() > 0) {
    head.entries = {{colourOf(0), tr("worse"), Qt::SolidLine}, {colourOf(1), tr("better"), Qt::SolidLine}};
  }
  const auto lacks = [this](int cell) { return columns_.table.isCounted(cell) && columns_.heat(cell, inView_) < 0; };
  if (groups_.empty() && std::ranges::any_of(std::views::iota(0, columns_.table.size()), lacks))
    head.entries.push_back({colourOf(-1), tr("no value"), Qt::SolidLine});
  if (std::ranges::find(columns_.stopped, true) != columns_.stopped.end())
    head.entries.push_back({theme::colours().ink, tr("stopped early"), Qt::DashLine});
  return head;
}

// Runs outside the ranges lie below, the best runs on top.
void SweepCoordinates::paintLines(QPainter& painter, const Frame& frame) const {
  const double em = theme::textSize();
  std::vector<std::pair<double, int>> order;
  for (int cell = 0; cell < columns_.table.size(); ++cell)
    if (columns_.table.isCounted(cell))
      order.emplace_back(columns_.table.isIn(cell) ? columns_.heat(cell, inView_) : -2, cell);
  std::ranges::sort(order);
  for (const auto& [heat, cell] : order) {
    const bool out = heat < -1, quiet = out || !groups_.empty();
    QPen pen(quiet ? theme::colours().line : colourOf(heat), (quiet ? 0.06 : 0.08 + 0.06 * heat) * em);
    if (at(columns_.stopped, cell)) pen.setStyle(Qt::DashLine);
    painter.setPen(pen);
    painter.drawPolyline(line(frame, cell));
  }
}

// From the group's value to its means, each with its standard deviation to both sides.
void SweepCoordinates::paintGroups(QPainter& painter, const Frame& frame) const {
  const double em = theme::textSize();
  for (std::size_t g = 0; g < groups_.size(); ++g) {
    const SweepColumns::Group& group = groups_[g];
    // By the group's value, so that no range gives a group the colour of another.
    const QColor colour = runColour(group.cells.place);
    const QPen strong(colour, 0.2 * em, runStyle(group.cells.place), Qt::FlatCap), thin(colour, 0.11 * em);
    // Side by side, so that no deviation hides another.
    const double aside = (static_cast<double>(g) - static_cast<double>(groups_.size() - 1) / 2) * 0.3 * em;
    std::optional<QPointF> before = point(frame, *columns_.table.find(group_), group.cells.place);
    for (std::size_t i = *columns_.table.find(group_) + 1; i < group.spreads.size(); ++i) {
      const auto& spread = group.spreads[i];
      if (!spread) {
        before.reset();
        continue;
      }
      const auto at = [&](double value) {
        const double share = std::clamp(columns_.scales[i].share(value), 0.0, 1.0);
        return QPointF(frame.x(i) + aside, frame.axes.bottom() - share * frame.axes.height());
      };
      const QPointF mean = at(spread->mean);
      painter.setPen(strong);
      if (before) painter.drawLine(*before, mean);
      painter.setPen(thin);
      painter.drawLine(at(std::max(spread->mean - spread->deviation, columns_.scales[i].range.from)),
                       at(spread->mean + spread->deviation));
      painter.setBrush(theme::colours().panel);
      painter.drawEllipse(mean, 0.25 * em, 0.25 * em);
      before = mean;
    }
  }
}

void SweepCoordinates::paintAxes(QPainter& painter, const Frame& frame) const {
  const theme::Colours& colours = theme::colours();
  const double em = theme::textSize();
  const QFont usual = painter.font(), small = theme::smallFont(usual);
  for (std::size_t i = 0; i < columns_.measures.size(); ++i) {
    const double x = frame.x(i), room = frame.between - 0.5 * em;
    painter.setPen(QPen(colours.edge, std::max(1.0, 0.08 * em)));
    painter.drawLine(QPointF(x, frame.axes.top()), QPointF(x, frame.axes.bottom()));
    if (const auto& range = columns_.table.range(i)) {
      const double top = point(frame, i, range->to).y() - 0.3 * em, foot = point(frame, i, range->from).y() + 0.3 * em;
      painter.setPen(QPen(colours.accent, 0.14 * em));
      painter.setBrush(theme::tint(colours.accent, 0.3));
      painter.drawRect(QRectF(x - 0.3 * em, top, 0.6 * em, foot - top));
    }
    painter.setFont(small);
    painter.setPen(colours.ink);
    const double high = painter.fontMetrics().height();
    double above = std::numeric_limits<double>::infinity();  // top of the last label, counted from the foot up
    for (const Tick& tick : columns_.scales[i].ticks) {
      const double y = point(frame, i, tick.at).y();
      if (tick.text.isEmpty() || y > above - high) continue;
      above = y;
      paintTick(painter, {x + 0.4 * em, y - high / 2, room - 0.2 * em, high}, tick.text);
    }
    if (columns_.scales[i].lacks)
      paintTick(painter, {x + 0.4 * em, point(frame, i, {}).y() - high / 2, room, high}, tr("no value"));
    const QString title = columns_.title(i);
    QString longest;
    for (const QString& word : title.split(QLatin1Char(' ')))
      if (painter.fontMetrics().horizontalAdvance(word) > painter.fontMetrics().horizontalAdvance(longest))
        longest = word;
    shrinkFont(painter, longest, room, 0.6);
    if (hasFocus() && i == axis_) painter.setPen(theme::asText(colours.accent, colours));
    painter.drawText(QRectF(x - 0.3 * em, frame.axes.top() - 4.2 * em, room, 3.5 * em),
                     Qt::AlignLeft | Qt::AlignBottom | Qt::TextWordWrap, title);
    painter.setFont(usual);
  }
}

// The chosen run, and the run under the pointer or at the keyboard cursor, which has the words.
void SweepCoordinates::paintNamed(QPainter& painter, const Frame& frame) const {
  const double em = theme::textSize();
  const int pointed = pointed_ >= 0 ? pointed_ : hasFocus() ? current_ : -1;
  const int named = pointed >= 0 ? pointed : chosen_;
  for (const int cell : {chosen_, pointed}) {
    if (cell < 0 || cell >= columns_.table.size() || !columns_.table.isCounted(cell)) continue;
    QPen pen(theme::colours().ink, (cell == chosen_ ? 0.28 : 0.2) * em);
    if (at(columns_.stopped, cell)) pen.setStyle(Qt::DashLine);
    painter.setPen(pen);
    painter.setBrush(Qt::NoBrush);
    const QPolygonF points = line(frame, cell);
    painter.drawPolyline(points);
    painter.setBrush(theme::colours().ink);
    for (const QPointF& point : points) painter.drawEllipse(point, 0.2 * em, 0.2 * em);
  }
  if (named < 0 || named >= columns_.table.size()) return;
  painter.setPen(theme::colours().ink);
  painter.drawText(QRectF(frame.head.plot.left() + 0.4 * em, frame.axes.bottom() + 1.7 * em,
                          frame.head.plot.width() - 0.8 * em, (2.6) * em),
                   Qt::AlignLeft | Qt::AlignVCenter | Qt::TextWordWrap, columns_.cellText(named, inView_));
}

void SweepCoordinates::paintPicture(QPainter& painter, const QSizeF& size) const {
  painter.setRenderHint(QPainter::Antialiasing);
  painter.fillRect(QRectF({0, 0}, size), theme::colours().panel);
  const Frame frame = this->frame(size);
  head().paint(painter, size, frame.head);
  if (columns_.table.counted() == 0) {
    painter.setPen(theme::colours().ink);
    return painter.drawText(frame.head.plot.adjusted(theme::em(1), 0, -theme::em(1), 0),
                            Qt::AlignCenter | Qt::TextWordWrap, tr("The sweep has no results yet."));
  }
  paintLines(painter, frame);
  paintGroups(painter, frame);
  paintAxes(painter, frame);
}

void SweepCoordinates::paintEvent(QPaintEvent*) {
  const double ratio = devicePixelRatioF();
  if (lines_.isNull() || lines_.size() != (QSizeF(size()) * ratio).toSize()) {
    lines_ = QPixmap((QSizeF(size()) * ratio).toSize());
    lines_.setDevicePixelRatio(ratio);
    QPainter painter(&lines_);
    painter.setFont(font());
    keepLeftToRight(painter);
    paintPicture(painter, size());
  }
  QPainter painter(this);
  keepLeftToRight(painter);
  drawPicture(painter, lines_, [&] { paintPicture(painter, size()); });
  painter.setRenderHint(QPainter::Antialiasing);
  if (columns_.table.counted() > 0) paintNamed(painter, frame(size()));
  if (!hasFocus()) return;
  painter.setPen(QPen(theme::colours().accent, 2));
  painter.setBrush(Qt::NoBrush);
  painter.drawRect(rect().adjusted(1, 1, -2, -2));
}

}  // namespace lab

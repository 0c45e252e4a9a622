// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/sweep/sweep_chart.h"

#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>

#include "core/base/at.h"
#include "ui/accessibility/announcer.h"
#include "ui/accessibility/own_events.h"
#include "ui/i18n/words.h"
#include "ui/runs/run_colours.h"
#include "ui/sweep/sweep_words.h"
#include "ui/theme/painted_words.h"
#include "ui/theme/theme.h"

namespace lab {
namespace {

constexpr double kReach = 1.2;  // reach of a click, in text sizes

using Role = SweepPlot::Role;

QColor colourOf(const SweepPlot::Curve& curve) {
  const theme::Colours& colours = theme::colours();
  switch (curve.role) {
    case Role::Trial:
      return theme::faint(runColour(curve.look), 0.7);
    case Role::Best:
      return colours.ink;
    case Role::Ideal:
      return colours.quietInk;
    case Role::Fit:
      return colours.accent;
    default:
      return runColour(curve.look);
  }
}

Plot::Line lineOf(const SweepPlot::Curve& curve) {
  const double em = theme::textSize();
  Plot::Line line{.colour = colourOf(curve)};
  switch (curve.role) {
    case Role::Trial:
      line.width = 0.1 * em;
      line.style = runStyle(8 * (curve.look % 4));
      break;
    case Role::Best:
      line.width = 0.24 * em;
      line.marker = 0.6 * em;
      break;
    case Role::Ideal:
      line.width = 0.09 * em;
      line.style = Qt::DashLine;
      break;
    case Role::Fit:
      line.width = 0.12 * em;
      line.style = Qt::DotLine;
      break;
    case Role::Series:
      line.width = 0.16 * em;
      line.marker = 0.5 * em;
      line.style = runStyle(8 * (curve.look / kRunColours % 4));
      break;
  }
  return line;
}

// A mark for each seed's run, and a line from the smallest to the largest.
void addSeeds(Plot& plot, const SweepPlot::Curve& curve) {
  const double em = theme::textSize();
  const bool below = curve.role == Role::Trial;
  const QPen pen(colourOf(curve), std::max(1.0, 0.07 * em));
  const double radius = curve.role == Role::Best ? 0 : below ? 0.11 * em : 0.16 * em;
  for (const SweepPlot::Point& point : curve.points) {
    const Range spread{point.low, point.high};
    for (const double value : point.values)
      plot.marks.push_back({.at = {point.x, value},
                            .radius = radius,
                            .pen = pen,
                            .fill = theme::colours().panel,
                            .spread = value == point.values.front() ? spread : Range{0, 0},
                            .below = below});
    if (point.marked)
      plot.marks.push_back(
          {.at = {point.x, point.y}, .radius = 0.7 * em, .pen = QPen(theme::colours().ink, 0.15 * em), .below = below});
  }
}

}  // namespace

SweepChart::SweepChart(QWidget* parent) : QWidget(parent) {
  setObjectName(QStringLiteral("sweepChart"));
  setFocusPolicy(Qt::StrongFocus);
  setMouseTracking(true);
  setWhatsThis(
      tr("<p>Each small point is one run, each line joins means over the seeds. Click on a point, or choose it with "
         "the arrow keys and press Enter: the stage shows that run.</p>"));
}

QSize SweepChart::sizeHint() const {
  return {theme::em(30), theme::em(20)};
}
QSize SweepChart::minimumSizeHint() const {
  return {theme::em(14), theme::em(8)};
}

void SweepChart::setPlot(SweepPlot plot) {
  plot_ = std::move(plot);
  curves_.clear();
  for (const SweepPlot::Curve& curve : plot_.curves) {
    curves_.emplace_back();
    for (const SweepPlot::Point& point : curve.points) curves_.back().append(point.x, point.y, 0);
  }
  current_ = std::min(current_, static_cast<int>(places().size()) - 1);
  scale();
  describe();
  update();
}

void SweepChart::setLogarithmic(bool x, bool y) {
  logX_ = x;
  logY_ = y;
  scale();
  update();
}

void SweepChart::describe() {
  setAccessibleName(plot_.title);
  QStringList words;
  if (!plot_.lacking.isEmpty()) words << plot_.lacking;
  for (const SweepPlot::Curve& curve : plot_.curves) {
    if (curve.role == SweepPlot::Role::Ideal || curve.role == SweepPlot::Role::Fit) continue;
    QStringList points;
    for (const SweepPlot::Point& point : curve.points)
      points << QStringLiteral("%1: %2").arg(shortNumber(point.x), plot_.duration ? secondsText(point.y)
                                                                   : plot_.share  ? percentText(point.y)
                                                                                  : shortNumber(point.y));
    words << QStringLiteral("%1: %2").arg(curve.name, points.join(QStringLiteral("; ")));
  }
  words << plot_.caption;
  setAccessibleDescription(words.join(QStringLiteral(". ")));
}

// Scales to everything that is measured; the ideal line begins in the plot and may leave it.
void SweepChart::scale() {
  double left = std::numeric_limits<double>::infinity(), right = -left, low = left, high = -left;
  for (const SweepPlot::Curve& curve : plot_.curves) {
    const bool measured = curve.role != SweepPlot::Role::Ideal && curve.role != SweepPlot::Role::Fit;
    for (const SweepPlot::Point& point : curve.points) {
      left = std::min(left, point.x);
      right = std::max(right, point.x);
      if (curve.role == SweepPlot::Role::Ideal && &point == &curve.points.front()) high = std::max(high, point.y);
      if (!measured) continue;
      low = std::min(low, point.low);
      high = std::max(high, point.high);
    }
  }
  scale_ = {};
  if (!(right >= left) || !(high >= low)) return;
  scale_.logarithmicX = isLogX() && left > 0;
  scale_.logarithmic = isLogY() && low > 0;
  if (scale_.logarithmicX) {
    const double room = right > left ? std::pow(right / left, 0.05) : 2;
    scale_.x = {left / room, right * room};
  } else {
    const double room = right > left ? 0.05 * (right - left) : 1;
    scale_.x = {left - room, right + room};
  }
  if (scale_.logarithmic) {
    const double room = high > low ? std::pow(high / low, 0.08) : 2;
    scale_.y = {low / room, high * room};
  } else {
    scale_.y = plot_.share ? Range{0, 1} : roundRange({0, high}, kTicks);
  }
}

PlotHead::Layout SweepChart::layout(const QSizeF& size) const {
  return head().layout(font(), size, PlotHead::Names::All);
}

QPointF SweepChart::positionOf(const QPointF& value) const {
  return scale_.at(PlotView::plotArea(layout(size()).plot), value);
}

std::vector<SweepChart::Place> SweepChart::places() const {
  std::vector<Place> found;
  for (const SweepPlot::Curve& curve : plot_.curves)
    for (const SweepPlot::Point& point : curve.points)
      if (point.cell >= 0 && plot_.lacking.isEmpty()) found.push_back({&point, &curve});
  std::ranges::stable_sort(found, {}, [](const Place& place) { return place.point->x; });
  return found;
}

int SweepChart::placeAt(const QPointF& position) const {
  const std::vector<Place> all = places();
  int nearest = -1;
  double least = theme::em(kReach);
  for (std::size_t i = 0; i < all.size(); ++i) {
    const QPointF off = positionOf({all[i].point->x, all[i].point->y}) - position;
    const double distance = std::hypot(off.x(), off.y());
    // If several points coincide, take the bold one.
    if (distance < least - 1e-9 || (distance <= least && all[i].curve->role == SweepPlot::Role::Best)) {
      least = distance;
      nearest = static_cast<int>(i);
    }
  }
  return nearest;
}

void SweepChart::mousePressEvent(QMouseEvent* event) {
  if (event->button() != Qt::LeftButton) return QWidget::mousePressEvent(event);
  const int place = placeAt(event->position());
  if (place < 0) return;
  current_ = place;
  update();
  Q_EMIT cellChosen(at(places(), place).point->cell);
}

void SweepChart::mouseMoveEvent(QMouseEvent* event) {
  setCursor(placeAt(event->position()) >= 0 ? Qt::PointingHandCursor : Qt::ArrowCursor);
}

bool SweepChart::event(QEvent* event) {
  const auto words = [this](const QPoint& at) {
    const int place = placeAt(at);
    if (place < 0) return QString();
    const Place found = lab::at(places(), place);
    return QStringLiteral("%1\n%2 %3\n%4")
        .arg(found.curve->name, plot_.xTitle, shortNumber(found.point->x), found.point->words);
  };
  return showsTip(*event, *this, words) || QWidget::event(event);
}

void SweepChart::keyPressEvent(QKeyEvent* event) {
  const std::vector<Place> all = places();
  const int key = event->key();
  const bool right = key == Qt::Key_Right, left = key == Qt::Key_Left;
  if (all.empty() || !(right || left || key == Qt::Key_Return || key == Qt::Key_Enter))
    return QWidget::keyPressEvent(event);
  if (right || left) {
    current_ = std::clamp(current_ + (right ? 1 : -1), 0, static_cast<int>(all.size()) - 1);
    const Place& place = at(all, current_);
    const QString words = QStringLiteral("%1, %2 %3: %4")
                              .arg(place.curve->name, plot_.xTitle, shortNumber(place.point->x), place.point->words);
    announce(*this, words);
    update();
  } else if (current_ >= 0) {
    Q_EMIT cellChosen(at(all, current_).point->cell);
  }
}

void SweepChart::focusInEvent(QFocusEvent* event) {
  QWidget::focusInEvent(event);
  update();
}
void SweepChart::focusOutEvent(QFocusEvent* event) {
  QWidget::focusOutEvent(event);
  update();
}

// A sweep's chart as a plot: the style of each kind of curve, each seed's point, the spread, vertical lines.

PlotHead SweepChart::head() const {
  PlotHead head{.title = plot_.title, .unit = {}, .entries = {}};
  for (const SweepPlot::Curve& curve : plot_.curves)
    if (!curve.name.isEmpty() && plot_.lacking.isEmpty())
      head.entries.push_back({colourOf(curve), curve.name, lineOf(curve).style});
  return head;
}

Plot SweepChart::picture() const {
  const theme::Colours& colours = theme::colours();
  Plot plot{.scale = scale_, .xTitle = plot_.xTitle};
  // Powers of two along a logarithmic axis, because batches and replicas are chosen so.
  std::set<double> places;
  for (std::size_t i = 0; i < plot_.curves.size(); ++i) {
    plot.series.push_back({&curves_[i], lineOf(plot_.curves[i])});
    addSeeds(plot, plot_.curves[i]);
    for (const SweepPlot::Point& point : plot_.curves[i].points)
      if (point.cell >= 0) places.insert(point.x);
  }
  plot.along.emplace();
  for (const double x : places) plot.along->push_back({x, shortNumber(x)});
  plot.up = scale_.logarithmic ? logTicks(scale_.y, kTicks) : linearTicks(scale_.y, kTicks);
  for (Tick& tick : *plot.up) {
    if (plot_.share) tick.text = QStringLiteral("%1 %").arg(numberText(100 * tick.at, 'f', 0));
    if (plot_.duration && !tick.text.isEmpty()) tick.text = secondsText(tick.at);
  }
  // The caption mentions lines outside the plot.
  for (const SweepPlot::VerticalRule& upright : plot_.uprights) {
    if (upright.band)
      plot.bands.push_back(
          {{upright.band->low, upright.band->high}, theme::tint(colours.accent, upright.dashed ? 0.08 : 0.15)});
    plot.rules.push_back({upright.x,
                          QPen(colours.accent, 0.12 * theme::textSize(), upright.dashed ? Qt::DashLine : Qt::SolidLine),
                          upright.name, true});
  }
  return plot;
}

void SweepChart::paintPicture(QPainter& painter, const QSizeF& size) const {
  painter.fillRect(QRectF({0, 0}, size), theme::colours().panel);
  const PlotHead::Layout layout = this->layout(size);
  head().paint(painter, size, layout);
  if (plot_.lacking.isEmpty()) return view_.paint(painter, layout.plot, picture());
  painter.setPen(theme::colours().ink);
  painter.drawText(layout.plot.adjusted(theme::em(1), 0, -theme::em(1), 0), Qt::AlignCenter | Qt::TextWordWrap,
                   plot_.lacking);
}

void SweepChart::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  keepLeftToRight(painter);
  paintPicture(painter, size());
  const std::vector<Place> all = places();
  if (hasFocus() && current_ >= 0 && current_ < std::ssize(all)) {
    const SweepPlot::Point& point = *at(all, current_).point;
    painter.setPen(QPen(theme::colours().accent, 0.2 * theme::textSize()));
    painter.drawEllipse(positionOf({point.x, point.y}), 0.8 * theme::textSize(), 0.8 * theme::textSize());
  }
  if (hasFocus()) {
    painter.setPen(QPen(theme::colours().accent, 2));
    painter.drawRect(rect().adjusted(1, 1, -2, -2));
  }
}

}  // namespace lab

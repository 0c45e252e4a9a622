// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/charts/plot_view.h"

#include <QChart>
#include <QCoreApplication>
#include <QEvent>
#include <QGraphicsLayout>
#include <QGraphicsScene>
#include <QLegend>
#include <QLineSeries>
#include <QPainter>
#include <QValueAxis>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "ui/theme/theme.h"

namespace lab {
namespace {

constexpr double kLeft = 4.1, kRight = 1.1, kTop = 0.6, kBottom = 1.9, kTitle = 1.25;  // in text sizes
constexpr double kTall = 13;                           // least height, in text sizes, for a separate line with the name
                                                       // of the x axis
constexpr double kAlongEm = 4.5, kUpEm = 2;            // room for a round number
constexpr int kMostAlong = 6, kMostUp = 5;             // most round numbers along each axis
constexpr int kMostColumns = 999, kLeastColumns = 16;  // for a curve, with two points in each

constexpr double kDash = 3;  // pixels per unit of a dash pattern

// Vertical strokes are left out where a line with this dash pattern has a gap.
bool isGap(const QList<qreal>& pattern, double at) {
  const double whole = std::accumulate(pattern.begin(), pattern.end(), 0.0);
  if (whole <= 0) return false;
  at = std::fmod(at, whole);
  for (qsizetype i = 0; i < pattern.size(); at -= pattern[i++])
    if (at < pattern[i]) return i % 2 == 1;
  return false;
}

// Far outside of the plot, numbers become too large to draw: a line is clipped outside the visible part, and continued
// along that edge.
constexpr double kOutside = 4;  // in multiples of the plot's size
QList<QPointF> kept(const QList<QPointF>& points) {
  const auto inside = [](const QPointF& point) { return std::abs(point.y()) <= kOutside; };
  if (std::all_of(points.begin(), points.end(), inside)) return points;
  QList<QPointF> cut;
  for (qsizetype i = 0; i < points.size(); ++i) {
    const QPointF& to = points[i];
    if (i > 0 && (!inside(points[i - 1]) || !inside(to))) {
      const QPointF& from = points[i - 1];
      const bool up = to.y() > from.y();
      for (const double edge : {up ? -kOutside : kOutside, up ? kOutside : -kOutside}) {
        const double part = (edge - from.y()) / (to.y() - from.y());
        if (part > 0 && part < 1) cut.append({from.x() + part * (to.x() - from.x()), edge});
      }
    }
    cut.append({to.x(), std::clamp(to.y(), -kOutside, kOutside)});
  }
  return cut;
}

bool hasTitle(const QSizeF& size) {
  return size.height() > theme::em(kTall);
}

std::vector<Tick> ticksAlong(const Plot& plot, const QRectF& area) {
  if (plot.along) return *plot.along;
  const int across = std::max(2, static_cast<int>(area.width() / theme::em(kAlongEm)));
  return linearTicks(plot.scale.x, std::min(across, kMostAlong), plot.countedX);
}

std::vector<Tick> ticksUp(const Plot& plot, const QRectF& area) {
  if (plot.up) return *plot.up;
  const int most = std::max(2, static_cast<int>(area.height() / theme::em(kUpEm)));
  if (!plot.scale.logarithmic) return linearTicks(plot.scale.y, std::min(most, kMostUp), plot.countedY);
  std::vector<Tick> ticks = logTicks(plot.scale.y, most);
  if (plot.foot.isEmpty()) return ticks;
  std::erase_if(ticks, [&](const Tick& tick) { return plot.scale.unitY(tick.at) < 1e-6; });
  ticks.insert(ticks.begin(), {plot.scale.y.from, plot.foot});
  return ticks;
}

// A label that would overlap the previous one is left out. Some ticks have none.
void paintGrid(QPainter& painter, const Plot& plot, const QSizeF& size, const QRectF& area) {
  const theme::Colours& colours = theme::colours();
  const double high = painter.fontMetrics().height();
  QPen pen(colours.line);
  pen.setCosmetic(true);
  double firstBegin = area.right(), lastEnd = -1e9;
  for (const Tick& tick : ticksAlong(plot, area)) {
    const double x = plot.scale.at(area, {tick.at, 0}).x();
    painter.setPen(pen);
    painter.drawLine(QPointF(x, area.top()), QPointF(x, area.bottom()));
    const double wide = painter.fontMetrics().horizontalAdvance(tick.text);
    const double left = std::min(x - wide / 2, size.width() - wide);
    if (tick.text.isEmpty() || left < lastEnd + 0.4 * high) continue;
    firstBegin = std::min(firstBegin, left);
    lastEnd = left + wide;
    painter.setPen(colours.quietInk);
    painter.drawText(QRectF(left - 1, area.bottom() + 0.25 * high, wide + 2, high), Qt::AlignCenter, tick.text);
  }
  double lastTop = 1e9;
  for (const Tick& tick : ticksUp(plot, area)) {
    const double y = plot.scale.at(area, {0, tick.at}).y();
    painter.setPen(pen);
    painter.drawLine(QPointF(area.left(), y), QPointF(area.right(), y));
    if (tick.text.isEmpty() || y + high / 2 > lastTop) continue;
    lastTop = y - high / 2;
    painter.setPen(colours.quietInk);
    painter.drawText(QRectF(0, y - high / 2, area.left() - 0.4 * high, high), Qt::AlignRight | Qt::AlignVCenter,
                     tick.text);
  }
  painter.setPen(colours.quietInk);
  if (hasTitle(size))
    return painter.drawText(QRectF(area.left(), size.height() - 1.15 * high, area.width(), high), Qt::AlignCenter,
                            plot.xTitle);
  // Without a line of its own, the name stands before the numbers.
  const QRectF before(0, area.bottom() + 0.25 * high, std::min(firstBegin - 0.6 * high, area.left() - 0.4 * high),
                      high);
  if (painter.fontMetrics().horizontalAdvance(plot.xTitle) <= before.width())
    painter.drawText(before, Qt::AlignRight | Qt::AlignVCenter, plot.xTitle);
}

void paintRules(QPainter& painter, const Plot& plot, const QRectF& area) {
  const double high = painter.fontMetrics().height();
  double top = area.top();
  for (const Plot::Rule& rule : plot.rules) {
    const double unit = rule.upright ? plot.scale.unitX(rule.at) : plot.scale.unitY(rule.at);
    if (!(unit >= 0 && unit <= 1)) continue;
    painter.setPen(rule.pen);
    const double wide = painter.fontMetrics().horizontalAdvance(rule.name) + 4;
    if (rule.upright) {
      const double x = area.left() + unit * area.width();
      painter.drawLine(QPointF(x, area.top()), QPointF(x, area.bottom()));
      painter.setPen(theme::colours().ink);
      painter.drawText(QRectF(x + 4 + wide > area.right() ? x - 4 - wide : x + 4, top, wide, high),
                       Qt::AlignLeft | Qt::AlignVCenter, rule.name);
      top += high;
    } else {
      const double y = area.bottom() - unit * area.height();
      painter.drawLine(QPointF(area.left(), y), QPointF(area.right(), y));
      painter.setPen(theme::colours().quietInk);
      painter.drawText(QRectF(area.right() - wide, y - high > area.top() ? y - high : y, wide, high),
                       Qt::AlignRight | Qt::AlignVCenter, rule.name);
    }
  }
}

void paintMarks(QPainter& painter, const Plot& plot, const QRectF& area, bool below) {
  for (const Plot::Mark& mark : plot.marks) {
    if (mark.below != below) continue;
    const QPointF at = plot.scale.at(area, mark.at);
    painter.setPen(mark.pen);
    painter.setBrush(mark.fill);
    if (mark.spread.length() > 0)
      painter.drawLine(plot.scale.at(area, {mark.at.x(), mark.spread.from}),
                       plot.scale.at(area, {mark.at.x(), mark.spread.to}));
    if (mark.radius > 0) painter.drawEllipse(at, mark.radius, mark.radius);
  }
  painter.setBrush(Qt::NoBrush);  // or Qt Charts would fill its lines with it
}

void paintExits(QPainter& painter, const Plot& plot, const QRectF& area) {
  const double half = 0.36 * theme::textSize(), high = painter.fontMetrics().height(), top = area.top();
  double written = -1e9;  // the end of the last text
  for (const Plot::Exit& exit : plot.exits) {
    const double unit = plot.scale.unitX(exit.x), x = area.left() + unit * area.width();
    if (unit < 0 || unit > 1) continue;
    painter.setPen(Qt::NoPen);
    painter.setBrush(exit.colour);
    painter.drawPolygon(QPolygonF({{x - half, top + 1.8 * half}, {x + half, top + 1.8 * half}, {x, top}}));
    const double wide = painter.fontMetrics().horizontalAdvance(exit.name);
    const double at = x + 1.5 * half + wide > area.right() ? x - 1.5 * half - wide : x + 1.5 * half;
    if (at < written || at < area.left()) continue;
    written = at + wide + half;
    painter.setPen(theme::colours().ink);
    painter.drawText(QRectF(at, top, wide + 1, high), Qt::AlignLeft | Qt::AlignVCenter, exit.name);
  }
}

}  // namespace

struct PlotView::Chart {
  QGraphicsScene scene;
  QChart* chart = new QChart;                           // owned by the scene
  QValueAxis *x = new QValueAxis, *y = new QValueAxis;  // from 0 to 1, never shown, never changed
  std::vector<QLineSeries*> series;                     // owned by the chart
  std::vector<Plot::Line> lines;
  std::vector<QList<QPointF>> points;               // in the unit square
  std::vector<std::vector<Curve::Column>> columns;  // instead of points: from low to high at each x
  std::vector<std::pair<double, QColor>> zeros;     // x of values of 0 or less on a logarithmic axis

  Chart();
  void setLines(const Plot& plot);
  void setPoints(std::size_t line, const QList<QPointF>& unitPoints);
};

PlotView::Chart::Chart() {
  scene.setItemIndexMethod(QGraphicsScene::NoIndex);
  scene.addItem(chart);
  chart->legend()->hide();
  chart->setBackgroundVisible(false);
  chart->setMargins({});
  chart->layout()->setContentsMargins(0, 0, 0, 0);
  chart->setAnimationOptions(QChart::NoAnimation);
  for (auto [axis, side] : {std::pair{x, Qt::AlignBottom}, {y, Qt::AlignLeft}}) {
    axis->setRange(0, 1);
    axis->setVisible(false);
    chart->addAxis(axis, side);
  }
}

void PlotView::Chart::setLines(const Plot& plot) {
  std::vector<Plot::Line> wanted;
  for (const Plot::Series& one : plot.series) wanted.push_back(one.look);
  if (wanted == lines) return;
  lines = std::move(wanted);
  while (series.size() > lines.size()) {
    chart->removeSeries(series.back());
    delete series.back();
    series.pop_back();
  }
  while (series.size() < lines.size()) {
    auto* line = new QLineSeries;
    chart->addSeries(line);
    line->attachAxis(x);
    line->attachAxis(y);
    series.push_back(line);
  }
  points.resize(lines.size());
  columns.resize(lines.size());
  for (std::size_t i = 0; i < lines.size(); ++i) {
    series[i]->setPen(QPen(lines[i].colour, lines[i].width, lines[i].style));
    series[i]->setPointsVisible(lines[i].marker > 0);
    series[i]->setMarkerSize(lines[i].marker);
  }
}

void PlotView::Chart::setPoints(std::size_t line, const QList<QPointF>& unitPoints) {
  if (points[line] == unitPoints) return;
  points[line] = unitPoints;
  series[line]->replace(unitPoints);
}

PlotView::PlotView() = default;
PlotView::~PlotView() = default;

QRectF PlotView::plotArea(const QSizeF& size, double left) {
  const double begin = std::max(std::floor(left), std::floor(double(theme::em(kLeft))));
  return {begin, double(theme::em(kTop)), std::max(8.0, size.width() - begin - theme::em(kRight)),
          std::max(8.0, size.height() - theme::em(kTop) - foot() - (hasTitle(size) ? theme::em(kTitle) : 0))};
}

double PlotView::foot() {
  return theme::em(kBottom);
}

int PlotView::columnsOf(const QRectF& area) {
  return std::clamp(static_cast<int>(area.width()), kLeastColumns, kMostColumns);
}

void PlotView::paint(QPainter& painter, const QRectF& place, const Plot& plot) {
  if (chart_ == nullptr) chart_ = std::make_unique<Chart>();
  const QRectF area = plotArea(place.size(), plot.left);
  painter.save();
  painter.translate(place.topLeft());
  painter.setRenderHint(QPainter::Antialiasing, false);
  painter.setFont(theme::smallFont(painter.font()));
  const auto xAt = [&](double x) { return area.left() + std::clamp(plot.scale.unitX(x), 0.0, 1.0) * area.width(); };
  for (const Plot::Band& band : plot.bands)
    painter.fillRect(QRectF(QPointF(xAt(band.x.from), area.top()), QPointF(xAt(band.x.to), area.bottom())),
                     band.colour);
  paintGrid(painter, plot, place.size(), area);
  placeCurves(plot, area);
  paintColumns(painter, plot, area);
  painter.setRenderHint(QPainter::Antialiasing);
  paintMarks(painter, plot, area, true);
  paintLines(painter, place.size(), area);
  paintRules(painter, plot, area);
  painter.save();
  painter.setClipRect(area.adjusted(-theme::em(1), -theme::em(1), theme::em(1), 2));
  paintMarks(painter, plot, area, false);
  painter.restore();
  paintZeros(painter, area);
  paintExits(painter, plot, area);
  painter.setPen(theme::colours().quietInk);
  const double beside = plot.series.empty() ? 0 : 0.2 * area.width();  // keeps clear of a first point, which lies at
                                                                       // the left
  painter.drawText(area.adjusted(beside, 0, 0, 0), Qt::AlignCenter | Qt::TextWordWrap, plot.lacking);
  painter.restore();
}

void PlotView::placeCurves(const Plot& plot, const QRectF& area) {
  const ChartScale& scale = plot.scale;
  const int columns = std::max(kLeastColumns, static_cast<int>(area.width())), most = columnsOf(area);
  chart_->setLines(plot);
  chart_->zeros.clear();
  for (std::size_t i = 0; i < plot.series.size(); ++i) {
    const auto& [curve, look, spiky, detail] = plot.series[i];
    const auto mark = [&](double x, double value) {
      const double unit = scale.unitX(x);
      if (scale.logarithmic && value <= 0 && unit >= 0 && unit <= 1) chart_->zeros.emplace_back(unit, look.colour);
    };
    chart_->columns[i].clear();
    if (spiky && curve->countWithin(scale.x.from, scale.x.to) > static_cast<std::size_t>(columns)) {
      std::vector<Curve::Column> strokes = curve->columns(scale.x.from, scale.x.to, columns);
      for (Curve::Column& column : strokes) {
        mark(column.x, column.low);
        column = {scale.unitX(column.x), std::clamp(scale.unitY(column.low), -kOutside, kOutside),
                  std::clamp(scale.unitY(column.high), -kOutside, kOutside)};
      }
      chart_->columns[i] = std::move(strokes);
      chart_->setPoints(i, {});
      continue;
    }
    QList<QPointF> points = curve->shown(scale.x.from, scale.x.to, std::max(1, static_cast<int>(detail * most)));
    for (QPointF& value : points) {
      mark(value.x(), value.y());
      value = scale.unit(value);
    }
    chart_->setPoints(i, kept(points));
  }
}

void PlotView::paintLines(QPainter& painter, const QSizeF& size, const QRectF& area) {
  QChart* chart = chart_->chart;
  if (chart->size() != size) {
    chart_->scene.setSceneRect(QRectF({0, 0}, size));
    chart->resize(size);
    chart->setPlotArea(area);
  } else if (chart->plotArea() != area) {
    chart->setPlotArea(area);
  }
  // Without a view, nothing else delivers the layout's postponed events.
  QCoreApplication::sendPostedEvents(chart, QEvent::LayoutRequest);
  chart_->scene.render(&painter, QRectF({0, 0}, size), QRectF({0, 0}, size));
}

void PlotView::paintColumns(QPainter& painter, const Plot& plot, const QRectF& area) const {
  painter.save();
  painter.setClipRect(area);
  for (std::size_t i = 0; i < plot.series.size(); ++i) {
    QList<QLineF> strokes;
    strokes.reserve(static_cast<qsizetype>(chart_->columns[i].size()));
    const QList<qreal> pattern = QPen(plot.series[i].look.style).dashPattern();
    // Half a pixel longer, so that a level stroke is visible too.
    for (const Curve::Column& column : chart_->columns[i]) {
      const double x = area.left() + column.x * area.width();
      if (isGap(pattern, x / kDash)) continue;
      strokes.append(QLineF(x, area.bottom() - column.low * area.height() + 0.5, x,
                            area.bottom() - column.high * area.height() - 0.5));
    }
    painter.setPen(QPen(plot.series[i].look.colour, 1, Qt::SolidLine, Qt::FlatCap));
    painter.drawLines(strokes);
  }
  painter.restore();
}

// Values of 0 or less have no logarithm: they get a mark at the foot, pointing down.
void PlotView::paintZeros(QPainter& painter, const QRectF& area) const {
  const double half = 0.28 * theme::textSize(), foot = area.bottom();
  painter.setPen(Qt::NoPen);
  double last = -1e9;
  for (const auto& [unit, colour] : chart_->zeros) {
    const double x = area.left() + unit * area.width();
    if (std::abs(x - last) < 1) continue;
    last = x;
    painter.setBrush(colour);
    painter.drawPolygon(QPolygonF({{x - half, foot - 1.7 * half}, {x + half, foot - 1.7 * half}, {x, foot}}));
  }
}

}  // namespace lab

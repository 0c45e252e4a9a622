// SPDX-License-Identifier: GPL-3.0-or-later
// How a sweep's chart is painted: the facade draws axes and lines, and above and below it stand what it has no words
// for, each seed's point, the spread, lines across.
#include <QPainter>

#include <algorithm>
#include <cmath>

#include "ui/i18n/words.h"
#include "ui/runs/run_colours.h"
#include "ui/sweep/sweep_chart.h"
#include "ui/sweep/sweep_words.h"
#include "ui/theme/painted_words.h"
#include "ui/theme/theme.h"

namespace lab {
namespace {

constexpr double kEntryGap = 1.2;  // between names of the legend, in the text size

// Powers of two at places along a logarithm, which is how batches and replicas are chosen.
std::vector<Tick> placeTicks(const std::vector<double>& places) {
  std::vector<Tick> ticks;
  for (const double x : places) ticks.push_back({x, shortNumber(x)});
  return ticks;
}

}  // namespace

QColor SweepChart::colourOf(const SweepPlot::Curve& curve) const {
  const theme::Colours& colours = theme::colours();
  switch (curve.role) {
    case SweepPlot::Role::Trial:
      return theme::faint(runColour(curve.look), 0.7);
    case SweepPlot::Role::Best:
      return colours.ink;
    case SweepPlot::Role::Ideal:
      return colours.quietInk;
    case SweepPlot::Role::Fit:
      return colours.accent;
    default:
      return runColour(curve.look);
  }
}

PlotView::Line SweepChart::lineOf(const SweepPlot::Curve& curve) const {
  const double em = theme::textSize();
  PlotView::Line line{.colour = colourOf(curve)};
  switch (curve.role) {
    case SweepPlot::Role::Trial:
      line.width = 0.1 * em;
      line.style = runStyle(8 * (curve.look % 4));
      break;
    case SweepPlot::Role::Best:
      line.width = 0.24 * em;
      line.marker = 0.6 * em;
      break;
    case SweepPlot::Role::Ideal:
      line.width = 0.09 * em;
      line.style = Qt::DashLine;
      break;
    case SweepPlot::Role::Fit:
      line.width = 0.12 * em;
      line.style = Qt::DotLine;
      break;
    case SweepPlot::Role::Series:
      line.width = 0.16 * em;
      line.marker = 0.5 * em;
      line.style = runStyle(8 * (curve.look / kRunColours % 4));
      break;
  }
  return line;
}

// Name and a piece of its line, one beside the other; as many rows as it takes.
double SweepChart::legendHeight(QPainter& painter, double width) const {
  const double em = theme::textSize(), high = painter.fontMetrics().height();
  double x = em;
  int rows = plot_.curves.empty() ? 0 : 1;
  for (const SweepPlot::Curve& curve : plot_.curves) {
    if (curve.name.isEmpty()) continue;
    const double wide = 2 * em + painter.fontMetrics().horizontalAdvance(curve.name) + kEntryGap * em;
    if (x > em && x + wide > width) {
      x = em;
      ++rows;
    }
    x += wide;
  }
  return rows * high;
}

void SweepChart::paintLegend(QPainter& painter, double width) const {
  const double em = theme::textSize(), high = painter.fontMetrics().height();
  double x = em, y = theme::em(kTitleEm);
  for (const SweepPlot::Curve& curve : plot_.curves) {
    if (curve.name.isEmpty()) continue;
    const double wide = 2 * em + painter.fontMetrics().horizontalAdvance(curve.name) + kEntryGap * em;
    if (x > em && x + wide > width) {
      x = em;
      y += high;
    }
    const PlotView::Line line = lineOf(curve);
    painter.setPen(QPen(line.colour, std::max(1.5, line.width), line.style));
    painter.drawLine(QPointF(x, y + high / 2), QPointF(x + 1.6 * em, y + high / 2));
    painter.setPen(theme::colours().ink);
    drawElided(painter, {x + 2 * em, y, std::min(wide - 2 * em, width - x - 2 * em), high},
               Qt::AlignLeft | Qt::AlignVCenter, curve.name);
    x += wide;
  }
}

void SweepChart::paintUprights(QPainter& painter, const QRectF& area) const {
  const double high = painter.fontMetrics().height();
  double top = area.top();
  for (const SweepPlot::VerticalRule& upright : plot_.uprights) {
    const auto at = [&](double x) { return area.left() + std::clamp(unitX(x), 0.0, 1.0) * area.width(); };
    if (upright.band) {
      QColor band = theme::colours().accent;
      band.setAlphaF(upright.dashed ? 0.08F : 0.15F);
      painter.fillRect(
          QRectF(QPointF(at(upright.band->low), area.top()), QPointF(at(upright.band->high), area.bottom())), band);
    }
    const double unit = unitX(upright.x);
    if (unit < 0 || unit > 1) continue;  // the caption says where it is
    painter.setPen(
        QPen(theme::colours().accent, 0.12 * theme::textSize(), upright.dashed ? Qt::DashLine : Qt::SolidLine));
    painter.drawLine(QPointF(at(upright.x), area.top()), QPointF(at(upright.x), area.bottom()));
    const double wide = painter.fontMetrics().horizontalAdvance(upright.name) + 4;
    const double x = at(upright.x) + 4 + wide > area.right() ? at(upright.x) - 4 - wide : at(upright.x) + 4;
    painter.setPen(theme::colours().ink);
    painter.drawText(QRectF(x, top, wide, high), Qt::AlignLeft | Qt::AlignVCenter, upright.name);
    top += high;
  }
}

// Each seed's run, and a line from the least to the most.
void SweepChart::paintSeeds(QPainter& painter, const QRectF& area, bool ofTrials) const {
  const double em = theme::textSize();
  const auto at = [&](double x, double y) {
    return QPointF(area.left() + unitX(x) * area.width(), area.bottom() - unitY(y) * area.height());
  };
  for (const SweepPlot::Curve& curve : plot_.curves)
    for (const SweepPlot::Point& point : curve.points) {
      if (point.values.empty() || (curve.role == SweepPlot::Role::Trial) != ofTrials) continue;
      painter.setPen(QPen(colourOf(curve), std::max(1.0, 0.07 * em)));
      if (point.values.size() > 1) painter.drawLine(at(point.x, point.low), at(point.x, point.high));
      painter.setBrush(theme::colours().panel);
      const double radius = curve.role == SweepPlot::Role::Trial ? 0.11 * em : 0.16 * em;
      if (curve.role != SweepPlot::Role::Best)
        for (const double value : point.values) painter.drawEllipse(at(point.x, value), radius, radius);
      painter.setBrush(Qt::NoBrush);
      if (!point.marked) continue;
      painter.setPen(QPen(theme::colours().ink, 0.15 * em));
      painter.drawEllipse(at(point.x, point.y), 0.7 * em, 0.7 * em);
    }
}

void SweepChart::paintPicture(QPainter& painter, const QSizeF& size) const {
  const theme::Colours& colours = theme::colours();
  painter.fillRect(QRectF({0, 0}, size), colours.panel);
  const QFont font = painter.font();
  QFont bold = font;
  bold.setBold(true);
  painter.setFont(bold);
  painter.setPen(colours.ink);
  drawElided(painter, {double(theme::em(1)), 0, size.width() - theme::em(1), double(theme::em(kTitleEm))},
             Qt::AlignLeft | Qt::AlignVCenter, plot_.title);
  painter.setFont(font);
  if (!plot_.lacking.isEmpty()) {
    painter.drawText(QRectF({0, 0}, size).adjusted(theme::em(1), theme::em(2), -theme::em(1), 0),
                     Qt::AlignCenter | Qt::TextWordWrap, plot_.lacking);
    return;
  }
  paintLegend(painter, size.width());
  const QRectF rect = plotRect(size), area = PlotView::plotArea(rect.size());
  PlotView::Frame frame{.xTitle = plot_.xTitle, .yTitle = {}};
  std::vector<double> xs;
  for (const SweepPlot::Curve& curve : plot_.curves)
    for (const SweepPlot::Point& point : curve.points)
      if (point.cell >= 0) xs.push_back(point.x);
  std::ranges::sort(xs);
  xs.erase(std::unique(xs.begin(), xs.end()), xs.end());
  for (const Tick& tick : placeTicks(xs)) frame.horizontal.push_back({unitX(tick.at), tick.text});
  for (const Tick& tick : isLogY() && y_.from > 0 ? logTicks(y_, kTicks) : linearTicks(y_, kTicks))
    frame.vertical.push_back({unitY(tick.at), plot_.share
                                                  ? QStringLiteral("%1 %").arg(numberText(100 * tick.at, 'f', 0))
                                              : tick.text.isEmpty() ? QString()
                                              : plot_.duration      ? secondsText(tick.at)
                                                                    : tick.text});
  view_.setFrame(std::move(frame));
  std::vector<PlotView::Line> lines;
  for (const SweepPlot::Curve& curve : plot_.curves) lines.push_back(lineOf(curve));
  view_.setLines(lines);
  for (std::size_t i = 0; i < lines.size(); ++i) {
    QList<QPointF> points;
    for (const SweepPlot::Point& point : plot_.curves[i].points) points.append({unitX(point.x), unitY(point.y)});
    view_.setPoints(i, points);
  }
  painter.save();
  painter.translate(rect.topLeft());
  painter.setRenderHint(QPainter::Antialiasing);
  paintSeeds(painter, area, true);
  view_.paint(painter, rect.size());
  painter.setFont(theme::smallFont(font));
  paintUprights(painter, area);
  painter.setClipRect(area.adjusted(-theme::em(1), -theme::em(1), theme::em(1), 2));
  paintSeeds(painter, area, false);
  painter.restore();
  painter.setFont(font);
}

void SweepChart::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  keepLeftToRight(painter);
  paintPicture(painter, size());
  const std::vector<Place> all = places();
  if (hasFocus() && current_ >= 0 && current_ < std::ssize(all)) {
    const SweepPlot::Point& point = *all[static_cast<std::size_t>(current_)].point;
    painter.setPen(QPen(theme::colours().accent, 0.2 * theme::textSize()));
    painter.drawEllipse(positionOf({point.x, point.y}), 0.8 * theme::textSize(), 0.8 * theme::textSize());
  }
  if (hasFocus()) {
    painter.setPen(QPen(theme::colours().accent, 2));
    painter.drawRect(rect().adjusted(1, 1, -2, -2));
  }
}

}  // namespace lab

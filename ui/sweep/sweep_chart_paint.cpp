// SPDX-License-Identifier: GPL-3.0-or-later
// A sweep's chart as a plot: the style of each kind of curve, each seed's point, the spread, vertical lines.
#include <QPainter>

#include <algorithm>
#include <set>

#include "core/base/at.h"
#include "ui/i18n/words.h"
#include "ui/runs/run_colours.h"
#include "ui/sweep/sweep_chart.h"
#include "ui/sweep/sweep_words.h"
#include "ui/theme/painted_words.h"
#include "ui/theme/theme.h"

namespace lab {
namespace {

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

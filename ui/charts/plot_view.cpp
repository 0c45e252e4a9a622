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
#include <QSignalBlocker>
#include <QValueAxis>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "core/base/error.h"
#include "ui/theme/theme.h"

namespace lab {
namespace {

constexpr double kLeft = 4.1, kRight = 1.1, kTop = 0.6, kBottom = 1.9, kTitle = 1.25;  // of the text size
constexpr double kTall = 13;  // room for the name of the x axis, of the text size

constexpr double kDash = 3;  // pixels of a unit of a pattern of dashes

// Vertical strokes are left out where a line with this pattern has a gap.
bool isGap(const QList<qreal>& pattern, double at) {
  const double whole = std::accumulate(pattern.begin(), pattern.end(), 0.0);
  if (whole <= 0) return false;
  at = std::fmod(at, whole);
  for (qsizetype i = 0; i < pattern.size(); at -= pattern[i++])
    if (at < pattern[i]) return i % 2 == 1;
  return false;
}

bool hasTitle(const QSizeF& size) {
  return size.height() > theme::em(kTall);
}

}  // namespace

struct PlotView::Chart {
  QGraphicsScene scene;
  QChart* chart = new QChart;                           // the scene's
  QValueAxis *x = new QValueAxis, *y = new QValueAxis;  // from 0 to 1, never shown, never changed
  std::vector<QLineSeries*> series;                     // the chart's
  std::vector<Line> lines;
  std::vector<QList<QPointF>> points;
  std::vector<std::vector<Curve::Column>> columns;
};

PlotView::PlotView() : chart_(std::make_unique<Chart>()) {
  QChart* chart = chart_->chart;
  chart_->scene.setItemIndexMethod(QGraphicsScene::NoIndex);
  chart_->scene.addItem(chart);
  chart->legend()->hide();
  chart->setBackgroundVisible(false);
  chart->setMargins({});
  chart->layout()->setContentsMargins(0, 0, 0, 0);
  chart->setAnimationOptions(QChart::NoAnimation);
  for (auto [axis, side] : {std::pair{chart_->x, Qt::AlignBottom}, {chart_->y, Qt::AlignLeft}}) {
    axis->setRange(0, 1);
    axis->setVisible(false);
    chart->addAxis(axis, side);
  }
}

PlotView::~PlotView() = default;

void PlotView::setLines(const std::vector<Line>& lines) {
  if (lines == chart_->lines) return;
  chart_->lines = lines;
  while (chart_->series.size() > lines.size()) {
    chart_->chart->removeSeries(chart_->series.back());
    delete chart_->series.back();
    chart_->series.pop_back();
  }
  while (chart_->series.size() < lines.size()) {
    auto* series = new QLineSeries;
    chart_->chart->addSeries(series);
    series->attachAxis(chart_->x);
    series->attachAxis(chart_->y);
    chart_->series.push_back(series);
  }
  chart_->points.resize(lines.size());
  chart_->columns.resize(lines.size());
  for (std::size_t i = 0; i < lines.size(); ++i) {
    chart_->series[i]->setPen(QPen(lines[i].colour, lines[i].width, lines[i].style));
    chart_->series[i]->setPointsVisible(lines[i].marker > 0);
    chart_->series[i]->setMarkerSize(lines[i].marker);
  }
}

void PlotView::setPoints(std::size_t line, const QList<QPointF>& unitPoints) {
  LAB_CHECK(line < chart_->points.size());
  chart_->columns[line].clear();
  if (chart_->points[line] == unitPoints) return;
  chart_->points[line] = unitPoints;
  chart_->series[line]->replace(unitPoints);
}

void PlotView::setColumns(std::size_t line, std::vector<Curve::Column> unitColumns) {
  setPoints(line, {});
  chart_->columns[line] = std::move(unitColumns);
}

void PlotView::setFrame(Frame frame) {
  frame_ = std::move(frame);
}

QRectF PlotView::plotArea(const QSizeF& size) {
  const double foot = theme::em(kBottom) + (hasTitle(size) ? theme::em(kTitle) : 0);
  return {std::floor(double(theme::em(kLeft))), double(theme::em(kTop)),
          std::max(8.0, size.width() - theme::em(kLeft) - theme::em(kRight)),
          std::max(8.0, size.height() - theme::em(kTop) - foot)};
}

void PlotView::paint(QPainter& painter, const QSizeF& size) {
  const QRectF area = plotArea(size);
  painter.setRenderHint(QPainter::Antialiasing, false);
  paintGrid(painter, size);
  paintColumns(painter, area);
  QChart* chart = chart_->chart;
  if (chart->size() != size) {
    chart_->scene.setSceneRect(QRectF({0, 0}, size));
    chart->resize(size);
    chart->setPlotArea(area);
  } else if (chart->plotArea() != area) {
    chart->setPlotArea(area);
  }
  // Without a view nobody else delivers what the layout has put off.
  QCoreApplication::sendPostedEvents(chart, QEvent::LayoutRequest);
  painter.setRenderHint(QPainter::Antialiasing);
  chart_->scene.render(&painter, QRectF({0, 0}, size), QRectF({0, 0}, size));
}

void PlotView::paintGrid(QPainter& painter, const QSizeF& size) const {
  const QRectF area = plotArea(size);
  const theme::Colours& colours = theme::colours();
  QFont font = painter.font();
  font.setPixelSize(theme::smallText(theme::kSmallShare));
  painter.setFont(font);
  const double high = painter.fontMetrics().height();

  QPen pen(colours.line);
  pen.setCosmetic(true);
  double lastEnd = -1e9;  // of a label along x: one that would run into the last is left out
  for (const Mark& mark : frame_.horizontal) {
    const double x = area.left() + mark.at * area.width();
    painter.setPen(pen);
    painter.drawLine(QPointF(x, area.top()), QPointF(x, area.bottom()));
    const double wide = painter.fontMetrics().horizontalAdvance(mark.text);
    const double left = std::min(x - wide / 2, size.width() - wide);
    if (left < lastEnd + 0.4 * high) continue;
    lastEnd = left + wide;
    painter.setPen(colours.quietInk);
    painter.drawText(QRectF(left - 1, area.bottom() + 0.25 * high, wide + 2, high), Qt::AlignCenter, mark.text);
  }
  double lastTop = 1e9;
  for (const Mark& mark : frame_.vertical) {
    const double y = area.bottom() - mark.at * area.height();
    painter.setPen(pen);
    painter.drawLine(QPointF(area.left(), y), QPointF(area.right(), y));
    if (y + high / 2 > lastTop) continue;
    lastTop = y - high / 2;
    painter.setPen(colours.quietInk);
    painter.drawText(QRectF(0, y - high / 2, area.left() - 0.4 * high, high), Qt::AlignRight | Qt::AlignVCenter,
                     mark.text);
  }
  if (hasTitle(size) && !frame_.xTitle.isEmpty()) {
    painter.setPen(colours.quietInk);
    painter.drawText(QRectF(area.left(), size.height() - 1.15 * high, area.width(), high), Qt::AlignCenter,
                     frame_.xTitle);
  }
}

void PlotView::paintColumns(QPainter& painter, const QRectF& area) const {
  painter.save();
  painter.setClipRect(area);
  for (std::size_t i = 0; i < chart_->columns.size(); ++i) {
    QList<QLineF> strokes;
    strokes.reserve(static_cast<qsizetype>(chart_->columns[i].size()));
    const QList<qreal> pattern = QPen(chart_->lines[i].style).dashPattern();
    // Half a pixel longer, so that one that is level is seen too.
    for (const Curve::Column& column : chart_->columns[i]) {
      const double x = area.left() + column.x * area.width();
      if (isGap(pattern, x / kDash)) continue;
      strokes.append(QLineF(x, area.bottom() - column.low * area.height() + 0.5, x,
                            area.bottom() - column.high * area.height() - 0.5));
    }
    painter.setPen(QPen(chart_->lines[i].colour, 1, Qt::SolidLine, Qt::FlatCap));
    painter.drawLines(strokes);
  }
  painter.restore();
}

}  // namespace lab

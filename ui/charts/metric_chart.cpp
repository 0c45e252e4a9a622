// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/charts/metric_chart.h"

#include <QChart>
#include <QGraphicsLayout>
#include <QLegend>
#include <QLineSeries>
#include <QPainter>
#include <QPen>
#include <QValueAxis>

#include <algorithm>
#include <cmath>

#include "ui/charts/decimate.h"
#include "ui/theme.h"

namespace lab {
namespace {

constexpr qsizetype kPointLimit = 2000;  // a series; two for each pixel column of a wide chart
constexpr int kTicks = 5;
constexpr double kRoomForMarker = 1.03;  // so that the marker of the last step is whole

QFont scaled(QFont font, double factor, QFont::Weight weight = QFont::Normal) {
  font.setPointSizeF(font.pointSizeF() * factor);
  font.setWeight(weight);
  return font;
}

QValueAxis* makeAxis(const QString& title, const QFont& font) {
  auto* axis = new QValueAxis;
  axis->setTitleText(title);
  axis->setTitleFont(font);
  axis->setLabelsFont(font);
  axis->setTitleBrush(theme::colours().quietInk);
  axis->setLabelsColor(theme::colours().quietInk);
  axis->setGridLineColor(theme::colours().line);
  axis->setLinePenColor(theme::colours().line);
  axis->setTickType(QValueAxis::TicksDynamic);
  axis->setTickAnchor(0);
  return axis;
}

}  // namespace

double roundStep(double maximum, int count) {
  const double raw = maximum / count;
  if (!std::isfinite(raw) || raw <= 0) return 1;
  const double power = std::pow(10, std::floor(std::log10(raw)));
  for (const double factor : {1.0, 2.0, 2.5, 5.0}) {
    if (factor * power >= raw * (1 - 1e-9)) return factor * power;
  }
  return 10 * power;
}

MetricChart::MetricChart(const QString& title, const QString& yTitle, Range range, const std::vector<Line>& lines,
                         QWidget* parent)
    : QChartView(parent), range_(range) {
  const QFont small = scaled(font(), 0.95);
  xAxis_ = makeAxis(tr("Step"), small);
  yAxis_ = makeAxis(yTitle, small);
  xAxis_->setLabelFormat(QStringLiteral("%.0f"));
  chart()->addAxis(xAxis_, Qt::AlignBottom);
  chart()->addAxis(yAxis_, Qt::AlignLeft);
  for (const Line& line : lines) {
    auto* series = new QLineSeries;
    series->setName(line.name);
    series->setPen(QPen(line.colour, line.marked ? 2 : 1));
    series->setPointsVisible(line.marked);
    series->setMarkerSize(4.5);
    chart()->addSeries(series);
    series->attachAxis(xAxis_);
    series->attachAxis(yAxis_);
    series_.push_back(series);
  }
  chart()->setTitle(title);
  chart()->setTitleFont(scaled(font(), 1.15, QFont::DemiBold));
  chart()->setTitleBrush(QBrush(theme::colours().ink));
  chart()->setBackgroundBrush(theme::colours().panel);
  chart()->setBackgroundPen(QPen(theme::colours().line));
  chart()->setBackgroundRoundness(6);
  chart()->setMargins(QMargins(8, 8, 16, 8));
  chart()->layout()->setContentsMargins(0, 0, 0, 0);
  chart()->legend()->setAlignment(Qt::AlignTop);
  chart()->legend()->setMarkerShape(QLegend::MarkerShapeFromSeries);
  chart()->legend()->setFont(small);
  chart()->legend()->setLabelColor(theme::colours().ink);
  setRenderHint(QPainter::Antialiasing);
  setFrameShape(QFrame::NoFrame);
  setBackgroundBrush(theme::colours().window);
  setMinimumSize(320, 240);
  setAccessibleName(title);

  setLastStep(100);
  if (range_ == Range::Percent) {
    yAxis_->setRange(0, 100);
    yAxis_->setTickInterval(20);
    yAxis_->setLabelFormat(QStringLiteral("%.0f"));
  } else {
    yAxis_->setRange(0, 2.5);
    yAxis_->setTickInterval(0.5);
    yAxis_->setLabelFormat(QStringLiteral("%.3g"));
  }
}

void MetricChart::setPoints(std::size_t line, const QList<QPointF>& points) {
  series_.at(line)->replace(decimate(points, kPointLimit));
  if (range_ == Range::Percent) return;
  double largest = 0;
  for (const QLineSeries* series : series_) {
    for (const QPointF& point : series->points()) largest = std::max(largest, point.y());
  }
  if (largest <= 0) return;
  const double step = roundStep(largest, kTicks);
  yAxis_->setTickInterval(step);
  yAxis_->setMax(step * std::ceil(largest / step));
}

void MetricChart::setLastStep(double step) {
  xAxis_->setTickInterval(std::max(1.0, roundStep(step, kTicks)));
  xAxis_->setRange(0, kRoomForMarker * std::max(1.0, step));
}

QList<QPointF> MetricChart::shownPoints(std::size_t line) const {
  return series_.at(line)->points();
}

}  // namespace lab

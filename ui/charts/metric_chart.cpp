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
constexpr double kRoomForTicks = 13;  // of the text size
constexpr double kTall = 17;          // of the text size: room for the name of the x axis
constexpr qsizetype kFewPoints = 20;
constexpr double kFewestSteps = 10;      // on the x axis
constexpr double kRoomForMarker = 1.03;  // so that the marker of the last step is whole

QFont scaled(QFont font, double factor, QFont::Weight weight = QFont::Normal) {
  font.setPixelSize(static_cast<int>(std::lround(theme::textSize() * factor)));
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

MetricChart::MetricChart(const QString& title, const QString& unit, Range range, const std::vector<Line>& lines,
                         QWidget* parent)
    : QChartView(parent), range_(range) {
  const QFont small = scaled(font(), 0.95);
  xAxis_ = makeAxis(tr("Step"), small);
  yAxis_ = makeAxis({}, small);
  xAxis_->setLabelFormat(QStringLiteral("%.0f"));
  chart()->addAxis(xAxis_, Qt::AlignBottom);
  chart()->addAxis(yAxis_, Qt::AlignLeft);
  for (const Line& line : lines) {
    auto* series = new QLineSeries;
    series->setName(line.name);
    series->setPen(QPen(line.colour, (line.marked ? 0.15 : 0.09) * theme::textSize()));
    series->setPointsVisible(line.marked);
    series->setMarkerSize(0.35 * theme::textSize());
    chart()->addSeries(series);
    series->attachAxis(xAxis_);
    series->attachAxis(yAxis_);
    series_.push_back(series);
    marked_.push_back(line.marked);
  }
  setWords(title, unit);
  chart()->setTitleFont(small);
  chart()->setTitleBrush(QBrush(theme::colours().ink));
  chart()->setBackgroundBrush(theme::colours().panel);
  chart()->setBackgroundPen(Qt::NoPen);
  chart()->setBackgroundRoundness(0);
  chart()->setMargins(QMargins(theme::em(0.4), theme::em(0.3), theme::em(0.9), theme::em(0.3)));
  chart()->layout()->setContentsMargins(0, 0, 0, 0);
  chart()->legend()->hide();
  setRenderHint(QPainter::Antialiasing);
  setFrameShape(QFrame::NoFrame);
  setViewportUpdateMode(FullViewportUpdate);  // a series of one point claims less room than its marker takes
  setBackgroundBrush(theme::colours().panel);
  setMinimumSize(theme::em(15), theme::em(10));

  setLastStep(0);
  if (range_ == Range::Percent) {
    yAxis_->setRange(0, 100);
    yAxis_->setLabelFormat(QStringLiteral("%.0f"));
    fitTicks();
  } else {
    yAxis_->setMin(0);
    fitTicks();
  }
}

void MetricChart::setPoints(std::size_t line, const QList<QPointF>& points) {
  series_.at(line)->replace(decimate(points, kPointLimit));
  if (!marked_.at(line)) series_.at(line)->setPointsVisible(points.size() < kFewPoints);  // one point makes no line
  if (range_ == Range::Percent) return;
  double largest = 0;
  for (const QLineSeries* series : series_) {
    for (const QPointF& point : series->points()) largest = std::max(largest, point.y());
  }
  if (largest <= 0) return;
  largest_ = largest;
  fitTicks();
}

// As many lines as there is room for their numbers: where there is not, Qt Charts writes dots.
void MetricChart::fitTicks() {
  const int ticks = height() > theme::em(kRoomForTicks) ? kTicks : 2;
  if (range_ == Range::Percent) {
    yAxis_->setTickInterval(100.0 / ticks);
    return;
  }
  const double step = roundStep(largest_, ticks);
  const QString format = largest_ < 1000 ? QStringLiteral("%.3g") : QStringLiteral("%.0f");
  if (yAxis_->labelFormat() != format) yAxis_->setLabelFormat(format);  // the same one again lays the chart out anew
  yAxis_->setTickInterval(step);
  yAxis_->setMax(step * std::ceil(largest_ / step));
}

void MetricChart::setLastStep(double step) {
  // A round end, which is changed rarely: each change of an axis costs as much as new points do.
  const double tick = std::max(1.0, roundStep(std::max(step, kFewestSteps), kTicks));
  const double end = kRoomForMarker * tick * std::ceil(std::max(step, kFewestSteps) / tick);
  if (end == xAxis_->max()) return;
  xAxis_->setTickInterval(tick);
  xAxis_->setRange(0, end);
}

// One line for title, unit and legend: each of its own would take the room from the points.
void MetricChart::setWords(const QString& title, const QString& unit) {
  QString words = QStringLiteral("<b>%1</b>, %2").arg(title.toHtmlEscaped(), unit.toHtmlEscaped());
  for (const QLineSeries* series : series_) {
    words += QStringLiteral(" &nbsp;<span style=\"color:%1\">\u25CF</span> %2")
                 .arg(series->color().name(), series->name().toHtmlEscaped());
  }
  if (chart()->title() != words) chart()->setTitle(words);
  setAccessibleName(title);
}

void MetricChart::resizeEvent(QResizeEvent* event) {
  QChartView::resizeEvent(event);
  const bool tall = height() > theme::em(kTall);
  if (xAxis_->isTitleVisible() != tall) xAxis_->setTitleVisible(tall);
  fitTicks();
}

QList<QPointF> MetricChart::shownPoints(std::size_t line) const {
  return series_.at(line)->points();
}

}  // namespace lab

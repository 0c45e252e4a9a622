// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/charts/series_chart.h"

#include <QPainter>

#include <algorithm>
#include <cmath>
#include <limits>

#include "ui/accessibility/own_events.h"
#include "ui/i18n/words.h"
#include "ui/theme/painted_words.h"
#include "ui/theme/theme.h"

namespace lab {
namespace {

constexpr double kLeastDistance = 1e-9;
constexpr double kStroke = 0.15, kMarker = 0.3;  // in text sizes
constexpr std::size_t kMarkedPoints = 60;        // more would run into one another
constexpr double kRoomForMarkers = 0.02;         // so that markers at the ends are not cut
constexpr int kSteps = 4;                        // in a round range
constexpr double kInfinite = std::numeric_limits<double>::infinity();

}  // namespace

SeriesChart::SeriesChart(const QString& title, Scale scale, QWidget* parent)
    : QWidget(parent), title_(title), kind_(scale) {
  setObjectName(QStringLiteral("seriesChart"));
  setAccessibleName(title);
}

QSize SeriesChart::sizeHint() const {
  return {theme::em(24), theme::em(11)};
}

QSize SeriesChart::minimumSizeHint() const {
  return {theme::em(12), theme::em(6)};
}

void SeriesChart::setSeries(std::vector<Series> series, const QString& xName, bool countedX) {
  series_ = std::move(series);
  xName_ = xName;
  countedX_ = countedX;
  QStringList words;
  for (const Series& one : series_)
    if (!one.curve.empty())
      words << tr("%1: %2 at %3 %4")
                   .arg(one.name, numberText(one.curve.y(one.curve.size() - 1), 'g', 4),
                        numberText(one.curve.x(one.curve.size() - 1), 'g', 7), xName_);
  setAccessibleDescription(words.join(QStringLiteral("; ")));
  update();
}

void SeriesChart::changeEvent(QEvent* event) {
  QWidget::changeEvent(event);
  update();
}

PlotHead SeriesChart::head() const {
  PlotHead head{.title = title_, .unit = {}, .entries = {}};
  for (const Series& one : series_) head.entries.push_back({one.colour, one.name, one.style});
  return head;
}

QRectF SeriesChart::place() const {
  return title_.isEmpty() ? QRectF(rect()) : head().layout(font(), size(), PlotHead::Names::Below).plot;
}

ChartScale SeriesChart::scale() const {
  const bool distances = kind_ == Scale::Distances;
  double low = kInfinite, high = -kInfinite, first = kInfinite, last = -kInfinite;
  const auto measure = [&](bool all) {
    for (const Series& one : series_)
      for (std::size_t i = 0; i < one.curve.size(); ++i) {
        const double x = one.curve.x(i), y = one.curve.y(i);
        first = std::min(first, x);
        last = std::max(last, x);
        if ((distances && y <= 0) || (!all && x >= one.leavesAt)) continue;
        low = std::min(low, y);
        high = std::max(high, y);
      }
  };
  measure(false);
  if (!(low <= high)) measure(true);
  // A half would be lost beside 1e17: the axis would have no length.
  const double room = first < last ? kRoomForMarkers * (last - first) : std::max(0.5, 1e-9 * std::abs(first));
  ChartScale scale{.x = first <= last ? Range{first - room, last + room} : Range{0, 1}, .logarithmic = distances};
  if (kind_ == Scale::Differences) {
    low = std::min(low, 0.0);
    high = std::max(high, 0.0);
  }
  const bool any = low <= high;
  if (distances) {
    const double least = std::max(kLeastDistance, any ? low : 1e-7);
    scale.y = {logFoot(least), logRange(least, std::max(any ? high : 1e-6, 2 * kLeastDistance)).to};
  } else if (any) {
    const Range round = roundRange({low, high}, kSteps);
    scale.y = {round.from - kRoomForMarkers * round.length(), round.to + kRoomForMarkers * round.length()};
  }
  return scale;
}

Plot SeriesChart::plot() const {
  Plot plot{.scale = scale(), .xTitle = xName_, .countedX = countedX_};
  if (kind_ == Scale::Distances) {
    plot.foot = tr("exactly 0");
    plot.left = QFontMetricsF(theme::smallFont(font())).horizontalAdvance(plot.foot) + theme::em(0.6);
  }
  if (kind_ == Scale::Differences) plot.rules.push_back({0, QPen(theme::colours().edge, 1), {}});
  for (const Series& one : series_) {
    const double marker = one.curve.size() <= kMarkedPoints ? theme::em(kMarker) : 0;
    plot.series.push_back({&one.curve, {one.colour, kStroke * theme::textSize(), marker, one.style}});
    if (one.leavesAt == kInfinite) continue;
    const bool stays = one.curve.isWithin(one.leavesAt, kInfinite) &&
                       one.curve.extremes(one.leavesAt, kInfinite).second <= plot.scale.y.to;
    if (!stays) plot.exits.push_back({one.leavesAt, one.colour, tr("diverged")});
  }
  return plot;
}

void SeriesChart::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  keepLeftToRight(painter);
  painter.fillRect(rect(), theme::colours().panel);
  if (!title_.isEmpty()) head().paint(painter, size(), head().layout(font(), size(), PlotHead::Names::Below));
  view_.paint(painter, place(), plot());
}

QString SeriesChart::wordsAt(double x) const {
  QStringList words;
  for (const Series& one : series_) {
    if (one.curve.empty()) continue;
    const std::size_t at = one.curve.nearest(x);
    words << tr("%1: %2 at %3 %4")
                 .arg(one.name, numberText(one.curve.y(at), 'g', 5), numberText(one.curve.x(at), 'g', 7), xName_);
  }
  return words.join(QLatin1Char('\n'));
}

bool SeriesChart::event(QEvent* event) {
  const auto words = [this](const QPoint& at) {
    return wordsAt(scale().valueAt(PlotView::plotArea(place(), plot().left), at).x());
  };
  return showsTip(*event, *this, words) || QWidget::event(event);
}

}  // namespace lab

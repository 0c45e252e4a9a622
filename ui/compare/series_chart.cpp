// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/compare/series_chart.h"

#include <QHelpEvent>
#include <QPainter>
#include <QPainterPath>
#include <QToolTip>

#include <algorithm>
#include <cmath>
#include <limits>

#include "ui/charts/chart_scale.h"
#include "ui/i18n/words.h"
#include "ui/theme/painted_words.h"
#include "ui/theme/theme.h"

namespace lab {
namespace {

constexpr double kHead = 1.5, kLeft = 4.2, kFoot = 1.5, kZeroRow = 1.2;  // of the text size
constexpr double kLeastDistance = 1e-9;
constexpr double kMark = 1.6;

}  // namespace

struct SeriesChart::Axes {
  QRectF plot;  // without the row for zeros
  ChartScale scale;
  double zeroY = 0;  // of what is exactly 0, on a logarithmic axis

  QPointF at(const QPointF& value) const {
    const double x = plot.left() + scale.unitX(value.x()) * plot.width();
    if (scale.logarithmic && value.y() <= 0) return {x, zeroY};
    return {x, plot.bottom() - std::clamp(scale.unitY(value.y()), 0.0, 1.0) * plot.height()};
  }
};

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

void SeriesChart::setSeries(std::vector<Series> series, const QString& xName) {
  series_ = std::move(series);
  xName_ = xName;
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

QFont SeriesChart::smallFont() const {
  QFont small = font();
  small.setPixelSize(theme::smallText(theme::kSmallShare));
  return small;
}

QString SeriesChart::zeroWords() const {
  return kind_ == Scale::Distances ? tr("exactly 0") : QString();
}

SeriesChart::Axes SeriesChart::axes() const {
  Axes axes;
  const bool distances = kind_ == Scale::Distances;
  const int left =
      std::max(theme::em(kLeft), QFontMetrics(smallFont()).horizontalAdvance(zeroWords()) + theme::em(0.6));
  axes.plot = QRectF(left, theme::em(kHead), std::max(1, width() - left - theme::em(1)),
                     std::max(1, height() - theme::em(kHead + kFoot + (distances ? kZeroRow : 0))));
  axes.zeroY = axes.plot.bottom() + theme::em(kZeroRow * 0.7);
  double low = std::numeric_limits<double>::infinity(), high = -low, first = low, last = -low;
  for (const Series& one : series_)
    for (std::size_t i = 0; i < one.curve.size(); ++i) {
      first = std::min(first, one.curve.x(i));
      last = std::max(last, one.curve.x(i));
      const double y = one.curve.y(i);
      if (!std::isfinite(y) || (distances && y <= 0)) continue;
      low = std::min(low, y);
      high = std::max(high, y);
    }
  axes.scale.x = first < last ? Range{first, last}
                              : Range{std::isfinite(first) ? first - 0.5 : 0, std::isfinite(first) ? first + 0.5 : 1};
  axes.scale.logarithmic = distances;
  if (distances) {
    const bool any = low <= high;
    axes.scale.y =
        logRange(std::max(kLeastDistance, any ? low : 1e-7), std::max(any ? high : 1e-6, 2 * kLeastDistance));
  } else {
    if (kind_ == Scale::Differences) {
      low = std::min(low, 0.0);
      high = std::max(high, 0.0);
    }
    axes.scale.y = low <= high ? roundRange({low, high}, 4) : Range{0, 1};
  }
  return axes;
}

void SeriesChart::paintGrid(QPainter& painter, const Axes& axes) const {
  const theme::Colours& c = theme::colours();
  painter.setFont(smallFont());
  const int count = std::max(2, static_cast<int>(axes.plot.height() / theme::em(2.2)));
  for (const Tick& tick : axes.scale.logarithmic ? logTicks(axes.scale.y, count) : linearTicks(axes.scale.y, count)) {
    const double y = axes.at({axes.scale.x.from, tick.at}).y();
    painter.setPen(QPen(c.line, 1));
    painter.drawLine(QPointF(axes.plot.left(), y), QPointF(axes.plot.right(), y));
    painter.setPen(c.quietInk);
    painter.drawText(QRectF(0, y - theme::em(0.7), axes.plot.left() - theme::em(0.3), theme::em(1.4)),
                     Qt::AlignRight | Qt::AlignVCenter, tick.text);
  }
  for (const Tick& tick :
       linearTicks(axes.scale.x, std::max(2, static_cast<int>(axes.plot.width() / theme::em(6))), true)) {
    const double x = axes.at({tick.at, axes.scale.y.from}).x();
    painter.setPen(c.quietInk);
    const double words = painter.fontMetrics().horizontalAdvance(tick.text) + 2;
    painter.drawText(
        QRectF(std::min(x - words / 2, width() - words), height() - theme::em(kFoot), words, theme::em(kFoot)),
        Qt::AlignHCenter | Qt::AlignVCenter, tick.text);
  }
  const double room = axes.plot.left() - theme::em(0.3);
  painter.drawText(QRectF(theme::em(0.3), height() - theme::em(kFoot), room, theme::em(kFoot)),
                   Qt::AlignLeft | Qt::AlignVCenter,
                   painter.fontMetrics().elidedText(xName_, Qt::ElideRight, static_cast<int>(room)));
  if (kind_ == Scale::Distances) {
    painter.setPen(QPen(c.edge, 1));
    painter.drawLine(QPointF(axes.plot.left(), axes.zeroY), QPointF(axes.plot.right(), axes.zeroY));
    painter.setPen(c.quietInk);
    painter.drawText(QRectF(0, axes.zeroY - theme::em(0.7), axes.plot.left() - theme::em(0.3), theme::em(1.4)),
                     Qt::AlignRight | Qt::AlignVCenter, zeroWords());
  } else if (kind_ == Scale::Differences) {
    const double y = axes.at({axes.scale.x.from, 0}).y();
    painter.setPen(QPen(c.edge, 1));
    painter.drawLine(QPointF(axes.plot.left(), y), QPointF(axes.plot.right(), y));
  }
}

void SeriesChart::paintLegend(QPainter& painter) const {
  const theme::Colours& c = theme::colours();
  QFont bold = font();
  bold.setPixelSize(theme::smallText(theme::kSmallShare));
  QFont plain = bold;
  bold.setWeight(QFont::DemiBold);
  painter.setFont(bold);
  painter.setPen(c.ink);
  double x = theme::em(0.5);
  const double high = theme::em(kHead);
  painter.drawText(QRectF(x, 0, width(), high), Qt::AlignLeft | Qt::AlignVCenter, title_);
  x += painter.fontMetrics().horizontalAdvance(title_) + theme::em(1);
  painter.setFont(plain);
  for (const Series& one : series_) {
    const double words = painter.fontMetrics().horizontalAdvance(one.name);
    if (x + theme::em(kMark) + words > width()) break;
    painter.setPen(QPen(one.colour, 2, one.style));
    painter.drawLine(QPointF(x, high / 2), QPointF(x + theme::em(kMark - 0.4), high / 2));
    painter.setPen(c.ink);
    painter.drawText(QRectF(x + theme::em(kMark), 0, words + 1, high), Qt::AlignLeft | Qt::AlignVCenter, one.name);
    x += theme::em(kMark + 0.9) + words;
  }
}

void SeriesChart::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  keepLeftToRight(painter);
  painter.setRenderHint(QPainter::Antialiasing);
  painter.fillRect(rect(), theme::colours().panel);
  const Axes axes = this->axes();
  paintGrid(painter, axes);
  paintLegend(painter);
  painter.setBrush(Qt::NoBrush);
  for (const Series& one : series_) {
    const QList<QPointF> points =
        one.curve.shown(axes.scale.x.from, axes.scale.x.to, std::max(2, static_cast<int>(axes.plot.width())));
    QPolygonF line;
    for (const QPointF& point : points) line << axes.at(point);
    painter.setPen(QPen(one.colour, 2, one.style));
    painter.drawPolyline(line);
    if (points.size() > 60) continue;
    painter.setBrush(one.colour);
    painter.setPen(Qt::NoPen);
    for (const QPointF& point : line) painter.drawEllipse(point, 2.5, 2.5);
    painter.setBrush(Qt::NoBrush);
  }
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
  if (event->type() != QEvent::ToolTip) return QWidget::event(event);
  auto* help = static_cast<QHelpEvent*>(event);
  const Axes axes = this->axes();
  const double x = axes.scale.valueX((help->pos().x() - axes.plot.left()) / axes.plot.width());
  QToolTip::showText(help->globalPos(), wordsAt(x), this);
  return true;
}

}  // namespace lab

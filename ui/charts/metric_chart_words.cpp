// SPDX-License-Identifier: GPL-3.0-or-later
// The text on a chart: its title, the legend, and the crosshair's readings.
#include <QPainter>

#include <algorithm>
#include <cmath>

#include "ui/charts/metric_chart.h"
#include "ui/i18n/words.h"
#include "ui/runs/run_colours.h"
#include "ui/runs/run_library.h"
#include "ui/theme/theme.h"

namespace lab {
namespace {

constexpr double kReach = 8;   // pixels along x within which an isolated point is read
constexpr double kMenu = 2.2;  // in text sizes: the menu's button

// Rates as they are written elsewhere: 1,327,195 and not 1.3272e+06.
QString readingText(double value) {
  const double size = std::abs(value);
  return size >= 1e4 && size < 1e9 ? countText(std::llround(value)) : numberText(value, 'g', 5);
}

}  // namespace

// Names the kinds of line for a single run, or the runs if there are several, as the kinds look alike.
PlotHead MetricChart::head(Names names) const {
  PlotHead head{.title = words_.name,
                .unit = (words_.unit.isEmpty() ? QString() : tr(", %1").arg(words_.unit)) +
                        (scale_.logarithmic ? tr(", logarithmic") : QString()),
                .entries = {},
                .menu = double(theme::em(kMenu))};
  if (curves_.size() < 2) {
    if (lines_.size() > 1)
      for (const Line& line : lines_) head.entries.push_back({line.look.colour, nameOf(line)});
  } else if (names != Names::Beside) {
    for (auto curves = curves_.rbegin(); curves != curves_.rend(); ++curves)  // the present run first
      if (const KeptRun* run = library_.find(curves->run()))
        head.entries.push_back({runColour(run->colour), library_.nameOf(*run), runStyle(run->colour)});
  }
  return head;
}

PlotHead::Layout MetricChart::layout(const PlotHead& head, const QSizeF& size, Names names) const {
  return head.layout(font(), size, names == Names::All ? PlotHead::Names::All : PlotHead::Names::End);
}

std::vector<Reading> MetricChart::readingsAt(const QPointF& position) const {
  std::vector<const Curve*> curves;
  for (const Line& line : lines_) curves.push_back(&curveOf(line));
  const QRectF plot = plotArea();
  return readings(curves, scale_, plot.size(), position - plot.topLeft(), kReach);
}

QStringList MetricChart::readingWords(const QPointF& position) const {
  QStringList words;
  for (const Reading& reading : readingsAt(position))
    words << tr("%1  %2").arg(readingText(reading.value.y()), nameOf(lines_[reading.curve]));
  return words;
}

void MetricChart::drawReadout(QPainter& painter) const {
  const QRectF plot = plotArea();
  if (!plot.contains(*pointer_)) return;
  const theme::Colours& colours = theme::colours();
  const double em = theme::textSize();
  painter.setRenderHint(QPainter::Antialiasing, false);
  painter.setPen(QPen(colours.edge, 1, Qt::DashLine));
  painter.drawLine(QPointF(pointer_->x(), plot.top()), QPointF(pointer_->x(), plot.bottom()));
  painter.drawLine(QPointF(plot.left(), pointer_->y()), QPointF(plot.right(), pointer_->y()));

  std::vector<Reading> found = readingsAt(*pointer_);
  if (found.empty()) return;
  const double at = found.front().value.x();
  std::sort(found.begin(), found.end(), [](const Reading& a, const Reading& b) { return a.value.y() > b.value.y(); });
  painter.setRenderHint(QPainter::Antialiasing);
  for (const Reading& reading : found) {
    painter.setPen(QPen(colours.panel, 1.5));
    painter.setBrush(lines_[reading.curve].look.colour);
    painter.drawEllipse(positionOf(reading.value), 0.32 * em, 0.32 * em);
  }

  // Beside the pointer, if there is room.
  painter.setFont(theme::smallFont(painter.font()));
  const QFontMetricsF metrics(painter.font());
  QStringList rows{tr("%1: %2").arg(lab::nameOf(options_.axis), numberText(at, 'g', 7))};
  double wide = metrics.horizontalAdvance(rows.first());
  for (const Reading& reading : found) {
    rows << tr("%1  %2").arg(readingText(reading.value.y()), nameOf(lines_[reading.curve]));
    wide = std::max(wide, metrics.horizontalAdvance(rows.last()) + (kRunMarkEm + 0.3) * em);
  }
  const QSizeF size(std::min(wide + 1.2 * em, double(width()) - 4),
                    metrics.height() * static_cast<double>(rows.size()) + 0.7 * em);
  QPointF corner(pointer_->x() + em, pointer_->y() + em);
  if (corner.x() + size.width() > width() - 2) corner.setX(std::max(2.0, pointer_->x() - em - size.width()));
  if (corner.y() + size.height() > height() - 2) corner.setY(std::max(2.0, pointer_->y() - em - size.height()));
  painter.setPen(colours.edge);
  painter.setBrush(colours.panel);
  painter.drawRoundedRect(QRectF(corner, size), 0.3 * em, 0.3 * em);
  double y = corner.y() + 0.35 * em;
  for (qsizetype i = 0; i < rows.size(); ++i, y += metrics.height()) {
    double x = corner.x() + 0.6 * em;
    if (i > 0) {
      const Plot::Line& look = lines_[found[static_cast<std::size_t>(i - 1)].curve].look;
      paintRunMark(painter, QPointF(x + kRunMarkEm / 2 * em, y + metrics.height() / 2), em, look.colour, look.style);
      x += (kRunMarkEm + 0.3) * em;
    }
    painter.setPen(i == 0 ? colours.quietInk : colours.ink);
    const double room = corner.x() + size.width() - 0.4 * em - x;
    painter.drawText(QRectF(x, y, room, metrics.height()), Qt::AlignLeft | Qt::AlignVCenter,
                     metrics.elidedText(rows[i], Qt::ElideRight, room));
  }
}

}  // namespace lab

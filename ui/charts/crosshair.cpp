// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/charts/crosshair.h"

#include <QPainter>

#include <algorithm>
#include <cmath>
#include <utility>

#include "core/base/at.h"
#include "ui/charts/chart_lines.h"
#include "ui/i18n/words.h"
#include "ui/runs/run_colours.h"
#include "ui/theme/theme.h"

namespace lab {
namespace {

constexpr double kReach = 8;  // pixels along x within which an isolated point is read

// Rates as they are written elsewhere: 1,327,195 and not 1.3272e+06.
QString readingText(double value) {
  const double size = std::abs(value);
  return size >= 1e4 && size < 1e9 ? countText(std::llround(value)) : numberText(value, 'g', 5);
}

}  // namespace

bool Crosshair::move(const QPointF& position, const QRectF& plot) {
  if (!plot.contains(position)) return hide();
  at_ = position;
  return true;
}

bool Crosshair::hide() {
  return std::exchange(at_, std::nullopt).has_value();
}

std::vector<Reading> Crosshair::readingsAt(const QPointF& position, const QRectF& plot) const {
  std::vector<const Curve*> curves;
  for (const ChartLines::Line& line : lines_.lines()) curves.push_back(&lines_.curveOf(line));
  return readings(curves, scale_, plot.size(), position - plot.topLeft(), kReach);
}

QString Crosshair::wordsOf(const Reading& reading) const {
  return tr("%1  %2").arg(readingText(reading.value.y()), lines_.nameOf(lines_.lines()[reading.curve]));
}

QStringList Crosshair::wordsAt(const QPointF& position, const QRectF& plot) const {
  QStringList words;
  for (const Reading& reading : readingsAt(position, plot)) words << wordsOf(reading);
  return words;
}

void Crosshair::paint(QPainter& painter, const QRectF& plot, const QSizeF& chart) const {
  if (!plot.contains(*at_)) return;
  const theme::Colours& colours = theme::colours();
  const double em = theme::textSize();
  painter.setRenderHint(QPainter::Antialiasing, false);
  painter.setPen(QPen(colours.edge, 1, Qt::DashLine));
  painter.drawLine(QPointF(at_->x(), plot.top()), QPointF(at_->x(), plot.bottom()));
  painter.drawLine(QPointF(plot.left(), at_->y()), QPointF(plot.right(), at_->y()));

  std::vector<Reading> found = readingsAt(*at_, plot);
  if (found.empty()) return;
  const double at = found.front().value.x();
  std::sort(found.begin(), found.end(), [](const Reading& a, const Reading& b) { return a.value.y() > b.value.y(); });
  painter.setRenderHint(QPainter::Antialiasing);
  for (const Reading& reading : found) {
    painter.setPen(QPen(colours.panel, 1.5));
    painter.setBrush(lines_.lines()[reading.curve].look.colour);
    painter.drawEllipse(scale_.at(plot, reading.value), 0.32 * em, 0.32 * em);
  }

  // Beside the pointer, if there is room.
  painter.setFont(theme::smallFont(painter.font()));
  const QFontMetricsF metrics(painter.font());
  QStringList rows{tr("%1: %2").arg(nameOf(lines_.options().axis), numberText(at, 'g', 7))};
  double wide = metrics.horizontalAdvance(rows.first());
  for (const Reading& reading : found) {
    rows << wordsOf(reading);
    wide = std::max(wide, metrics.horizontalAdvance(rows.last()) + (kRunMarkEm + 0.3) * em);
  }
  const QSizeF size(std::min(wide + 1.2 * em, chart.width() - 4),
                    metrics.height() * static_cast<double>(rows.size()) + 0.7 * em);
  QPointF corner(at_->x() + em, at_->y() + em);
  if (corner.x() + size.width() > chart.width() - 2) corner.setX(std::max(2.0, at_->x() - em - size.width()));
  if (corner.y() + size.height() > chart.height() - 2) corner.setY(std::max(2.0, at_->y() - em - size.height()));
  painter.setPen(colours.edge);
  painter.setBrush(colours.panel);
  painter.drawRoundedRect(QRectF(corner, size), 0.3 * em, 0.3 * em);
  double y = corner.y() + 0.35 * em;
  for (qsizetype i = 0; i < rows.size(); ++i, y += metrics.height()) {
    double x = corner.x() + 0.6 * em;
    if (i > 0) {
      const Plot::Line& look = lines_.lines()[lab::at(found, i - 1).curve].look;
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

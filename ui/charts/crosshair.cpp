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

QStringList Crosshair::wordsOf(const std::vector<Reading>& found, const QPointF& position, const QRectF& plot) const {
  if (found.empty()) return {};
  const auto pixel = [&](const Reading& reading) { return scale_.at(plot, reading.value).x(); };
  const auto away = [&](const Reading& reading) { return std::abs(pixel(reading) - position.x()); };
  const auto text = [](double x) { return numberText(x, 'g', 7); };
  const Reading& nearest = *std::ranges::min_element(found, {}, away);
  QStringList words{tr("%1: %2").arg(nameOf(lines_.options().axis), text(nearest.value.x()))};
  for (const Reading& reading : found) {
    const QString value = readingText(reading.value.y()), line = lines_.nameOf(lines_.lines()[reading.curve]);
    words << (std::abs(pixel(reading) - pixel(nearest)) <= kReach
                  ? tr("%1  %2").arg(value, line)
                  : tr("%1  %2, at %3").arg(value, line, text(reading.value.x())));
  }
  return words;
}

QStringList Crosshair::wordsAt(const QPointF& position, const QRectF& plot) const {
  return wordsOf(readingsAt(position, plot), position, plot);
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
  const QStringList rows = wordsOf(found, *at_, plot);
  double wide = 0;
  for (qsizetype i = 0; i < rows.size(); ++i)
    wide = std::max(wide, metrics.horizontalAdvance(rows[i]) + (i > 0 ? (kRunMarkEm + 0.3) * em : 0));
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
    // The end of a row says which of a run's lines it is, and where.
    painter.drawText(QRectF(x, y, room, metrics.height()), Qt::AlignLeft | Qt::AlignVCenter,
                     metrics.elidedText(rows[i], Qt::ElideMiddle, room));
  }
}

}  // namespace lab

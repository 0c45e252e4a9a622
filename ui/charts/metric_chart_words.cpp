// SPDX-License-Identifier: GPL-3.0-or-later
// What is written on a chart: its header with the legend, the marks of zeros, and what the crosshair reads.
#include <QPainter>
#include <QPainterPath>

#include <algorithm>
#include <cmath>

#include "ui/charts/metric_chart.h"
#include "ui/i18n/words.h"
#include "ui/runs/run_colours.h"
#include "ui/runs/run_library.h"
#include "ui/theme/theme.h"

namespace lab {
namespace {

constexpr double kReach = 8;                       // pixels along x within which a lone point is read
constexpr double kLine = 1.5, kMenu = 2.2;         // of the text size: a line of the header, and the menu's button
constexpr double kGap = 0.9;                       // before an entry's mark
constexpr double kHeader = 1.75;                   // of the text size
constexpr double kLowChart = 11, kWideChart = 40;  // of the text size: a chart of such a shape has its head at its end,
constexpr double kHeadWide = 15;                   // at most so wide
constexpr double kNamesFrom = 16, kNamesShare = 0.25;  // least height with lines of names, and how much they take

// Rates as they are elsewhere: 1,327,195 and not 1.3272e+06.
QString readingText(double value) {
  const double size = std::abs(value);
  return size >= 1e4 && size < 1e9 ? countText(std::llround(value)) : numberText(value, 'g', 5);
}

// What stands before an entry's words.
double markEm(Qt::PenStyle style) {
  return kGap + (style == Qt::SolidLine ? 0.9 : kRunMarkEm + 0.3);
}

std::pair<QFont, QFont> headerFonts(QFont font) {
  font.setPixelSize(theme::smallText(theme::kSmallShare));
  QFont bold = font;
  bold.setWeight(QFont::DemiBold);
  return {bold, font};
}

}  // namespace

// The kinds of line of a run by itself; the runs where there are several: their kinds look alike.
std::vector<MetricChart::Entry> MetricChart::legend(bool nameRuns) const {
  std::vector<Entry> entries;
  if (curves_.size() < 2) {
    if (lines_.size() > 1)
      for (const Line& line : lines_) entries.push_back({line.look.colour, nameOf(line)});
  } else if (nameRuns) {
    for (auto curves = curves_.rbegin(); curves != curves_.rend(); ++curves)  // the present one first
      if (const KeptRun* run = library_.find(curves->run()))
        entries.push_back({runColour(run->colour), library_.nameOf(*run), runStyle(run->colour)});
  }
  return entries;
}

double MetricChart::drawEntry(QPainter& painter, const Entry& entry, double x, double y, double room) const {
  const double em = theme::textSize(), high = theme::em(kLine), mark = markEm(entry.style) * em;
  const double half = entry.style == Qt::SolidLine ? 0.3 : kRunMarkEm / 2;
  QFont font = painter.font();
  font.setPixelSize(theme::smallText(theme::kSmallShare));
  font.setWeight(QFont::Normal);
  painter.setFont(font);
  paintRunMark(painter, QPointF(x + (kGap + half) * em, y + high / 2), em, entry.colour, entry.style);
  painter.setPen(theme::colours().ink);
  const QString text =
      painter.fontMetrics().elidedText(entry.text, Qt::ElideRight, static_cast<int>(std::max(0.0, room - mark)));
  const double wide = painter.fontMetrics().horizontalAdvance(text);
  painter.drawText(QRectF(x + mark, y, wide + 1, high), Qt::AlignLeft | Qt::AlignVCenter, text);
  return mark + wide;
}

// One line for title, unit and legend: each of its own would take the room from the points.
// `more`: entries that stand nowhere.
void MetricChart::drawHeader(QPainter& painter, double width, const std::vector<Entry>& entries,
                             std::size_t more) const {
  const theme::Colours& colours = theme::colours();
  const double em = theme::textSize(), top = theme::em(0.25);
  const auto [bold, plain] = headerFonts(painter.font());
  const double right = width - theme::em(kMenu);
  double x = theme::em(0.6);
  const auto write = [&, plain = plain](const QString& text, const QFont& font, const QColor& colour) {
    painter.setFont(font);
    painter.setPen(colour);
    const double wide = painter.fontMetrics().horizontalAdvance(text);
    const double room = std::max(0.0, right - x);
    painter.drawText(QRectF(x, top, std::min(wide, room) + 1, theme::em(kLine)), Qt::AlignLeft | Qt::AlignVCenter,
                     wide <= room ? text : painter.fontMetrics().elidedText(text, Qt::ElideRight, int(room)));
    x += std::min(wide, room);
  };
  write(words_.name, bold, colours.ink);
  write(titleEnd(), plain, colours.quietInk);
  painter.setFont(plain);
  for (std::size_t i = 0; i < entries.size(); ++i) {
    const double mark = markEm(entries[i].style) * em;
    const double wide = painter.fontMetrics().horizontalAdvance(entries[i].text) + mark;
    // The first keeps at least a part: a number alone says nothing.
    const double room = right - x - (i + 1 == entries.size() ? 0 : 2 * em);
    if (wide > room && (i > 0 || room < mark + 3 * em)) {
      x += 0.7 * em;
      write(tr("+%1").arg(entries.size() - i), plain, colours.quietInk);
      return;
    }
    x += drawEntry(painter, entries[i], x, top, room);
  }
  if (more == 0) return;
  x += 0.7 * em;
  write(tr("+%1").arg(more), plain, colours.quietInk);
}

// A low chart keeps its height for the points, a high one has lines for names that the header has no room for.
MetricChart::Head MetricChart::head(const QSizeF& size, Names names) const {
  Head head;
  if (names != Names::All && size.height() < theme::em(kLowChart) && size.width() >= theme::em(kWideChart)) {
    head.atEnd = true;
    head.plot = QRectF(0, 0, size.width() - theme::em(kHeadWide), size.height());
    return head;
  }
  if (names == Names::All || (names == Names::InHeader && size.height() >= theme::em(kNamesFrom)))
    head.places = namePlaces(size.width());
  while (names != Names::All && namesHeight(head.places) > kNamesShare * size.height()) head.places.pop_back();
  const double top = theme::em(kHeader) + namesHeight(head.places);
  head.plot = QRectF(0, top, size.width(), size.height() - top);
  return head;
}

void MetricChart::drawHead(QPainter& painter, const QSizeF& size, const Head& head,
                           const std::vector<Entry>& entries) const {
  if (!head.atEnd) {
    const std::vector<QPointF>& places = head.places;
    drawHeader(painter, size.width(), places.empty() ? entries : std::vector<Entry>(),
               places.empty() ? 0 : entries.size() - places.size());
    for (std::size_t i = 0; i < places.size(); ++i)
      drawEntry(painter, entries[i], places[i].x(), theme::em(kHeader) + places[i].y(), size.width() - places[i].x());
    return;
  }
  painter.save();
  painter.translate(head.plot.right(), 0);
  const double wide = theme::em(kHeadWide), line = theme::em(kLine);
  const auto lines = static_cast<std::size_t>(std::max(0.0, (size.height() - theme::em(kHeader)) / line));
  const std::size_t named = entries.size() <= lines ? entries.size() : std::max<std::size_t>(1, lines) - 1;
  drawHeader(painter, wide, {}, entries.size() - named);
  for (std::size_t i = 0; i < named; ++i)
    drawEntry(painter, entries[i], 0, theme::em(kHeader) + static_cast<double>(i) * line, wide);
  painter.restore();
}

QString MetricChart::titleEnd() const {
  return (words_.unit.isEmpty() ? QString() : tr(", %1").arg(words_.unit)) +
         (scale_.logarithmic ? tr(", logarithmic") : QString());
}

std::vector<QPointF> MetricChart::namePlaces(double width) const {
  const double em = theme::textSize();
  const auto [bold, plain] = headerFonts(font());
  const QFontMetricsF metrics(plain);
  const std::vector<Entry> entries = legend(true);
  std::vector<double> wide;
  double all = theme::em(0.6) + QFontMetricsF(bold).horizontalAdvance(words_.name) +
               metrics.horizontalAdvance(titleEnd()) + theme::em(kMenu);
  for (const Entry& entry : entries) {
    wide.push_back(std::ceil(metrics.horizontalAdvance(entry.text)) + markEm(entry.style) * em + 1);
    all += wide.back();
  }
  std::vector<QPointF> places;
  if (all <= width) return places;
  QPointF at;
  for (const double each : wide) {
    if (at.x() > 0 && at.x() + each > width) at = {0, at.y() + theme::em(kLine)};
    places.push_back(at);
    at.rx() += each;
  }
  return places;
}

double MetricChart::namesHeight(const std::vector<QPointF>& places) const {
  return places.empty() ? 0 : places.back().y() + theme::em(kLine);
}

// What is not on the axis any more: a mark at its end, pointing up, and what it means.
void MetricChart::drawLeaving(QPainter& painter, const QRectF& plot) const {
  const double half = 0.36 * theme::textSize();
  QFont font = painter.font();
  font.setPixelSize(theme::smallText(theme::kSmallShare));
  painter.setFont(font);
  const QString words = tr("diverged");
  const double wide = painter.fontMetrics().horizontalAdvance(words), high = painter.fontMetrics().height();
  double written = -1e9;  // up to where
  painter.setRenderHint(QPainter::Antialiasing);
  for (const auto& [unit, colour] : leaving_) {
    const double x = plot.left() + unit * plot.width();
    painter.setPen(Qt::NoPen);
    painter.setBrush(colour);
    painter.drawPolygon(
        QPolygonF({{x - half, plot.top() + 1.8 * half}, {x + half, plot.top() + 1.8 * half}, {x, plot.top()}}));
    const bool left = x + 1.5 * half + wide > plot.right();
    const double at = left ? x - 1.5 * half - wide : x + 1.5 * half;
    if (at < written || at < plot.left()) continue;
    written = at + wide + half;
    painter.setPen(theme::colours().ink);
    painter.drawText(QRectF(at, plot.top(), wide + 1, high), Qt::AlignLeft | Qt::AlignVCenter, words);
  }
}

// What is 0 or less has no logarithm: a mark at the foot, pointing down.
void MetricChart::drawZeros(QPainter& painter, const QRectF& plot) const {
  const double half = 0.28 * theme::textSize();
  painter.setPen(Qt::NoPen);
  double last = -1e9;
  for (const auto& [unit, colour] : zeros_) {
    const double x = plot.left() + unit.x() * plot.width();
    if (std::abs(x - last) < 1) continue;
    last = x;
    painter.setBrush(colour);
    painter.drawPolygon(QPolygonF(
        {{x - half, plot.bottom() - 1.7 * half}, {x + half, plot.bottom() - 1.7 * half}, {x, plot.bottom()}}));
  }
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

  // Beside the pointer, where there is room.
  QFont font = painter.font();
  font.setPixelSize(theme::smallText(theme::kSmallShare));
  painter.setFont(font);
  const QFontMetricsF metrics(font);
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
      const PlotView::Line& look = lines_[found[static_cast<std::size_t>(i - 1)].curve].look;
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

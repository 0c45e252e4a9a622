// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/charts/plot_head.h"

#include <QFontMetricsF>
#include <QPainter>

#include <algorithm>
#include <cmath>

#include "ui/runs/run_colours.h"
#include "ui/theme/painted_words.h"
#include "ui/theme/theme.h"

namespace lab {
namespace {

constexpr double kLine = 1.5, kHeader = 1.75, kMargin = 0.6;  // in text sizes: a line, the title's line, the margin
                                                              // before it
constexpr double kGap = 0.9, kMoreGap = 0.7;                  // before an entry's mark, before "+3"
constexpr double kLowChart = 11, kWideChart = 40;  // in text sizes: charts this low and wide have the head at the end,
constexpr double kHeadWide = 15;                   // at most this wide
constexpr double kNamesFrom = 16, kNamesShare = 0.25;  // least height with lines of names, and the share that they take

// The width of the mark before an entry's words.
double markWidth(Qt::PenStyle style) {
  return (kGap + (style == Qt::SolidLine ? 0.9 : kRunMarkEm + 0.3)) * theme::textSize();
}

QFont boldOf(QFont font) {
  font.setWeight(QFont::DemiBold);
  return font;
}

}  // namespace

double PlotHead::Layout::namesHeight() const {
  return places.empty() ? 0 : places.back().y() + theme::em(kLine);
}

// In a low chart, the head must not take height from the points.
PlotHead::Layout PlotHead::layout(const QFont& font, const QSizeF& size, Names names) const {
  Layout layout;
  if (names == Names::End && size.height() < theme::em(kLowChart) && size.width() >= theme::em(kWideChart)) {
    layout.atEnd = true;
    layout.plot = QRectF(0, 0, size.width() - theme::em(kHeadWide), size.height());
    return layout;
  }
  if (names == Names::All || size.height() >= theme::em(kNamesFrom)) layout.places = namePlaces(font, size.width());
  while (names != Names::All && layout.namesHeight() > kNamesShare * size.height()) layout.places.pop_back();
  const double top = theme::em(kHeader) + layout.namesHeight();
  layout.plot = QRectF(0, top, size.width(), std::max(0.0, size.height() - top));
  return layout;
}

std::vector<QPointF> PlotHead::namePlaces(const QFont& font, double width) const {
  const QFont plain = theme::smallFont(font);
  const QFontMetricsF metrics(plain);
  std::vector<double> wide;
  double all = theme::em(kMargin) + QFontMetricsF(boldOf(plain)).horizontalAdvance(title) +
               metrics.horizontalAdvance(unit) + menu;
  for (const Entry& entry : entries) {
    wide.push_back(std::ceil(metrics.horizontalAdvance(entry.text)) + markWidth(entry.style) + 1);
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

double PlotHead::paintEntry(QPainter& painter, const Entry& entry, const QPointF& at, double room) const {
  const double em = theme::textSize(), high = theme::em(kLine), mark = markWidth(entry.style);
  const double half = entry.style == Qt::SolidLine ? 0.3 : kRunMarkEm / 2;
  paintRunMark(painter, at + QPointF((kGap + half) * em, high / 2), em, entry.colour, entry.style);
  painter.setPen(theme::colours().ink);
  const QString text =
      painter.fontMetrics().elidedText(entry.text, Qt::ElideRight, static_cast<int>(std::max(0.0, room - mark)));
  const double wide = painter.fontMetrics().horizontalAdvance(text);
  painter.drawText(QRectF(at.x() + mark, at.y(), wide + 1, high), Qt::AlignLeft | Qt::AlignVCenter, text);
  return mark + wide;
}

// Title, unit and legend share one line: separate lines would take room from the points. `more`: the number of entries
// that are not shown.
void PlotHead::paintLine(QPainter& painter, double width, std::size_t named, std::size_t more) const {
  const theme::Colours& colours = theme::colours();
  const double em = theme::textSize(), top = theme::em(0.25), right = width - menu;
  const QFont plain = painter.font();
  double x = theme::em(kMargin);
  const auto write = [&](const QString& text, const QFont& font, const QColor& colour) {
    painter.setFont(font);
    painter.setPen(colour);
    const double wide = std::min<double>(painter.fontMetrics().horizontalAdvance(text), std::max(0.0, right - x));
    drawElided(painter, QRectF(x, top, wide + 1, theme::em(kLine)), Qt::AlignLeft | Qt::AlignVCenter, text);
    x += wide;
  };
  write(title, boldOf(plain), colours.ink);
  painter.setFont(plain);
  // Whole parts that do not fit are left out: of "Loss, nats, logarithmic" nothing but a comma might be left.
  QString rest = unit;
  while (!rest.isEmpty() && painter.fontMetrics().horizontalAdvance(rest) > right - x)
    rest.truncate(std::max<qsizetype>(0, rest.lastIndexOf(QStringLiteral(", "))));
  write(rest, plain, colours.quietInk);
  for (std::size_t i = 0; i < named; ++i) {
    const double mark = markWidth(entries[i].style);
    const double wide = painter.fontMetrics().horizontalAdvance(entries[i].text) + mark;
    // The first entry keeps at least a part of its name: a number alone would say nothing.
    const double room = right - x - (i + 1 == named ? 0 : 2 * em);
    if (wide > room && (i > 0 || room < mark + 3 * em)) {
      more += named - i;
      break;
    }
    x += paintEntry(painter, entries[i], {x, top}, room);
  }
  if (more == 0) return;
  x += kMoreGap * em;
  write(QStringLiteral("+%1").arg(more), plain, colours.quietInk);
}

void PlotHead::paint(QPainter& painter, const QSizeF& size, const Layout& layout) const {
  painter.save();
  painter.setFont(theme::smallFont(painter.font()));
  if (layout.atEnd) {
    painter.translate(layout.plot.right(), 0);
    const double wide = theme::em(kHeadWide), line = theme::em(kLine);
    const auto lines = static_cast<std::size_t>(std::max(0.0, (size.height() - theme::em(kHeader)) / line));
    const std::size_t named = entries.size() <= lines ? entries.size() : std::max<std::size_t>(1, lines) - 1;
    paintLine(painter, wide, 0, entries.size() - named);
    for (std::size_t i = 0; i < named; ++i)
      paintEntry(painter, entries[i], {0, theme::em(kHeader) + static_cast<double>(i) * line}, wide);
  } else {
    const std::vector<QPointF>& places = layout.places;
    paintLine(painter, size.width(), places.empty() ? entries.size() : 0,
              places.empty() ? 0 : entries.size() - places.size());
    for (std::size_t i = 0; i < places.size(); ++i)
      paintEntry(painter, entries[i], places[i] + QPointF(0, theme::em(kHeader)), size.width() - places[i].x());
  }
  painter.restore();
}

}  // namespace lab

// SPDX-License-Identifier: GPL-3.0-or-later
// Parallel coordinates as a picture: runs, means of groups, axes with their ranges, and the named run.
#include <QPainter>
#include <QPainterPath>

#include <algorithm>
#include <ranges>

#include "core/base/at.h"
#include "ui/i18n/words.h"
#include "ui/runs/run_colours.h"
#include "ui/sweep/sweep_coordinates.h"
#include "ui/sweep/sweep_words.h"
#include "ui/theme/painted_words.h"
#include "ui/theme/theme.h"

namespace lab {
namespace {

constexpr double kFaintestLine = 0.25;  // share of the accent

QColor colourOf(double heat) {
  return heat < 0 ? theme::colours().quietInk
                  : theme::faint(theme::colours().accent, kFaintestLine + heat * (1 - kFaintestLine));
}

// Words on their own background, so that they stay legible above lines.
void paintTick(QPainter& painter, const QRectF& room, const QString& text) {
  const QFont usual = painter.font();
  shrinkFont(painter, text, room.width(), 0.75);
  const double wide = std::min(room.width(), painter.fontMetrics().horizontalAdvance(text) + 2.0);
  QColor ground = theme::colours().panel;
  ground.setAlphaF(0.85F);
  painter.fillRect(QRectF(room.left(), room.top(), wide, room.height()), ground);
  drawElided(painter, room, Qt::AlignLeft | Qt::AlignVCenter, text);
  painter.setFont(usual);
}

}  // namespace

PlotHead SweepCoordinates::head() const {
  const QString title = groups_.empty() ? tr("All axes, colour: %1").arg(quantityName(inView_, columns_.modelled))
                                        : tr("All axes, means by: %1").arg(axisName(group_));
  PlotHead head{.title = title, .unit = {}, .entries = {}};
  if (!groups_.empty()) {
    for (std::size_t i = 0; i < groups_.size(); ++i)
      head.entries.push_back({runColour(static_cast<int>(i)),
                              columns_.text(*columns_.table.find(group_), groups_[i].cells.place),
                              runStyle(static_cast<int>(i))});
  } else if (!columns_.isCompared(inView_)) {
    head.entries = {{colourOf(0.5), tr("modelled and measured, not compared"), Qt::SolidLine}};
  } else if (columns_.table.counted() > 0) {
    head.entries = {{colourOf(0), tr("worse"), Qt::SolidLine}, {colourOf(1), tr("better"), Qt::SolidLine}};
  }
  const auto lacks = [this](int cell) { return columns_.table.isCounted(cell) && columns_.heat(cell, inView_) < 0; };
  if (groups_.empty() && std::ranges::any_of(std::views::iota(0, columns_.table.size()), lacks))
    head.entries.push_back({colourOf(-1), tr("no value"), Qt::SolidLine});
  if (std::ranges::find(columns_.stopped, true) != columns_.stopped.end())
    head.entries.push_back({theme::colours().ink, tr("stopped early"), Qt::DashLine});
  return head;
}

// Runs outside the ranges lie below, the best runs on top.
void SweepCoordinates::paintLines(QPainter& painter, const Frame& frame) const {
  const double em = theme::textSize();
  std::vector<std::pair<double, int>> order;
  for (int cell = 0; cell < columns_.table.size(); ++cell)
    if (columns_.table.isCounted(cell))
      order.emplace_back(columns_.table.isIn(cell) ? columns_.heat(cell, inView_) : -2, cell);
  std::ranges::sort(order);
  for (const auto& [heat, cell] : order) {
    const bool out = heat < -1, quiet = out || !groups_.empty();
    QPen pen(quiet ? theme::colours().line : colourOf(heat), (quiet ? 0.06 : 0.08 + 0.06 * heat) * em);
    if (at(columns_.stopped, cell)) pen.setStyle(Qt::DashLine);
    painter.setPen(pen);
    painter.drawPolyline(line(frame, cell));
  }
}

// From the group's value to its means, each with its standard deviation to both sides.
void SweepCoordinates::paintGroups(QPainter& painter, const Frame& frame) const {
  const double em = theme::textSize();
  for (std::size_t g = 0; g < groups_.size(); ++g) {
    const SweepColumns::Group& group = groups_[g];
    const QColor colour = runColour(static_cast<int>(g));
    const QPen strong(colour, 0.2 * em, runStyle(static_cast<int>(g)), Qt::FlatCap), thin(colour, 0.11 * em);
    // Side by side, so that no deviation hides another.
    const double aside = (static_cast<double>(g) - static_cast<double>(groups_.size() - 1) / 2) * 0.3 * em;
    std::optional<QPointF> before = point(frame, *columns_.table.find(group_), group.cells.place);
    for (std::size_t i = *columns_.table.find(group_) + 1; i < group.spreads.size(); ++i) {
      const auto& spread = group.spreads[i];
      if (!spread) {
        before.reset();
        continue;
      }
      const auto at = [&](double value) {
        const double share = std::clamp(columns_.scales[i].share(value), 0.0, 1.0);
        return QPointF(frame.x(i) + aside, frame.axes.bottom() - share * frame.axes.height());
      };
      const QPointF mean = at(spread->mean);
      painter.setPen(strong);
      if (before) painter.drawLine(*before, mean);
      painter.setPen(thin);
      painter.drawLine(at(std::max(spread->mean - spread->deviation, columns_.scales[i].range.from)),
                       at(spread->mean + spread->deviation));
      painter.setBrush(theme::colours().panel);
      painter.drawEllipse(mean, 0.25 * em, 0.25 * em);
      before = mean;
    }
  }
}

void SweepCoordinates::paintAxes(QPainter& painter, const Frame& frame) const {
  const theme::Colours& colours = theme::colours();
  const double em = theme::textSize();
  const QFont usual = painter.font(), small = theme::smallFont(usual);
  for (std::size_t i = 0; i < columns_.measures.size(); ++i) {
    const double x = frame.x(i), room = frame.between - 0.5 * em;
    painter.setPen(QPen(colours.edge, std::max(1.0, 0.08 * em)));
    painter.drawLine(QPointF(x, frame.axes.top()), QPointF(x, frame.axes.bottom()));
    if (const auto& range = columns_.table.range(i)) {
      const double top = point(frame, i, range->to).y() - 0.3 * em, foot = point(frame, i, range->from).y() + 0.3 * em;
      painter.setPen(QPen(colours.accent, 0.14 * em));
      painter.setBrush(theme::tint(colours.accent, 0.3));
      painter.drawRect(QRectF(x - 0.3 * em, top, 0.6 * em, foot - top));
    }
    painter.setFont(small);
    painter.setPen(colours.ink);
    const double high = painter.fontMetrics().height();
    double above = std::numeric_limits<double>::infinity();  // top of the last label, counted from the foot up
    for (const Tick& tick : columns_.scales[i].ticks) {
      const double y = point(frame, i, tick.at).y();
      if (tick.text.isEmpty() || y > above - high) continue;
      above = y;
      paintTick(painter, {x + 0.4 * em, y - high / 2, room - 0.2 * em, high}, tick.text);
    }
    if (columns_.scales[i].lacks)
      paintTick(painter, {x + 0.4 * em, point(frame, i, {}).y() - high / 2, room, high}, tr("no value"));
    const QString title = columns_.title(i);
    QString longest;
    for (const QString& word : title.split(QLatin1Char(' ')))
      if (painter.fontMetrics().horizontalAdvance(word) > painter.fontMetrics().horizontalAdvance(longest))
        longest = word;
    shrinkFont(painter, longest, room, 0.6);
    if (hasFocus() && i == axis_) painter.setPen(theme::asText(colours.accent, colours));
    painter.drawText(QRectF(x - 0.3 * em, frame.axes.top() - 4.2 * em, room, 3.5 * em),
                     Qt::AlignLeft | Qt::AlignBottom | Qt::TextWordWrap, title);
    painter.setFont(usual);
  }
}

// The chosen run, and the run under the pointer or at the keyboard cursor, which has the words.
void SweepCoordinates::paintNamed(QPainter& painter, const Frame& frame) const {
  const double em = theme::textSize();
  const int pointed = pointed_ >= 0 ? pointed_ : hasFocus() ? current_ : -1;
  const int named = pointed >= 0 ? pointed : chosen_;
  for (const int cell : {chosen_, pointed}) {
    if (cell < 0 || cell >= columns_.table.size() || !columns_.table.isCounted(cell)) continue;
    QPen pen(theme::colours().ink, (cell == chosen_ ? 0.28 : 0.2) * em);
    if (at(columns_.stopped, cell)) pen.setStyle(Qt::DashLine);
    painter.setPen(pen);
    painter.setBrush(Qt::NoBrush);
    const QPolygonF points = line(frame, cell);
    painter.drawPolyline(points);
    painter.setBrush(theme::colours().ink);
    for (const QPointF& point : points) painter.drawEllipse(point, 0.2 * em, 0.2 * em);
  }
  if (named < 0 || named >= columns_.table.size()) return;
  painter.setPen(theme::colours().ink);
  painter.drawText(QRectF(frame.head.plot.left() + 0.4 * em, frame.axes.bottom() + 1.7 * em,
                          frame.head.plot.width() - 0.8 * em, (2.6) * em),
                   Qt::AlignLeft | Qt::AlignVCenter | Qt::TextWordWrap, columns_.cellText(named, inView_));
}

void SweepCoordinates::paintPicture(QPainter& painter, const QSizeF& size) const {
  painter.setRenderHint(QPainter::Antialiasing);
  painter.fillRect(QRectF({0, 0}, size), theme::colours().panel);
  const Frame frame = this->frame(size);
  head().paint(painter, size, frame.head);
  if (columns_.table.counted() == 0) {
    painter.setPen(theme::colours().ink);
    return painter.drawText(frame.head.plot.adjusted(theme::em(1), 0, -theme::em(1), 0),
                            Qt::AlignCenter | Qt::TextWordWrap, tr("The sweep has no results yet."));
  }
  paintLines(painter, frame);
  paintGroups(painter, frame);
  paintAxes(painter, frame);
}

void SweepCoordinates::paintEvent(QPaintEvent*) {
  const double ratio = devicePixelRatioF();
  if (lines_.isNull() || lines_.size() != (QSizeF(size()) * ratio).toSize()) {
    lines_ = QPixmap((QSizeF(size()) * ratio).toSize());
    lines_.setDevicePixelRatio(ratio);
    QPainter painter(&lines_);
    painter.setFont(font());
    keepLeftToRight(painter);
    paintPicture(painter, size());
  }
  QPainter painter(this);
  keepLeftToRight(painter);
  painter.drawPixmap(0, 0, lines_);
  painter.setRenderHint(QPainter::Antialiasing);
  if (columns_.table.counted() > 0) paintNamed(painter, frame(size()));
  if (!hasFocus()) return;
  painter.setPen(QPen(theme::colours().accent, 2));
  painter.setBrush(Qt::NoBrush);
  painter.drawRect(rect().adjusted(1, 1, -2, -2));
}

}  // namespace lab

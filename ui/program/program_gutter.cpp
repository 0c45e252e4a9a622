// SPDX-License-Identifier: GPL-3.0-or-later
// The marks beside the program's rows, from left to right: + and − of a change, the line's number, ▶ and ▷ of the
// present moment, ◆ of an object under the pointer. The marks are drawn, because not every font has them.
#include <QPainter>
#include <QTextBlock>

#include <algorithm>
#include <cmath>

#include "ui/program/program_text.h"
#include "ui/theme/theme.h"

namespace lab {
namespace {

constexpr double kMarkEm = 0.75;  // the width of a mark's place

}  // namespace

int ProgramText::gutterWidth() const {
  const auto digits = QString::number(std::max<std::size_t>(99, listing_.size())).size();
  return fontMetrics().horizontalAdvance(QLatin1Char('0')) * static_cast<int>(digits) + 3 * theme::em(kMarkEm) +
         theme::em(0.4);
}

void ProgramText::paintGutter(QPainter& painter, const QRect& part) const {
  painter.fillRect(part, theme::colours().window);
  painter.setRenderHint(QPainter::Antialiasing);
  for (QTextBlock block = firstVisibleBlock(); block.isValid(); block = block.next()) {
    QRectF line = blockBoundingGeometry(block).translated(contentOffset());
    if (line.top() > part.bottom()) break;
    line = QRectF(0, line.top(), gutterWidth(), line.height());
    const auto row = static_cast<std::size_t>(block.blockNumber());
    if (row >= listing_.size() || row >= marks_.size()) break;
    paintMarks(painter, listing_[row], marks_[row], line);
  }
}

void ProgramText::paintMarks(QPainter& painter, const ListingRow& row, const Mark& mark, const QRectF& line) const {
  const theme::Colours& c = theme::colours();
  const double room = theme::em(kMarkEm), half = 0.28 * room, y = line.center().y();
  painter.setPen(QPen(c.ink, std::max(1.5, 0.13 * room)));
  const double plus = 0.5 * room;
  if (row.changed) {
    painter.drawLine(QPointF(plus - half, y), QPointF(plus + half, y));
    painter.drawLine(QPointF(plus, y - half), QPointF(plus, y + half));
  }
  if (row.lessAbove) painter.drawLine(QPointF(plus - half, line.top() + 1), QPointF(plus + half, line.top() + 1));
  if (row.isLine()) {
    QFont font = this->font();
    const bool here = hasFocus() && &row - listing_.data() == caretRow();
    font.setBold(here);
    painter.setFont(font);
    painter.setPen(here ? c.ink : c.quietInk);
    const QRectF number(room, line.top(), line.width() - 3 * room - theme::em(0.2), line.height());
    painter.drawText(number, Qt::AlignRight | Qt::AlignVCenter, QString::number(row.number));
  }
  const double now = line.width() - 1.5 * room;
  painter.setPen(QPen(c.accent, std::max(1.2, 0.1 * room)));
  painter.setBrush(mark.now == Now::IsDone ? QBrush(c.accent) : QBrush(Qt::NoBrush));
  if (mark.now != Now::Rests)
    painter.drawPolygon(QPolygonF({{now - half, y - 1.2 * half}, {now - half, y + 1.2 * half}, {now + 1.2 * half, y}}));
  if (!mark.isPointedAt) return;
  const double there = line.width() - 0.6 * room;
  painter.setPen(Qt::NoPen);
  painter.setBrush(c.ink);
  painter.drawPolygon(
      QPolygonF({{there, y - 1.2 * half}, {there + half, y}, {there, y + 1.2 * half}, {there - half, y}}));
}

}  // namespace lab

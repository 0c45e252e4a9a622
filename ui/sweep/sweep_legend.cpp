// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/sweep/sweep_legend.h"

#include <QPainter>

#include "ui/i18n/words.h"
#include "ui/sweep/sweep_words.h"
#include "ui/theme/theme.h"

namespace lab {

SweepLegend::SweepLegend(QWidget* parent) : QWidget(parent) {
  setObjectName(QStringLiteral("sweepLegend"));
  setAccessibleName(tr("Runs by how they ended"));
  QSizePolicy policy(QSizePolicy::Expanding, QSizePolicy::Preferred);
  policy.setHeightForWidth(true);
  setSizePolicy(policy);
}

void SweepLegend::setCounts(const SweepRun& run) {
  std::array<int, kCellStates> counts{};
  for (const SweepRun::Cell& cell : run.cells()) ++counts[static_cast<std::size_t>(cell.state)];
  if (counts == counts_) return;
  counts_ = counts;
  setAccessibleDescription(words());
  updateGeometry();
  update();
}

QString SweepLegend::textOf(std::size_t state) const {
  return QStringLiteral("%1 %2").arg(countText(counts_[state]), stateName(static_cast<CellState>(state)));
}

QString SweepLegend::words() const {
  QStringList all;
  for (std::size_t i = 0; i < counts_.size(); ++i)
    if (counts_[i] > 0) all << textOf(i);
  return all.join(QStringLiteral(", "));
}

int SweepLegend::place(int width, std::array<QRect, kCellStates>& places) const {
  const int high = fontMetrics().height() + 2, side = fontMetrics().height(), gap = theme::em(0.8);
  int x = 0, y = 0;
  for (std::size_t i = 0; i < counts_.size(); ++i) {
    places[i] = {};
    if (counts_[i] == 0) continue;
    const int wide = side + theme::em(0.3) + fontMetrics().horizontalAdvance(textOf(i));
    if (x > 0 && x + wide > width) {
      x = 0;
      y += high;
    }
    places[i] = QRect(x, y, wide, high);
    x += wide + gap;
  }
  return y + high;
}

int SweepLegend::heightForWidth(int width) const {
  std::array<QRect, kCellStates> places;
  return place(width, places);
}

QSize SweepLegend::sizeHint() const {
  return {theme::em(20), heightForWidth(theme::em(20))};
}
QSize SweepLegend::minimumSizeHint() const {
  return {theme::em(10), fontMetrics().height() + 2};
}

void SweepLegend::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  std::array<QRect, kCellStates> places;
  place(width(), places);
  const int side = fontMetrics().height();
  painter.setPen(theme::colours().ink);
  for (std::size_t i = 0; i < places.size(); ++i) {
    if (counts_[i] == 0) continue;
    paintMark(painter, QRectF(places[i].left(), places[i].top() + 1, side - 2, side - 2), static_cast<CellState>(i));
    painter.drawText(places[i].adjusted(side + theme::em(0.3), 0, 2, 0), Qt::AlignLeft | Qt::AlignVCenter, textOf(i));
  }
}

}  // namespace lab

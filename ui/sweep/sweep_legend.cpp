// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/sweep/sweep_legend.h"

#include <QPainter>

#include "core/base/at.h"
#include "ui/i18n/words.h"
#include "ui/sweep/sweep_words.h"
#include "ui/theme/theme.h"

namespace lab {
namespace {

QPixmap markOf(CellState state) {
  QPixmap picture(theme::em(1.1), theme::em(1.1));
  picture.fill(Qt::transparent);
  QPainter painter(&picture);
  painter.setPen(theme::colours().ink);
  paintMark(painter, QRectF(picture.rect()).adjusted(1, 1, -1, -1), state);
  return picture;
}

}  // namespace

SweepLegend::SweepLegend(QWidget* parent) : FlowLegend(parent) {
  setObjectName(QStringLiteral("sweepLegend"));
  setAccessibleName(tr("Runs by how they ended"));
  theme::follow(this, [this] { fill(); });
}

void SweepLegend::setCounts(const SweepRun& run) {
  std::array<int, kCellStates> counts{};
  for (const SweepRun::Cell& cell : run.cells()) ++at(counts, cell.state);
  if (counts == counts_) return;
  counts_ = counts;
  fill();
}

void SweepLegend::fill() {
  words_.clear();
  std::vector<FlowLegend::Entry> entries;
  for (std::size_t i = 0; i < counts_.size(); ++i) {
    if (counts_[i] == 0) continue;
    const auto state = static_cast<CellState>(i);
    words_ << QStringLiteral("%1 %2").arg(countText(counts_[i]), stateName(state));
    entries.push_back({markOf(state), words_.last()});
  }
  setEntries(entries);
  setAccessibleDescription(words());
}

QString SweepLegend::words() const {
  return words_.join(QStringLiteral(", "));
}

}  // namespace lab

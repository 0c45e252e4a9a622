// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/tryout/confusion_table.h"

#include <QPainter>

#include <algorithm>

#include "core/base/at.h"
#include "ui/accessibility/own_events.h"
#include "ui/i18n/words.h"
#include "ui/theme/painted_words.h"
#include "ui/theme/theme.h"

namespace lab {

ConfusionTable::ConfusionTable(QWidget* parent) : QWidget(parent) {
  setAccessibleName(tr("Confusion matrix of the test images"));
  setWhatsThis(tr("Each row is a class, each column what the network takes it for: on the diagonal it is right."));
  setMinimumSize(theme::em(14), theme::em(11));
}

QString ConfusionTable::nameOf(int label) const {
  return label < names_.size() ? names_[label] : QString::number(label);
}

void ConfusionTable::show(const ConfusionCounts& confusion, const QStringList& names) {
  counts_ = confusion;
  names_ = names;
  // Rows and columns are never thinner than their small letters.
  setMinimumSize(theme::em(std::max(14.0, 1.5 * classes())), theme::em(std::max(11.0, 1.1 * classes())));
  QStringList words;
  for (std::size_t row = 0; row < counts_.size(); ++row)
    for (std::size_t column = 0; column < counts_.size(); ++column)
      if (row != column && counts_[row][column] > 0)
        words << tr("%1 taken for %2: %Ln times", nullptr, plural(counts_[row][column]))
                     .arg(nameOf(static_cast<int>(row)), nameOf(static_cast<int>(column)));
  setAccessibleDescription(words.join(QStringLiteral("; ")));
  update();
}

QSize ConfusionTable::sizeHint() const {
  return QSize(theme::em(24), theme::em(18)).expandedTo(minimumSize());
}

QRectF ConfusionTable::cell(int row, int column) const {
  const double rows = std::max(1, classes()), foot = 0.5 * height() / (rows + 1.5);
  const double before = std::clamp(across_ + theme::em(0.5), width() / (rows + 1), 0.35 * width());
  const double above = std::clamp(across_ + theme::em(0.5), height() / (rows + 1.5), 0.35 * height());
  const double wide = (width() - before) / rows, high = (height() - above - foot) / rows;
  return {column < 0 ? 0 : before + column * wide, row < 0 ? 0 : above + row * high, column < 0 ? before : wide,
          row < 0 ? above : high};
}

// Above the columns, numbers stand upright and words are rotated.
void ConfusionTable::paintNames(QPainter& painter) const {
  painter.setPen(theme::colours().quietInk);
  for (int label = 0; label < classes(); ++label) {
    const QRectF before = cell(label, -1), above = cell(-1, label);
    const QString name = nameOf(label);
    if (name.size() < 3) {
      painter.drawText(before, Qt::AlignCenter, name);
      painter.drawText(above, Qt::AlignCenter, name);
      continue;
    }
    drawElided(painter, before.adjusted(2, 0, -4, 0), Qt::AlignRight | Qt::AlignVCenter, name);
    painter.save();
    painter.translate(above.bottomLeft());
    painter.rotate(-90);
    drawElided(painter, QRectF(4, 0, above.height() - 6, above.width()), Qt::AlignLeft | Qt::AlignVCenter, name);
    painter.restore();
  }
}

void ConfusionTable::paintEvent(QPaintEvent*) {
  const theme::Colours& colours = theme::colours();
  QPainter painter(this);
  keepLeftToRight(painter);
  painter.setFont(theme::smallFont(font()));
  across_ = 0;
  for (int label = 0; label < classes(); ++label)
    across_ = std::max(across_, painter.fontMetrics().horizontalAdvance(nameOf(label)) * 1.0);
  std::int64_t most = 1;
  for (std::size_t row = 0; row < counts_.size(); ++row)
    for (std::size_t column = 0; column < counts_.size(); ++column)
      if (row != column) most = std::max(most, counts_[row][column]);
  paintNames(painter);
  for (int row = 0; row < classes(); ++row) {
    for (int column = 0; column < classes(); ++column) {
      const QRectF box = cell(row, column);
      const std::int64_t count = at(at(counts_, row), column);
      const double share = row == column ? 0.12 : 0.75 * static_cast<double>(count) / static_cast<double>(most);
      const QColor ground = theme::tint(row == column ? colours.accent : colours.second, share);
      painter.fillRect(box.adjusted(0, 0, -1, -1), ground);
      if (count == 0) continue;
      painter.setPen(colours.ink);
      painter.save();
      shrinkFont(painter, countText(count), box.width() - 2);
      painter.drawText(box, Qt::AlignCenter, countText(count));
      painter.restore();
    }
  }
  painter.setPen(colours.quietInk);
  const QString foot = tr("rows: the class · columns: what it is taken for");
  shrinkFont(painter, foot, width());
  const double line = 0.5 * height() / (std::max(10, classes()) + 1.0) + 2;
  painter.drawText(QRectF(0, height() - line, width(), line), Qt::AlignCenter, foot);
}

bool ConfusionTable::event(QEvent* event) {
  const auto words = [this](const QPoint& at) {
    for (int row = 0; row < classes(); ++row)
      for (int column = 0; column < classes(); ++column)
        if (cell(row, column).contains(at))
          return tr("%1 taken for %2: %3 of the test images")
              .arg(nameOf(row), nameOf(column), countText(lab::at(lab::at(counts_, row), column)));
    return QString();
  };
  return showsTip(*event, *this, words) || QWidget::event(event);
}

}  // namespace lab

// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/guide/order_list.h"

#include <QKeyEvent>

#include <algorithm>

#include "ui/theme/theme.h"

namespace lab {
namespace {

bool movesLine(const QKeyEvent& key) {
  return key.modifiers().testFlag(Qt::AltModifier) && (key.key() == Qt::Key_Up || key.key() == Qt::Key_Down);
}

}  // namespace

OrderList::OrderList(QWidget* parent) : QListWidget(parent) {
  setObjectName(QStringLiteral("quizOrder"));
  setAccessibleName(tr("Lines to put in order"));
  setWhatsThis(tr("Drag a line to its place, or move it with Alt+Up and Alt+Down."));
  setToolTip(whatsThis());
  setDragDropMode(QAbstractItemView::InternalMove);
  setDefaultDropAction(Qt::MoveAction);
  setWordWrap(true);
  setTextElideMode(Qt::ElideNone);
  setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  setVerticalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Fixed);
  theme::follow(this, [this] { fit(); });
}

void OrderList::setLines(const QStringList& lines, const std::vector<std::size_t>& order) {
  clear();
  for (const std::size_t line : order) {
    auto* item = new QListWidgetItem(lines[static_cast<qsizetype>(line)], this);
    item->setData(Qt::UserRole, static_cast<qulonglong>(line));
    item->setFlags(item->flags() & ~Qt::ItemIsDropEnabled);  // can be dropped between lines, not onto them
  }
  setCurrentRow(0);
  fit();
}

std::vector<std::size_t> OrderList::order() const {
  std::vector<std::size_t> lines;
  for (int row = 0; row < count(); ++row) lines.push_back(item(row)->data(Qt::UserRole).toULongLong());
  return lines;
}

// Lines wrap, so their heights depend on the width.
void OrderList::fit() {
  const int margin = theme::em(0.35), width = std::max(viewport()->width() - 2 * margin, theme::em(4));
  int high = 2 * frameWidth();
  for (int row = 0; row < count(); ++row) {
    const QRect words =
        fontMetrics().boundingRect(QRect(0, 0, width - margin, 10'000), Qt::TextWordWrap, item(row)->text());
    const int line = std::max(words.height() + 2 * margin, theme::target());
    item(row)->setSizeHint({width, line});
    high += line;
  }
  if (high == high_) return;
  high_ = high;
  updateGeometry();
}

void OrderList::setScrolls() {
  scrolls_ = true;
  setVerticalScrollBarPolicy(Qt::ScrollBarAsNeeded);
  setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Expanding);
}

QSize OrderList::sizeHint() const {
  return {theme::em(14), scrolls_ ? theme::em(7) : high_};  // it takes whatever room there is
}
QSize OrderList::minimumSizeHint() const {
  return {theme::em(8), scrolls_ ? theme::em(7) : high_};
}

void OrderList::resizeEvent(QResizeEvent* event) {
  QListWidget::resizeEvent(event);
  if (event->size().width() != event->oldSize().width()) fit();
}

bool OrderList::event(QEvent* event) {
  if (event->type() == QEvent::ShortcutOverride && movesLine(*static_cast<QKeyEvent*>(event))) {
    event->accept();
    return true;
  }
  return QListWidget::event(event);
}

void OrderList::keyPressEvent(QKeyEvent* event) {
  if (event->key() == Qt::Key_Delete) return Q_EMIT removeWanted();
  if (!movesLine(*event)) return QListWidget::keyPressEvent(event);
  const int from = currentRow(), to = from + (event->key() == Qt::Key_Up ? -1 : 1);
  if (from < 0 || to < 0 || to >= count()) return;
  QListWidgetItem* line = takeItem(from);
  insertItem(to, line);
  setCurrentRow(to);
  Q_EMIT moved();
}

void OrderList::dropEvent(QDropEvent* event) {
  QListWidget::dropEvent(event);
  Q_EMIT moved();
}

}  // namespace lab

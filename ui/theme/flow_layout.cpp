// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/theme/flow_layout.h"

#include <QStyle>
#include <QWidget>

#include <algorithm>
#include <utility>

namespace lab {

FlowLayout::~FlowLayout() {
  qDeleteAll(items_);
}

QLayoutItem* FlowLayout::takeAt(int index) {
  return index >= 0 && index < items_.size() ? items_.takeAt(index) : nullptr;
}

void FlowLayout::setOnlyBeside(const QWidget* widget) {
  if (std::exchange(onlyBeside_, widget) != widget) update();
}

QSize FlowLayout::sizeHint() const {
  QSize size(0, 0);
  for (const QLayoutItem* item : items_) {
    if (item->isEmpty()) continue;
    const QSize each = item->sizeHint();
    size = {size.width() + each.width() + (size.width() > 0 ? spacing() : 0), std::max(size.height(), each.height())};
  }
  return size.grownBy(contentsMargins());
}

QSize FlowLayout::minimumSize() const {
  QSize size(0, 0);
  for (const QLayoutItem* item : items_)
    if (!item->isEmpty()) size = size.expandedTo(item->minimumSize());
  return size.grownBy(contentsMargins());
}

void FlowLayout::setGeometry(const QRect& rect) {
  QLayout::setGeometry(rect);
  arrange(rect, true);
}

int FlowLayout::arrange(const QRect& rect, bool place) const {
  const QRect room = rect.marginsRemoved(contentsMargins());
  int x = room.left(), y = room.top();
  QList<QLayoutItem*> row;
  const QWidget* parent = parentWidget();
  const Qt::LayoutDirection direction = parent != nullptr ? parent->layoutDirection() : Qt::LeftToRight;
  const auto finish = [&] {
    int height = 0;
    for (const QLayoutItem* item : row) height = std::max(height, item->sizeHint().height());
    int left = room.left();
    for (QLayoutItem* item : row) {
      const QSize size(std::min(item->sizeHint().width(), room.width()), item->sizeHint().height());
      const QRect box(QPoint(left, y + (height - size.height()) / 2), size);
      if (place) item->setGeometry(QStyle::visualRect(direction, room, box));
      left += size.width() + spacing();
    }
    row.clear();
    y += height;
    x = room.left();
  };
  for (QLayoutItem* item : items_) {
    if (item->isEmpty()) continue;
    const int width = item->sizeHint().width();
    if (!row.isEmpty() && x + width > room.right() + 1) {
      if (item->widget() != nullptr && item->widget() == onlyBeside_) {
        if (place) item->setGeometry({});
        continue;
      }
      finish();
      y += spacing();
    }
    row.append(item);
    x += width + spacing();
  }
  if (!row.isEmpty()) finish();
  return y - rect.top() + contentsMargins().bottom();
}

}  // namespace lab

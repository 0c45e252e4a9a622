// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/guide/reading_area.h"

#include <QScrollArea>

namespace lab {
namespace {

// Wants no height of its own. Otherwise the panel around it would scroll as well, although this area could be lower.
class ReadingArea final : public QScrollArea {
 public:
  QSize sizeHint() const override { return {QScrollArea::sizeHint().width(), minimumSizeHint().height()}; }
};

}  // namespace

QScrollArea* readingArea(QWidget& read, const QString& objectName, const QString& accessibleName) {
  auto* area = new ReadingArea;
  area->setObjectName(objectName);
  area->setProperty("read", true);  // so that its focus has a frame
  area->setWidgetResizable(true);
  area->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  area->setFocusPolicy(Qt::TabFocus);  // so that the keyboard can scroll content without focusable parts
  area->setAccessibleName(accessibleName);
  area->setWidget(&read);
  return area;
}

}  // namespace lab

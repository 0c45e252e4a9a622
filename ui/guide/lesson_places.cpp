// SPDX-License-Identifier: GPL-3.0-or-later
// Finds the places in the window that a lesson's page is about, and the words around them.
#include <QAbstractButton>
#include <QAction>
#include <QDockWidget>
#include <QFontMetricsF>
#include <QLabel>
#include <QStyle>

#include <algorithm>
#include <cmath>

#include "ui/guide/lesson_view.h"
#include "ui/scene/object_name.h"
#include "ui/stage/stage.h"
#include "ui/theme/theme.h"

namespace lab {
namespace {

// The rectangle of an item's words, as the painter places them.
QRectF itemWords(const Item& item, const QFont& font) {
  if (item.shape != Item::Shape::Text) return item.box;
  QFont own = font;
  own.setPixelSize(std::max(1, static_cast<int>(std::lround(item.fontPx))));
  own.setBold(item.bold);
  const QFontMetricsF metrics(own);
  QRectF words = metrics.boundingRect(item.box, static_cast<int>(item.align.toInt()) | Qt::TextWordWrap, item.text);
  return words.intersected(item.box);
}

}  // namespace

// In window coordinates; empty if the target is not there at present.
QVector<QRect> LessonView::places() const {
  QVector<QRect> places;
  if (!open_ || now().point.empty()) return places;
  const std::string& point = now().point;
  const std::string kind = point.substr(0, point.find(' ')), name = point.substr(kind.size() + 1);
  const int margin = theme::em(0.2);
  if (kind == "object") {
    for (const Object& object : stage_.objects().all()) {
      const std::string full = lab::objectName(object);
      if (full != name && full.substr(0, full.find(' ')) != name) continue;
      // The start-up's card covers what has not begun: a light on that would show nothing.
      const Object above = stage_.scene().objectAt(stage_.objects().placeOf(object).center());
      if (above.kind == Object::Kind::Pipeline && object.kind != above.kind) continue;
      const QRect place = stage_.objects().placeOf(object).toAlignedRect().adjusted(-margin, -margin, margin, margin);
      if (stage_.isVisible()) places << QRect(stage_.mapTo(&window_, place.topLeft()), place.size());
    }
    return places;
  }
  for (const QWidget* widget : window_.findChildren<QWidget*>(QString::fromStdString(name)))
    if (widget->isVisible())
      places << QRect(widget->mapTo(&window_, QPoint(0, 0)), widget->size()).adjusted(-margin, -margin, margin, margin);
  // For a closed panel, the button that opens it.
  const QString act = QString::fromStdString(
      places.isEmpty() && window_.findChild<QDockWidget*>(QString::fromStdString(name)) != nullptr ? name + "Act"
                                                                                                   : name);
  if (const auto* action = window_.findChild<QAction*>(act))
    for (QObject* object : action->associatedObjects())
      if (const auto* widget = qobject_cast<QWidget*>(object);
          widget != nullptr && widget->isVisible() && widget->inherits("QToolButton"))
        places << QRect(widget->mapTo(&window_, QPoint(0, 0)), widget->size());
  return places;
}

// The words of the stage and of controls at this place in the window.
QVector<QRect> LessonView::labelsAt(const QRect& place) const {
  QVector<QRect> labels;
  const auto take = [&](const QRect& words) {
    if (words.intersects(place) && !words.contains(place)) labels << words;
  };
  if (stage_.isVisible())
    for (const Item& item : stage_.scene().items) {
      if (item.text.isEmpty() || item.opacity < 0.05) continue;
      const QRect words = itemWords(item, stage_.font()).toAlignedRect();
      take(QRect(stage_.mapTo(&window_, words.topLeft()), words.size()));
    }
  for (const QWidget* widget : window_.findChildren<QWidget*>()) {
    if (!widget->isVisible() || widget->window() != &window_) continue;
    const auto* label = qobject_cast<const QLabel*>(widget);
    const auto* button = qobject_cast<const QAbstractButton*>(widget);
    const QString text = label != nullptr ? label->text() : button != nullptr ? button->text() : QString();
    if (text.isEmpty()) continue;
    QRect words = widget->rect();
    if (label != nullptr && !label->wordWrap())
      words = label->style()->itemTextRect(label->fontMetrics(), label->contentsRect(),
                                           static_cast<int>(label->alignment().toInt()), true, text);
    take(QRect(widget->mapTo(&window_, words.topLeft()), words.size()));
  }
  return labels;
}

}  // namespace lab

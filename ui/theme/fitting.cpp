// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/theme/fitting.h"

#include <QAbstractScrollArea>
#include <QEvent>
#include <QScreen>
#include <QScrollBar>
#include <QStyle>
#include <QTimer>
#include <QVBoxLayout>

#include <algorithm>

#include "ui/theme/theme.h"

namespace lab {
namespace {

constexpr double kOfScreen = 0.94;  // the rest is for the window frame

int heightOf(const QWidget& content, int width) {
  return content.layout() != nullptr && content.layout()->hasHeightForWidth()
             ? content.layout()->totalHeightForWidth(width)
             : content.sizeHint().height();
}

void fit(QWidget& window, QSizeF ems) {
  const QRect screen = window.screen()->availableGeometry();
  const QSize most = (QSizeF(screen.size()) * kOfScreen).toSize();
  window.ensurePolished();
  for (QWidget* part : window.findChildren<QWidget*>()) part->ensurePolished();  // gives them their sizes
  const QSize hint = window.sizeHint();
  QSize size(ems.width() > 0 ? theme::em(ems.width()) : hint.width(),
             ems.height() > 0 ? theme::em(ems.height()) : hint.height());
  size = size.expandedTo(window.minimumSizeHint()).boundedTo(most);
  // Text that wraps: as high as it needs at this width.
  const auto* area = window.findChild<FittingArea*>();
  const bool fits = area != nullptr && area->widget() != nullptr && ems.height() <= 0;
  if (fits) {
    const QMargins margins = window.layout() != nullptr ? window.layout()->contentsMargins() : QMargins();
    const int inside = size.width() - margins.left() - margins.right();
    const int other = hint.height() - area->sizeHint().height();
    size.setHeight(std::min(other + heightOf(*area->widget(), inside), most.height()));
  }
  if (window.isVisible()) size = size.expandedTo(window.size()).boundedTo(most);
  window.resize(size);
  if (fits && window.layout() != nullptr) {  // what is around the area may be higher than its hint
    window.layout()->setGeometry(window.contentsRect());
    const QRect room = area->contentsRect();
    const int lacks = std::max(0, heightOf(*area->widget(), room.width()) - room.height());
    size.setHeight(std::min(size.height() + lacks, std::max(size.height(), most.height())));
    window.resize(size);
  }
  if (!window.isVisible()) return;
  const QPoint last(screen.right() - size.width(), screen.bottom() - size.height());
  window.move(std::clamp(window.x(), screen.left(), std::max(screen.left(), last.x())),
              std::clamp(window.y(), screen.top(), std::max(screen.top(), last.y())));
}

}  // namespace

FittingArea::FittingArea(QWidget* content, const QString& read) {
  setWidgetResizable(true);
  setFrameShape(QFrame::NoFrame);
  setFocusPolicy(read.isEmpty() ? Qt::NoFocus : Qt::StrongFocus);
  setAccessibleName(read);
  setWidget(content);
}

QSize FittingArea::sizeHint() const {
  if (widget() == nullptr) return QScrollArea::sizeHint();
  const QSize all = widget()->sizeHint();
  const bool scrolls = all.height() > kOfScreen * screen()->availableSize().height();
  return all + QSize(scrolls ? verticalScrollBar()->sizeHint().width() : 0, 0);
}

QSize FittingArea::minimumSizeHint() const {
  return sizeHint().boundedTo({theme::em(8), theme::em(4)});
}

void bringIntoView(QWidget& widget) {
  QTimer::singleShot(0, &widget, [&widget] {
    for (QWidget* up = widget.parentWidget(); up != nullptr; up = up->parentWidget())
      if (auto* area = qobject_cast<QScrollArea*>(up)) area->ensureWidgetVisible(&widget, 0, theme::em(0.5));
  });
}

QVBoxLayout* addFittingColumn(QVBoxLayout& all, const QString& read) {
  auto* content = new QWidget;
  auto* column = new QVBoxLayout(content);
  column->setContentsMargins(theme::em(0.5), theme::em(0.2), theme::em(0.5), theme::em(0.2));
  all.setContentsMargins(theme::em(1), theme::em(1), theme::em(1), theme::em(1));
  all.addWidget(new FittingArea(content, read), 1);
  return column;
}

void fitToScreen(QWidget& window, QSizeF ems) {
  theme::follow(&window, [&window, ems] { fit(window, ems); });
}

QSize visibleRoom(const QWidget& content) {
  for (const QWidget* up = content.parentWidget(); up != nullptr; up = up->parentWidget())
    if (const auto* area = qobject_cast<const QAbstractScrollArea*>(up)) return area->maximumViewportSize();
  return content.size();
}

}  // namespace lab

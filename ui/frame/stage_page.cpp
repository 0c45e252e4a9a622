// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/frame/stage_page.h"

#include <QEvent>
#include <QLayout>
#include <QResizeEvent>
#include <QScrollBar>

#include <algorithm>

#include "ui/theme/theme.h"

namespace lab {
namespace {

constexpr double kAboveAndBelow = 16.5;  // in text sizes: menus, controls, a notice and the status line
constexpr double kLeastPage = 3;

}  // namespace

StagePage::StagePage(QWidget* content, QWidget* parent) : QScrollArea(parent) {
  setFrameShape(QFrame::NoFrame);
  setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  setFocusPolicy(Qt::NoFocus);
  setWidget(content);
  content->setAutoFillBackground(false);
  viewport()->setAutoFillBackground(false);
  content->installEventFilter(this);
}

int StagePage::least(int width) const {
  const QLayout& layout = *widget()->layout();
  return layout.hasHeightForWidth() ? layout.minimumHeightForWidth(width) : layout.totalMinimumSize().height();
}

QSize StagePage::sizeHint() const {
  return widget()->sizeHint();
}

QSize StagePage::minimumSizeHint() const {
  const int width = widget()->layout()->totalMinimumSize().width();
  const int room = window()->height() - theme::em(kAboveAndBelow);
  return {width, std::min(least(std::max(width, this->width())), std::max(room, theme::em(kLeastPage)))};
}

// QScrollArea would scroll as soon as there is less room than everything's preferred size.
void StagePage::fit() {
  const QSize room = size();  // the page has no frame
  const bool scrolls = least(room.width()) > room.height();
  const int width = room.width() - (scrolls ? verticalScrollBar()->sizeHint().width() : 0);
  setVerticalScrollBarPolicy(scrolls ? Qt::ScrollBarAlwaysOn : Qt::ScrollBarAlwaysOff);
  widget()->resize(width, scrolls ? least(width) : room.height());
}

void StagePage::resizeEvent(QResizeEvent* event) {
  QScrollArea::resizeEvent(event);
  fit();
  if (event->size().width() != event->oldSize().width()) updateGeometry();  // because rows wrap
}

bool StagePage::eventFilter(QObject* watched, QEvent* event) {
  if (watched == widget() && event->type() == QEvent::LayoutRequest) {
    fit();
    updateGeometry();
  }
  return QScrollArea::eventFilter(watched, event);
}

}  // namespace lab

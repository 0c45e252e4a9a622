// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/guide/spotlight.h"

#include <QApplication>
#include <QEvent>
#include <QPainter>
#include <QRegion>

#include <algorithm>
#include <utility>

#include "ui/theme/theme.h"

namespace lab {
namespace {

constexpr int kFadeMs = 200;
constexpr double kDarkest = 0.4;

}  // namespace

double dimShare() {
  const theme::Colours& colours = theme::colours();
  for (double share = kDarkest; share > 0.05; share -= 0.05) {
    const auto dimmed = [&](const QColor& colour) { return theme::mix(Qt::black, colour, share); };
    const auto legible = [&](const QColor& ground) {
      return std::min(theme::contrast(dimmed(colours.ink), dimmed(ground)),
                      theme::contrast(dimmed(colours.quietInk), dimmed(ground))) >= theme::kLeastText;
    };
    if (legible(colours.window) && legible(colours.panel) && legible(colours.stage) && legible(colours.stagePaused))
      return share;
  }
  return 0;
}

Spotlight::Spotlight(QWidget& window, Labels labels) : QWidget(&window), labels_(std::move(labels)) {
  setObjectName(QStringLiteral("spotlight"));
  setAttribute(Qt::WA_TransparentForMouseEvents);
  setAttribute(Qt::WA_NoSystemBackground);
  setFocusPolicy(Qt::NoFocus);
  hide();
  window.installEventFilter(this);
  fade_.setDuration(kFadeMs);
  fade_.setStartValue(0.0);
  fade_.setEndValue(1.0);
  connect(&fade_, &QVariantAnimation::valueChanged, this, [this] { update(); });
}

bool Spotlight::point(const Places& places, QWidget* spared, bool animated) {
  places_ = places;
  spared_ = spared;
  lit_ = places_ ? places_() : QVector<QRect>();
  if (lit_.isEmpty()) {
    end();
    return false;
  }
  fade_.stop();
  if (animated)
    fade_.start();
  else
    fade_.setCurrentTime(kFadeMs);
  setGeometry(parentWidget()->rect());
  if (isHidden()) qApp->installEventFilter(this);
  show();
  raise();
  update();
  return true;
}

void Spotlight::setDims(bool dims) {
  if (std::exchange(dims_, dims) != dims) update();
}

void Spotlight::follow() {
  if (isHidden()) return;
  const QVector<QRect> lit = places_();
  if (lit.isEmpty()) return end();
  if (lit == lit_) return;
  lit_ = lit;
  update();
}

void Spotlight::end() {
  if (!isHidden()) qApp->removeEventFilter(this);
  hide();
}

void Spotlight::paintEvent(QPaintEvent*) {
  // The target is painted first, and may be laid out only then, such as the stage after the window was resized.
  if (QVector<QRect> lit = places_(); !lit.isEmpty() && lit != lit_) {
    lit_ = std::move(lit);
    update();  // also outside the area being painted
  }
  QRegion dark(dims_ ? rect() : QRect());
  for (const QRect& place : lit_) dark -= place;
  if (spared_ != nullptr && spared_->isVisible())
    dark -= QRect(spared_->mapTo(parentWidget(), QPoint(0, 0)), spared_->size());
  QPainter painter(this);
  QColor dim(Qt::black);
  dim.setAlphaF(static_cast<float>(dimShare() * fade_.currentValue().toDouble()));
  for (const QRect& part : dark) painter.fillRect(part, dim);
  painter.setRenderHint(QPainter::Antialiasing);
  painter.setBrush(Qt::NoBrush);
  painter.setPen(QPen(theme::colours().accent, std::max(3, theme::em(0.2))));
  QRegion free(rect());
  for (const QRect& label : spared()) free -= label;
  painter.setClipRegion(free);
  for (const QRect& place : lit_) painter.drawRoundedRect(place, theme::em(0.3), theme::em(0.3));
}

QVector<QRect> Spotlight::spared() const {
  QVector<QRect> labels;
  const int half = std::max(3, theme::em(0.2)) / 2 + 1;
  for (const QRect& place : lit_) {
    const QRect outer = place.adjusted(-half, -half, half, half), inner = place.adjusted(half, half, -half, -half);
    if (!labels_) continue;
    for (const QRect& label : labels_(outer))
      if (!inner.contains(label)) labels << label;
  }
  return labels;
}

bool Spotlight::eventFilter(QObject* watched, QEvent* event) {
  if (watched == parentWidget() && event->type() == QEvent::Resize) {
    setGeometry(parentWidget()->rect());
    follow();
  } else if ((event->type() == QEvent::MouseButtonPress || event->type() == QEvent::KeyPress) && isVisible() &&
             watched->isWidgetType()) {
    auto* pressed = static_cast<QWidget*>(watched);
    if (pressed->window() == parentWidget() && (spared_ == nullptr || !spared_->isAncestorOf(pressed))) end();
  } else if (event->type() == QEvent::Shortcut && isVisible()) {
    end();  // a shortcut of the window, wherever the focus is: the user has acted
  }
  return QWidget::eventFilter(watched, event);
}

}  // namespace lab

// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/transport/play_button.h"

#include <QAction>
#include <QPainter>
#include <QStyle>
#include <QTimer>

#include <algorithm>
#include <utility>

#include "ui/theme/theme.h"

namespace lab {
namespace {

constexpr int kPulseMs = 1400, kPulseAfterMs = 600, kPulses = 3;
constexpr double kSide = 4.6, kCompactSide = 3;     // in text sizes: the square
constexpr double kDisc = 0.38, kRing = 0.49;        // in sides of the square: two radii
constexpr double kIcon = 0.46, kInvitation = 0.05;  // in sides of the square: the shape, the inviting ring's line

}  // namespace

PlayButton::PlayButton(QAction* action, QWidget* parent) : QToolButton(parent) {
  setDefaultAction(action);
  setFocusPolicy(Qt::TabFocus);
  setAccessibleName(tr("Play or pause"));
  pulse_.setStartValue(0.0);
  pulse_.setEndValue(1.0);
  pulse_.setDuration(kPulseMs);
  pulse_.setLoopCount(kPulses);
  pulse_.setEasingCurve(QEasingCurve::OutCubic);
  connect(&pulse_, &QVariantAnimation::valueChanged, this, [this] { update(); });
}

QSize PlayButton::sizeHint() const {
  const int side = std::min(theme::em(compact_ ? kCompactSide : kSide), most_);
  return {side, side};
}

void PlayButton::setPlace(bool compact, int most) {
  const bool other = std::exchange(compact_, compact) != compact;
  if (std::exchange(most_, most) != most || other) updateGeometry();
}

void PlayButton::stopInviting() {
  pulse_.stop();
  invites_ = false;
  update();
}

void PlayButton::showEvent(QShowEvent* event) {
  QToolButton::showEvent(event);
  if (std::exchange(shown_, true)) return;
  QTimer::singleShot(kPulseAfterMs, this, [this] {
    if (invites_ && style()->styleHint(QStyle::SH_Widget_Animate) != 0) pulse_.start();
  });
}

void PlayButton::paintEvent(QPaintEvent*) {
  const theme::Colours& colours = theme::colours();
  QPainter painter(this);
  painter.setRenderHint(QPainter::Antialiasing);
  const QPointF centre = QRectF(rect()).center();
  const double side = std::min(width(), height());
  QColor disc = isEnabled() ? colours.accent : colours.edge;
  if (isDown()) disc = disc.darker(115);
  if (underMouse() && isEnabled() && !isDown()) disc = disc.lighter(112);
  painter.setPen(Qt::NoPen);
  painter.setBrush(disc);
  painter.drawEllipse(centre, kDisc * side, kDisc * side);
  painter.setBrush(Qt::NoBrush);
  const auto ring = [&](const QColor& colour, double width, double radius) {
    painter.setPen(QPen(colour, width));
    painter.drawEllipse(centre, radius, radius);
  };
  if (hasFocus()) {
    ring(colours.ink, 1.5, (kDisc + 0.05) * side);
  } else if (invites_ && isEnabled()) {  // the ring widens and fades, and afterwards stays still
    const bool moves = pulse_.state() == QAbstractAnimation::Running;
    const double t = moves ? pulse_.currentValue().toDouble() : 0.6;
    QColor colour = colours.accent;
    colour.setAlphaF(static_cast<float>(1 - t));
    ring(colour, kInvitation * side, kDisc * side + (kRing - kDisc - kInvitation / 2) * t * side);
  }
  const int shape = qRound(kIcon * side);
  QRect place(0, 0, shape, shape);
  place.moveCenter(centre.toPoint());
  icon().paint(&painter, place, Qt::AlignCenter, QIcon::Normal);
}

}  // namespace lab

// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/transport/play_button.h"

#include <QAction>
#include <QPainter>
#include <QStyle>
#include <QTimer>

#include "ui/theme/theme.h"

namespace lab {
namespace {

constexpr int kPulseMs = 1400, kPulseAfterMs = 600;
constexpr double kSide = 2.7, kDisc = 1.05, kRing = 1.32;  // of the text size: the square, and two radii

}  // namespace

PlayButton::PlayButton(QAction* action, QWidget* parent) : QToolButton(parent) {
  setDefaultAction(action);
  setFocusPolicy(Qt::TabFocus);
  setAccessibleName(tr("Play or pause"));
  pulse_.setStartValue(0.0);
  pulse_.setEndValue(1.0);
  pulse_.setDuration(kPulseMs);
  pulse_.setEasingCurve(QEasingCurve::OutCubic);
  connect(&pulse_, &QVariantAnimation::valueChanged, this, [this] { update(); });
}

QSize PlayButton::sizeHint() const {
  return {theme::em(kSide), theme::em(kSide)};
}

void PlayButton::stopPulsing() {
  pulse_.stop();
  update();
}

void PlayButton::showEvent(QShowEvent* event) {
  QToolButton::showEvent(event);
  if (invited_) return;
  invited_ = true;
  QTimer::singleShot(kPulseAfterMs, this, [this] {
    if (style()->styleHint(QStyle::SH_Widget_Animate) != 0) pulse_.start();
  });
}

void PlayButton::paintEvent(QPaintEvent*) {
  const theme::Colours& colours = theme::colours();
  QPainter painter(this);
  painter.setRenderHint(QPainter::Antialiasing);
  const QPointF centre = QRectF(rect()).center();
  const double em = theme::textSize();
  QColor disc = isEnabled() ? colours.accent : colours.edge;
  if (isDown()) disc = disc.darker(115);
  if (underMouse() && isEnabled() && !isDown()) disc = disc.lighter(112);
  painter.setPen(Qt::NoPen);
  painter.setBrush(disc);
  painter.drawEllipse(centre, kDisc * em, kDisc * em);
  painter.setBrush(Qt::NoBrush);
  if (hasFocus()) {
    painter.setPen(QPen(colours.ink, 1.5));
    painter.drawEllipse(centre, (kDisc + 0.15) * em, (kDisc + 0.15) * em);
  } else if (pulse_.state() == QAbstractAnimation::Running) {
    const double t = pulse_.currentValue().toDouble();
    QColor ring = colours.accent;
    ring.setAlphaF(static_cast<float>(1 - t));
    painter.setPen(QPen(ring, 0.18 * em));
    const double radius = (kDisc + (kRing - kDisc) * t) * em;
    painter.drawEllipse(centre, radius, radius);
  }
  const int side = theme::em(1.25);
  QRect place(0, 0, side, side);
  place.moveCenter(centre.toPoint());
  icon().paint(&painter, place, Qt::AlignCenter, QIcon::Normal);
}

}  // namespace lab

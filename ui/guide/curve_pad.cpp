// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/guide/curve_pad.h"

#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QPolygonF>

#include <algorithm>
#include <cmath>

#include "ui/i18n/words.h"
#include "ui/theme/painted_words.h"
#include "ui/theme/theme.h"

namespace lab {

CurvePad::CurvePad(const QString& name, double low, double high, int steps, QWidget* parent)
    : QWidget(parent), low_(low), high_(high), steps_(steps), drawn_(kPlaces, (low + high) / 2) {
  setObjectName(QStringLiteral("curvePad"));
  setAccessibleName(name);
  setToolTip(tr("Draw with the mouse; or left and right choose a place, up and down move the curve there"));
  setFocusPolicy(Qt::StrongFocus);
  setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
  theme::follow(this, [this] { setMinimumHeight(theme::em(10)); });
}

QSize CurvePad::sizeHint() const {
  return {theme::em(16), theme::em(10)};
}

QRectF CurvePad::plot() const {
  return QRectF(rect()).adjusted(theme::em(2.4), theme::em(0.8), -theme::em(0.6), -theme::em(1.6));
}

QPointF CurvePad::pointOf(double place, double value) const {
  const QRectF box = plot();
  const double up = std::clamp((value - low_) / (high_ - low_), 0.0, 1.0);
  return {box.left() + place * box.width(), box.bottom() - up * box.height()};
}

double CurvePad::drawnAt(double share) const {
  const double at = share * (kPlaces - 1);
  const auto left = std::clamp<qsizetype>(static_cast<qsizetype>(at), 0, kPlaces - 2);
  return drawn_[left] + (drawn_[left + 1] - drawn_[left]) * (at - static_cast<double>(left));
}

void CurvePad::setTruth(const QVector<double>& bySteps) {
  truth_ = bySteps;
  update();
}

double CurvePad::distance() const {
  double sum = 0;
  for (qsizetype i = 0; i < truth_.size(); ++i)
    sum += std::abs(truth_[i] - drawnAt(static_cast<double>(i) / std::max(1, steps_ - 1)));
  return truth_.isEmpty() ? 0 : sum / static_cast<double>(truth_.size());
}

double CurvePad::excess() const {
  double sum = 0;
  for (qsizetype i = 0; i < truth_.size(); ++i)
    sum += truth_[i] - drawnAt(static_cast<double>(i) / std::max(1, steps_ - 1));
  return truth_.isEmpty() ? 0 : sum / static_cast<double>(truth_.size());
}

void CurvePad::drawTo(const QPointF& point) {
  if (sealed_) return;
  const QRectF box = plot();
  const int place =
      std::clamp(static_cast<int>(std::lround((point.x() - box.left()) / box.width() * (kPlaces - 1))), 0, kPlaces - 1);
  const double value = low_ + std::clamp((box.bottom() - point.y()) / box.height(), 0.0, 1.0) * (high_ - low_);
  // The places between, which a quick hand leaps over.
  const int from = touched_ ? place_ : 0;
  const double before = drawn_[from];
  for (int i = std::min(from, place); i <= std::max(from, place); ++i)
    drawn_[i] = from == place || !touched_ ? value : before + (value - before) * (i - from) / (place - from);
  if (!touched_) drawn_.fill(value);
  drawn_[place] = value;
  place_ = place;
  touched_ = true;
  update();
  Q_EMIT changed();
}

void CurvePad::mousePressEvent(QMouseEvent* event) {
  place_ = std::clamp(
      static_cast<int>(std::lround((event->position().x() - plot().left()) / plot().width() * (kPlaces - 1))), 0,
      kPlaces - 1);
  drawTo(event->position());
}

void CurvePad::mouseMoveEvent(QMouseEvent* event) {
  if (event->buttons().testFlag(Qt::LeftButton)) drawTo(event->position());
}

// The arrows are its own while it has the keyboard; elsewhere they step.
bool CurvePad::event(QEvent* event) {
  if (event->type() == QEvent::ShortcutOverride) {
    const int key = static_cast<QKeyEvent*>(event)->key();
    if (key == Qt::Key_Left || key == Qt::Key_Right || key == Qt::Key_Up || key == Qt::Key_Down) {
      event->accept();
      return true;
    }
  }
  return QWidget::event(event);
}

void CurvePad::keyPressEvent(QKeyEvent* event) {
  const bool back = event->key() == Qt::Key_Left, on = event->key() == Qt::Key_Right;
  const bool up = event->key() == Qt::Key_Up, down = event->key() == Qt::Key_Down;
  if (!back && !on && !up && !down) return QWidget::keyPressEvent(event);
  if (back || on) place_ = std::clamp(place_ + (on ? 1 : -1), 0, kPlaces - 1);
  if ((up || down) && !sealed_) {
    const double value = std::clamp(drawn_[place_] + (up ? 1 : -1) * (high_ - low_) / 20, low_, high_);
    // What lies behind follows: a curve is drawn from the left.
    for (int i = place_; i < kPlaces; ++i) drawn_[i] = value;
    touched_ = true;
    Q_EMIT changed();
  }
  update();
}

void CurvePad::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  keepLeftToRight(painter);
  painter.setRenderHint(QPainter::Antialiasing);
  const theme::Colours& colours = theme::colours();
  const QRectF box = plot();
  painter.fillRect(box, colours.stage);
  painter.setPen(QPen(hasFocus() ? colours.accent : colours.edge, hasFocus() ? 2 : 1));
  painter.drawRect(box);
  painter.setPen(colours.quietInk);
  painter.drawText(QRectF(0, box.top() - theme::em(0.6), box.left() - 4, theme::em(1.2)),
                   Qt::AlignRight | Qt::AlignVCenter, numberText(high_));
  painter.drawText(QRectF(0, box.bottom() - theme::em(0.6), box.left() - 4, theme::em(1.2)),
                   Qt::AlignRight | Qt::AlignVCenter, numberText(low_));
  painter.drawText(QRectF(box.left(), box.bottom(), box.width(), height() - box.bottom()), Qt::AlignCenter,
                   tr("steps 1 to %1").arg(countText(steps_)));
  if (touched_) {
    QPolygonF line;
    for (int i = 0; i < kPlaces; ++i) line << pointOf(static_cast<double>(i) / (kPlaces - 1), drawn_[i]);
    painter.setPen(QPen(colours.accent, 2, Qt::DashLine));
    painter.drawPolyline(line);
  }
  if (hasFocus() && !sealed_) {
    painter.setPen(QPen(colours.ink, 2));
    painter.drawEllipse(pointOf(static_cast<double>(place_) / (kPlaces - 1), drawn_[place_]), 4, 4);
  }
  QPolygonF truth;
  for (qsizetype i = 0; i < truth_.size(); ++i)
    truth << pointOf(static_cast<double>(i) / std::max(1, steps_ - 1), truth_[i]);
  painter.setPen(QPen(colours.ink, 2));
  painter.drawPolyline(truth);
}

}  // namespace lab

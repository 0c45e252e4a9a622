// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/guide/curve_pad.h"

#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>

#include <algorithm>
#include <cmath>

#include "ui/accessibility/own_events.h"
#include "ui/charts/quantity.h"
#include "ui/theme/painted_words.h"
#include "ui/theme/theme.h"

namespace lab {

CurvePad::CurvePad(const QString& name, double low, double high, int steps, QWidget* parent)
    : QWidget(parent), low_(low), high_(high), steps_(steps), drawn_(kPlaces, (low + high) / 2) {
  setObjectName(QStringLiteral("curvePad"));
  setAccessibleName(name);
  setToolTip(tr(
      "Draw with the mouse; or use the arrow keys: left and right choose a place, up and down move the curve there"));
  setFocusPolicy(Qt::StrongFocus);
  setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
  theme::follow(this, [this] { setMinimumHeight(theme::em(10)); });
}

QSize CurvePad::sizeHint() const {
  return {theme::em(16), theme::em(10)};
}

ChartScale CurvePad::scale() const {
  return {.x = {1, std::max(2.0, double(steps_))}, .y = {low_, high_}};
}

double CurvePad::stepAt(int place) const {
  return scale().valueX(static_cast<double>(place) / (kPlaces - 1));
}

int CurvePad::placeAt(const QPointF& position) const {
  const double step = scale().valueAt(PlotView::plotArea(rect()), position).x();
  return std::clamp(static_cast<int>(std::lround(scale().unitX(step) * (kPlaces - 1))), 0, kPlaces - 1);
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

void CurvePad::drawTo(const QPointF& position) {
  if (sealed_) return;
  const int place = placeAt(position);
  const double value = std::clamp(scale().valueAt(PlotView::plotArea(rect()), position).y(), low_, high_);
  // Fill the places that a fast pointer skips.
  const int from = touched_ ? place_ : 0;
  const double before = drawn_[from];
  for (int i = std::min(from, place); i <= std::max(from, place); ++i)
    drawn_[i] = from == place || !touched_ ? value : before + (value - before) * (i - from) / (place - from);
  if (!touched_) drawn_.fill(value);
  drawn_[place] = value;
  followFrom(std::max(from, place));
  place_ = place;
  touched_ = true;
  update();
  Q_EMIT changed();
}

// Later places follow until they are drawn themselves: a curve is drawn from the left, and a pointer rarely stops at
// the right edge.
void CurvePad::followFrom(int place) {
  reach_ = std::max(reach_, place);
  std::fill(drawn_.begin() + reach_, drawn_.end(), drawn_[reach_]);
}

void CurvePad::mousePressEvent(QMouseEvent* event) {
  place_ = placeAt(event->position());
  drawTo(event->position());
}

void CurvePad::mouseMoveEvent(QMouseEvent* event) {
  if (event->buttons().testFlag(Qt::LeftButton)) drawTo(event->position());
}

// While focused it takes the arrow keys; elsewhere they step.
bool CurvePad::event(QEvent* event) {
  if (takesKey(*event, {Qt::Key_Left, Qt::Key_Right, Qt::Key_Up, Qt::Key_Down})) return true;
  return QWidget::event(event);
}

void CurvePad::keyPressEvent(QKeyEvent* event) {
  const bool back = event->key() == Qt::Key_Left, on = event->key() == Qt::Key_Right;
  const bool up = event->key() == Qt::Key_Up, down = event->key() == Qt::Key_Down;
  if (!back && !on && !up && !down) return QWidget::keyPressEvent(event);
  if (back || on) place_ = std::clamp(place_ + (on ? 1 : -1), 0, kPlaces - 1);
  if ((up || down) && !sealed_) {
    const double value = std::clamp(drawn_[place_] + (up ? 1 : -1) * (high_ - low_) / 20, low_, high_);
    // Later places follow: a curve is drawn from the left.
    for (int i = place_; i < kPlaces; ++i) drawn_[i] = value;
    reach_ = std::max(reach_, place_);
    touched_ = true;
    Q_EMIT changed();
  }
  update();
}

void CurvePad::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  keepLeftToRight(painter);
  const theme::Colours& colours = theme::colours();
  const QRectF box = PlotView::plotArea(rect());
  painter.fillRect(box, colours.stage);
  Curve drawn, truth;
  for (int i = 0; i < kPlaces && touched_; ++i) drawn.append(stepAt(i), drawn_[i], 0);
  for (qsizetype i = 0; i < truth_.size(); ++i) truth.append(static_cast<double>(i + 1), truth_[i], 0);
  Plot plot{.scale = scale(), .xTitle = nameOf(XAxis::Steps), .countedX = true};
  plot.series = {{&drawn, {colours.accent, 2, 0, Qt::DashLine}}, {&truth, {colours.ink, 2}}};
  if (hasFocus() && !sealed_)
    plot.marks.push_back({.at = {stepAt(place_), drawn_[place_]}, .radius = 4, .pen = QPen(colours.ink, 2)});
  view_.paint(painter, rect(), plot);
  painter.setPen(QPen(hasFocus() ? colours.accent : colours.edge, hasFocus() ? 2 : 1));
  painter.drawRect(box);
}

}  // namespace lab

// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/transport/scrubber.h"

#include <QAccessible>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>

#include <algorithm>
#include <cmath>

#include "ui/accessibility/own_events.h"
#include "ui/i18n/words.h"
#include "ui/playback/playback.h"
#include "ui/theme/painted_words.h"
#include "ui/theme/paper.h"
#include "ui/theme/theme.h"

namespace lab {
namespace {

// In text sizes: margins, the strip of beats, the ticks below it; the smallest name of a beat.
constexpr double kMargin = 1, kTop = 0.55, kStrip = 1.75, kTicks = 0.5, kBottom = 0.2;
constexpr double kLeastName = 0.6;

}  // namespace

Scrubber::Scrubber(Playback& playback, QWidget* parent) : QWidget(parent), playback_(playback) {
  setObjectName(QStringLiteral("scrubber"));
  setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
  setCursor(Qt::PointingHandCursor);
  setFocusPolicy(Qt::TabFocus);
  setAccessibleName(tr("Moments of the present step"));
  connect(&playback_, &Playback::changed, this, &Scrubber::refresh);
}

QSize Scrubber::sizeHint() const {
  constexpr int kWidest = 320;  // pixels; otherwise large letters would take the panels' room
  return {std::min(theme::em(24), kWidest), theme::em(kTop + kStrip + kTicks + kBottom)};
}

QRectF Scrubber::strip() const {
  const double margin = theme::em(kMargin);
  return {margin, static_cast<double>(theme::em(kTop)), std::max(1.0, width() - 2 * margin),
          static_cast<double>(theme::em(kStrip))};
}

double Scrubber::xAt(double seconds) const {
  const QRectF area = strip();
  const double whole = std::max(playback_.story().seconds, 1e-9);
  return area.left() + area.width() * std::clamp(seconds / whole, 0.0, 1.0);
}

double Scrubber::secondsAt(double x) const {
  const QRectF area = strip();
  return playback_.story().seconds * std::clamp((x - area.left()) / area.width(), 0.0, 1.0);
}

Scrubber::Shown Scrubber::present() const {
  const Story& story = playback_.story();
  return {playback_.record(), story.seconds, story.beats.empty() ? 0 : story.beatAt(playback_.seconds())};
}

void Scrubber::refresh() {
  const Story& story = playback_.story();
  const Shown now = present();
  const bool otherBeat = !(now == shown_);
  if (otherBeat) {
    if (shown_.record != now.record || shown_.seconds != now.seconds) mark_.reset();
    shown_ = now;
    ground_ = {};
    update();
    if (!story.beats.empty())
      setAccessibleDescription(tr("step %1, %2").arg(countText(story.step), story.beats[now.beat].name));
  }
  update(cursor(cursorX_));
  update(cursor(xAt(playback_.seconds())));
  announcePosition(otherBeat);
}

Positioned::Range Scrubber::range() const {
  const double whole = playback_.story().seconds;
  return {.least = 0, .most = 100, .step = 1, .now = whole > 0 ? std::round(100 * playback_.seconds() / whole) : 0};
}

void Scrubber::moveTo(double percent) {
  if (!playback_.story().beats.empty()) playback_.seek(playback_.step(), percent / 100 * playback_.story().seconds);
}

// While a movie plays, announces only once per beat, because more could not be spoken in time.
void Scrubber::announcePosition(bool otherBeat) {
  if (!QAccessible::isActive() || (playback_.isMoving() && !otherBeat)) return;
  const double now = range().now;
  if (now == announced_) return;
  announced_ = now;
  QAccessibleValueChangeEvent changed(this, now);
  QAccessible::updateAccessibility(&changed);
}

QRect Scrubber::cursor(double x) const {
  const double reach = theme::em(0.5) + 2.0;
  return QRectF(x - reach, 0, 2 * reach, height()).toAlignedRect();
}

void Scrubber::resizeEvent(QResizeEvent*) {
  ground_ = {};
}

void Scrubber::changeEvent(QEvent* event) {
  QWidget::changeEvent(event);
  ground_ = {};
  update();
}

void Scrubber::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  keepLeftToRight(painter);
  if (!(present() == shown_)) refresh();
  if (ground_.isNull() || ground_.devicePixelRatio() != devicePixelRatioF()) ground_ = makeGround();
  drawPicture(painter, ground_, [&] { paintGround(painter); });
  if (playback_.story().beats.empty()) return;
  const theme::Colours& colours = theme::colours();
  painter.setRenderHint(QPainter::Antialiasing);
  drawMark(painter);
  const QRectF area = strip();
  cursorX_ = xAt(playback_.seconds());
  const double width = std::max(2.0, theme::em(0.14) * 1.0);
  QColor veil = colours.accent;  // translucent, so that the beats' names stay legible below it
  veil.setAlphaF(0.4F);
  painter.setPen(QPen(veil, width, Qt::SolidLine, Qt::FlatCap));
  painter.drawLine(QPointF(cursorX_, area.top()), QPointF(cursorX_, area.bottom()));
  painter.setPen(QPen(colours.accent, width, Qt::SolidLine, Qt::FlatCap));
  painter.drawLine(QPointF(cursorX_, area.bottom()), QPointF(cursorX_, area.bottom() + theme::em(kTicks)));
  painter.setPen(Qt::NoPen);
  painter.setBrush(colours.accent);
  const double radius = theme::em(0.36);
  painter.drawEllipse(QPointF(cursorX_, area.top() - theme::em(0.1)), radius, radius);
  if (hasFocus()) {
    painter.setPen(QPen(theme::colours().accent, 2));
    painter.setBrush(Qt::NoBrush);
    painter.drawRect(rect().adjusted(1, 1, -2, -2));
  }
}

// Paints all but the present moment's mark. This picture stays the same for a whole beat.
QPixmap Scrubber::makeGround() const {
  QPixmap ground((QSizeF(size()) * devicePixelRatioF()).toSize());
  ground.setDevicePixelRatio(devicePixelRatioF());
  ground.fill(Qt::transparent);
  QPainter painter(&ground);
  keepLeftToRight(painter);
  paintGround(painter);
  return ground;
}

void Scrubber::paintGround(QPainter& painter) const {
  const theme::Colours& colours = theme::colours();
  painter.setRenderHint(QPainter::Antialiasing);
  painter.setPen(QPen(colours.line, 1));
  painter.setBrush(colours.panel);
  painter.drawRoundedRect(strip(), theme::em(0.3), theme::em(0.3));
  if (!playback_.story().beats.empty()) {
    drawBeats(painter);
    drawArrivals(painter);
  }
}

void Scrubber::drawBeats(QPainter& painter) const {
  const theme::Colours& colours = theme::colours();
  const Story& story = playback_.story();
  const QRectF area = strip();
  if (story.beats.empty()) return;
  const std::size_t present = story.beatAt(playback_.seconds());
  const QRectF over = placeOver(painter, story.beats[present]);
  const QFont overFont = painter.font();
  for (std::size_t i = 0; i < story.beats.size(); ++i) {
    const Beat& beat = story.beats[i];
    QRectF segment(xAt(beat.beginS), area.top(), 0, area.height());
    segment.setRight(xAt(beat.endS));
    if (i == present) {
      QColor tint = colours.accent;
      tint.setAlphaF(0.16F);
      painter.fillRect(segment.adjusted(1, 1, -1, -1), tint);
    }
    if (i > 0) {
      painter.setPen(QPen(colours.line, 1));
      painter.drawLine(segment.topLeft(), segment.bottomLeft());
    }
    QFont words = font();
    words.setWeight(i == present ? QFont::DemiBold : QFont::Normal);
    painter.setFont(words);
    // A name may be smaller than other words before it is cut short.
    const double room = segment.width() - theme::em(0.4);
    shrinkFont(painter, beat.name, room, kLeastName);
    const QString name = painter.fontMetrics().elidedText(beat.name, Qt::ElideRight, static_cast<int>(room));
    if (name != beat.name && name.size() < 6) continue;  // a stub would puzzle; the tool tip has the name
    QRectF letters(0, 0, painter.fontMetrics().horizontalAdvance(name), area.height());
    letters.moveCenter(segment.center());
    if (letters.intersects(over)) continue;
    painter.setPen(i == present ? colours.ink : colours.quietInk);
    painter.drawText(segment, Qt::AlignCenter, name);
  }
  if (over.isEmpty()) return;
  painter.fillRect(over, theme::mix(colours.accent, colours.panel, 0.16));
  painter.setFont(overFont);
  painter.setPen(colours.ink);
  painter.drawText(over, Qt::AlignCenter, story.beats[present].name);
}

// The shown beat always has its name, even if the beat is too narrow. Returns where the name stands over its
// neighbours, whose names give way; empty if the name fits into its beat. Sets the painter's font for the name.
QRectF Scrubber::placeOver(QPainter& painter, const Beat& beat) const {
  const QRectF area = strip();
  const double left = xAt(beat.beginS), width = xAt(beat.endS) - left;
  QFont words = font();
  words.setWeight(QFont::DemiBold);
  painter.setFont(words);
  shrinkFont(painter, beat.name, width - theme::em(0.4), kLeastName);
  if (painter.fontMetrics().horizontalAdvance(beat.name) <= width - theme::em(0.4)) return {};
  painter.setFont(words);
  shrinkFont(painter, beat.name, area.width() - theme::em(0.4), kLeastName);
  QRectF place(0, 0, painter.fontMetrics().horizontalAdvance(beat.name) + theme::em(0.4), area.height() - 2);
  place.moveCenter({left + width / 2, area.center().y()});
  place.moveLeft(std::clamp(place.left(), area.left(), std::max(area.left(), area.right() - place.width())));
  return place;
}

void Scrubber::drawArrivals(QPainter& painter) const {
  const QRectF area = strip();
  const double top = area.bottom() + theme::em(0.12), bottom = area.bottom() + theme::em(kTicks);
  painter.setPen(QPen(theme::colours().edge, 1));
  double last = -10;
  for (const double seconds : playback_.story().arrivalS) {
    const double x = xAt(seconds);
    if (x - last < 2) continue;  // thousands of ticks would be one grey block and cost as much as the stage
    last = x;
    painter.drawLine(QPointF(x, top), QPointF(x, bottom));
  }
}

std::optional<std::pair<double, double>> Scrubber::marked() const {
  if (!mark_ || mark_->first == mark_->second || !(present().record == shown_.record)) return std::nullopt;
  return std::pair(std::minmax(mark_->first, mark_->second));
}

// Draws the marked stretch as a bar below the beats.
void Scrubber::drawMark(QPainter& painter) const {
  const auto stretch = marked();
  if (!stretch) return;
  const QRectF area = strip();
  const double left = xAt(stretch->first), right = xAt(stretch->second);
  QColor veil = theme::colours().accent;
  veil.setAlphaF(0.16F);
  painter.fillRect(QRectF(left, area.top(), right - left, area.height()), veil);
  painter.fillRect(QRectF(left, area.bottom() - theme::em(0.2), right - left, theme::em(0.2)), theme::colours().accent);
}

void Scrubber::mousePressEvent(QMouseEvent* event) {
  if (event->button() != Qt::LeftButton || playback_.story().beats.empty()) return;
  if (!(present() == shown_)) refresh();
  mark_.reset();
  if (event->modifiers().testFlag(Qt::ShiftModifier)) {
    const double at = secondsAt(event->position().x());
    mark_ = {at, at};
  }
  update();
  playback_.seek(playback_.step(), secondsAt(event->position().x()));
}

void Scrubber::mouseMoveEvent(QMouseEvent* event) {
  if ((event->buttons() & Qt::LeftButton) == 0 || playback_.story().beats.empty()) return;
  if (mark_) {
    mark_->second = secondsAt(event->position().x());
    update();
  }
  playback_.seek(playback_.step(), secondsAt(event->position().x()));
}

void Scrubber::wheelEvent(QWheelEvent* event) {
  const int turn = event->angleDelta().y() != 0 ? event->angleDelta().y() : event->angleDelta().x();
  if (turn == 0) return;
  if (turn < 0) {
    playback_.stepForward(playback_.unit());
  } else {
    playback_.stepBack(playback_.unit());
  }
  event->accept();
}

void Scrubber::keyPressEvent(QKeyEvent* event) {
  if (event->key() == Qt::Key_Up) {
    playback_.stepForward(Playback::Unit::Phase);
  } else if (event->key() == Qt::Key_Down) {
    playback_.stepBack(Playback::Unit::Phase);
  } else {
    QWidget::keyPressEvent(event);
  }
}

// Uses the playback only for a tip: other events may come while the window is destroyed, after the playback is gone.
bool Scrubber::event(QEvent* event) {
  const auto words = [this](const QPoint& position) {
    const Story& story = playback_.story();
    const double at = secondsAt(position.x());
    return story.beats[story.beatAt(at)].name + QStringLiteral(": ") + story.captionAt(at);
  };
  const bool asked = event->type() == QEvent::ToolTip && !playback_.story().beats.empty();
  return (asked && showsTip(*event, *this, words)) || QWidget::event(event);
}

}  // namespace lab

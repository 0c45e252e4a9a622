// SPDX-License-Identifier: GPL-3.0-or-later
// Pointer input on the stage: hovering, selecting, tips, and the handle that slows the pinned device down.
#include <QContextMenuEvent>
#include <QHelpEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QToolTip>

#include <algorithm>
#include <cmath>
#include <utility>

#include "ui/i18n/class_words.h"
#include "ui/i18n/core_words.h"
#include "ui/i18n/words.h"
#include "ui/playback/playback.h"
#include "ui/scene/selection.h"
#include "ui/stage/stage.h"
#include "ui/theme/painted_words.h"
#include "ui/theme/theme.h"

namespace lab {
namespace {

constexpr double kSpeedWords = 12;  // in px: width of the words on the speed handle

// True if the handle has room for its words beside the track.
bool speedInOneLine(double width, double px) {
  return width > 20 * px;
}

}  // namespace

void Stage::mouseMoveEvent(QMouseEvent* event) {
  if (draggedSpeed_ > 0) {
    draggedSpeed_ = speedAt(event->position().x());
    update();
    return;
  }
  if (zoomed_ >= 0) {
    pointer_ = event->position();
    advance();
  }
  const bool onBack = zoomed_ >= 0 && layout_.back.contains(event->position());
  const Object object = onBack ? Object{} : scene().objectAt(event->position());
  setCursor(object || onBack ? Qt::PointingHandCursor : Qt::ArrowCursor);
  selection_.hover(object);
}

void Stage::mousePressEvent(QMouseEvent* event) {
  if (event->button() != Qt::LeftButton) return;
  if (speedHandle().contains(event->position())) {
    draggedSpeed_ = speedAt(event->position().x());
    draggedReplica_ = selection_.pinned().endpoint;
    update();
    return;
  }
  if (zoomed_ >= 0 && layout_.back.contains(event->position())) return zoomInto(-1);
  const Object object = scene().objectAt(event->position());
  // In the zoomed replica, a click on an image chooses the one that is shown.
  if (zoomed_ >= 0 && object.kind == Object::Kind::Digit && object.endpoint == zoomed_)
    image_ = static_cast<std::size_t>(object.index);
  selection_.pin(object);
}

SceneInput::Look Stage::look() const {
  return {image_, pointer_, selection_.pinned()};
}

int Stage::replicaAt(const QPointF& point) const {
  for (const StageColumn& column : layout_.columns)
    if (column.count == 1 && column.box.contains(point)) return column.first;
  return -1;
}

// Zooms into the replica under the pointer; elsewhere zooms out.
void Stage::mouseDoubleClickEvent(QMouseEvent* event) {
  if (event->button() != Qt::LeftButton || !index_) return;
  const int replica = replicaAt(event->position());
  if (replica != zoomed_) return zoomInto(replica);
  mousePressEvent(event);
}

void Stage::wheelEvent(QWheelEvent* event) {
  constexpr int kNotch = 120;
  const int turned = event->angleDelta().y();
  if (event->modifiers() != Qt::NoModifier || std::abs(turned) < kNotch) return event->ignore();
  if (turned < 0) return zoomInto(-1);
  if (const int replica = replicaAt(event->position()); replica >= 0) zoomInto(replica);
}

// Waits until the button is released, because an opened panel may move the stage away from under the pointer. In a
// zoomed replica nothing opens: the stage itself describes the choice.
void Stage::mouseReleaseEvent(QMouseEvent* event) {
  if (draggedSpeed_ <= 0) {
    if (event->button() == Qt::LeftButton && selection_.pinned() && zoomed_ < 0) Q_EMIT inspectionWanted();
    return;
  }
  Q_EMIT slowdownWanted(draggedReplica_, std::exchange(draggedSpeed_, 0));
  update();
}

bool Stage::releaseSpeedHandle() {
  if (draggedSpeed_ <= 0) return false;
  draggedSpeed_ = 0;
  update();
  return true;
}

// The keyboard opens the menu in keyPressEvent(), because not every platform sends this event then.
void Stage::contextMenuEvent(QContextMenuEvent* event) {
  event->accept();
  if (!index_ || event->reason() == QContextMenuEvent::Keyboard) return;
  Object object = scene().objectAt(event->pos());
  for (std::size_t h = 0; h < layout_.frames.size() && !object && index_->info().hosts > 1; ++h)
    if (layout_.frames[h].contains(event->pos())) object = {Object::Kind::Host, -1, static_cast<std::int64_t>(h)};
  if (object) selection_.pin(object);
  Q_EMIT menuWanted(object, event->globalPos());
}

void Stage::leaveEvent(QEvent*) {
  if (std::exchange(pointer_, std::nullopt)) advance();
  selection_.hover({});
}

bool Stage::event(QEvent* event) {
  if (event->type() == QEvent::ToolTip) {
    auto* help = static_cast<QHelpEvent*>(event);
    QString tip = tipOf(scene().objectAt(help->pos()));
    // Beside other lanes the caption may be cut short.
    if (tip.isEmpty() && beside_ && layout_.caption.contains(help->pos()))
      tip = playback_.story().captionAt(playback_.seconds());
    if (tip.isEmpty())
      QToolTip::hideText();
    else
      QToolTip::showText(help->globalPos(), tip, this);
    return true;
  }
  return QWidget::event(event);
}

// Nothing if the replica cannot be slowed down.
std::optional<double> Stage::slowdownOf(int replica) const {
  const RunInfo& info = index_->info();
  if (info.isClass) return controller_.slowdownOf(replica);
  const DeviceFacts& device = info.devices[static_cast<std::size_t>(replica)];
  return device.simulated ? std::optional(device.slowdown) : std::nullopt;
}

// Covers the words of the tray, so that its digits stay visible; in a narrow column the track lies below the words.
QRectF Stage::speedHandle() const {
  const Object& pinned = selection_.pinned();
  if (!index_ || pinned.kind != Object::Kind::Device || pinned.endpoint < 0) return {};
  const RunInfo& info = index_->info();
  // No handle if nothing will be computed there any more.
  const StepRecord& record = index_->record();
  const auto isIts = [&](const DeadTask& dead) {
    return dead.task == RunFault::Task::Worker && index_->asynchronous() && dead.index == pinned.endpoint;
  };
  if (record.metric.aborted || std::ranges::any_of(record.dead, isIts) || pinned.endpoint >= info.replicas ||
      !slowdownOf(pinned.endpoint))
    return {};
  const StageColumn& column = layout_.columnOf(pinned.endpoint);
  const QRectF& tray = column.tray;
  const double px = layout_.px, height = (speedInOneLine(tray.width(), px) ? 1.6 : 3.2) * px;
  return {tray.left(), tray.top(), tray.width(), height};
}

QLineF Stage::speedTrack() const {
  const QRectF box = speedHandle();
  const double px = layout_.px;
  const bool oneLine = speedInOneLine(box.width(), px);
  const double left = box.left() + (oneLine ? kSpeedWords + 0.5 : 1) * px;
  const double y = oneLine ? box.center().y() : box.bottom() - 0.9 * px;
  return {left, y, box.right() - px, y};
}

double Stage::speedAt(double x) const {
  const QLineF track = speedTrack();
  const double part = std::clamp((x - track.x1()) / std::max(1.0, track.dx()), 0.0, 1.0);
  return std::round((1 + 9 * part) * 2) / 2;  // halves, because round numbers are easier to calculate with
}

void Stage::paintSpeedHandle(QPainter& painter) {
  const QRectF box = speedHandle();
  if (box.isNull()) return;
  const QLineF track = speedTrack();
  const theme::Colours& c = theme::colours();
  const double px = layout_.px;
  const double factor = draggedSpeed_ > 0 ? draggedSpeed_ : slowdownOf(selection_.pinned().endpoint).value_or(1);
  painter.setPen(QPen(c.accent, 1));
  painter.setBrush(c.panel);
  painter.drawRoundedRect(box, 0.5 * px, 0.5 * px);
  QFont font = painter.font();
  font.setPixelSize(std::max(1, static_cast<int>(0.9 * px)));
  font.setBold(false);
  painter.setFont(font);
  painter.setPen(c.ink);
  const QRectF words = speedInOneLine(box.width(), px)
                           ? QRectF(box.left(), box.top(), kSpeedWords * px, box.height())
                           : QRectF(box.left(), box.top() + 0.2 * px, box.width(), 1.3 * px);
  const QString text = factor == 1 ? tr("drag to slow it down") : tr("%1× slower").arg(numberText(factor));
  drawElided(painter, words, Qt::AlignCenter, text);
  painter.setPen(QPen(c.edge, 2));
  painter.drawLine(track);
  painter.setPen(Qt::NoPen);
  painter.setBrush(c.accent);
  painter.drawEllipse(track.pointAt((std::clamp(factor, 1.0, 10.0) - 1) / 9), 0.55 * px, 0.55 * px);
}

// The picture of an answer has room only for a class's number; the tip shows its name.
QString Stage::digitTip(const Object& object) const {
  constexpr std::size_t kLabelAndPrediction = 2;
  QString tip = tr("A real image. Click it to keep it in the inspector.");
  if (!index_->info().data || !classesAreNamed(*index_->info().data)) return tip;
  const Description said = description(object);
  for (std::size_t i = 0; i < std::min(kLabelAndPrediction, said.rows.size()); ++i)
    tip += QStringLiteral("\n%1: %2").arg(said.rows[i].name, said.rows[i].value);
  return tip;
}

QString Stage::tipOf(const Object& object) const {
  if (!index_ || !object) return {};
  switch (object.kind) {
    case Object::Kind::Digit:
      return digitTip(object);
    case Object::Kind::Transfer:
      return tr("On its way. Click it to see what is added to what.");
    case Object::Kind::Gradient:
      return tr("A gradient buffer. Click it to see its values.");
    case Object::Kind::Link:
      return coreText(index_->info().legend.lanes[static_cast<std::size_t>(object.index)].name);
    case Object::Kind::Device: {
      const QString name = coreText(index_->info().legend.endpoints[static_cast<std::size_t>(object.endpoint)].name);
      return zoomed_ == object.endpoint ? name : tr("%1. Double-click to look inside.").arg(name);
    }
    case Object::Kind::Layer:
      return zoomed_ < 0 ? tr("Double-click to see what every layer makes of an image.") : QString();
    default:
      return {};
  }
}

}  // namespace lab

// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/stage/stage.h"

#include <QAccessible>
#include <QContextMenuEvent>
#include <QHelpEvent>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QToolTip>

#include <cmath>
#include <utility>

#include "ui/accessibility/announcer.h"
#include "ui/playback/beat_steps.h"
#include "ui/playback/playback.h"
#include "ui/runview/run_controller.h"
#include "ui/stage/stage_accessible.h"
#include "ui/step/selection.h"
#include "ui/theme/painted_words.h"
#include "ui/theme/theme.h"

namespace lab {

Stage::Stage(RunController& controller, Playback& playback, Selection& selection, QWidget* parent)
    : QWidget(parent),
      controller_(controller),
      playback_(playback),
      selection_(selection),
      step_(controller, playback),
      picture_([this] { update(); }, playback),
      objects_(picture_.scene(), step_, playback, selection),
      message_(controller, playback, step_),
      handle_(step_, selection, picture_.layout()) {
  setObjectName(QStringLiteral("stage"));
  setAccessibleName(tr("Stage"));
  setMouseTracking(true);
  setMinimumSize(380, kLeastHeight);  // a smaller stage has no room for a column between the batch and the caption
  setAttribute(Qt::WA_OpaquePaintEvent);
  connect(&playback_, &Playback::changed, this, &Stage::advance);
  connect(&playback_, &Playback::acted, this, &Stage::advance);
  connect(&selection_, &Selection::changed, this, &Stage::advance);
  connect(&controller_, &RunController::updated, this, [this] {
    selection_.setRun(controller_.sharedInfo());
    if (step_.index() == nullptr) return update();            // shows the progress of the preparation
    if (step_.hasNews() || message_.isOutdated()) advance();  // how far live is ahead is in the message
  });
  connect(&selection_, &Selection::changed, this, [this] {
    if (selection_.pinned().endpoint != handle_.replica()) releaseSpeedHandle();
    if (auto* own = StageAccessible::of(*this)) own->announceSelection();
  });
}

void Stage::advance() {
  upToDate_ = false;
  if (!isVisible()) return;
  const QRect before = overlays_;
  const QString said = message_.shown();
  const QRegion changed = paintScene();
  update(overlays_ == before && message_.shown() == said ? changed : changed + before + overlays_);
}

// True if the picture is that of the present moment: a paint may come before the playback's signal of a change.
bool Stage::isUpToDate() const {
  const StepIndex* index = step_.index();
  return upToDate_ && paintedSeconds_ == playback_.seconds() &&
         (index != nullptr ? &index->record() : nullptr) == playback_.record().get() &&
         (index == nullptr || picture_.ratio() == devicePixelRatioF());
}

QRegion Stage::paintScene() {
  upToDate_ = true;
  paintedSeconds_ = playback_.seconds();
  ++sceneVersion_;
  overlays_ = {};
  const bool isOtherRun = step_.follow();
  if (step_.index() == nullptr) {
    picture_.clear();
    return rect();
  }
  if (zoomed_ >= step_.index()->info().replicas) zoomInto(-1);
  const RunInfo& info = step_.index()->info();
  picture_.arrange(info, size(), zoomed_, isOtherRun);
  SceneInput input = step_.sceneInput(layout());
  input.dividesWrongly = dividesWrongly_;
  input.look = {image_, pointer_, selection_.pinned()};
  input.amplified = amplified_;
  input.base = base_.get();
  Scene scene = makeScene(input);
  message_.fit(scene, layout(), font());
  overlays_ = (message_.place().toAlignedRect() | handle_.box().toAlignedRect()).adjusted(-2, -2, 2, 2);
  const Story& story = playback_.story();
  const bool wrong = dividesWrongly_ && story.beats[story.beatAt(playback_.seconds())].kind == BeatKind::Losses;
  const QString caption =
      wrong ? wrongLossesCaption(info, step_.index()->record()) : story.captionAt(playback_.seconds());
  const QRegion changed =
      picture_.draw(std::move(scene), {.size = size(),
                                       .ratio = devicePixelRatioF(),
                                       .font = font(),
                                       .ground = ground(),
                                       .theme = theme::kind(),
                                       .data = info.data.get(),
                                       .marked = {selection_.pinned(), selection_.hovered(), selection_.lit()}});
  announceMoment(caption);
  return changed;
}

QColor Stage::ground() const {
  const bool rests = !playback_.isMoving() && !step_.isBeginning();  // from the viewer's point of view
  return rests ? theme::colours().stagePaused : theme::colours().stage;
}

void Stage::setDividesWrongly(bool wrongly) {
  if (std::exchange(dividesWrongly_, wrongly) == wrongly) return;
  advance();
}

void Stage::setAmplified(double factor) {
  if (std::exchange(amplified_, factor) == factor) return;
  advance();
}

void Stage::setBase(std::shared_ptr<const BaseStep> base) {
  if (base_ == base) return;
  base_ = std::move(base);
  advance();
}

void Stage::zoomInto(int replica) {
  if (replica < 0 || step_.index() == nullptr || replica >= step_.index()->info().replicas) replica = -1;
  if (std::exchange(zoomed_, replica) == replica) return;
  image_ = 0;
  pointer_.reset();
  upToDate_ = false;
  selection_.pin({});  // the outline and the handle would be larger than their object
  Q_EMIT zoomChanged();
  update();
}

void Stage::setShowsMode(bool shows) {
  message_.setShowsMode(shows);
  advance();
}

void Stage::paintEvent(QPaintEvent* event) {
  if (!isUpToDate()) update(paintScene());  // this event may be for a part of it only
  QPainter painter(this);
  keepLeftToRight(painter);
  if (step_.index() == nullptr) {
    painter.fillRect(rect(), theme::colours().stage);
    const bool waits = controller_.state() != RunState::Failed && picture_.paintWaiting(painter);
    if (!waits) message_.paintPreparation(painter, rect());
    return;
  }
  picture_.paint(painter, event->region(), ground());
  if (picture_.isGliding()) return;
  painter.setRenderHint(QPainter::Antialiasing);
  handle_.paint(painter);
  if (event->region().intersects(message_.place().toAlignedRect())) message_.paint(painter);
  if (!showsFocus_) return;
  painter.setPen(QPen(theme::colours().accent, 2));
  painter.setBrush(Qt::NoBrush);
  painter.drawRect(rect().adjusted(1, 1, -2, -2));
}

void Stage::changeEvent(QEvent* event) {
  QWidget::changeEvent(event);
  upToDate_ = false;  // colours, fonts
  message_.unfit();
  update();
}

void Stage::resizeEvent(QResizeEvent*) {
  upToDate_ = false;
  message_.unfit();
}

void Stage::mouseMoveEvent(QMouseEvent* event) {
  if (handle_.drag(event->position())) return update();
  if (zoomed_ >= 0) {
    pointer_ = event->position();
    advance();
  }
  const bool onBack = zoomed_ >= 0 && layout().back.contains(event->position());
  const Object object = onBack ? Object{} : scene().objectAt(event->position());
  setCursor(object || onBack ? Qt::PointingHandCursor : Qt::ArrowCursor);
  selection_.hover(object);
}

void Stage::mousePressEvent(QMouseEvent* event) {
  if (event->button() != Qt::LeftButton) return;
  if (handle_.press(event->position())) return update();
  if (zoomed_ >= 0 && layout().back.contains(event->position())) return zoomInto(-1);
  const Object object = scene().objectAt(event->position());
  // In the zoomed replica, a click on an image chooses the one that is shown.
  if (zoomed_ >= 0 && object.kind == Object::Kind::Digit && object.endpoint == zoomed_)
    image_ = static_cast<std::size_t>(object.index);
  selection_.pin(object);
}

// Zooms into the replica under the pointer; elsewhere zooms out.
void Stage::mouseDoubleClickEvent(QMouseEvent* event) {
  if (event->button() != Qt::LeftButton || step_.index() == nullptr) return;
  const int replica = picture_.replicaAt(event->position());
  if (replica != zoomed_) return zoomInto(replica);
  mousePressEvent(event);
}

void Stage::wheelEvent(QWheelEvent* event) {
  constexpr int kNotch = 120;
  const int turned = event->angleDelta().y();
  if (event->modifiers() != Qt::NoModifier || std::abs(turned) < kNotch) return event->ignore();
  if (turned < 0) return zoomInto(-1);
  if (const int replica = picture_.replicaAt(event->position()); replica >= 0) zoomInto(replica);
}

// Waits until the button is released, because an opened panel may move the stage away from under the pointer. In a
// zoomed replica nothing opens: the stage itself describes the choice.
void Stage::mouseReleaseEvent(QMouseEvent* event) {
  if (const double factor = handle_.release(); factor > 0) {
    Q_EMIT slowdownWanted(handle_.replica(), factor);
    update();
  } else if (event->button() == Qt::LeftButton && selection_.pinned() && zoomed_ < 0) {
    Q_EMIT inspectionWanted();
  }
}

bool Stage::releaseSpeedHandle() {
  if (handle_.release() <= 0) return false;
  update();
  return true;
}

// The keyboard opens the menu in keyPressEvent(), because not every platform sends this event then.
void Stage::contextMenuEvent(QContextMenuEvent* event) {
  event->accept();
  if (step_.index() == nullptr || event->reason() == QContextMenuEvent::Keyboard) return;
  Object object = scene().objectAt(event->pos());
  for (std::size_t h = 0; h < layout().frames.size() && !object && step_.index()->info().hosts > 1; ++h)
    if (layout().frames[h].contains(event->pos())) object = {Object::Kind::Host, -1, static_cast<std::int64_t>(h)};
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
    QString tip = objects_.tipOf(scene().objectAt(help->pos()), zoomed_);
    // Beside other lanes the caption may be cut short.
    if (tip.isEmpty() && picture_.isBeside() && layout().caption.contains(help->pos()))
      tip = playback_.story().captionAt(playback_.seconds());
    QToolTip::showText(help->globalPos(), tip, this);  // hides it if there are no words
    return true;
  }
  return QWidget::event(event);
}

void Stage::openMenu() {
  if (step_.index() == nullptr) return;
  const Object& chosen = selection_.pinned();
  const QRectF place = chosen ? objects_.placeOf(chosen) : QRectF();
  const QPointF at = place.isEmpty() ? QRectF(rect()).center() : place.center();
  Q_EMIT menuWanted(place.isEmpty() ? Object{} : chosen, mapToGlobal(at.toPoint()));
}

// Menu and Shift+F10: open the menu of the selection. Enter: zooms into the selection's replica; in a zoomed replica,
// chooses the image. Down and Up: the next and the previous object; Page Down and Page Up: of another kind.
void Stage::keyPressEvent(QKeyEvent* event) {
  if (event->key() == Qt::Key_Menu || (event->key() == Qt::Key_F10 && event->modifiers() == Qt::ShiftModifier))
    return openMenu();
  if (event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter) {
    const Object& object = selection_.pinned();
    if (zoomed_ < 0 && object.endpoint >= 0 && object.kind != Object::Kind::VariableShard)
      return zoomInto(object.endpoint);
    if (zoomed_ >= 0 && object.kind == Object::Kind::Digit && object.endpoint == zoomed_) {
      image_ = static_cast<std::size_t>(object.index);
      return advance();
    }
  }
  const bool down = event->key() == Qt::Key_Down || event->key() == Qt::Key_PageDown;
  const bool up = event->key() == Qt::Key_Up || event->key() == Qt::Key_PageUp;
  const bool far = event->key() == Qt::Key_PageDown || event->key() == Qt::Key_PageUp;
  if ((!down && !up) || event->modifiers() != Qt::NoModifier) return QWidget::keyPressEvent(event);
  if (!objects_.chooseNext(down, far)) return;
  showsFocus_ = true;
  update();
}

void Stage::focusInEvent(QFocusEvent* event) {
  QWidget::focusInEvent(event);
  // Only if the focus came by key; a click shows by itself where it went.
  showsFocus_ = event->reason() == Qt::TabFocusReason || event->reason() == Qt::BacktabFocusReason ||
                event->reason() == Qt::ShortcutFocusReason;
  update();
}

void Stage::focusOutEvent(QFocusEvent* event) {
  QWidget::focusOutEvent(event);
  showsFocus_ = false;
  update();
}

// Announces the caption once per beat, spoken unless training runs on and captions come faster than speech. Then, and
// whenever the movie rests, announces objects that appeared, vanished or changed their names.
void Stage::announceMoment(const QString& caption) {
  const bool otherBeat = caption != accessibleDescription();
  if (otherBeat) setAccessibleDescription(caption);
  if (!QAccessible::isActive()) return;
  const bool readable = playback_.mode() <= Playback::Mode::Play || !playback_.isPlaying();
  if (!readable || (!otherBeat && playback_.isMoving())) return;
  if (otherBeat) announce(*this, caption, Announcer::Kind::Passing);
  if (auto* own = StageAccessible::of(*this)) own->announceChanges();
}

}  // namespace lab

// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/stage/stage.h"

#include <QHelpEvent>
#include <QMouseEvent>
#include <QPaintEvent>
#include <QToolTip>

#include <algorithm>
#include <cmath>
#include <utility>

#include "ui/playback/captions.h"
#include "ui/playback/playback.h"
#include "ui/run_controller.h"
#include "ui/stage/selection.h"
#include "ui/theme.h"

namespace lab {

Stage::Stage(RunController& controller, Playback& playback, Selection& selection, QWidget* parent)
    : QWidget(parent), controller_(controller), playback_(playback), selection_(selection) {
  setObjectName(QStringLiteral("stage"));
  setAccessibleName(tr("Stage"));
  setMouseTracking(true);
  setMinimumSize(640, 360);
  setAttribute(Qt::WA_OpaquePaintEvent);
  connect(&playback_, &Playback::changed, this, qOverload<>(&QWidget::update));
  connect(&playback_, &Playback::acted, this, qOverload<>(&QWidget::update));
  connect(&selection_, &Selection::changed, this, qOverload<>(&QWidget::update));
}

// The record's index is made once per record, the layout once per run and size, the scene for every moment.
void Stage::rebuild() {
  const auto& record = playback_.record();
  const auto info = controller_.sharedInfo();
  if (!record || !info || playback_.story().beats.empty()) {
    index_.reset();
    scene_ = {};
    return;
  }
  if (!index_ || &index_->record() != record.get()) index_ = std::make_unique<StepIndex>(info, record);
  layout_ = layoutStage(*info, size());
  SceneInput input{*index_, layout_, playback_.story(), playback_.seconds(), {}};
  if (index_->asynchronous()) {
    for (const StepMetric& step : controller_.steps()) {
      if (step.step > record->metric.step) break;
      const auto stale = static_cast<std::size_t>(std::clamp<std::int64_t>(step.staleness.value_or(0), 0, 63));
      if (stale >= input.stalenessCounts.size()) input.stalenessCounts.resize(stale + 1, 0);
      ++input.stalenessCounts[stale];
    }
  }
  scene_ = makeScene(input);
}

bool Stage::invites() const {
  return index_ && !playback_.isMoving() && playback_.seconds() <= 0 && playback_.record() &&
         playback_.record()->metric.step == index_->info().firstStep;
}

QRectF Stage::playButton() const {
  const double side = 3.4 * layout_.px;
  return {layout_.caption.left() + layout_.px, layout_.caption.center().y() - side / 2, side, side};
}

void Stage::paintEvent(QPaintEvent*) {
  rebuild();
  QPainter painter(this);
  const theme::Colours& c = theme::colours();
  const bool paused = index_ != nullptr && !playback_.isMoving() && playback_.mode() != Playback::Mode::Express &&
                      playback_.mode() != Playback::Mode::Fast;
  const QColor ground = paused && !invites() ? c.stagePaused : c.stage;
  if (!index_) {
    painter.fillRect(rect(), ground);
    painter.setPen(c.quietInk);
    painter.drawText(rect(), Qt::AlignCenter,
                     controller_.state() == RunState::Failed ? tr("Nothing to show: the run has failed.")
                                                             : tr("Preparing the data and the devices …"));
    return;
  }
  const QImage& picture = canvas_.paint(scene_, {.size = size(),
                                                 .ratio = painter.device()->devicePixelRatioF(),
                                                 .font = painter.font(),
                                                 .ground = ground,
                                                 .dark = c.dark,
                                                 .data = index_->info().data.get(),
                                                 .selected = selection_.pinned(),
                                                 .hovered = selection_.hovered()});
  painter.drawImage(0, 0, picture);
  painter.setRenderHint(QPainter::Antialiasing);
  paintSpeedHandle(painter);
  setAccessibleDescription(playback_.story().beats[playback_.story().beatAt(playback_.seconds())].caption);

  if (invites()) {
    const QRectF button = playButton();
    painter.setPen(Qt::NoPen);
    painter.setBrush(c.accent);
    painter.drawEllipse(button);
    const double r = button.width() / 2;
    const QPointF m = button.center();
    painter.setBrush(c.onAccent);
    painter.drawPolygon(QPolygonF(
        {{m.x() - 0.28 * r, m.y() - 0.45 * r}, {m.x() - 0.28 * r, m.y() + 0.45 * r}, {m.x() + 0.52 * r, m.y()}}));
    return;
  }
  QString words;
  if (playback_.isRecomputing())
    words = tr("recomputing …");
  else if (paused) {
    const std::int64_t ahead = playback_.liveStep() - playback_.step();
    words = ahead > 0 ? tr("Paused at step %1 · live is %2 ahead").arg(playback_.step()).arg(ahead)
                      : tr("Paused at step %1").arg(playback_.step());
  } else if (playback_.sampledEvery() > 1) {
    words = tr("shows 1 of %1 steps").arg(playback_.sampledEvery());
  } else if (playback_.mode() == Playback::Mode::Express) {
    words = tr("Express: training at full speed, the stage stands still");
  }
  if (words.isEmpty()) return;
  QFont font = painter.font();
  font.setPixelSize(static_cast<int>(0.95 * layout_.px));
  font.setBold(true);
  painter.setFont(font);
  const double width = QFontMetricsF(font).horizontalAdvance(words) + 2 * layout_.px;
  const QRectF box(layout_.batch.left(), layout_.batch.top() - 0.2 * layout_.px, width, 1.6 * layout_.px);
  painter.setPen(QPen(c.edge, 1));
  painter.setBrush(c.panel);
  painter.drawRoundedRect(box, box.height() / 2, box.height() / 2);
  painter.setPen(c.ink);
  painter.drawText(box, Qt::AlignCenter, words);
}

void Stage::mouseMoveEvent(QMouseEvent* event) {
  if (draggedSpeed_ > 0) {
    draggedSpeed_ = speedAt(event->position().x());
    update();
    return;
  }
  const bool onPlay = invites() && playButton().contains(event->position());
  const Object object = onPlay ? Object{} : scene_.objectAt(event->position());
  setCursor(object || onPlay ? Qt::PointingHandCursor : Qt::ArrowCursor);
  selection_.hover(object);
}

void Stage::mousePressEvent(QMouseEvent* event) {
  if (event->button() != Qt::LeftButton) return;
  if (invites() && playButton().contains(event->position())) {
    Q_EMIT playWanted();
    return;
  }
  if (speedTrack().contains(event->position())) {
    draggedSpeed_ = speedAt(event->position().x());
    update();
    return;
  }
  selection_.pin(scene_.objectAt(event->position()));
}

void Stage::mouseReleaseEvent(QMouseEvent*) {
  if (draggedSpeed_ <= 0) return;
  Q_EMIT slowdownWanted(selection_.pinned().party, std::exchange(draggedSpeed_, 0));
}

void Stage::leaveEvent(QEvent*) {
  selection_.hover({});
}

bool Stage::event(QEvent* event) {
  if (event->type() == QEvent::ToolTip) {
    auto* help = static_cast<QHelpEvent*>(event);
    const QString tip = tipOf(scene_.objectAt(help->pos()));
    if (tip.isEmpty())
      QToolTip::hideText();
    else
      QToolTip::showText(help->globalPos(), tip, this);
    return true;
  }
  return QWidget::event(event);
}

// ---- The speed handle

QRectF Stage::speedTrack() const {
  const Object& pinned = selection_.pinned();
  if (!index_ || pinned.kind != Object::Kind::Device || pinned.party < 0) return {};
  const RunInfo& info = index_->info();
  if (pinned.party >= info.replicas || !info.devices[static_cast<std::size_t>(pinned.party)].simulated) return {};
  const StageColumn& column = layout_.columnOf(pinned.party);
  return {column.tray.left(), column.tray.top(), column.tray.width(), 3.2 * layout_.px};
}

double Stage::speedAt(double x) const {
  const QRectF track = speedTrack();
  const double inset = layout_.px;
  const double part = std::clamp((x - track.left() - inset) / std::max(1.0, track.width() - 2 * inset), 0.0, 1.0);
  return std::round((1 + 9 * part) * 2) / 2;  // halves: round numbers can be computed with
}

void Stage::paintSpeedHandle(QPainter& painter) {
  const QRectF track = speedTrack();
  if (track.isNull()) return;
  const theme::Colours& c = theme::colours();
  const double px = layout_.px, inset = px;
  const double factor = draggedSpeed_ > 0
                            ? draggedSpeed_
                            : index_->info().devices[static_cast<std::size_t>(selection_.pinned().party)].slowdown;
  painter.setPen(QPen(c.accent, 1));
  painter.setBrush(c.panel);
  painter.drawRoundedRect(track, 0.5 * px, 0.5 * px);
  QFont font = painter.font();
  font.setPixelSize(static_cast<int>(0.9 * px));
  font.setBold(false);
  painter.setFont(font);
  painter.setPen(c.ink);
  painter.drawText(QRectF(track.left(), track.top() + 0.2 * px, track.width(), 1.3 * px), Qt::AlignCenter,
                   factor == 1 ? tr("full speed: drag to slow it down") : tr("%1× slower").arg(factor));
  const double y = track.bottom() - 0.9 * px;
  painter.setPen(QPen(c.edge, 2));
  painter.drawLine(QPointF(track.left() + inset, y), QPointF(track.right() - inset, y));
  const double x = track.left() + inset + (track.width() - 2 * inset) * (std::clamp(factor, 1.0, 10.0) - 1) / 9;
  painter.setPen(Qt::NoPen);
  painter.setBrush(c.accent);
  painter.drawEllipse(QPointF(x, y), 0.55 * px, 0.55 * px);
}

QString Stage::tipOf(const Object& object) const {
  if (!index_ || !object) return {};
  switch (object.kind) {
    case Object::Kind::Digit:
      return tr("A real image. Click it to keep it in the inspector.");
    case Object::Kind::Transfer:
      return tr("On its way. Click it to see what is added to what.");
    case Object::Kind::Gradient:
      return tr("A gradient buffer. Click it to see its values.");
    case Object::Kind::Link:
      return QString::fromStdString(index_->info().legend.lanes[static_cast<std::size_t>(object.index)].name);
    case Object::Kind::Device:
      return QString::fromStdString(index_->info().legend.parties[static_cast<std::size_t>(object.party)].name);
    default:
      return {};
  }
}

}  // namespace lab

// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/stage/stage_message.h"

#include <QPainter>

#include <algorithm>

#include "ui/i18n/core_words.h"
#include "ui/i18n/words.h"
#include "ui/playback/playback.h"
#include "ui/runview/run_controller.h"
#include "ui/runview/run_summary.h"
#include "ui/stage/shown_step.h"
#include "ui/theme/painted_words.h"
#include "ui/theme/projected.h"
#include "ui/theme/theme.h"
#include "ui/transport/transport.h"

namespace lab {
namespace {

constexpr double kLeastWords = 0.7;  // words about the stage shrink to this share before they are cut

// `scale`: relative to the usual size.
QFont wordsFont(QFont font, double px, double scale) {
  const int asked = std::max(1, static_cast<int>(0.95 * scale * px));
  font.setPixelSize(theme::isProjected() ? static_cast<int>(theme::paintedLetters(asked))
                                         : std::max(asked, theme::leastLetters()));
  font.setBold(true);
  return font;
}

}  // namespace

StageMessage::StageMessage(const RunController& controller, const Playback& playback, const ShownStep& step)
    : controller_(controller), playback_(playback), step_(step) {}

// True if a task has died and training has ended with it.
bool StageMessage::hasAborted() const {
  return !controller_.steps().empty() && controller_.steps().back().aborted;
}

// For a run that trains no more, "paused" would be wrong.
QString StageMessage::wordsOfTheEnd() const {
  const QString step = countText(playback_.step()), last = countText(playback_.liveStep());
  const bool atEnd = playback_.step() >= playback_.liveStep();
  switch (controller_.state()) {
    case RunState::Stopped:
      return atEnd ? tr("Stopped at step %1").arg(step) : tr("Step %1 of %2 of a stopped run").arg(step, last);
    case RunState::Failed:
      return atEnd ? tr("Failed after step %1").arg(step) : tr("Step %1 of %2 of a failed run").arg(step, last);
    default:
      if (hasAborted())
        return atEnd ? tr("Ended with an error at step %1").arg(step)
                     : tr("Step %1 of %2 of a run that ended with an error").arg(step, last);
      return atEnd ? tr("Finished at step %1").arg(step) : tr("Step %1 of %2 of a finished run").arg(step, last);
  }
}

QString StageMessage::words() const {
  const QString state = stateWords();
  if (!showsMode_) return state;
  const QString mode = modeName(playback_.mode());
  if (state.isEmpty()) return playback_.isMoving() ? mode : tr("%1 · Space plays").arg(mode);
  return tr("%1 · %2", "mode, state").arg(mode, state);
}

QString StageMessage::stateWords() const {
  if (step_.index() == nullptr) {
    const RunState state = controller_.state();
    return state == RunState::Failed    ? tr("Nothing to show: the run has failed.")
           : state == RunState::Stopped ? tr("Stopped before the first step")
                                        : preparationWords(controller_.reports().preparation());
  }
  if (step_.isBeginning()) return {};
  if (playback_.isRecomputing()) return tr("recomputing …");
  if (!playback_.isMoving()) {
    if (controller_.isOver()) return wordsOfTheEnd();
    const std::int64_t ahead = playback_.liveStep() - playback_.step();
    const QString step = countText(playback_.step());
    return ahead > 0 ? tr("Paused at step %1 · live is %2 ahead").arg(step, countText(ahead))
                     : tr("Paused at step %1").arg(step);
  }
  if (playback_.sampledEvery() > 1) return tr("shows 1 of %1 steps").arg(countText(playback_.sampledEvery()));
  if (playback_.mode() == Playback::Mode::Express) return tr("Express: training at full speed, the stage stands still");
  return {};
}

// Shorter forms for a stage without room, the longest first: the step stands beside the clock.
QStringList StageMessage::fewerWords() const {
  const QString mode = modeName(playback_.mode());
  if (step_.index() == nullptr || step_.isBeginning()) return {words(), mode};
  QString state;
  if (playback_.isRecomputing()) {
    state = tr("recomputing …");
  } else if (!playback_.isMoving() && !controller_.isOver()) {
    state = tr("Paused");
  } else if (!playback_.isMoving()) {
    const RunState over = controller_.state();
    state = over == RunState::Stopped  ? tr("Stopped")
            : over == RunState::Failed ? tr("Failed")
            : hasAborted()             ? tr("Ended with an error")
                                       : tr("Finished");
  } else if (playback_.sampledEvery() > 1) {
    state = tr("1 of %1 steps").arg(countText(playback_.sampledEvery()));
  }
  if (state.isEmpty()) return {words(), mode};
  if (!showsMode_) return {words(), state};
  return {words(), tr("%1 · %2", "mode, state").arg(mode, state), !playback_.isMoving() ? state : mode};
}

void StageMessage::fit(const Scene& scene, const StageLayout& layout, const QFont& font) {
  const QString now = words();
  if (now.isEmpty()) {
    words_ = shown_ = now;
    return unfit();
  }
  // Beside the batch. If letters are large there is no room beside a coordinator, so the words stand in the line above,
  // between the name and the clock.
  const double px = layout.px;
  const bool above = step_.index()->asynchronous() && !layout.hasRoomBesideBatch();
  double left = above ? layout.top.left() : layout.batch.left(), right = layout.batch.right();
  for (const Item& item : scene.items) {
    if (above && item.shape == Item::Shape::Text && item.box.top() == layout.top.top()) {
      if (item.bold) left = item.box.right() + px;
      if (item.align.testFlag(Qt::AlignRight)) right = item.box.left() - px;
    }
    if (!above && item.shape == Item::Shape::Panel && item.object.kind == Object::Kind::Queue)
      right = item.box.left() - 0.5 * px;
  }
  if (!step_.index()->asynchronous()) right = left + (1 - kBatchWords) / 2 * layout.batch.width();
  const QPointF corner(left, above ? layout.top.top() + 0.1 * px : layout.batch.top() - 0.2 * px);
  const double room = right - left - 2 * px;
  if (now == words_ && box_.topLeft() == corner && room_ == room) return;
  words_ = now;
  room_ = room;
  font_ = wordsFont(font, px, 1);
  QFontMetricsF metrics(font_);
  for (const QString& words : fewerWords()) {
    shown_ = words;
    if (metrics.horizontalAdvance(words) <= room) break;
  }
  const double scale = std::clamp(room / std::max(1.0, metrics.horizontalAdvance(shown_)), kLeastWords, 1.0);
  if (scale < 1) {
    font_ = wordsFont(font, px, scale);
    metrics = QFontMetricsF(font_);
  }
  shown_ = metrics.elidedText(shown_, Qt::ElideRight, std::max(room, 3 * px) + 1);
  const double width = metrics.horizontalAdvance(shown_) + 2 * px;
  box_ = QRectF(corner, QSizeF(width, std::max(1.6 * px, 1.1 * metrics.height())));
}

void StageMessage::paint(QPainter& painter) const {
  if (words_.isEmpty()) return;
  const theme::Colours& c = theme::colours();
  painter.setPen(QPen(c.edge, 1));
  painter.setBrush(c.panel);
  painter.drawRoundedRect(box_, box_.height() / 2, box_.height() / 2);
  painter.setFont(font_);
  painter.setPen(c.ink);
  painter.drawText(box_, Qt::AlignCenter, shown_);
}

void StageMessage::paintPreparation(QPainter& painter, const QRect& stage) const {
  const bool isOver = controller_.isOver();
  painter.setPen(theme::colours().quietInk);
  painter.drawText(stage.adjusted(theme::em(1), 0, -theme::em(1), 0), Qt::AlignCenter | Qt::TextWordWrap,
                   isOver ? stateWords() : words());
  const Preparation& preparation = controller_.reports().preparation();
  if (isOver || preparation.total < 2) return;
  QRectF bar(0, 0, std::min(theme::em(18), stage.width() * 3 / 4), theme::em(0.5));
  bar.moveCenter(stage.center() + QPoint(0, theme::em(2)));
  painter.setPen(Qt::NoPen);
  painter.setBrush(theme::colours().line);
  painter.drawRect(bar);
  bar.setWidth(bar.width() * static_cast<double>(preparation.done) / static_cast<double>(preparation.total));
  painter.setBrush(theme::colours().accent);
  painter.drawRect(bar);
}

}  // namespace lab

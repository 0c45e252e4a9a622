// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/stage/stage.h"

#include <QAccessible>
#include <QPaintEvent>

#include <algorithm>
#include <cmath>
#include <utility>

#include "ui/i18n/core_words.h"
#include "ui/i18n/words.h"
#include "ui/inspect/describe.h"
#include "ui/playback/beat_steps.h"
#include "ui/playback/captions.h"
#include "ui/playback/playback.h"
#include "ui/runview/run_controller.h"
#include "ui/runview/run_summary.h"
#include "ui/scene/selection.h"
#include "ui/theme/painted_words.h"
#include "ui/theme/projected.h"
#include "ui/theme/theme.h"
#include "ui/transport/transport.h"

namespace lab {
namespace {

constexpr double kLeastWords = 0.7;  // words about the stage shrink to this share before they are cut

}  // namespace

Stage::Stage(RunController& controller, Playback& playback, Selection& selection, QWidget* parent)
    : QWidget(parent), controller_(controller), playback_(playback), selection_(selection) {
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
    if (!index_) return update();  // shows the progress of the preparation
    const bool other =
        knewEvaluation_ != (evaluation() != nullptr) || knewLost_ != lostWorker() || knewLeft_ != leftSince();
    if (other || words() != words_) advance();  // or how far live is ahead
  });
  connect(&selection_, &Selection::changed, this, [this] {
    if (selection_.pinned().endpoint != draggedReplica_) releaseSpeedHandle();
  });
  connect(&selection_, &Selection::changed, this, &Stage::announceSelection);
}

void Stage::advance() {
  upToDate_ = false;
  if (!isVisible()) return;
  const QRect before = overlays_;
  const QString said = words_;
  const QRegion changed = paintScene();
  update(overlays_ == before && words_ == said ? changed : changed + before + overlays_);
}

// True if the canvas shows the present moment: a paint may come before the playback's signal of a change.
bool Stage::isUpToDate() const {
  return upToDate_ && paintedSeconds_ == playback_.seconds() &&
         (index_ ? &index_->record() : nullptr) == playback_.record().get() &&
         (!index_ || canvas_.image().devicePixelRatio() == devicePixelRatioF());
}

QRegion Stage::paintScene() {
  upToDate_ = true;
  paintedSeconds_ = playback_.seconds();
  rebuild();
  overlays_ = {};
  if (!index_) return rect();
  knewEvaluation_ = evaluation() != nullptr;
  knewLost_ = lostWorker();
  knewLeft_ = leftSince();
  Scene scene =
      makeScene({*index_, layout_, playback_.story(), playback_.seconds(), stalenessCounts_, evaluation(), epoch_,
                 dividesWrongly_, look(), amplified_, lostWorker(), controller_.liveStep(), base_.get(), knewLeft_});
  placeWords(scene);
  overlays_ |= wordsBox_.toAlignedRect();
  overlays_ = (overlays_ | speedHandle().toAlignedRect()).adjusted(-2, -2, 2, 2);
  const Story& story = playback_.story();
  const bool wrong = dividesWrongly_ && story.beats[story.beatAt(playback_.seconds())].kind == BeatKind::Losses;
  const QString caption =
      wrong ? wrongLossesCaption(index_->info(), index_->record()) : story.captionAt(playback_.seconds());
  const QRegion changed =
      canvas_.paint(std::move(scene), {.size = size(),
                                       .ratio = devicePixelRatioF(),
                                       .font = font(),
                                       .ground = ground(),
                                       .theme = theme::kind(),
                                       .data = index_->info().data.get(),
                                       .marked = {selection_.pinned(), selection_.hovered(), selection_.lit()}});
  announceMoment(caption);
  return changed;
}

// The record's index is made once per record, the layout once per run and size.
void Stage::rebuild() {
  ++sceneVersion_;
  const auto& record = playback_.record();
  const auto info = controller_.sharedInfo();
  if (!record || !info || playback_.story().beats.empty()) {
    leaveLayout();
    index_.reset();
    canvas_.clear();
    return;
  }
  const bool had = index_ != nullptr, otherRun = !had || &index_->info() != info.get();
  if (otherRun || &index_->record() != record.get()) {
    index_ = std::make_unique<StepIndex>(info, record);
    if (index_->asynchronous()) countStaleness();
    countEpoch();
  }
  if (zoomed_ >= info->replicas) zoomInto(-1);
  if (otherRun || layout_.size != QSizeF(size()) || leastText_ != leastText() || layout_.zoomed != zoomed_) {
    if (had && layout_.size == QSizeF(size())) leaveLayout();  // no gliding while a window is resized
    leastText_ = leastText();
    layout_ = layoutStage(*info, size(), leastText_, zoomed_);
    change_.arrive(layout_);
    canvas_.forget();
  }
}

void Stage::leaveLayout() {
  if (!glides_ || playback_.reducedMotion()) return change_.end();
  if (index_ && !canvas_.image().isNull()) change_.leave(canvas_.image(), layout_);
}

// On a projector, and if a text size was chosen, the stage follows it.
double Stage::leastText() const {
  if (theme::isProjected() || theme::chosenPoints() != 0) return theme::textSize();
  constexpr int kLarge = 20;  // pixels: in windows higher than 1440
  return beside_ && theme::textSize() >= kLarge ? theme::textSize() : 0;
}

void Stage::countStaleness() {
  const std::vector<StepMetric>& steps = controller_.steps();
  const std::int64_t shown = index_->record().metric.step;
  if (countedSteps_ > steps.size() || (countedSteps_ > 0 && steps[countedSteps_ - 1].step > shown)) countedSteps_ = 0;
  if (countedSteps_ == 0) stalenessCounts_.clear();
  for (; countedSteps_ < steps.size() && steps[countedSteps_].step <= shown; ++countedSteps_) {
    const auto stale =
        static_cast<std::size_t>(std::clamp<std::int64_t>(steps[countedSteps_].staleness.value_or(0), 0, 63));
    if (stale >= stalenessCounts_.size()) stalenessCounts_.resize(stale + 1, 0);
    ++stalenessCounts_[stale];
  }
}

// Only if the shown step is the last of an epoch.
void Stage::countEpoch() {
  epoch_ = {};
  if (!endsEpoch(index_->info(), index_->record())) return;
  const std::int64_t last = index_->record().metric.step, first = last - index_->info().stepsPerEpoch + 1;
  double steps = 0, images = 0, all = 0;
  const std::vector<StepMetric>& metrics = controller_.steps();
  for (auto step = std::ranges::lower_bound(metrics, first, {}, &StepMetric::step);
       step != metrics.end() && step->step <= last; ++step) {
    ++epoch_.steps;
    steps += step->loss;
    images += step->loss * static_cast<double>(step->examples);
    all += static_cast<double>(step->examples);
  }
  if (epoch_.steps == 0) return;
  epoch_.ofSteps = steps / static_cast<double>(epoch_.steps);
  epoch_.ofImages = images / std::max(1.0, all);
}

// The evaluation arrives after the step's record.
const EvalMetric* Stage::evaluation() const {
  return evaluationAfter(controller_.evaluations(), *index_);
}

void Stage::setDividesWrongly(bool wrongly) {
  if (std::exchange(dividesWrongly_, wrongly) == wrongly) return;
  upToDate_ = false;
  advance();
}

void Stage::setAmplified(double factor) {
  if (std::exchange(amplified_, factor) == factor) return;
  upToDate_ = false;
  advance();
}

void Stage::setBase(std::shared_ptr<const BaseStep> base) {
  if (base_ == base) return;
  base_ = std::move(base);
  upToDate_ = false;
  advance();
}

bool Stage::invites() const {
  return index_ && !playback_.isMoving() && playback_.story().isBeginning(playback_.seconds()) && playback_.record() &&
         playback_.record()->metric.step == index_->info().firstStep;
}

QColor Stage::ground() const {
  return isAtRest() && !invites() ? theme::colours().stagePaused : theme::colours().stage;
}

bool Stage::isAtRest() const {
  return !playback_.isMoving();
}

// Only if the newest record of the run is shown.
int Stage::lostWorker() const {
  return playback_.record() == controller_.newestRecord() ? controller_.lostWorker() : -1;
}

// For a class, whose next record may come late: while it is paused, or when nobody is left.
std::vector<int> Stage::leftSince() const {
  if (playback_.record() != controller_.newestRecord()) return {};
  return controller_.leftSinceRecord();
}

// True if a task has died and training has ended with it.
bool Stage::hasAborted() const {
  return !controller_.steps().empty() && controller_.steps().back().aborted;
}

// For a run that trains no more, "paused" would be wrong.
QString Stage::wordsOfTheEnd() const {
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

void Stage::zoomInto(int replica) {
  if (replica < 0 || !index_ || replica >= index_->info().replicas) replica = -1;
  if (std::exchange(zoomed_, replica) == replica) return;
  image_ = 0;
  pointer_.reset();
  upToDate_ = false;
  selection_.pin({});  // the outline and the handle would be larger than their object
  Q_EMIT zoomChanged();
  update();
}

void Stage::setShowsMode(bool shows) {
  showsMode_ = shows;
  advance();
}

QString Stage::words() const {
  const QString state = stateWords();
  if (!showsMode_) return state;
  const QString mode = modeName(playback_.mode());
  if (state.isEmpty()) return playback_.isMoving() ? mode : tr("%1 · Space plays").arg(mode);
  return tr("%1 · %2", "mode, state").arg(mode, state);
}

QString Stage::stateWords() const {
  if (!index_) return preparationWords(controller_.preparation());
  if (invites()) return {};
  if (playback_.isRecomputing()) return tr("recomputing …");
  if (isAtRest()) {
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
QStringList Stage::fewerWords() const {
  const QString mode = modeName(playback_.mode());
  if (!index_ || invites()) return {words(), mode};
  QString state;
  if (playback_.isRecomputing()) {
    state = tr("recomputing …");
  } else if (isAtRest() && !controller_.isOver()) {
    state = tr("Paused");
  } else if (isAtRest()) {
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
  return {words(), tr("%1 · %2", "mode, state").arg(mode, state), isAtRest() ? state : mode};
}

void Stage::paintEvent(QPaintEvent* event) {
  if (!isUpToDate()) update(paintScene());  // this event may be for a part of it only
  QPainter painter(this);
  keepLeftToRight(painter);
  if (!index_) {
    painter.fillRect(rect(), theme::colours().stage);
    if (change_.waits() && controller_.state() != RunState::Failed) return change_.paintWaiting(painter);
    painter.setPen(theme::colours().quietInk);
    const bool failed = controller_.state() == RunState::Failed;
    painter.drawText(rect().adjusted(theme::em(1), 0, -theme::em(1), 0), Qt::AlignCenter | Qt::TextWordWrap,
                     failed ? tr("Nothing to show: the run has failed.") : words());
    if (!failed) paintPreparation(painter);
    return;
  }
  if (change_.isMoving()) return change_.paint(painter, canvas_.image(), ground());
  const double ratio = canvas_.image().devicePixelRatio();
  for (const QRect& part : event->region())
    painter.drawImage(part, canvas_.image(), QRectF(QPointF(part.topLeft()) * ratio, QSizeF(part.size()) * ratio));
  painter.setRenderHint(QPainter::Antialiasing);
  paintSpeedHandle(painter);
  if (event->region().intersects(wordsBox_.toAlignedRect())) paintWords(painter);
  if (!showsFocus_) return;
  painter.setPen(QPen(theme::colours().accent, 2));
  painter.setBrush(Qt::NoBrush);
  painter.drawRect(rect().adjusted(1, 1, -2, -2));
}

void Stage::changeEvent(QEvent* event) {
  QWidget::changeEvent(event);
  upToDate_ = false;  // colours, fonts
  wordsBox_ = {};
  update();
}

void Stage::resizeEvent(QResizeEvent*) {
  upToDate_ = false;
  wordsBox_ = {};
}

// Paints the finished share of the preparation, if it is known.
void Stage::paintPreparation(QPainter& painter) const {
  const Preparation& preparation = controller_.preparation();
  if (preparation.total < 2) return;
  QRectF bar(0, 0, std::min(theme::em(18), width() * 3 / 4), theme::em(0.5));
  bar.moveCenter(rect().center() + QPoint(0, theme::em(2)));
  painter.setPen(Qt::NoPen);
  painter.setBrush(theme::colours().line);
  painter.drawRect(bar);
  bar.setWidth(bar.width() * static_cast<double>(preparation.done) / static_cast<double>(preparation.total));
  painter.setBrush(theme::colours().accent);
  painter.drawRect(bar);
}

// Uses the scene that is about to be painted: its predecessor may have had another size.
void Stage::placeWords(const Scene& scene) {
  // Beside the batch. If letters are large there is no room beside a coordinator, so the words stand in the line above,
  // between the name and the clock.
  const double px = layout_.px;
  const bool above = index_->asynchronous() && !layout_.hasRoomBesideBatch();
  double left = above ? layout_.top.left() : layout_.batch.left(), right = layout_.batch.right();
  for (const Item& item : scene.items) {
    if (above && item.shape == Item::Shape::Text && item.box.top() == layout_.top.top()) {
      if (item.bold) left = item.box.right() + px;
      if (item.align.testFlag(Qt::AlignRight)) right = item.box.left() - px;
    }
    if (!above && item.shape == Item::Shape::Panel && item.object.kind == Object::Kind::Queue)
      right = item.box.left() - 0.5 * px;
  }
  if (!index_->asynchronous()) right = left + (1 - kBatchWords) / 2 * layout_.batch.width();
  const QPointF corner(left, above ? layout_.top.top() + 0.1 * px : layout_.batch.top() - 0.2 * px);
  const QString now = words();
  const double room = right - left - 2 * px;
  if (now == words_ && wordsBox_.topLeft() == corner && wordsRoom_ == room) return;
  words_ = now;
  wordsRoom_ = room;
  wordsScale_ = 1;
  QFontMetricsF metrics(wordsFont());
  for (const QString& words : fewerWords()) {
    shownWords_ = words;
    if (metrics.horizontalAdvance(words) <= room) break;
  }
  wordsScale_ = std::clamp(room / std::max(1.0, metrics.horizontalAdvance(shownWords_)), kLeastWords, 1.0);
  if (wordsScale_ < 1) metrics = QFontMetricsF(wordsFont());
  shownWords_ = metrics.elidedText(shownWords_, Qt::ElideRight, std::max(room, 3 * px) + 1);
  const double width = metrics.horizontalAdvance(shownWords_) + 2 * px;
  wordsBox_ =
      now.isEmpty() ? QRectF() : QRectF(corner, QSizeF(width, std::max(1.6 * layout_.px, 1.1 * metrics.height())));
}

QFont Stage::wordsFont() const {
  QFont bold = font();
  const int asked = std::max(1, static_cast<int>(0.95 * wordsScale_ * layout_.px));
  bold.setPixelSize(theme::isProjected() ? static_cast<int>(theme::paintedLetters(asked))
                                         : std::max(asked, theme::leastLetters()));
  bold.setBold(true);
  return bold;
}

void Stage::paintWords(QPainter& painter) {
  if (words_.isEmpty()) return;
  const theme::Colours& c = theme::colours();
  painter.setPen(QPen(c.edge, 1));
  painter.setBrush(c.panel);
  painter.drawRoundedRect(wordsBox_, wordsBox_.height() / 2, wordsBox_.height() / 2);
  painter.setFont(wordsFont());
  painter.setPen(c.ink);
  painter.drawText(wordsBox_, Qt::AlignCenter, shownWords_);
}

}  // namespace lab

// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/frame/status_line.h"

#include <QLabel>
#include <QPainter>
#include <QStyle>
#include <QStyleOption>

#include <algorithm>
#include <cmath>
#include <span>

#include "ui/i18n/words.h"
#include "ui/playback/playback.h"
#include "ui/runview/run_controller.h"
#include "ui/runview/run_summary.h"
#include "ui/serving/served_class.h"
#include "ui/theme/painted_words.h"

namespace lab {
namespace {

constexpr int kGapPx = 6;  // QStatusBar's gap between two widgets
constexpr int kIntervalMs = 250;

QString stateWords(const RunController& controller, const Playback& playback) {
  switch (controller.state()) {
    case RunState::Preparing:
      return preparationWords(controller.reports().preparation());
    case RunState::Running:
    case RunState::Paused:
      return playback.isPlaying() ? StatusLine::tr("Playing") : StatusLine::tr("Paused");
    case RunState::Finished:
      if (!controller.steps().empty() && controller.steps().back().aborted)
        return StatusLine::tr("Ended with an error: a task is dead");
      return StatusLine::tr("Finished");
    case RunState::Stopped:
      return StatusLine::tr("Stopped");
    case RunState::Failed:
      return StatusLine::tr("Failed");
  }
  return {};
}

}  // namespace

StatusLine::StatusLine(RunController& controller, Playback& playback, ServedClass& served, QWidget* parent)
    : QStatusBar(parent), controller_(controller), playback_(playback), served_(served) {
  const auto make = [this](const char* name, bool right) {
    auto* label = new QLabel;
    label->setObjectName(QLatin1String(name));
    if (right) {
      addPermanentWidget(label);
    } else {
      addWidget(label);
    }
    return label;
  };
  state_ = make("state", false);
  step_ = make("steps", false);
  rate_ = make("rate", false);
  clock_ = make("clock", false);
  dropped_ = make("dropped", true);
  frames_ = make("frames", true);
  dropped_->setToolTip(tr("Events of the run that came faster than the window could take them"));
  frames_->setToolTip(tr("How often this window could draw itself in the last two seconds, and its worst delay"));
  // Qt makes room for a message by itself only if the bar was visible before.
  connect(this, &QStatusBar::messageChanged, this, &StatusLine::fit);
  setSizeGripEnabled(false);
  setMinimumWidth(1);  // never wider than the window, whatever its text
  timer_.setSingleShot(true);
  timer_.setInterval(kIntervalMs);
  connect(&timer_, &QTimer::timeout, this, &StatusLine::refresh);
  connect(&controller_, &RunController::updated, this, &StatusLine::schedule);
  connect(&playback_, &Playback::changed, this, &StatusLine::schedule);
  connect(&playback_, &Playback::acted, this, &StatusLine::refresh);
  connect(&served_, &ServedClass::changed, this, &StatusLine::refresh);
  refresh();
}

void StatusLine::setFigures(bool shown) {
  figures_ = shown;
  refresh();
}

// In Express nothing moves: the processor belongs to the trainer.
bool StatusLine::isMoving() const {
  if (playback_.mode() == Playback::Mode::Express) return false;
  return playback_.isMoving() || controller_.state() == RunState::Running;
}

void StatusLine::schedule() {
  meter_.setRunning(isMoving());
  if (!timer_.isActive()) timer_.start();
}

void StatusLine::refresh() {
  std::span<const StepMetric> steps = controller_.steps();
  // The same figures as in the panel Class, of the same moment.
  if (served_.isOpen()) {
    const auto later = [&](const StepMetric& each) { return each.step > served_.totals().updates; };
    steps = {steps.begin(), std::ranges::find_if(steps, later)};
  }
  state_->setText(stateWords(controller_, playback_));
  step_->setText(stepWords(controller_.info(), steps));
  rate_->setText(served_.isOpen() ? classRateWords(served_.totals())
                                  : rateWords(steps, steady_.of(controller_.sharedInfo())));
  clock_->setText(clockWords(controller_.info(), steps));
  const std::uint64_t dropped = controller_.reports().droppedSpans();
  const int lost = plural(static_cast<std::int64_t>(dropped));
  dropped_->setText(figures_   ? tr("%Ln events of the trace lost", nullptr, lost)
                    : lost > 0 ? tr("%Ln events came too fast to be shown", nullptr, lost)
                               : QString());
  const bool moving = isMoving();
  meter_.setRunning(moving);
  const FrameMeter::Figures figures = meter_.figures();
  if (!figures_) {
    frames_->clear();
  } else if (figures.framesPerSecond > 0) {
    frames_->setText(
        tr("window %1 fps, worst %2 ms").arg(std::lround(figures.framesPerSecond)).arg(std::lround(figures.worstMs)));
  } else {
    frames_->setText(tr("window at rest"));
  }
  fit();
  if (moving) timer_.start();
}

void StatusLine::resizeEvent(QResizeEvent* event) {
  QStatusBar::resizeEvent(event);
  fit();
}

// Between the left edge and the labels at the right.
QRect StatusLine::messageRect() const {
  int end = width() - kGapPx;
  for (const QLabel* label : {frames_, dropped_})
    if (label->isVisible())
      end = std::min(end, QStyle::visualRect(layoutDirection(), rect(), label->geometry()).left());
  return QStyle::visualRect(layoutDirection(), rect(), {kGapPx, 0, std::max(0, end - kGapPx), height()});
}

// Draws a message as QStatusBar does, which cuts it off where it has no room.
void StatusLine::paintEvent(QPaintEvent* event) {
  if (currentMessage().isEmpty()) return QStatusBar::paintEvent(event);
  QPainter painter(this);
  QStyleOption option;
  option.initFrom(this);
  style()->drawPrimitive(QStyle::PE_PanelStatusBar, &option, &painter, this);
  painter.setPen(palette().windowText().color());
  drawElided(painter, messageRect(), Qt::AlignLeading | Qt::AlignVCenter | Qt::TextSingleLine, currentMessage());
}

// Labels without room are hidden, the least needed first: half a label could be misread.
void StatusLine::fit() {
  const bool hasMessage = !currentMessage().isEmpty();  // a message replaces the labels at the left
  setToolTip(hasMessage ? QStringLiteral("<qt>%1</qt>").arg(currentMessage().toHtmlEscaped()) : QString());
  int room = width() - kGapPx;
  bool fits = true;
  for (QLabel* label : {state_, step_, rate_, clock_, frames_, dropped_}) {
    const bool figure = label == dropped_ || label == frames_;
    if (label->text().isEmpty() || (hasMessage && !figure)) {
      label->hide();
      continue;
    }
    room -= label->sizeHint().width() + kGapPx;
    fits = fits && room >= 0;
    label->setVisible(fits);
  }
}

}  // namespace lab

// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/transport/run_bar.h"

#include <QAccessible>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>

#include <algorithm>
#include <cmath>

#include "ui/i18n/words.h"
#include "ui/playback/playback.h"
#include "ui/runview/run_controller.h"
#include "ui/theme/painted_words.h"
#include "ui/theme/theme.h"

namespace lab {
namespace {

constexpr double kBarMargin = 1, kHeight = 1.7, kBar = 0.4;  // in text sizes
constexpr double kWords = 19;                                // room for the words on the right, in text sizes
constexpr std::int64_t kMostMarks = 60;
constexpr int kIntervalMs = 100;  // steps that follow each other faster cannot be read

}  // namespace

RunBar::RunBar(RunController& controller, Playback& playback, QWidget* parent)
    : QWidget(parent), controller_(controller), playback_(playback) {
  setObjectName(QStringLiteral("runBar"));
  setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
  setCursor(Qt::PointingHandCursor);
  setFocusPolicy(Qt::TabFocus);
  setAccessibleName(tr("Steps of the run"));
  setToolTip(tr("All steps that have been trained: drag to go to any of them. The marks are epochs."));
  timer_.setSingleShot(true);
  timer_.setInterval(kIntervalMs);
  connect(&timer_, &QTimer::timeout, this, &RunBar::refresh);
  connect(&playback_, &Playback::changed, this, [this] {
    if (playback_.step() != shownStep_ || !playback_.isPlaying()) refresh();
  });
  connect(&playback_, &Playback::acted, this, &RunBar::refresh);
  connect(&controller_, &RunController::updated, this, [this] {
    if (!timer_.isActive()) timer_.start();
  });
}

void RunBar::refresh() {
  if (shownStep_ != playback_.step() && QAccessible::isActive()) {
    QAccessibleValueChangeEvent changed(this, static_cast<double>(playback_.step()));
    QAccessible::updateAccessibility(&changed);
  }
  shownStep_ = playback_.step();
  const QString now = words();
  if (now == shownWords_ && playback_.liveStep() == shownLive_) return;
  shownWords_ = now;
  shownLive_ = playback_.liveStep();
  setAccessibleDescription(now);
  update();
}

QSize RunBar::sizeHint() const {
  return {theme::em(30), theme::em(kHeight)};
}

// Leaves room for ▶ and, with large letters, for the panels.
QSize RunBar::minimumSizeHint() const {
  constexpr int kLeast = 760;  // pixels
  return sizeHint().boundedTo({kLeast, QWIDGETSIZE_MAX});
}

QString RunBar::words() const {
  if (playback_.isRecomputing()) return tr("recomputing step %1 …").arg(countText(playback_.wantedStep()));
  if (!playback_.record()) {
    const bool isOver = controller_.isOver();
    if (controller_.state() == RunState::Failed || (isOver && controller_.steps().empty())) return {};
    return !isOver && controller_.ofClass().run() != nullptr ? tr("waits for workers") : tr("preparing …");
  }
  QString text = tr("step %1").arg(countText(playback_.step()));
  if (playback_.liveStep() > playback_.step())
    text += (controller_.isOver() ? tr(" of %1") : tr(" · live %1")).arg(countText(playback_.liveStep()));
  if (playback_.isPlaying() && playback_.sampledEvery() > 1)
    text += tr(" · 1 of %1").arg(countText(playback_.sampledEvery()));
  return text;
}

QRectF RunBar::bar() const {
  const double margin = theme::em(kBarMargin), thickness = theme::em(kBar);
  return {margin, (height() - thickness) / 2, std::max(1.0, width() - 2 * margin - theme::em(kWords)), thickness};
}

std::int64_t RunBar::firstStep() const {
  return controller_.info() != nullptr ? controller_.info()->firstStep : 1;
}

double RunBar::xAt(std::int64_t step) const {
  const QRectF area = bar();
  const std::int64_t first = firstStep(), last = std::max(playback_.liveStep(), first);
  if (last == first) return controller_.isOver() ? area.right() : area.left();  // a sole step is also the last one
  const double part = static_cast<double>(step - first) / static_cast<double>(last - first);
  return area.left() + area.width() * std::clamp(part, 0.0, 1.0);
}

std::int64_t RunBar::stepAt(double x) const {
  const QRectF area = bar();
  const std::int64_t first = firstStep(), last = std::max(playback_.liveStep(), first);
  const double part = std::clamp((x - area.left()) / area.width(), 0.0, 1.0);
  return first + std::llround(part * static_cast<double>(last - first));
}

void RunBar::paintEvent(QPaintEvent*) {
  const theme::Colours& colours = theme::colours();
  QPainter painter(this);
  keepLeftToRight(painter);
  painter.setRenderHint(QPainter::Antialiasing);
  const QRectF area = bar();
  painter.setPen(Qt::NoPen);
  painter.setBrush(colours.line);
  painter.drawRoundedRect(area, area.height() / 2, area.height() / 2);

  const RunInfo* info = controller_.info();
  if (info != nullptr && info->stepsPerEpoch > 0 && playback_.liveStep() / info->stepsPerEpoch <= kMostMarks) {
    painter.setPen(QPen(colours.edge, 1));
    for (std::int64_t step = info->stepsPerEpoch; step <= playback_.liveStep(); step += info->stepsPerEpoch) {
      const double x = xAt(step);
      painter.drawLine(QPointF(x, area.top() - theme::em(0.25)), QPointF(x, area.bottom() + theme::em(0.25)));
    }
  }
  if (playback_.record()) {
    painter.setPen(QPen(colours.panel, 1.5));
    painter.setBrush(colours.accent);
    const auto drawHandle = [&](std::int64_t step) {
      painter.drawEllipse(QPointF(xAt(step), area.center().y()), theme::em(0.42), theme::em(0.42));
    };
    drawHandle(playback_.step());
    if (playback_.isRecomputing()) {
      painter.setPen(QPen(colours.accent, 1.5));
      painter.setBrush(colours.panel);
      drawHandle(playback_.wantedStep());
    }
  }
  painter.setPen(colours.quietInk);
  const double left = area.right() + theme::em(0.8);
  painter.drawText(QRectF(left, 0, width() - left - theme::em(kBarMargin), height()), Qt::AlignLeft | Qt::AlignVCenter,
                   words());
  if (hasFocus()) {
    painter.setPen(QPen(theme::colours().accent, 2));
    painter.setBrush(Qt::NoBrush);
    painter.drawRect(rect().adjusted(1, 1, -2, -2));
  }
}

void RunBar::seekTo(std::int64_t step) {
  if (!playback_.record()) return;
  if (step != playback_.step() || playback_.isRecomputing()) playback_.seek(step, 0);
}

void RunBar::mousePressEvent(QMouseEvent* event) {
  if (event->button() == Qt::LeftButton) seekTo(stepAt(event->position().x()));
}

void RunBar::mouseMoveEvent(QMouseEvent* event) {
  if ((event->buttons() & Qt::LeftButton) != 0) seekTo(stepAt(event->position().x()));
}

Positioned::Range RunBar::range() const {
  const std::int64_t first = firstStep(), last = std::max(playback_.liveStep(), first);
  return {.least = static_cast<double>(first),
          .most = static_cast<double>(last),
          .step = 1,
          .now = static_cast<double>(std::clamp(playback_.step(), first, last))};
}

void RunBar::moveTo(double step) {
  seekTo(std::llround(step));
}

void RunBar::keyPressEvent(QKeyEvent* event) {
  if (event->key() == Qt::Key_Up) {
    playback_.stepForward(Playback::Unit::Step);
  } else if (event->key() == Qt::Key_Down) {
    playback_.stepBack(Playback::Unit::Step);
  } else {
    QWidget::keyPressEvent(event);
  }
}

void RunBar::wheelEvent(QWheelEvent* event) {
  if (event->angleDelta().y() < 0) {
    playback_.stepForward(Playback::Unit::Step);
  } else if (event->angleDelta().y() > 0) {
    playback_.stepBack(Playback::Unit::Step);
  }
  event->accept();
}

}  // namespace lab

// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/transport/transport_bar.h"

#include <QHBoxLayout>
#include <QVBoxLayout>

#include <algorithm>

#include "ui/playback/playback.h"
#include "ui/runview/run_controller.h"
#include "ui/theme/theme.h"
#include "ui/transport/play_button.h"
#include "ui/transport/run_bar.h"
#include "ui/transport/scrubber.h"
#include "ui/transport/transport.h"

namespace lab {
namespace {

constexpr int kOfHeight = 10;  // ▶ takes at most a tenth of the window's height

}  // namespace

TransportBar::TransportBar(const Transport& transport, RunController& controller, Playback& playback, QWidget* parent)
    : QWidget(parent),
      controller_(controller),
      playback_(playback),
      play_(new PlayButton(&transport.playAct())),
      steps_(transport.makeSteps()),
      runs_(new RunBar(controller, playback)) {
  setProperty("role", QStringLiteral("panel"));
  Transport::showWith(transport.playAct(), *play_);
  connect(&playback_, &Playback::acted, this, [this] {
    if (playback_.isPlaying()) play_->stopInviting();
  });
  auto* row = new QHBoxLayout(this);
  row->setSpacing(0);
  row->addWidget(play_);
  row->addWidget(steps_);
  auto* column = new QVBoxLayout;
  column->setSpacing(0);
  column->addWidget(new Scrubber(playback));
  column->addWidget(runs_);
  row->addLayout(column, 1);
  steps_->setMinimumWidth(1);  // so that the window may be narrower than this row
  steps_->hide();
  theme::follow(this, [this, row] {
    row->setContentsMargins(theme::em(0.5), 0, 0, 0);
    fit();
  });
  connect(&playback_, &Playback::changed, this, &TransportBar::countSteps);
  connect(&controller_, &RunController::updated, this, &TransportBar::countSteps);
}

void TransportBar::setSteps(bool shown) {
  wantsSteps_ = shown;
  fit();
}

void TransportBar::setRunBar(bool has) {
  hasRunBar_ = has;
  fit();
}

// The run bar stays once it is shown, although another run begins with a single step again.
void TransportBar::countSteps() {
  const RunInfo* info = controller_.info();
  if (severalSteps_ || info == nullptr || playback_.liveStep() <= info->firstStep) return;
  severalSteps_ = true;
  fit();
}

void TransportBar::resizeEvent(QResizeEvent* event) {
  QWidget::resizeEvent(event);
  fit();
}

void TransportBar::fit() {
  play_->setPlace(!hasRunBar_, std::max(theme::target(), window()->height() / kOfHeight));
  QSizePolicy policy = runs_->sizePolicy();
  policy.setRetainSizeWhenHidden(hasRunBar_);  // so that nothing moves when the second step comes
  runs_->setSizePolicy(policy);
  runs_->setVisible(hasRunBar_ && (severalSteps_ || wantsSteps_));
  const int least = layout()->contentsMargins().left() + play_->sizeHint().width() + runs_->minimumSizeHint().width();
  steps_->setVisible(wantsSteps_ && width() >= least + steps_->sizeHint().width());
}

}  // namespace lab

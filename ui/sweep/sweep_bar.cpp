// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/sweep/sweep_bar.h"

#include <QLabel>
#include <QMenu>
#include <QProgressBar>
#include <QPushButton>
#include <QToolButton>

#include <algorithm>
#include <cmath>
#include <initializer_list>

#include "ui/i18n/words.h"
#include "ui/sweep/sweep_request.h"
#include "ui/sweep/sweep_run.h"
#include "ui/theme/flow_layout.h"
#include "ui/theme/labels.h"
#include "ui/theme/theme.h"

namespace lab {
namespace {

QToolButton* makeButton(const char* name, const QString& text) {
  auto* button = new QToolButton;
  button->setObjectName(QLatin1String(name));
  button->setText(text);
  button->setFocusPolicy(Qt::TabFocus);
  return button;
}

QString leftText(double seconds) {
  return seconds < 60 ? tr("%Ln seconds", nullptr, plural(std::max<std::int64_t>(1, std::llround(seconds))))
                      : tr("%Ln minutes", nullptr, plural(std::llround(seconds / 60)));
}

}  // namespace

SweepBar::SweepBar(SweepRun& run, QWidget* parent) : QWidget(parent), run_(run) {
  auto* row = new FlowLayout(this);
  row->setContentsMargins(0, 0, 0, 0);
  row->setSpacing(theme::em(0.5));
  minute_ = new QPushButton(tr("Sweep in a minute"));
  minute_->setObjectName(QStringLiteral("sweepPreset"));
  minute_->setDefault(true);
  theme::follow(minute_, [this] {
    QFont strong = font();
    strong.setWeight(QFont::DemiBold);
    minute_->setFont(strong);
    minute_->setMinimumHeight(theme::em(2.6));
  });
  minute_->setToolTip(
      tr("Trains the classroom's sweep: the built-in digits, 4 counts of replicas, 5 batches, 3 rules and 3 seeds, the "
         "coarse grid first. It ends within a minute; runs for which no time is left are not run."));
  plan_ = makeButton("sweepPlanShown", tr("Plan"));
  plan_->setCheckable(true);
  plan_->setToolTip(tr("Shows or hides the form with the sweep's plan"));
  start_ = makeButton("sweepStart", tr("Start"));
  limit_ = makeLabel({.name = "sweepLimit"});
  limit_->hide();
  retry_ = makeButton("sweepRetry", tr("Retry diverged"));
  pause_ = makeButton("sweepPause", tr("Pause"));
  pause_->setToolTip(tr("Every run waits at its next step"));
  cancel_ = makeButton("sweepCancel", tr("Cancel"));
  cancel_->setToolTip(
      tr("Finished runs are kept; “Go on” trains the rest at any time, also after a restart of the program"));
  progress_ = new QProgressBar;
  progress_->setObjectName(QStringLiteral("sweepProgress"));
  progress_->setToolTip(tr("Finished runs, of all that can be trained"));
  progress_->setAccessibleName(tr("Finished runs of the sweep"));
  theme::follow(progress_, [this] { progress_->setFixedWidth(theme::em(14)); });
  left_ = makeLabel({.name = "sweepLeft"});
  auto* menu = makeButton("sweepMenu", tr("Files ▾"));
  menu->setToolTip(tr("Open and save the sweep, export its cells and its chart"));
  files_ = new QMenu(menu);
  // Not setMenu(), because Qt would open that menu with an event loop of its own.
  connect(menu, &QToolButton::clicked, files_,
          [this, menu] { files_->popup(menu->mapToGlobal(QPoint(0, menu->height()))); });
  for (QWidget* part :
       std::initializer_list<QWidget*>{minute_, plan_, start_, limit_, retry_, pause_, cancel_, progress_, left_, menu})
    row->addWidget(part);
  connect(minute_, &QPushButton::clicked, this, &SweepBar::minuteWanted);
  connect(plan_, &QToolButton::toggled, this, &SweepBar::planWanted);
  connect(start_, &QToolButton::clicked, this, &SweepBar::startWanted);
  connect(retry_, &QToolButton::clicked, this, &SweepBar::retryWanted);
  connect(pause_, &QToolButton::clicked, &run_, [this] { run_.isPaused() ? run_.resume() : run_.pause(); });
  connect(cancel_, &QToolButton::clicked, &run_, &SweepRun::cancel);
}

void SweepBar::refresh(const SweepRequest& request, const QString& impossible) {
  const int ended = run_.ended(), all = run_.runnable(), missing = all - ended;
  const bool running = run_.isRunning(), planned = impossible.isEmpty();
  // A sweep that stopped before any run had ended goes on too: the message about its end names this button.
  const bool stopped = ended + run_.count(CellState::Cancelled) + run_.count(CellState::NotRun) > 0;
  start_->setText(stopped && missing > 0 ? tr("Go on") : tr("Start"));
  minute_->setEnabled(!running);
  start_->setEnabled(!running && planned && (missing > 0 || run_.isExample()) && !run_.isReading());
  progress_->setVisible(!run_.isExample());
  limit_->setText(tr("for at most %1 seconds, the coarse runs first").arg(request.withinSeconds));
  limit_->setVisible(start_->isEnabled() && request.withinSeconds > 0 && !run_.isExample());
  start_->setToolTip(!planned                            ? impossible
                     : missing == 0 && !run_.isExample() ? tr("All runs of this plan are finished")
                                                         : tr("%Ln runs to go", nullptr, missing > 0 ? missing : all));
  const int diverged = run_.count(CellState::Diverged);
  retry_->setVisible(!running && diverged > 0);
  retry_->setEnabled(planned && !run_.isReading());
  retry_->setToolTip(
      tr("%Ln runs diverged. Trains them again, with what is missing. The same settings give the same result, unless "
         "the program has changed.",
         nullptr, diverged));
  pause_->setEnabled(running);
  pause_->setText(run_.isPaused() ? tr("Continue") : tr("Pause"));
  cancel_->setEnabled(running);
  progress_->setRange(0, std::max(1, all));
  progress_->setValue(ended);
  const auto inTime = run_.inTime();
  const bool some = inTime && *inTime < all;
  progress_->setFormat(some ? tr("%1 of about %2").arg(countText(ended), countText(*inTime))
                            : tr("%1 of %2").arg(countText(ended), countText(all)));
  progress_->setToolTip(some ? tr("There is time for about %1 of the %2 runs; the coarse ones come first.")
                                   .arg(countText(*inTime), countText(all))
                             : QString());
  progress_->setAccessibleDescription(some ? progress_->toolTip() : progress_->format());
  const auto left = run_.secondsLeft();
  left_->setText(run_.isPaused()    ? tr("paused")
                 : run_.isReading() ? tr("loading stored cells")
                 : !running         ? QString()
                 : left             ? tr("about %1 left").arg(leftText(*left))
                                    : tr("running"));
}

}  // namespace lab

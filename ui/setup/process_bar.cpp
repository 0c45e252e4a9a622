// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/setup/process_bar.h"

#include <QLabel>
#include <QToolButton>

#include <algorithm>

#include "core/base/at.h"
#include "core/base/platform.h"
#include "ui/i18n/words.h"
#include "ui/runview/run_controller.h"
#include "ui/setup/experiment.h"
#include "ui/theme/flow_layout.h"
#include "ui/theme/theme.h"

namespace lab {
namespace {

QToolButton* framedButton(const QString& text) {
  auto* button = new QToolButton;
  button->setProperty("framed", true);
  button->setText(text);
  button->setFocusPolicy(Qt::TabFocus);
  return button;
}

}  // namespace

QString processWords(const RunInfo& info, int worker) {
  const ProcessFacts& facts = info.processes.at(static_cast<std::size_t>(worker));
  return tr("process %1 on %2").arg(facts.pid).arg(QString::fromStdString(facts.host));
}

QString killRefusal(const RunController& run, int worker) {
  const RunInfo* info = run.info();
  if (info == nullptr || worker >= std::ssize(info->processes)) return tr("There is no such process.");
  if (run.isOver()) return tr("The run has ended, and its processes with it.");
  const ProcessFacts& facts = at(info->processes, worker);
  if (run.processes().reachOf(worker) != ProcessRun::Reach::Not) return {};
  if (facts.host == hostName()) return tr("There is no such process.");
  return tr("It runs on another host: end process %1 on %2.").arg(facts.pid).arg(QString::fromStdString(facts.host));
}

ProcessBar::ProcessBar(RunController& controller, Experiment& experiment, QWidget* parent)
    : QWidget(parent), controller_(controller) {
  setObjectName(QStringLiteral("processBar"));
  setAccessibleName(tr("Processes of the run"));
  auto* row = new FlowLayout(this);
  row->setContentsMargins(theme::em(0.8), theme::em(0.3), theme::em(0.8), theme::em(0.3));
  row->setSpacing(theme::em(0.4));
  words_ = new QLabel;
  words_->setProperty("role", QStringLiteral("quiet"));
  row->addWidget(words_);
  resume_ = framedButton({});
  resume_->setObjectName(QStringLiteral("resumeRun"));
  resume_->setToolTip(
      tr("Starts all processes again, from the newest checkpoint: the bits are those of a run that "
         "never stopped."));
  row->addWidget(resume_);
  connect(resume_, &QToolButton::clicked, &experiment, &Experiment::resume);
  connect(&controller_, &RunController::updated, this, &ProcessBar::refresh);
  theme::follow(this, [this] { refresh(); });
  refresh();
}

void ProcessBar::makeButtons(const RunInfo& info) {
  auto* row = static_cast<FlowLayout*>(layout());
  for (QToolButton* button : findChildren<QToolButton*>(QString(), Qt::FindDirectChildrenOnly))
    if (button != resume_) delete button;
  const int count = static_cast<int>(info.processes.size());
  for (int w = 0; w < std::min(count, kMostButtons); ++w) {
    QToolButton* button = framedButton(tr("✕ worker %1").arg(w));
    button->setObjectName(QStringLiteral("kill-%1").arg(w));
    button->setAccessibleName(tr("Kill worker %1, %2").arg(w).arg(processWords(info, w)));
    connect(button, &QToolButton::clicked, this, [this, w] { Q_EMIT killWanted(w); });
    row->addWidget(button);
  }
  QToolButton* more = framedButton({});
  more->setObjectName(QStringLiteral("kill-another"));
  connect(more, &QToolButton::clicked, this,
          [this, more] { Q_EMIT allWanted(more->mapToGlobal(more->rect().bottomLeft())); });
  row->addWidget(more);
  row->removeWidget(resume_);
  row->addWidget(resume_);  // the last one, also in keyboard order
}

// True if letters are so large that a few rows of buttons would leave the stage no room.
bool ProcessBar::isShort() const {
  constexpr double kRoomy = 30;
  return window()->height() < theme::em(kRoomy);
}

void ProcessBar::resizeEvent(QResizeEvent* event) {
  QWidget::resizeEvent(event);
  // A refresh shows a button that is hidden for a class, which is then hidden again. If the buttons need another row
  // with it, the bar is higher for a moment: to refresh after every resize would go on for ever.
  if (isShort() != short_) refresh();
}

void ProcessBar::refresh() {
  short_ = isShort();
  const std::shared_ptr<const RunInfo> info = controller_.sharedInfo();
  const bool among = info != nullptr && !info->processes.empty();
  setVisible(among);
  if (!among) return;
  if (shown_ != info) makeButtons(*info);
  shown_ = info;
  const bool over = controller_.isOver(), shortOfRoom = short_;
  words_->setVisible(!shortOfRoom);
  const int count = static_cast<int>(info->processes.size());
  words_->setText(over ? tr("%Ln processes, ended", nullptr, count) : tr("%Ln processes, kill:", nullptr, count));
  for (int w = 0; w < std::min(count, kMostButtons); ++w) {
    auto* button = findChild<QToolButton*>(QStringLiteral("kill-%1").arg(w));
    if (button == nullptr) continue;
    button->setVisible(!over && !shortOfRoom);
    const QString refusal = killRefusal(controller_, w);
    button->setEnabled(refusal.isEmpty());
    const bool through = controller_.processes().reachOf(w) == ProcessRun::Reach::ThroughMpirun;
    const QString what = through ? tr("Ends worker %1 (%2) through mpirun, which reaches its host as when it was "
                                      "started. The others end too, as they do in TensorFlow.")
                                 : tr("Ends worker %1 (%2) at once. The others end too, as they do in TensorFlow.");
    button->setToolTip(refusal.isEmpty() ? what.arg(w).arg(processWords(*info, w)) : refusal);
  }
  if (auto* more = findChild<QToolButton*>(QStringLiteral("kill-another"))) {
    more->setText(shortOfRoom ? tr("✕ a worker…") : tr("Another…"));
    more->setAccessibleName(shortOfRoom ? tr("Kill a worker") : tr("Kill another worker"));
    more->setVisible(!over && (shortOfRoom || count > kMostButtons));
  }
  const std::int64_t step = controller_.processes().resumesAt();
  const bool resumes = step > 0 && step < info->totalSteps;
  resume_->setVisible(resumes);
  resume_->setText(tr("Resume from step %1").arg(countText(step)));
}

}  // namespace lab

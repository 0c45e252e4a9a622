// SPDX-License-Identifier: GPL-3.0-or-later
// The menu of faults, opened from the menu Run for all tasks, and on the stage for the task pointed at. The shown run
// becomes the branch in which the fault happens; undo goes back to before it.
#include <QMenu>

#include <algorithm>
#include <array>
#include <cstddef>
#include <vector>

#include "ui/accessibility/announcer.h"
#include "ui/compare/branches.h"
#include "ui/compare/compare_view.h"
#include "ui/compare/lane_view.h"
#include "ui/i18n/core_words.h"
#include "ui/i18n/words.h"
#include "ui/playback/fault_captions.h"
#include "ui/scene/object_name.h"
#include "ui/stage/stage.h"
#include "ui/window/main_window.h"
#include "ui/window/status_line.h"

namespace lab {
namespace {

// "kill-worker-1", for tests and for the names by which a teacher locks actions.
QString faultActionName(const RunFault& fault) {
  constexpr std::array kWhats{"kill", "cut", "revive"};
  constexpr std::array kTasks{"worker", "coordinator", "server"};
  return QStringLiteral("%1-%2-%3")
      .arg(QLatin1String(kWhats[static_cast<std::size_t>(fault.what)]),
           QLatin1String(kTasks[static_cast<std::size_t>(fault.task)]))
      .arg(fault.index);
}

// Returns whether faults are modelled for the run's tasks, or its tasks are real processes.
bool tasksCanDie(const RunInfo& info) {
  return !info.processes.empty() || strategyInfo(info.config.strategy).tasks != StrategyInfo::Tasks::OneProcess;
}

bool isOneProcess(const RunInfo& info) {
  return !tasksCanDie(info) && info.hosts == 1 && !info.isClass;
}

constexpr std::size_t kMostInOneMenu = 10;

// If there are many tasks, those of one kind get a submenu, so that nobody searches for a worker among servers.
QMenu& menuFor(RunFault::Task task, QMenu& menu) {
  if (task == RunFault::Task::Chief) return menu;
  const bool server = task == RunFault::Task::Server;
  const QString name = server ? QStringLiteral("serverFaults") : QStringLiteral("workerFaults");
  if (auto* there = menu.findChild<QMenu*>(name)) return *there;
  QMenu* made = menu.addMenu(server ? lab::tr("Parameter servers") : lab::tr("Workers"));
  made->setObjectName(name);
  made->setToolTipsVisible(true);
  return *made;
}

}  // namespace

Lane* MainWindow::shownLane() const {
  return layout_ == WindowLayout::Compare && compare_ != nullptr ? compare_->focusedOther() : nullptr;
}

void MainWindow::refreshFaultAction() {
  if (faultAction_ == nullptr) return;
  const Lane* lane = shownLane();
  const RunInfo* info = lane != nullptr ? lane->controller().info() : controller_.info();
  const bool shown = info != nullptr && (lane != nullptr ? lane->playback() : playback_).record() != nullptr;
  const bool canDie = info != nullptr && tasksCanDie(*info);
  faultAction_->setEnabled(shown && canDie);
  faultAction_->setToolTip(
      canDie ? QString()
      : info == nullptr || isOneProcess(*info)
          ? tr("Tasks of MultiWorkerMirrored and ParameterServer can die. A run in one process has "
               "no other task: if it dies, the program ends.")
          : tr("What happens when a task dies is modelled for MultiWorkerMirrored and "
               "ParameterServer, not for this strategy."));
}

void MainWindow::openFaults(const Object& object, const QPoint& at) {
  Lane* const lane = shownLane();
  const RunController& run = lane != nullptr ? lane->controller() : controller_;
  const Playback& playback = lane != nullptr ? lane->playback() : playback_;
  const RunInfo* info = run.info();
  if (info == nullptr || (!playback.record() && info->processes.empty())) return;
  auto* menu = new QMenu(this);
  menu->setObjectName(QStringLiteral("faults"));
  menu->setAccessibleName(tr("Kill or revive a task"));
  menu->setAttribute(Qt::WA_DeleteOnClose);
  menu->setToolTipsVisible(true);
  // A teacher may have locked this: the action in the menu Run tells.
  refreshFaultAction();
  const bool locked = tasksCanDie(*info) && (!faultAction_->isEnabled() || !faultAction_->isVisible());
  const Stage& stage = lane != nullptr ? compare_->laneView(compare_->lanes().focus()).stage() : *stage_;
  std::vector<FaultOffer> offers = faultsNow(lane);
  std::erase_if(offers,
                [&](const FaultOffer& offer) { return !concerns(offer, object, *info, stage.layout().perColumn); });
  for (FaultOffer& offer : offers) {
    if (lane != nullptr && offer.process >= 0)
      offer.refusal = tr("Real processes can be killed only in the window's run, the first lane.");
    QMenu& place = offers.size() > kMostInOneMenu ? menuFor(offer.fault.task, *menu) : *menu;
    QAction* action = place.addAction(offer.words);
    action->setObjectName(faultActionName(offer.fault));
    action->setEnabled(offer.refusal.isEmpty() && !locked);
    action->setToolTip(locked ? faultAction_->toolTip() : offer.refusal.isEmpty() ? offer.words : offer.refusal);
    connect(action, &QAction::triggered, this, [this, offer, lane] {
      if (lane == shownLane()) strike(offer, lane);
    });
  }
  offerResume(*menu, *info);
  if (menu->isEmpty()) {
    QAction* none = menu->addAction(isOneProcess(*info)   ? tr("One process: no task can die alone")
                                    : !tasksCanDie(*info) ? tr("Faults are not modelled for this strategy")
                                                          : tr("No fault is possible here"));
    none->setEnabled(false);
    none->setToolTip(faultAction_->toolTip());
  }
  menu->popup(at);
}

std::vector<FaultOffer> MainWindow::faultsNow(const Lane* lane) const {
  if (lane != nullptr) return faultOffers(lane->controller(), lane->playback(), lane->name());
  return faultOffers(controller_, playback_, library_.nameOf(library_.presentId()));
}

// The fault happens in the step shown now, as the movie may have gone on while the menu was open. The fault is shown as
// it happens, and the movie stops there until the user plays on.
void MainWindow::strike(const FaultOffer& chosen, const Lane* lane) {
  const std::vector<FaultOffer> offers = faultsNow(lane);
  // A restart uses the chosen one of several backups.
  const auto found = std::ranges::find_if(offers, [&](const FaultOffer& offer) {
    return faultActionName(offer.fault) == faultActionName(chosen.fault) &&
           (chosen.fault.atNs == 0 || offer.fault.step == chosen.fault.step);
  });
  if (found == offers.end()) return say(tr("No longer possible: %1").arg(chosen.words), kMessageMs);
  if (!found->refusal.isEmpty()) return say(found->refusal, kMessageMs);
  if (lane != nullptr) return compare_->strike(*found);
  if (found->process >= 0) return killProcess(found->process);
  playback_.pause();
  experiment_.branch(found->from);
  struck_ = found->fault;
}

void MainWindow::showFault() {
  if (!struck_ || !playback_.record()) return;
  const RunFault fault = *struck_;
  if (playback_.isPlaying() || playback_.wantedStep() != fault.step) return struck_.reset();  // somebody goes elsewhere
  if (playback_.step() != fault.step) return;
  struck_.reset();
  playback_.seek(fault.step, faultSeconds(playback_.story(), *playback_.record(), fault));
  selection_.pin(boxOf(fault, *controller_.info()));
  sayUntilPlay(struckWords(fault), 2 * kMessageMs);
}

// For the window's run among real processes.
void MainWindow::offerResume(QMenu& menu, const RunInfo& info) {
  const std::int64_t step = controller_.resumesAt();
  if (&info != controller_.info() || step <= 0 || step >= info.totalSteps) return;
  QAction* resume = menu.addAction(tr("Resume from step %1").arg(countText(step)));
  resume->setObjectName(QStringLiteral("resume"));
  connect(resume, &QAction::triggered, &experiment_, &Experiment::resume);
}

// The result is reported when Open MPI has ended the other processes.
void MainWindow::killProcess(int worker) {
  if (!faultAction_->isVisible() || (!faultAction_->isEnabled() && playback_.record())) {
    say(faultAction_->toolTip(), kMessageMs);
  } else if (const bool through = controller_.reachOf(worker) == ProcessRun::Reach::ThroughMpirun;
             controller_.killWorker(worker)) {
    const QString words =
        through ? tr("mpirun ends worker %1 on its host").arg(worker) : tr("Worker %1 was killed").arg(worker);
    if (through)  // this takes a moment
      say(words, kMessageMs);
    else
      announcer_->say(words);
  } else {
    say(tr("Worker %1 cannot be killed from here.").arg(worker), kMessageMs);
  }
}

}  // namespace lab

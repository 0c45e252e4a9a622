// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/fault_menu.h"

#include <QAction>
#include <QMenu>

#include <algorithm>
#include <array>
#include <cstddef>

#include "core/base/at.h"
#include "ui/accessibility/announcer.h"
#include "ui/compare/compare_view.h"
#include "ui/compare/lane_view.h"
#include "ui/help/actions.h"
#include "ui/i18n/core_words.h"
#include "ui/i18n/words.h"
#include "ui/playback/fault_captions.h"
#include "ui/stage/stage.h"
#include "ui/step/object_name.h"
#include "ui/window/main_window.h"

namespace lab {
namespace {

// "kill-worker-1", for tests and for the names by which a teacher locks actions.
QString faultActionName(const RunFault& fault) {
  constexpr std::array kWhats{"kill", "cut", "revive"};
  constexpr std::array kTasks{"worker", "coordinator", "server"};
  return QStringLiteral("%1-%2-%3")
      .arg(QLatin1String(at(kWhats, fault.what)), QLatin1String(at(kTasks, fault.task)))
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

FaultMenu::FaultMenu(MainWindow& window, Announcer& announcer)
    : QObject(&window), window_(window), announcer_(announcer) {}

QAction* FaultMenu::makeAction() {
  action_ = lab::makeAction(window_, "faultMenu", tr("K&ill or revive a task…"));
  connect(action_, &QAction::triggered, this, [this] { open({}, window_.mapToGlobal(window_.rect().center())); });
  return action_;
}

// Returns the focused lane in Compare, unless it is the window's own.
Lane* FaultMenu::shownLane() const {
  CompareView* lanes = window_.centre().comparison();
  return window_.workspaces().current() == WindowLayout::Compare && lanes != nullptr ? lanes->focusedOther() : nullptr;
}

void FaultMenu::refreshAction() {
  if (action_ == nullptr) return;
  const Lane* lane = shownLane();
  const RunInfo* info = lane != nullptr ? lane->controller().info() : window_.controller().info();
  const bool shown = info != nullptr && (lane != nullptr ? lane->playback() : window_.playback()).record() != nullptr;
  const bool canDie = info != nullptr && tasksCanDie(*info);
  action_->setEnabled(shown && canDie);
  action_->setToolTip(canDie ? QString()
                      : info == nullptr || isOneProcess(*info)
                          ? tr("Tasks of MultiWorkerMirrored and ParameterServer can die. A run in one process has "
                               "no other task: if it dies, the program ends.")
                          : tr("What happens when a task dies is modelled for MultiWorkerMirrored and "
                               "ParameterServer, not for this strategy."));
}

void FaultMenu::open(const Object& object, const QPoint& at) {
  Lane* const lane = shownLane();
  const RunController& run = lane != nullptr ? lane->controller() : window_.controller();
  const Playback& playback = lane != nullptr ? lane->playback() : window_.playback();
  const RunInfo* info = run.info();
  if (info == nullptr || (!playback.record() && info->processes.empty())) return;
  auto* menu = new QMenu(&window_);
  menu->setObjectName(QStringLiteral("faults"));
  menu->setAccessibleName(tr("Kill or revive a task"));
  menu->setAttribute(Qt::WA_DeleteOnClose);
  menu->setToolTipsVisible(true);
  // A teacher may have locked this: the action in the menu Run tells.
  refreshAction();
  const bool locked = tasksCanDie(*info) && (!action_->isEnabled() || !action_->isVisible());
  CompareView* const lanes = window_.centre().comparison();
  const Stage& stage = lane != nullptr ? lanes->laneView(lanes->lanes().focus()).stage() : window_.stage();
  std::vector<FaultOffer> offers = offersNow(lane);
  std::erase_if(offers,
                [&](const FaultOffer& offer) { return !concerns(offer, object, *info, stage.layout().perColumn); });
  for (FaultOffer& offer : offers) {
    if (lane != nullptr && offer.process >= 0)
      offer.refusal = tr("Real processes can be killed only in the window's run, the first lane.");
    QMenu& place = offers.size() > kMostInOneMenu ? menuFor(offer.fault.task, *menu) : *menu;
    QAction* action = place.addAction(offer.words);
    action->setObjectName(faultActionName(offer.fault));
    action->setEnabled(offer.refusal.isEmpty() && !locked);
    action->setToolTip(locked ? action_->toolTip() : offer.refusal.isEmpty() ? offer.words : offer.refusal);
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
    none->setToolTip(action_->toolTip());
  }
  menu->popup(at);
}

std::vector<FaultOffer> FaultMenu::offersNow(const Lane* lane) const {
  if (lane != nullptr) return faultOffers(lane->controller(), lane->playback(), lane->name());
  return faultOffers(window_.controller(), window_.playback(), window_.library().nameOf(window_.library().presentId()));
}

// The fault happens in the step shown now, as the movie may have gone on while the menu was open. The fault is shown as
// it happens, and the movie stops there until the user plays on.
void FaultMenu::strike(const FaultOffer& chosen, const Lane* lane) {
  const std::vector<FaultOffer> offers = offersNow(lane);
  // A restart uses the chosen one of several backups.
  const auto found = std::ranges::find_if(offers, [&](const FaultOffer& offer) {
    return faultActionName(offer.fault) == faultActionName(chosen.fault) &&
           (chosen.fault.atNs == 0 || offer.fault.step == chosen.fault.step);
  });
  if (found == offers.end()) return Q_EMIT said(tr("No longer possible: %1").arg(chosen.words));
  if (!found->refusal.isEmpty()) return Q_EMIT said(found->refusal);
  if (lane != nullptr) return window_.centre().comparison()->strike(*found);
  if (found->process >= 0) return killProcess(found->process);
  window_.playback().pause();
  window_.experiment().branch(found->from);
  struck_ = found->fault;
}

void FaultMenu::showFault() {
  Playback& playback = window_.playback();
  if (!struck_ || !playback.record()) return;
  const RunFault fault = *struck_;
  if (playback.isPlaying() || playback.wantedStep() != fault.step) return struck_.reset();  // somebody goes elsewhere
  if (playback.step() != fault.step) return;
  struck_.reset();
  playback.seek(fault.step, faultSeconds(playback.story(), *playback.record(), fault));
  window_.selection().pin(boxOf(fault, *window_.controller().info()));
  Q_EMIT struck(struckWords(fault));
}

// For the window's run among real processes.
void FaultMenu::offerResume(QMenu& menu, const RunInfo& info) {
  const std::int64_t step = window_.controller().processes().resumesAt();
  if (&info != window_.controller().info() || step <= 0 || step >= info.totalSteps) return;
  QAction* resume = menu.addAction(tr("Resume from step %1").arg(countText(step)));
  resume->setObjectName(QStringLiteral("resume"));
  connect(resume, &QAction::triggered, &window_.experiment(), &Experiment::resume);
}

// The result is reported when Open MPI has ended the other processes.
void FaultMenu::killProcess(int worker) {
  if (!action_->isVisible() || (!action_->isEnabled() && window_.playback().record())) {
    Q_EMIT said(action_->toolTip());
  } else if (const bool through = window_.controller().processes().reachOf(worker) == ProcessRun::Reach::ThroughMpirun;
             window_.controller().processes().kill(worker)) {
    const QString words =
        through ? tr("mpirun ends worker %1 on its host").arg(worker) : tr("Worker %1 was killed").arg(worker);
    if (through)  // this takes a moment
      Q_EMIT said(words);
    else
      announcer_.say(words);
  } else {
    Q_EMIT said(tr("Worker %1 cannot be killed from here.").arg(worker));
  }
}

}  // namespace lab

// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/compare_actions.h"

#include <QMenu>

#include "ui/branches/branches.h"
#include "ui/branches/run_until.h"
#include "ui/branches/run_until_dialog.h"
#include "ui/compare/branch_menus.h"
#include "ui/compare/compare_view.h"
#include "ui/compare/report_button.h"
#include "ui/frame/messages.h"
#include "ui/frame/stage_run.h"
#include "ui/frame/workspaces.h"
#include "ui/help/actions.h"
#include "ui/setup/setup_bar.h"
#include "ui/window/centre.h"
#include "ui/window/fault_menu.h"

namespace lab {
namespace {

constexpr int kUntilMessageMs = 15000;

}  // namespace

CompareActions::CompareActions(QWidget& window, StageRun& run, Workspaces& workspaces, Centre& centre,
                               Messages& messages)
    : window_(window), run_(run), workspaces_(workspaces), centre_(centre) {
  const auto lanes = [&centre]() -> Lanes* {
    return centre.comparison() != nullptr ? &centre.comparison()->lanes() : nullptr;
  };
  until_ = new RunUntil(run.controller, run.playback, lanes, &window);
  connect(until_, &RunUntil::ended, &messages,
          [&messages](const QString& words) { messages.say(words, kUntilMessageMs); });
}

QAction* CompareActions::add(QMenu& run, const char* name, const QString& text, const QList<QKeySequence>& keys,
                             const std::function<void()>& act) {
  QAction* action = makeAction(window_, name, text, keys);
  connect(action, &QAction::triggered, this, act);
  run.addAction(action);
  return action;
}

// From anywhere, but where the workspace is locked: what nobody sees must not change.
CompareView* CompareActions::open() {
  workspaces_.choose(WindowLayout::Compare);
  return workspaces_.current() == WindowLayout::Compare ? centre_.comparison() : nullptr;
}

void CompareActions::follow(const SetupBar& setup) {
  connect(&run_.library, &RunLibrary::compareWanted, this, [this](int id) {
    if (CompareView* view = open()) view->compareWithKept(id);
  });
  connect(&setup, &SetupBar::compareWanted, this, [this](const StrategyInfo& info) {
    if (CompareView* view = open()) view->compareWith(info);
  });
}

void CompareActions::fillMenu(QMenu& run, FaultMenu& faults) {
  compare_ = add(run, "compareWithMenu", tr("&Compare with…"), {Qt::Key_C}, [this] {
    if (CompareView* view = open()) view->openChooser();
  });
  add(run, "compareReportMenu", tr("Write a repor&t of the lanes…"), {}, [this] {
    if (CompareView* view = open()) view->report().ask();
  });
  fillBranches(run, faults);
  fillSearches(run);
}

// Branches begin as the window's run. What it shows decides whether they are possible.
void CompareActions::fillBranches(QMenu& run, FaultMenu& faults) {
  QAction* branch = add(run, "branchHereMenu", tr("Bra&nch here…"), {}, [this] {
    if (CompareView* view = open()) view->branchMenus().openBranches();
  });
  QAction* edit = add(run, "breakItMenu", tr("C&hange a value…"), {}, [this] {
    if (CompareView* view = open()) view->branchMenus().openBreaks();
  });
  run.addAction(faults.makeAction());
  run.setToolTipsVisible(true);
  const auto refresh = [this, branch, edit, &faults] {
    const bool shown = run_.controller.info() != nullptr && run_.playback.record();
    branch->setEnabled(shown);
    const QString refusal = editRefusal(run_.controller, run_.playback, run_.selection.pinned());
    edit->setEnabled(refusal.isEmpty());
    edit->setToolTip(refusal);
    faults.refreshAction();
  };
  connect(&run_.controller, &RunController::updated, this, refresh);
  connect(&run, &QMenu::aboutToShow, this, refresh);
  connect(&run_.selection, &Selection::changed, this, refresh);
  refresh();
}

void CompareActions::fillSearches(QMenu& run) {
  add(run, "runUntil", tr("Run &until…"), {Qt::Key_U}, [this] { openRunUntil(); });
  const auto addSearch = [&](const char* name, const QString& text, const QKeySequence& key,
                             DifferenceSearch::Which which) {
    add(run, name, text, {key}, [this, which] {
      if (CompareView* view = open()) view->findDifference(which);
    });
  };
  addSearch("firstDifferenceMenu", tr("First &difference of the lane"), Qt::Key_D, DifferenceSearch::Which::First);
  addSearch("nextDifferenceMenu", tr("Ne&xt difference between lanes"), Qt::Key_N, DifferenceSearch::Which::Next);
  addSearch("previousDifferenceMenu", tr("Pre&vious difference between lanes"), Qt::SHIFT | Qt::Key_N,
            DifferenceSearch::Which::Previous);
}

void CompareActions::openRunUntil() {
  if (auto* dialog = window_.findChild<RunUntilDialog*>()) return dialog->raise(), dialog->activateWindow();
  auto* dialog = new RunUntilDialog(*until_, run_.playback.step(), &window_);
  dialog->show();
}

}  // namespace lab

// SPDX-License-Identifier: GPL-3.0-or-later
// The main window's menus and keys. Every entry works.
#include <QActionGroup>
#include <QMenuBar>

#include <cmath>

#include "ui/compare/branch_menus.h"
#include "ui/compare/branches.h"
#include "ui/compare/compare_view.h"
#include "ui/help/actions.h"
#include "ui/help/help.h"
#include "ui/i18n/core_words.h"
#include "ui/i18n/words.h"
#include "ui/setup/setup_bar.h"
#include "ui/stage/stage.h"
#include "ui/transport/transport.h"
#include "ui/window/fault_menu.h"
#include "ui/window/main_window.h"
#include "ui/window/status_line.h"

namespace lab {

QAction* MainWindow::addAct(const char* name, const QString& text, const QList<QKeySequence>& keys) {
  auto* action = new QAction(text, this);
  action->setObjectName(QLatin1String(name));
  action->setShortcuts(keys);
  return action;
}

void MainWindow::createMenus() {
  const auto add = [this](const char* name, const QString& title) {
    QMenu* menu = menuBar()->addMenu(title);
    menu->setObjectName(QLatin1String(name));
    return menu;
  };
  menus_ = {.file = add("fileMenu", tr("&File")),
            .edit = add("editMenu", tr("&Edit")),  // the workbench fills it
            .view = add("viewMenu", tr("&View")),
            .run = add("runMenu", tr("&Run")),
            .help = add("helpMenu", tr("&Help"))};
  QAction* quit = addAct("quit", tr("&Quit"), {QKeySequence(Qt::CTRL | Qt::Key_Q)});
  connect(quit, &QAction::triggered, this, &QWidget::close);
  menus_.file->addAction(quit);
  fillView(*menus_.view);
  fillRun(*menus_.run);
  QAction* compare = addAct("compareWithMenu", tr("&Compare with…"), {Qt::Key_C});
  connect(compare, &QAction::triggered, this, &MainWindow::compareWith);
  menus_.run->addAction(compare);
  QAction* report = addAct("compareReportMenu", tr("Write a repor&t of the lanes…"), {});
  connect(report, &QAction::triggered, this, &MainWindow::writeReport);
  menus_.run->addAction(report);
  fillBranches(*menus_.run);
  fillSearches(*menus_.run);
  fillClass(*menus_.run);
  QAction* again = addAct("again", tr("Start &anew, same seed"), {QKeySequence(Qt::CTRL | Qt::Key_R)});
  connect(again, &QAction::triggered, &experiment_, &Experiment::again);
  menus_.run->addAction(again);
  QAction* keys = addAct("keys", tr("&Keys"), {Qt::Key_Question});
  connect(keys, &QAction::triggered, this, [this] { showShortcuts(this, withKeys(*menuBar(), keys_)); });
  QAction* about = addAct("about", tr("&About StrategyLab"), {});
  connect(about, &QAction::triggered, this, [this] { showAbout(this); });
  menus_.help->addActions({keys, about});
  keys_ = transport_->actions() + QList<QAction*>{compare, again, projector_, fullScreen_, keys, quit};
}

void MainWindow::fillView(QMenu& view) {
  QAction* wrong = addAct("dividesWrongly", tr("Losses over each replica's &own batch (wrong)"), {});
  wrong->setCheckable(true);
  connect(wrong, &QAction::toggled, this, [this](bool on) {
    stage_->setDividesWrongly(on);
    if (compare_ != nullptr) compare_->setDividesWrongly(on);
  });
  QAction* amplify =
      addAct("amplify", tr("&Differences of copies ×%1").arg(countText(std::llround(Stage::kAmplified))), {Qt::Key_A});
  amplify->setCheckable(true);
  connect(amplify, &QAction::toggled, this, [this](bool on) {
    stage_->setAmplified(on ? Stage::kAmplified : 1);
    if (compare_ != nullptr) compare_->setAmplified(stage_->amplified());
  });
  // Most moments show no difference, so the action would seem to do nothing.
  connect(amplify, &QAction::triggered, this, [this](bool on) {
    say(on ? tr("Differences of copies ×%1: visible where copies are compared, at check or apply")
                 .arg(countText(std::llround(Stage::kAmplified)))
           : tr("Differences of copies at their true size"),
        kMessageMs);
  });
  auto* layouts = new QActionGroup(this);
  for (std::size_t i = 0; i < kLayouts.size(); ++i) {
    const QKeySequence keys(Qt::CTRL | static_cast<Qt::Key>(Qt::Key_1 + static_cast<int>(i)));
    QAction* action = layouts->addAction(addAct(kLayouts[i].key, tr(kLayouts[i].title), {keys}));
    action->setCheckable(true);
    connect(action, &QAction::triggered, this, [this, i] { setWindowLayout(static_cast<WindowLayout>(i)); });
  }
  layoutActions_ = layouts->actions();
  view.addSection(tr("Workspace"));
  view.addActions(layoutActions_);
  fillPanels(view);
  view.addSeparator();
  QAction* zoom = addAct("zoomMenu", tr("Look &inside a replica"), {Qt::Key_Z});
  zoom->setCheckable(true);
  connect(zoom, &QAction::triggered, this, [this](bool on) {
    const int chosen = selection_.pinned().endpoint;
    stage_->zoomInto(on ? std::max(0, chosen) : -1);
  });
  connect(stage_, &Stage::zoomChanged, zoom, [this, zoom] { zoom->setChecked(stage_->zoomed() >= 0); });
  view.addAction(zoom);
  view.addAction(moreAct_);
  view.addActions({amplify, wrong});
  fillLooks(view);
}

void MainWindow::fillRun(QMenu& run) {
  transport_->fillMenu(run);
  run.addSeparator();
  auto* kept = new QActionGroup(this);
  const auto keep = [&](const char* name, const QString& text, BatchKept what) {
    QAction* action = kept->addAction(addAct(name, text, {}));
    action->setCheckable(true);
    connect(action, &QAction::triggered, this, [this, what] { experiment_.keepBatch(what); });
    connect(&experiment_, &Experiment::changed, action, [this, action, what] {
      action->setChecked(experiment_.keepsBatch() == what);
      action->setEnabled(experiment_.hasGlobalBatch());
    });
  };
  keep("keepGlobalBatch", tr("Keep the &global batch when replicas change"), BatchKept::Global);
  keep("keepReplicaBatch", tr("Keep each replica's &batch when replicas change"), BatchKept::PerReplica);
  run.addActions(kept->actions());
  run.addSeparator();
}

// Branches begin as the window's run. What it shows decides whether they are possible.
void MainWindow::fillBranches(QMenu& run) {
  const auto add = [&](const char* name, const QString& text, void (BranchMenus::*open)()) {
    QAction* action = addAct(name, text, {});
    connect(action, &QAction::triggered, this, [this, open] {
      setWindowLayout(WindowLayout::Compare);
      if (compare_ != nullptr) (compare_->branchMenus().*open)();
    });
    run.addAction(action);
    return action;
  };
  QAction* branch = add("branchHereMenu", tr("Bra&nch here…"), &BranchMenus::openBranches);
  QAction* edit = add("breakItMenu", tr("C&hange a value…"), &BranchMenus::openBreaks);
  connect(stage_, &Stage::menuWanted, faults_, &FaultMenu::open);
  run.addAction(faults_->makeAction());
  run.setToolTipsVisible(true);
  const auto refresh = [this, branch, edit] {
    const bool shown = controller_.info() != nullptr && playback_.record();
    branch->setEnabled(shown);
    const QString refusal = editRefusal(controller_, playback_, selection_.pinned());
    edit->setEnabled(refusal.isEmpty());
    edit->setToolTip(refusal);
    faults_->refreshAction();
  };
  connect(&controller_, &RunController::updated, this, refresh);
  connect(&run, &QMenu::aboutToShow, this, refresh);
  connect(&selection_, &Selection::changed, this, refresh);
  refresh();
}

void MainWindow::createKeys() {
  const auto add = [this](QAction* action, auto act) {
    connect(action, &QAction::triggered, this, act);
    addAction(action);
    keys_.append(action);
  };
  add(addAct("moreReplicas", tr("One replica more"), {Qt::Key_Plus, Qt::Key_Equal}), [this] { addReplicas(1); });
  add(addAct("fewerReplicas", tr("One replica fewer"), {Qt::Key_Minus}), [this] { addReplicas(-1); });
  int number = 0;
  for (const StrategyInfo& info : strategies()) {
    const QString key = QString::fromStdString(info.key);
    const QList<QKeySequence> keys = number < 9 ? QList{QKeySequence(Qt::Key_1 + number)} : QList<QKeySequence>();
    ++number;
    add(addAct(("strategy-" + info.key).c_str(), coreText(info.name), keys),
        [this, key] { experiment_.set(QStringLiteral("strategy"), key); });
  }
  add(addAct("leave", tr("Deselect; leave full screen"), {Qt::Key_Escape}), [this] { leave(); });
  for (QAction* action : transport_->actions()) addAction(action);
}

QAction* MainWindow::addKeyAct(const char* name, const QString& text, const QKeySequence& keys) {
  QAction* action = addAct(name, text, {keys});
  addAction(action);
  keys_.append(action);
  return action;
}

void MainWindow::addReplicas(int more) {
  const std::int64_t replicas = experiment_.resolved().replicas + more;
  if (replicas >= 1) experiment_.set(QStringLiteral("replicas"), QString::number(replicas));
}

}  // namespace lab

// SPDX-License-Identifier: GPL-3.0-or-later
// The window's docks: what is in them, and where they stand.
#include <QDockWidget>
#include <QHeaderView>
#include <QMenuBar>
#include <QScrollArea>
#include <QStatusBar>
#include <QTableView>
#include <QToolBar>

#include <algorithm>
#include <utility>
#include <vector>

#include "ui/charts/chart_panel.h"
#include "ui/inspect/inspector.h"
#include "ui/look/theme.h"
#include "ui/runs/run_menu.h"
#include "ui/setup/setup_form.h"
#include "ui/stage/narration.h"
#include "ui/trace/trace_panel.h"
#include "ui/transport/run_bar.h"
#include "ui/tryout/try_out.h"
#include "ui/whatif/what_if_panel.h"
#include "ui/window/main_window.h"
#include "ui/window/on_demand.h"
#include "ui/window/status_line.h"

namespace lab {
namespace {

// Of the text size: the least height of a window with two docks above each other, and with docks below the stage; its
// least width with docks on both sides; the least height of a dock below the stage.
constexpr double kRoomForTwo = 34, kRoomForAll = 54, kWideEnough = 60, kRoomForDock = 11;
constexpr int kLeastSide = 270;  // pixels: controls do not shrink as letters do

}  // namespace

QDockWidget* MainWindow::addDock(const char* name, const QString& title, QWidget* content) {
  auto* dock = new QDockWidget(title);
  dock->setObjectName(QLatin1String(name));
  dock->setWidget(content);
  // Asked for, it comes before those that share its place.
  connect(dock->toggleViewAction(), &QAction::triggered, dock, [dock](bool shown) {
    if (shown) dock->raise();
  });
  return dock;
}

void MainWindow::createDocks() {
  setupDock_ = addDock("setupDock", tr("Setup"), new OnDemand([this] { return new SetupForm(experiment_); }));
  inspector_ = new Inspector(controller_, playback_, selection_);
  connect(inspector_, &Inspector::slowdownWanted, &experiment_, &Experiment::slowDown);
  inspectorDock_ = addDock("inspectorDock", tr("Inspector"), inspector_);
  charts_ = new ChartPanel(controller_, library_, runs_);
  connect(charts_, &ChartPanel::stepWanted, this, [this](std::int64_t step) { playback_.seek(step, 0); });
  connect(charts_, &ChartPanel::said, this, [this](const QString& text) { status_->showMessage(text, kMessageMs); });
  chartsDock_ = addDock("chartsDock", tr("Charts"), charts_);
  narrationDock_ = addDock("narrationDock", tr("Narration"), new Narration(controller_, playback_));
  connect(&library_, &RunLibrary::grew, this, [this] {
    if (runsDock_->isVisible()) runs_.schedule();
  });
  auto* table = new QTableView;
  table->setObjectName(QStringLiteral("runsView"));
  makeRunView(*table, runs_, library_);
  table->setAccessibleName(tr("Runs of this session"));
  table->setSelectionBehavior(QAbstractItemView::SelectRows);
  table->setShowGrid(false);
  table->setWordWrap(false);
  // Hundreds of runs and dozens of settings: only what is seen is measured, and all rows are of one height.
  table->horizontalHeader()->setSectionResizeMode(QHeaderView::ResizeToContents);
  table->horizontalHeader()->setResizeContentsPrecision(0);
  table->horizontalHeader()->setHighlightSections(false);
  table->verticalHeader()->setSectionResizeMode(QHeaderView::Fixed);
  runsDock_ = addDock("runsDock", tr("Runs"), table);
  tryDock_ = addDock("tryDock", tr("Try it"), new OnDemand([this] { return new TryOut(controller_, playback_); }));
  connect(runsDock_, &QDockWidget::visibilityChanged, &runs_, &RunTable::refresh);
  trace_ = new TracePanel(controller_, playback_, selection_);
  traceDock_ = addDock("traceDock", tr("Trace"), trace_);
  connect(traceDock_, &QDockWidget::visibilityChanged, trace_, &TracePanel::refresh, Qt::QueuedConnection);
  const auto makeWhatIf = [this] {
    whatIf_ = new WhatIfPanel(controller_, playback_, experiment_);
    connect(whatIfDock_, &QDockWidget::visibilityChanged, whatIf_, &WhatIfPanel::refresh, Qt::QueuedConnection);
    auto* scroll = new QScrollArea;  // on a small screen the stage needs the room more
    scroll->setWidgetResizable(true);
    scroll->setFocusPolicy(Qt::NoFocus);  // its sliders and pickers have it
    scroll->setAccessibleName(tr("What if"));
    scroll->setWidget(whatIf_);
    return scroll;
  };
  whatIfDock_ = addDock("whatIfDock", tr("What if"), new OnDemand(makeWhatIf));
  connect(setupDock_, &QDockWidget::visibilityChanged, this, &MainWindow::refreshNotice);
  connect(this, &QMainWindow::tabifiedDockWidgetActivated, this, [this](QDockWidget* dock) { front_ = dock; });
}

void MainWindow::setWindowLayout(WindowLayout layout) {
  layout_ = layout;
  arrangeDocks();
  QAction* chosen = layout == WindowLayout::Teach ? teach_ : layout == WindowLayout::Explore ? explore_ : profile_;
  chosen->setChecked(true);
  if (status_ != nullptr) status_->setFigures(layout == WindowLayout::Profile);
}

int MainWindow::roomBelow() const {
  int room = height() - centralWidget()->minimumSizeHint().height();
  for (const QWidget* bar : {static_cast<QWidget*>(menuBar()), static_cast<QWidget*>(statusBar())})
    if (!bar->isHidden()) room -= bar->sizeHint().height();
  for (const QToolBar* bar : findChildren<QToolBar*>(QString(), Qt::FindDirectChildrenOnly))
    room -= bar->sizeHint().height();
  return room;
}

QList<QDockWidget*> MainWindow::docks() const {
  return {setupDock_, inspectorDock_, chartsDock_, narrationDock_, runsDock_, traceDock_, whatIfDock_, tryDock_};
}

void MainWindow::arrangeDocks() {
  placeDocks();
  for (QDockWidget* dock : docks()) arranged_[dock] = {!dock->isHidden(), dockWidgetArea(dock)};
  front_ = nullptr;
}

void MainWindow::rearrangeDocks() {
  std::vector<std::pair<QDockWidget*, bool>> changed;
  for (QDockWidget* dock : docks()) {
    const Stand& stand = arranged_[dock];
    if (dock->isFloating() || dockWidgetArea(dock) != stand.area) return;  // moved: all stay where they are
    if (dock->isHidden() == stand.shown) changed.emplace_back(dock, !stand.shown);
  }
  QDockWidget* front = front_;
  arrangeDocks();
  for (const auto& [dock, shown] : changed) dock->setVisible(shown);
  if (front == nullptr || front->isHidden()) return;
  front->raise();
  front_ = front;
}

// Where they stood then is no wish of now.
void MainWindow::restoreDocks(const QByteArray& state, int version) {
  restoreState(state, version);
  findChild<QToolBar*>(QStringLiteral("controls"))->setVisible(!isProjectorMode());  // it may have been left in that
  for (QDockWidget* dock : docks()) arranged_[dock].area = dockWidgetArea(dock);
}

void MainWindow::placeDocks() {
  const bool projector = theme::kind() == theme::Kind::Projector;  // the stage, one chart, the caption
  const bool teach = projector || layout_ == WindowLayout::Teach, profile = !teach && layout_ == WindowLayout::Profile;
  const bool compact =
      !projector && (height() < theme::em(teach ? kRoomForTwo : kRoomForAll) || width() < theme::em(kWideEnough));
  charts_->setOnlyLoss(teach || (compact && !profile));
  statusBar()->setVisible(!projector && height() >= theme::em(30));  // the inspector tells it as well
  centralWidget()->findChild<RunBar*>()->setVisible(height() >= theme::em(20));
  for (QDockWidget* dock : docks()) {
    dock->setFloating(false);  // before: one that is out of the window cannot come back
    removeDockWidget(dock);
  }
  // What is set comes first and what is told of it last, as one reads; Qt leaves docks where they are.
  const Qt::DockWidgetArea first = isRightToLeft() ? Qt::RightDockWidgetArea : Qt::LeftDockWidgetArea;
  const Qt::DockWidgetArea last = isRightToLeft() ? Qt::LeftDockWidgetArea : Qt::RightDockWidgetArea;
  addDockWidget(first, setupDock_);
  addDockWidget(last, inspectorDock_);
  addDockWidget(teach ? last : Qt::BottomDockWidgetArea, chartsDock_);
  const bool below = !teach || roomBelow() >= theme::em(kRoomForDock);  // else they would cover the caption
  for (QDockWidget* dock : {runsDock_, traceDock_, whatIfDock_})
    addDockWidget(below ? Qt::BottomDockWidgetArea : last, dock);
  addDockWidget(last, narrationDock_);
  addDockWidget(last, tryDock_);
  tabifyDockWidget(inspectorDock_, tryDock_);
  tryDock_->setVisible(false);  // asked for in the menu
  setupDock_->setVisible(!teach && !profile);
  inspectorDock_->setVisible(!profile && !projector);
  chartsDock_->setVisible(true);
  narrationDock_->setVisible(!teach && !profile);
  runsDock_->setVisible(!teach);
  traceDock_->setVisible(!teach);
  whatIfDock_->setVisible(profile);
  if (compact) {
    // Letters too large for docks on all sides: one place for all, behind each other.
    for (QDockWidget* dock : docks()) {
      if (dock == inspectorDock_) continue;
      const bool wide = dock == runsDock_ || dock == traceDock_ || dock == whatIfDock_;
      if (wide && !profile) dock->setVisible(false);  // asked for in the menu
      if (dock != tryDock_) addDockWidget(last, dock);
      tabifyDockWidget(inspectorDock_, dock);
    }
    (profile ? traceDock_ : inspectorDock_)->raise();
    resizeDocks({profile ? traceDock_ : inspectorDock_}, {std::min(theme::em(profile ? 36 : 20), width() * 3 / 10)},
                Qt::Horizontal);
    return;
  }
  // Those that are not shown as well: asked for, they stand behind one another.
  if (!teach) tabifyDockWidget(chartsDock_, runsDock_);
  if (!below) tabifyDockWidget(tryDock_, runsDock_);
  tabifyDockWidget(runsDock_, traceDock_);
  tabifyDockWidget(traceDock_, whatIfDock_);
  if (teach) tabifyDockWidget(chartsDock_, narrationDock_);
  (profile ? traceDock_ : chartsDock_)->raise();
  // As wide as their texts need, and the stage has the rest.
  const int side = std::min(std::max(theme::em(20), kLeastSide), width() * 3 / 10);
  const int chart = teach ? std::max(theme::em(13), height() / 4) : theme::em(profile ? 22 : 14);
  const auto rest = [](int length) { return std::max(1, length); };
  resizeDocks({setupDock_, inspectorDock_}, {side, side}, Qt::Horizontal);
  if (teach) {
    resizeDocks({inspectorDock_, chartsDock_}, {rest(height() - 2 * chart), chart}, Qt::Vertical);
  } else if (profile) {
    // Figures first, but the stage keeps the room that it needs.
    resizeDocks({traceDock_}, {std::clamp(height() * 2 / 5, 1, rest(roomBelow()))}, Qt::Vertical);
  } else {
    resizeDocks({chartsDock_}, {chart}, Qt::Vertical);
    resizeDocks({inspectorDock_, narrationDock_}, {height() * 3 / 5, height() * 2 / 5}, Qt::Vertical);
  }
}

}  // namespace lab

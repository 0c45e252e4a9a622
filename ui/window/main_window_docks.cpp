// SPDX-License-Identifier: GPL-3.0-or-later
// The window's docks: a row each says what is in it, where it stands and which layouts show it.
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

// Layouts, for the table.
constexpr unsigned kNowhere = 0, kTeach = 1, kExplore = 2, kProfile = 4, kProjector = 8, kStage = 15;

}  // namespace

// Where docks stand around the stage, in the order in which they are placed there. One reads from start to end.
enum class MainWindow::DockPlace {
  Start,
  End,    // the first there has the tabs of its guests
  Chart,  // below; in Teach at the end, under the first
  Below,  // behind the chart and one another; in Teach at the end, where there is no room below
  Notes,  // at the end, under the first; in Teach behind the chart
  Guest,  // behind the first at the end
};

struct MainWindow::DockRow {
  const char* name;  // files keep it
  const char* title;
  DockPlace place;
  unsigned shown, front;  // in which layouts; where it is in front of those that share its place
  QWidget* (*make)(MainWindow& window, QDockWidget& dock);
};

std::span<const MainWindow::DockRow> MainWindow::dockRows() {
  using Place = DockPlace;
  // In the order of the menu View. Makers without a capture: the window's own pointers are set where a view is made.
  static constexpr DockRow kRows[]{
      {"setupDock", QT_TRANSLATE_NOOP("lab::MainWindow", "Setup"), Place::Start, kExplore, kNowhere,
       [](MainWindow& window, QDockWidget& dock) { return window.makeSetup(dock); }},
      {"inspectorDock", QT_TRANSLATE_NOOP("lab::MainWindow", "Inspector"), Place::End, kTeach | kExplore, kNowhere,
       [](MainWindow& window, QDockWidget&) { return window.makeInspector(); }},
      {"chartsDock", QT_TRANSLATE_NOOP("lab::MainWindow", "Charts"), Place::Chart, kStage,
       kTeach | kExplore | kProjector, [](MainWindow& window, QDockWidget&) { return window.makeCharts(); }},
      {"narrationDock", QT_TRANSLATE_NOOP("lab::MainWindow", "Narration"), Place::Notes, kExplore, kNowhere,
       [](MainWindow& window, QDockWidget&) -> QWidget* {
         return new Narration(window.controller_, window.playback_);
       }},
      {"runsDock", QT_TRANSLATE_NOOP("lab::MainWindow", "Runs"), Place::Below, kExplore | kProfile, kNowhere,
       [](MainWindow& window, QDockWidget& dock) { return window.makeRuns(dock); }},
      {"traceDock", QT_TRANSLATE_NOOP("lab::MainWindow", "Trace"), Place::Below, kExplore | kProfile, kProfile,
       [](MainWindow& window, QDockWidget& dock) { return window.makeTrace(dock); }},
      {"whatIfDock", QT_TRANSLATE_NOOP("lab::MainWindow", "What if"), Place::Below, kProfile, kNowhere,
       [](MainWindow& window, QDockWidget& dock) { return window.makeWhatIf(dock); }},
      {"tryDock", QT_TRANSLATE_NOOP("lab::MainWindow", "Try it"), Place::Guest, kNowhere, kNowhere,
       [](MainWindow& window, QDockWidget&) -> QWidget* {
         return new OnDemand([&window] { return new TryOut(window.controller_, window.playback_); });
       }},
  };
  return kRows;
}

// 8 docks were version 1, and 2 with the row of workspaces: with more or fewer, places that were kept do not fit.
int MainWindow::docksVersion() {
  return static_cast<int>(dockRows().size()) - 6;
}

QWidget* MainWindow::makeSetup(QDockWidget& dock) {
  setupDock_ = &dock;
  connect(&dock, &QDockWidget::visibilityChanged, this, &MainWindow::refreshNotice);
  return new OnDemand([this] { return new SetupForm(experiment_); });
}

QWidget* MainWindow::makeInspector() {
  inspector_ = new Inspector(controller_, playback_, selection_);
  connect(inspector_, &Inspector::slowdownWanted, &experiment_, &Experiment::slowDown);
  return inspector_;
}

QWidget* MainWindow::makeCharts() {
  charts_ = new ChartPanel(controller_, library_, runs_);
  connect(charts_, &ChartPanel::stepWanted, this, [this](std::int64_t step) { playback_.seek(step, 0); });
  connect(charts_, &ChartPanel::said, this, [this](const QString& text) { status_->showMessage(text, kMessageMs); });
  return charts_;
}

QWidget* MainWindow::makeRuns(QDockWidget& dock) {
  connect(&library_, &RunLibrary::grew, this, [this, &dock] {
    if (dock.isVisible()) runs_.schedule();
  });
  connect(&dock, &QDockWidget::visibilityChanged, &runs_, &RunTable::refresh);
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
  return table;
}

QWidget* MainWindow::makeTrace(QDockWidget& dock) {
  trace_ = new TracePanel(controller_, playback_, selection_);
  connect(&dock, &QDockWidget::visibilityChanged, trace_, &TracePanel::refresh, Qt::QueuedConnection);
  return trace_;
}

QWidget* MainWindow::makeWhatIf(QDockWidget& dock) {
  return new OnDemand([this, &dock] {
    whatIf_ = new WhatIfPanel(controller_, playback_, experiment_);
    connect(&dock, &QDockWidget::visibilityChanged, whatIf_, &WhatIfPanel::refresh, Qt::QueuedConnection);
    auto* scroll = new QScrollArea;  // on a small screen the stage needs the room more
    scroll->setWidgetResizable(true);
    scroll->setFocusPolicy(Qt::NoFocus);  // its sliders and pickers have it
    scroll->setAccessibleName(tr("What if"));
    scroll->setWidget(whatIf_);
    return scroll;
  });
}

void MainWindow::createDocks() {
  for (const DockRow& row : dockRows()) {
    auto* dock = new QDockWidget(tr(row.title));
    dock->setObjectName(QLatin1String(row.name));
    dock->toggleViewAction()->setObjectName(dock->objectName() + QStringLiteral("Act"));
    dock->setWidget(row.make(*this, *dock));
    // Asked for, it comes before those that share its place.
    connect(dock->toggleViewAction(), &QAction::triggered, dock, [dock](bool shown) {
      if (shown) dock->raise();
    });
    docks_.push_back({row.place, &row, dock});
  }
  connect(this, &QMainWindow::tabifiedDockWidgetActivated, this, [this](QDockWidget* dock) { front_ = dock; });
}

int MainWindow::roomBelow() const {
  int room = height() - centralWidget()->minimumSizeHint().height();
  for (const QWidget* bar : {static_cast<QWidget*>(menuBar()), static_cast<QWidget*>(statusBar())})
    if (!bar->isHidden()) room -= bar->sizeHint().height();
  for (const QToolBar* bar : findChildren<QToolBar*>(QString(), Qt::FindDirectChildrenOnly))
    room -= bar->sizeHint().height();
  return room;
}

QDockWidget* MainWindow::dockAt(DockPlace place) const {
  return std::ranges::find(docks_, place, &Dock::place)->widget;
}

void MainWindow::arrangeDocks() {
  placeDocks();
  for (Dock& dock : docks_) {
    dock.shown = !dock.widget->isHidden();
    dock.area = dockWidgetArea(dock.widget);
  }
  front_ = nullptr;
}

void MainWindow::rearrangeDocks() {
  std::vector<std::pair<QDockWidget*, bool>> changed;
  for (const auto& [place, row, dock, shown, area] : docks_) {
    if (dock->isFloating() || dockWidgetArea(dock) != area) return;  // moved: all stay where they are
    if (dock->isHidden() == shown) changed.emplace_back(dock, !shown);
  }
  QDockWidget* front = front_;
  arrangeDocks();
  for (const auto& [dock, shown] : changed) dock->setVisible(shown);
  if (front == nullptr || front->isHidden()) return;
  front->raise();
  front_ = front;
}

// Where they stood then is no wish of now.
void MainWindow::restoreDocks(const QByteArray& state) {
  restoreState(state, docksVersion());
  for (QToolBar* bar : {toolBar_, tabRow_}) bar->setVisible(!isProjectorMode());  // they may have been left in that
  for (Dock& dock : docks_) dock.area = dockWidgetArea(dock.widget);
}

void MainWindow::placeDocks() {
  const bool projector = theme::kind() == theme::Kind::Projector;  // the stage, one chart, the caption
  const bool teach = projector || layout_ == WindowLayout::Teach, profile = !teach && layout_ == WindowLayout::Profile;
  const bool compact =
      !projector && (height() < theme::em(teach ? kRoomForTwo : kRoomForAll) || width() < theme::em(kWideEnough));
  charts_->setOnlyLoss(teach || (compact && !profile));
  statusBar()->setVisible(!projector && height() >= theme::em(30));  // the inspector says it as well
  centralWidget()->findChild<RunBar*>()->setVisible(height() >= theme::em(20));
  for (const Dock& dock : docks_) {
    dock.widget->setFloating(false);  // before: one that is out of the window cannot come back
    removeDockWidget(dock.widget);
  }
  // Settings come first and results last, as one reads; Qt leaves docks where they are.
  const Qt::DockWidgetArea first = isRightToLeft() ? Qt::RightDockWidgetArea : Qt::LeftDockWidgetArea;
  const Qt::DockWidgetArea last = isRightToLeft() ? Qt::LeftDockWidgetArea : Qt::RightDockWidgetArea;
  const bool below = !teach || roomBelow() >= theme::em(kRoomForDock);  // else they would cover the caption
  const std::pair<DockPlace, Qt::DockWidgetArea> areas[]{{DockPlace::Start, first},
                                                         {DockPlace::End, last},
                                                         {DockPlace::Chart, teach ? last : Qt::BottomDockWidgetArea},
                                                         {DockPlace::Below, below ? Qt::BottomDockWidgetArea : last},
                                                         {DockPlace::Notes, last},
                                                         {DockPlace::Guest, last}};
  for (const auto& [place, area] : areas)
    for (const Dock& dock : docks_)
      if (dock.place == place) addDockWidget(area, dock.widget);
  const bool ownPage = layout_ == WindowLayout::Compare || layout_ == WindowLayout::Sweep;
  const unsigned layout = ownPage ? kNowhere : projector ? kProjector : teach ? kTeach : profile ? kProfile : kExplore;
  QDockWidget* front = dockAt(DockPlace::End);
  for (const Dock& dock : docks_) {
    if (dock.place == DockPlace::Guest) tabifyDockWidget(dockAt(DockPlace::End), dock.widget);
    dock.widget->setVisible((dock.row->shown & layout) != 0);
    if ((dock.row->front & layout) != 0 && (profile || !compact)) front = dock.widget;
  }
  if (compact) return stackDocks(last, *front, profile);
  tabDocks(teach, below);
  front->raise();
  sizeDocks(*front, teach, profile);
}

// Letters too large for docks on all sides: one place for all, behind each other.
void MainWindow::stackDocks(Qt::DockWidgetArea area, QDockWidget& front, bool profile) {
  QDockWidget* stack = dockAt(DockPlace::End);
  for (const Dock& dock : docks_) {
    if (dock.widget == stack) continue;
    if (dock.place == DockPlace::Below && !profile) dock.widget->setVisible(false);  // asked for in the menu
    if (dock.place != DockPlace::Guest) addDockWidget(area, dock.widget);
    tabifyDockWidget(stack, dock.widget);
  }
  front.raise();
  resizeDocks({&front}, {std::min(theme::em(profile ? 36 : 20), width() * 3 / 10)}, Qt::Horizontal);
}

// Those that are not shown as well: asked for, they stand behind one another.
void MainWindow::tabDocks(bool teach, bool below) {
  QDockWidget* chart = dockAt(DockPlace::Chart);
  QDockWidget* before = !teach ? chart : below ? nullptr : dockAt(DockPlace::Guest);
  for (const Dock& dock : docks_) {
    if (dock.place != DockPlace::Below) continue;
    if (before != nullptr) tabifyDockWidget(before, dock.widget);
    before = dock.widget;
  }
  for (const Dock& dock : docks_)
    if (teach && dock.place == DockPlace::Notes) tabifyDockWidget(chart, dock.widget);
}

// As wide as their texts need, and the stage has the rest.
void MainWindow::sizeDocks(QDockWidget& front, bool teach, bool profile) {
  QDockWidget *end = dockAt(DockPlace::End), *charts = dockAt(DockPlace::Chart);
  // Names of hardware are long: where there is room, lists show them whole.
  const int side = std::min(std::max({theme::em(20), kLeastSide, width() / 5}), width() * 3 / 10);
  const int chart = teach ? std::max(theme::em(13), height() / 4) : theme::em(14);
  const auto rest = [](int length) { return std::max(1, length); };
  resizeDocks({dockAt(DockPlace::Start), end}, {side, side}, Qt::Horizontal);
  if (teach) {
    resizeDocks({end, charts}, {rest(height() - 2 * chart), chart}, Qt::Vertical);
  } else if (profile) {
    // Figures first, but the stage keeps the room that it needs.
    resizeDocks({&front}, {std::clamp(height() * 2 / 5, 1, rest(roomBelow()))}, Qt::Vertical);
  } else {
    resizeDocks({charts}, {chart}, Qt::Vertical);
    resizeDocks({end, dockAt(DockPlace::Notes)}, {height() * 3 / 5, height() * 2 / 5}, Qt::Vertical);
  }
}

}  // namespace lab

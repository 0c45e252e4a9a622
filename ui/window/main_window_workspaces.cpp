// SPDX-License-Identifier: GPL-3.0-or-later
// The window's centre: exactly one workspace, chosen by the row of tabs under the toolbar. Teach, Explore and Profile
// share the page with the stage; the others have their own pages, made when they are first shown.
#include <QSignalBlocker>
#include <QTabBar>
#include <QToolBar>
#include <QVBoxLayout>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "ui/compare/compare_view.h"
#include "ui/compare/report_button.h"
#include "ui/guide/lesson_view.h"
#include "ui/help/notice.h"
#include "ui/runs/run_library.h"
#include "ui/serving/invitation.h"
#include "ui/serving/served_class.h"
#include "ui/setup/process_bar.h"
#include "ui/setup/setup_bar.h"
#include "ui/stage/stage.h"
#include "ui/sweep/sweep_view.h"
#include "ui/theme/projected.h"
#include "ui/theme/theme.h"
#include "ui/transport/transport_bar.h"
#include "ui/window/fault_menu.h"
#include "ui/window/main_window.h"
#include "ui/window/on_demand.h"
#include "ui/window/page_stack.h"
#include "ui/window/panel.h"
#include "ui/window/stage_page.h"
#include "ui/window/stage_strip.h"
#include "ui/window/status_line.h"

namespace lab {

// A workspace with a page of its own. Makers capture nothing, like those of the panels.
struct MainWindow::PageRow {
  WindowLayout workspace;
  QWidget* (*make)(MainWindow& window);
};

std::span<const MainWindow::PageRow> MainWindow::pageRows() {
  static constexpr PageRow kRows[]{
      {WindowLayout::Compare, [](MainWindow& window) -> QWidget* { return window.makeCompare(); }},
      {WindowLayout::Sweep,
       [](MainWindow& window) -> QWidget* {
         auto* view = new SweepView(window.experiment_, window.library_);
         connect(view, &SweepView::runWanted, &window, [&window] { window.setWindowLayout(WindowLayout::Explore); });
         // Shown even if another workspace is in front.
         connect(view, &SweepView::said, &window, [&window](const QString& text) { window.say(text, kMessageMs); });
         Q_EMIT window.viewMade(view);
         return view;
       }},
  };
  return kRows;
}

void MainWindow::takeSweep(const nlohmann::json& sweep) {
  const SweepRequest request = requestFromJson(sweep);
  const auto row = std::ranges::find(pageRows(), WindowLayout::Sweep, &PageRow::workspace);
  auto* page = static_cast<OnDemand*>(pages_->widget(1 + static_cast<int>(row - pageRows().begin())));
  static_cast<SweepView&>(page->content()).setRequest(request);
}

QWidget* MainWindow::makeStagePage() {
  stage_ = new Stage(controller_, playback_, selection_);
  stage_->picture().setGlides(true);
  stage_->setFocusPolicy(Qt::StrongFocus);
  connect(stage_, &Stage::slowdownWanted, this, [this](int replica, double factor) {
    class_->isOpen() ? class_->slow(replica, factor) : experiment_.slowDown(replica, factor);
  });
  connect(stage_, &Stage::inspectionWanted, this, &MainWindow::inspect);
  connect(&selection_, &Selection::changed, this, &MainWindow::endInspection);
  auto* page = new QWidget;
  auto* column = new QVBoxLayout(page);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(0);
  auto* processes = new ProcessBar(controller_, experiment_);
  connect(processes, &ProcessBar::killWanted, faults_, &FaultMenu::killProcess);
  connect(processes, &ProcessBar::allWanted, faults_, [this](const QPoint& at) { faults_->open({}, at); });
  column->addWidget(processes);
  invitation_ = new Invitation(*class_);
  invitation_->hide();
  column->addWidget(invitation_, 1);
  column->addWidget(stage_, 1);
  return new StagePage(page);
}

QWidget* MainWindow::makeCompare() {
  compare_ = new CompareView(controller_, playback_, selection_, experiment_, library_);
  connect(compare_, &CompareView::focusChanged, this, &MainWindow::inspectFocus);
  connect(compare_, &CompareView::menuWanted, faults_, &FaultMenu::open);
  compare_->setDividesWrongly(stage_->dividesWrongly());
  compare_->setAmplified(stage_->amplified());
  connect(compare_, &CompareView::said, this, [this](const QString& text) { say(text, kMessageMs); });
  Q_EMIT viewMade(compare_);
  return compare_;
}

// From anywhere: the workspace, and what to compare with.
void MainWindow::compareWith() {
  setWindowLayout(WindowLayout::Compare);
  if (compare_ != nullptr) compare_->openChooser();
}

// Called from a kept run's menu and a strategy's card.
void MainWindow::connectCompare() {
  connect(&library_, &RunLibrary::compareWanted, this, [this](int id) {
    setWindowLayout(WindowLayout::Compare);
    if (compare_ != nullptr) compare_->compareWithKept(id);
  });
  connect(setupBar_, &SetupBar::compareWanted, this, [this](const StrategyInfo& info) {
    setWindowLayout(WindowLayout::Compare);
    if (compare_ != nullptr) compare_->compareWith(info);
  });
}

void MainWindow::writeReport() {
  setWindowLayout(WindowLayout::Compare);
  if (compare_ != nullptr) compare_->report().ask();
}

QWidget* MainWindow::makeStageStrip() {
  stageAct_ = addAct("profileStage", tr("St&age in Profile"), {Qt::Key_B});
  stageAct_->setIconText(tr("Stage"));
  stageAct_->setIconVisibleInMenu(false);
  stageAct_->setCheckable(true);
  connect(stageAct_, &QAction::triggered, this, &MainWindow::setStageOpen);
  // A replica that is zoomed into must be visible.
  connect(stage_, &Stage::zoomChanged, this, [this] {
    if (stage_->zoomed() >= 0 && isStageAway()) setStageOpen(true);
  });
  strip_ = new StageStrip(*stageAct_, controller_, playback_);
  return strip_;
}

void MainWindow::setStageOpen(bool open) {
  stageOpen_ = open;
  sizePanels();
}

// Profile is for the trace: the stage stays hidden until the user opens it, but only if the trace takes its room. A
// lesson refers to both.
bool MainWindow::hasStrip() const {
  if (const auto* lessons = findChild<LessonView*>(); lessons != nullptr && lessons->lesson() != nullptr) return false;
  return layout_ == WindowLayout::Profile && !theme::isProjected() && stands(panelAt(PanelPlace::Evidence));
}

bool MainWindow::isStageAway() const {
  return hasStrip() && !stageOpen_;
}

void MainWindow::fitStage() {
  const bool away = isStageAway();
  stageAct_->setEnabled(hasStrip());
  const QString keys = stageAct_->shortcut().toString(QKeySequence::NativeText);
  const QString does =
      tr("Opens the stage, or closes it") + (keys.isEmpty() ? QString() : QStringLiteral(" (%1)").arg(keys));
  stageAct_->setToolTip(hasStrip() ? does : tr("Only in Profile, while the panel Evidence is open in the window"));
  stageAct_->setChecked(stageOpen_);
  strip_->setVisible(hasStrip());
  pages_->setVisible(!away);
  centralWidget()->setSizePolicy(QSizePolicy::Preferred, away ? QSizePolicy::Maximum : QSizePolicy::Preferred);
}

void MainWindow::createCentre() {
  notice_ = new Notice;
  pages_ = new PageStack;
  pages_->addWidget(makeStagePage());
  for (const PageRow& row : pageRows()) pages_->addWidget(new OnDemand([this, &row] { return row.make(*this); }));
  auto* central = new QWidget;
  central->setProperty("role", QStringLiteral("panel"));
  auto* column = new QVBoxLayout(central);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(0);
  column->addWidget(notice_);
  column->addWidget(makeStageStrip());
  column->addWidget(pages_, 1);
  transportBar_ = new TransportBar(*transport_, controller_, playback_);
  column->addWidget(transportBar_);
  setCentralWidget(central);
}

void MainWindow::createTabs() {
  tabs_ = new QTabBar;
  tabs_->setObjectName(QStringLiteral("workspaces"));
  tabs_->setAccessibleName(tr("Workspaces"));
  tabs_->setFocusPolicy(Qt::TabFocus);
  tabs_->setDrawBase(false);
  tabs_->setExpanding(false);
  for (std::size_t i = 0; i < kLayouts.size(); ++i) {
    const int tab = tabs_->addTab(nameOf(static_cast<WindowLayout>(i)));
    tabs_->setTabToolTip(tab, layoutActions_[static_cast<qsizetype>(i)]->toolTip());
  }
  connect(tabs_, &QTabBar::currentChanged, this, [this](int tab) { setWindowLayout(static_cast<WindowLayout>(tab)); });
  tabRow_->addWidget(tabs_);
  auto* between = new QWidget;
  between->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Preferred);
  tabRow_->addWidget(between);
  auto* apart = new QWidget;
  apart->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Preferred);
  moreBar_->addWidget(apart);
  for (Panel* panel : panels_) {
    QAction* act = panel->toggleViewAction();
    QToolBar& bar = panel == &panelAt(PanelPlace::Guide) ? *tabRow_ : *moreBar_;
    bar.addAction(act);
    bar.widgetForAction(act)->setFocusPolicy(Qt::TabFocus);
  }
}

// A class may be barred from a workspace.
bool MainWindow::isOffered(WindowLayout layout) const {
  const int tab = static_cast<int>(layout);
  return layout == layout_ || (tabs_->isTabEnabled(tab) && tabs_->isTabVisible(tab));
}

void MainWindow::setWindowLayout(WindowLayout layout) {
  if (!isOffered(layout)) return;
  chosenLayout_ = layout;
  visit(layout);
}

void MainWindow::visit(WindowLayout layout) {
  if (layout == layout_ || !isOffered(layout)) return;
  keepPanels();
  turnTo(layout);
}

void MainWindow::turnTo(WindowLayout workspace) {
  layout_ = workspace;
  fitStage();  // before the panels get their room
  const auto page = std::ranges::find(pageRows(), workspace, &PageRow::workspace);
  pages_->turnTo(page == pageRows().end() ? 0 : 1 + static_cast<int>(page - pageRows().begin()));
  showPanels();
  fitPanels();
  const QSignalBlocker quiet(tabs_);
  tabs_->setCurrentIndex(static_cast<int>(workspace));
  layoutActions_.at(static_cast<qsizetype>(workspace))->setChecked(true);
  transportBar_->setVisible(workspace != WindowLayout::Sweep);  // Sweep has no movie
  status_->setFigures(workspace == WindowLayout::Profile);
  inspectFocus();
  // A lesson moves along.
  if (const auto* lessons = findChild<LessonView*>();
      lessons != nullptr && lessons->lesson() != nullptr && !theme::isProjected())
    showTab(QStringLiteral("lessonsTab"));
  Q_EMIT arranged();
}

QString MainWindow::nameOf(WindowLayout layout) const {
  return layoutActions_.at(static_cast<qsizetype>(layout))->text().remove(QLatin1Char('&'));
}

}  // namespace lab

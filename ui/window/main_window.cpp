// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/main_window.h"

#include <QAbstractButton>
#include <QAbstractItemView>
#include <QAction>
#include <QApplication>
#include <QButtonGroup>
#include <QCheckBox>
#include <QCloseEvent>
#include <QKeyEvent>
#include <QMenu>
#include <QMenuBar>
#include <QRadioButton>
#include <QTabBar>
#include <QTimer>

#include "ui/accessibility/accessible.h"
#include "ui/accessibility/announcer.h"
#include "ui/compare/compare_view.h"
#include "ui/frame/field_keys.h"
#include "ui/frame/menus.h"
#include "ui/frame/messages.h"
#include "ui/frame/on_demand.h"
#include "ui/frame/panel.h"
#include "ui/frame/run_notice.h"
#include "ui/frame/stage_strip.h"
#include "ui/frame/status_line.h"
#include "ui/frame/tool_bars.h"
#include "ui/guide/lesson_view.h"
#include "ui/help/actions.h"
#include "ui/serving/run_class.h"
#include "ui/serving/served_class.h"
#include "ui/stage/stage.h"
#include "ui/stage/stage_accessible.h"
#include "ui/theme/projected.h"
#include "ui/theme/theme.h"
#include "ui/transport/transport.h"
#include "ui/transport/transport_bar.h"
#include "ui/window/charts_offer.h"
#include "ui/window/class_serving.h"
#include "ui/window/compare_actions.h"
#include "ui/window/fault_menu.h"
#include "ui/window/tab_views.h"

namespace lab {

MainWindow::MainWindow(RunController& controller, QWidget* parent) : QMainWindow(parent), run_(controller) {
  installAccessibles();
  installStageAccessible();
  setWindowTitle(QStringLiteral("StrategyLab"));
  setMinimumSize(560, 340);
  resize(1280, 800);
  setDockOptions(AnimatedDocks | AllowNestedDocks | AllowTabbedDocks);
  setCorner(Qt::BottomLeftCorner, Qt::LeftDockWidgetArea);
  setCorner(Qt::BottomRightCorner, Qt::RightDockWidgetArea);
  setContextMenuPolicy(Qt::NoContextMenu);
  transport_ = new Transport(run_.playback, this);
  auto* announcer = new Announcer(this);
  messages_ = std::make_unique<Messages>(run_, *announcer);
  faults_ = new FaultMenu(*this, *announcer);
  createClass();
  workspaces_ = std::make_unique<Workspaces>(*this);
  centre_ = new Centre(*this, run_, *class_, *faults_, *transport_, *workspaces_, *messages_);
  setCentralWidget(centre_);
  toolBars_ = std::make_unique<ToolBars>(*this, run_.experiment, *transport_, centre_->transportBar());
  panels_ = std::make_unique<Panels>(*this, *centre_, *workspaces_, *toolBars_, run_.selection);
  serving_ = std::make_unique<ClassServing>(*this, run_, *class_, *centre_, *workspaces_, *panels_, *messages_);
  views_ = std::make_unique<TabViews>(run_, *centre_, *workspaces_, *panels_, *serving_, *messages_);
  createMenus();
  createTabs();
  fieldKeys_ = new FieldKeys(*this);
  connect(fieldKeys_, &FieldKeys::refusedLeft, &run_.experiment, &Experiment::takeBackRefused);
  status_ = new StatusLine(run_.controller, run_.playback, *class_, this);
  setStatusBar(status_);
  connectParts();
  connectLooks();
  turn();
  stage().setFocus();
  connect(class_, &ServedClass::changed, serving_.get(), &ClassServing::refresh);
  serving_->refresh();
}

MainWindow::~MainWindow() {
  views_.reset();                // before the lanes that it shows
  delete centre_->comparison();  // it holds the playback, so it goes first
}

void MainWindow::createClass() {
  classSource_ = std::make_unique<RunClass>(run_.controller, run_.playback);
  class_ = new ServedClass(classSource_.get(), this);
  connect(&run_.controller, &RunController::started, class_, &ServedClass::refresh);
  connect(&run_.controller, &RunController::updated, class_, [this] {
    if (class_->isOpen() && run_.controller.isOver()) class_->refresh();
  });
  run_.experiment.setBusy([this] {
    return class_->isOpen() ? tr("A class is being served: end the lesson first, in the tab Class.") : QString();
  });
}

void MainWindow::createMenus() {
  menus_ = std::make_unique<Menus>(*this, run_.experiment, *transport_);
  QMenu &view = *menus_->view, &run = *menus_->run;
  workspaces_->fillMenu(view);
  panels_->fillMenu(view);
  view.addSeparator();
  view.addAction(centre_->makeZoomAct());
  view.addAction(&toolBars_->moreAct());
  view.addActions(centre_->makeLossActs());
  looks_ = std::make_unique<Looks>(*this, run_.playback);
  looks_->fillMenu(view);
  compare_ = std::make_unique<CompareActions>(*this, run_, *workspaces_, *centre_, *messages_);
  compare_->fillMenu(run, *faults_);
  compare_->follow(toolBars_->setupBar());
  serving_->fillMenu(run);
  menus_->complete(*transport_, compare_->compareAct(), looks_->projectorAct(), looks_->fullScreenAct());
  connect(menus_->addKeyAct("leave", tr("Deselect; leave full screen"), {Qt::Key_Escape}), &QAction::triggered, this,
          &MainWindow::leave);
  addActions(transport_->actions());
}

void MainWindow::createTabs() {
  toolBars_->addTabs(workspaces_->makeTabs());
  for (const PanelPlace place : {PanelPlace::Guide, PanelPlace::Detail, PanelPlace::Evidence})
    toolBars_->addPanel(*panels_->at(place).toggleViewAction(), place == PanelPlace::Guide);
}

void MainWindow::connectParts() {
  connect(workspaces_.get(), &Workspaces::turned, this, &MainWindow::turn);
  connect(panels_.get(), &Panels::shown, this, &MainWindow::fit);
  connect(toolBars_.get(), &ToolBars::moreTurned, this, &MainWindow::fit);
  connect(panels_.get(), &Panels::viewMade, this, &MainWindow::viewMade);
  connect(centre_, &Centre::viewMade, this, &MainWindow::viewMade);
  connect(centre_, &Centre::laneFocused, faults_, &FaultMenu::refreshAction);
  connect(panels_.get(), &Panels::seen, this, &MainWindow::arranged);
  connect(this, &MainWindow::arranged, views_.get(), &TabViews::look);
  connect(views_.get(), &TabViews::controlPointedAt, toolBars_.get(), &ToolBars::reveal);
  OnDemand* setup = panels_->tab(QStringLiteral("setupTab"));
  notice_ = std::make_unique<RunNotice>(run_, centre_->notice(), *class_, *transport_, *setup);
  connect(notice_.get(), &RunNotice::serveWanted, serving_.get(), &ClassServing::openDialog);
  connect(&run_.playback, &Playback::changed, faults_, &FaultMenu::showFault);
  connect(faults_, &FaultMenu::struck, messages_.get(),
          [this](const QString& words) { messages_->sayUntilPlay(words, 2 * kMessageMs); });
  connect(faults_, &FaultMenu::said, messages_.get(), [this](const QString& text) { messages_->say(text); });
  connect(&run_.experiment, &Experiment::started, faults_, &FaultMenu::forget);
  connect(messages_.get(), &Messages::said, status_, &StatusLine::showMessage);
  connect(messages_.get(), &Messages::unsaid, status_, [this](const QString& text) {
    if (status_->currentMessage() == text) status_->clearMessage();
  });
  messages_->followRun(*transport_);
  chartsOffer_ = std::make_unique<ChartsOffer>(run_, stage(), *workspaces_, *panels_);
  // Narration reports every beat, even while hidden, so it is made after the first picture.
  connect(&run_.playback, &Playback::changed, this, [this, narration = panels_->tab(QStringLiteral("narrationTab"))] {
    if (run_.playback.record() != nullptr && !narration->isMade())
      QTimer::singleShot(0, narration, [narration] { narration->content(); });
  });
}

void MainWindow::connectLooks() {
  connect(&looks_->projectorAct(), &QAction::toggled, toolBars_.get(), &ToolBars::setBare);
  connect(looks_.get(), &Looks::changing, panels_.get(), [this](bool projected) {
    if (projected) panels_->keep();
  });
  connect(looks_.get(), &Looks::turned, notice_.get(), &RunNotice::refresh);
  connect(looks_.get(), &Looks::applied, this, &MainWindow::applyLooks);
  connect(looks_.get(), &Looks::changed, this, [this](bool wasProjected) {
    if (theme::isProjected() || wasProjected) panels_->show();
    fit();
    serving_->refresh();
    if (theme::isProjected() != wasProjected) chartsOffer_->beginProjector();
  });
  connect(looks_.get(), &Looks::chromeChanged, this, &MainWindow::setChrome);
}

void MainWindow::turn() {
  const WindowLayout workspace = workspaces_->current();
  centre_->strip().fit();  // before the panels get their room
  centre_->turn();
  panels_->show();
  fit();
  centre_->transportBar().setVisible(workspace != WindowLayout::Sweep);  // Sweep has no movie
  status_->setFigures(workspace == WindowLayout::Profile);
  views_->inspectFocus();
  faults_->refreshAction();
  // A lesson moves along.
  if (isInLesson(*this) && !theme::isProjected()) panels_->showTab(QStringLiteral("lessonsTab"));
  Q_EMIT arranged();
}

void MainWindow::fit() {
  const bool projector = theme::isProjected();
  toolBars_->show();
  status_->setVisible(!projector && height() >= theme::em(30));  // the inspector shows the same
  // A projector's curve has the steps below it, and the keys go through them.
  centre_->transportBar().setRunBar(height() >= theme::em(20) && workspaces_->current() != WindowLayout::Compare &&
                                    !projector);
  views_->fit();
  panels_->layout().fit();
}

void MainWindow::applyLooks(bool otherText) {
  toolBars_->fit();
  if (otherText) {
    // Hidden parts report the size they need with the new letters only after this.
    QTimer::singleShot(0, toolBars_.get(), &ToolBars::fit);
    panels_->layout().sizeAll();
  }
  fit();
}

// Without it everything is done by keys, and the stage shows the mode.
void MainWindow::setChrome(bool shown) {
  if (!shown)
    for (const NamedAction& named : actionsOf(*menuBar()))  // a hidden menu would lose its shortcuts
      if (!named.action->shortcuts().isEmpty()) addAction(named.action);
  menuBar()->setVisible(shown);
  toolBars_->show();
  for (Panel* panel : panels_->all()) panel->setBare(!shown);
  stage().setShowsMode(!shown);
}

// Esc closes the latest thing that is in the way.
void MainWindow::leave() {
  if (stage().releaseSpeedHandle()) return;
  if (serving_->showsCode() && class_->totals().workers > 0) return serving_->setShowsCode(false);
  if (selection().pinned()) {
    selection().pin({});
  } else if (stage().zoomed() >= 0) {
    stage().zoomInto(-1);
  } else if (looks_->isProjectorMode()) {
    looks_->setProjectorMode(false);
  } else if (isFullScreen()) {
    looks_->setFullScreen(false);
  }
}

// Screenshots of the window show what is in front.
void MainWindow::refreshAll() {
  notice_->refresh();
  status_->refresh();
  views_->refreshAll();
  if (CompareView* lanes = centre_->comparison()) lanes->refreshAll();
}

bool MainWindow::event(QEvent* event) {
  // Space plays and arrows step, except if a button or a row of tabs was reached with Tab: then they belong to it.
  // Check boxes keep Space after a click, too. A list or a table goes to its own first and last row.
  if (event->type() == QEvent::ShortcutOverride) {
    const int key = static_cast<QKeyEvent*>(event)->key();
    const QWidget* focus = QApplication::focusWidget();
    const auto* button = qobject_cast<const QAbstractButton*>(focus);
    const bool ticks = qobject_cast<const QCheckBox*>(focus) != nullptr || qobject_cast<const QRadioButton*>(focus);
    const bool press = key == Qt::Key_Space && button != nullptr && (ticks || fieldKeys_->isByTab());
    const bool ofMany = qobject_cast<const QTabBar*>(focus) != nullptr ||
                        (button != nullptr && button->group() != nullptr && button->group()->exclusive());
    const bool ends = key == Qt::Key_Home || key == Qt::Key_End;
    const bool turn = static_cast<QKeyEvent*>(event)->modifiers() == Qt::NoModifier &&
                      (ofMany ? ends || key == Qt::Key_Left || key == Qt::Key_Right
                              : ends && qobject_cast<const QAbstractItemView*>(focus) != nullptr);
    if (press || turn) {
      event->accept();
      return true;
    }
  }
  return QMainWindow::event(event);
}

void MainWindow::resizeEvent(QResizeEvent* event) {
  QMainWindow::resizeEvent(event);
  constexpr int kLow = 600;  // pixels: a lower window has no more room for the stage
  stage().setMinimumHeight(height() < kLow ? Stage::kLowHeight : Stage::kLeastHeight);
  if (theme::textSizeFor(height()) != theme::textSize()) return looks_->apply();
  toolBars_->fit();
  fit();
  panels_->layout().raiseEvidence();
}

void MainWindow::showEvent(QShowEvent* event) {
  QMainWindow::showEvent(event);
  if (event->spontaneous()) return;
  if (panels_->isInitial()) panels_->layout().sizeAll();
  // A stored session shows its floating panels before this window. A desktop that does not know the window yet would
  // leave them behind it.
  for (Panel* panel : panels_->all())
    if (panel->isFloating() && !panel->isHidden())
      QTimer::singleShot(0, panel, [panel] {
        panel->hide();
        panel->show();
      });
}

void MainWindow::closeEvent(QCloseEvent* event) {
  run_.controller.stop();  // at its step's end; the files are finished when the controller is destroyed
  QMainWindow::closeEvent(event);
}

}  // namespace lab

// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/main_window.h"

#include <QAbstractButton>
#include <QAction>
#include <QApplication>
#include <QCloseEvent>
#include <QDockWidget>
#include <QKeyEvent>
#include <QToolBar>
#include <QToolButton>
#include <QVBoxLayout>

#include "ui/charts/chart_panel.h"
#include "ui/icons.h"
#include "ui/inspect/inspector.h"
#include "ui/notice.h"
#include "ui/run_summary.h"
#include "ui/scrubber/run_bar.h"
#include "ui/scrubber/scrubber.h"
#include "ui/setup/setup_bar.h"
#include "ui/stage/stage.h"
#include "ui/status_line.h"
#include "ui/theme.h"
#include "ui/trace/trace_panel.h"
#include "ui/transport/transport.h"
#include "ui/whatif/what_if_panel.h"

namespace lab {

MainWindow::MainWindow(RunController& controller, QWidget* parent)
    : QMainWindow(parent),
      controller_(controller),
      playback_(controller),
      experiment_(controller),
      library_(controller, experiment_),
      runs_(library_) {
  setWindowTitle(QStringLiteral("StrategyLab"));
  setMinimumSize(560, 340);
  resize(1280, 800);
  setDockOptions(AnimatedDocks | AllowNestedDocks | AllowTabbedDocks);
  setCorner(Qt::BottomRightCorner, Qt::RightDockWidgetArea);
  setContextMenuPolicy(Qt::NoContextMenu);
  transport_ = new Transport(playback_, this);
  createCentre();
  createToolBar();
  createDocks();
  createMenus();
  createKeys();
  status_ = new StatusLine(controller_, playback_, this);
  setStatusBar(status_);

  connect(&controller_, &RunController::updated, this, &MainWindow::refreshNotice);
  connect(&experiment_, &Experiment::changed, this, &MainWindow::refreshNotice);
  connect(&playback_, &Playback::acted, this, [this] {
    const bool express = playback_.mode() == Playback::Mode::Express;
    charts_->setLeisurely(express);
    inspector_->setLeisurely(express);
  });
  connect(&controller_, &RunController::recordFailed, this, &MainWindow::refreshNotice);
  setWindowLayout(WindowLayout::Teach);
  stage_->setFocus();
}

MainWindow::~MainWindow() = default;

void MainWindow::createCentre() {
  notice_ = new Notice;
  stage_ = new Stage(controller_, playback_, selection_);
  stage_->setFocusPolicy(Qt::StrongFocus);
  connect(stage_, &Stage::slowdownWanted, &experiment_, &Experiment::slowDown);
  connect(stage_, &Stage::playWanted, &playback_, &Playback::play);
  auto* central = new QWidget;
  central->setProperty("role", QStringLiteral("panel"));
  auto* column = new QVBoxLayout(central);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(0);
  column->addWidget(notice_);
  column->addWidget(stage_, 1);
  column->addWidget(new Scrubber(playback_));
  column->addWidget(new RunBar(controller_, playback_));
  setCentralWidget(central);
  // A run that cannot be begins nothing: what may help stands beside the sentence.
  connect(notice_, &Notice::remedyWanted, this, [this] {
    if (controller_.info() == nullptr && experiment_.asked().dataset != "digits") {
      experiment_.set(QStringLiteral("dataset"), QStringLiteral("digits"));
    } else {
      experiment_.again();
    }
  });
}

void MainWindow::createToolBar() {
  auto* bar = new QToolBar(tr("Controls"));
  bar->setObjectName(QStringLiteral("controls"));
  bar->setMovable(false);
  bar->setFloatable(false);
  bar->toggleViewAction()->setEnabled(false);
  theme::follow(bar, [bar] { bar->setIconSize({theme::em(1.35), theme::em(1.35)}); });
  setupBar_ = new SetupBar(experiment_);
  bar->addWidget(setupBar_);
  bar->addSeparator();
  transport_->fillToolBar(*bar);
  addToolBar(bar);
  // What has no room in a narrow window goes behind this button, which Qt draws for light windows alone.
  if (auto* more = bar->findChild<QToolButton*>(QStringLiteral("qt_toolbar_ext_button"))) {
    more->setIcon(icon(Icon::Down));
    more->setToolTip(tr("More controls"));
    more->setAccessibleName(more->toolTip());
  }
}

void MainWindow::refreshNotice() {
  if (controller_.state() == RunState::Failed) {
    const bool dataMissing = controller_.info() == nullptr && experiment_.asked().dataset != "digits";
    notice_->tell(Notice::Kind::Error, controller_.failure(),
                  dataMissing ? tr("Use the built-in digits") : tr("Start it again"));
  } else if (!experiment_.complaint().isEmpty() && !setupDock_->isVisible()) {
    notice_->tell(Notice::Kind::Error, experiment_.complaint());
  } else if (!controller_.recomputeFailure().isEmpty()) {
    notice_->tell(Notice::Kind::Warning, tr("The step cannot be shown: %1").arg(controller_.recomputeFailure()));
  } else {
    notice_->tell(Notice::Kind::Warning, runWarning(controller_.steps()));
  }
  transport_->setUsable(controller_.state() != RunState::Failed || !controller_.steps().empty());
}

void MainWindow::refreshAll() {
  refreshNotice();
  status_->refresh();
  charts_->refresh();
  inspector_->refresh();
  runs_.refresh();
  trace_->refresh();
  if (whatIf_ != nullptr) whatIf_->refresh();
}

bool MainWindow::event(QEvent* event) {
  // Space plays, except where a button has been reached with Tab: there it is that button's.
  if (event->type() == QEvent::ShortcutOverride && static_cast<QKeyEvent*>(event)->key() == Qt::Key_Space &&
      qobject_cast<QAbstractButton*>(QApplication::focusWidget()) != nullptr) {
    event->accept();
    return true;
  }
  return QMainWindow::event(event);
}

void MainWindow::resizeEvent(QResizeEvent* event) {
  QMainWindow::resizeEvent(event);
  if (theme::textSizeFor(height()) == theme::textSize()) return fitToolBar();
  applyTheme();
}

void MainWindow::closeEvent(QCloseEvent* event) {
  controller_.stop();  // at its step's end; the files are put in place when the controller goes
  QMainWindow::closeEvent(event);
}

}  // namespace lab

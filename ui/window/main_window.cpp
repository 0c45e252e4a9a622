// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/main_window.h"

#include <QAbstractButton>
#include <QAction>
#include <QApplication>
#include <QButtonGroup>
#include <QCheckBox>
#include <QCloseEvent>
#include <QKeyEvent>
#include <QRadioButton>
#include <QTabBar>

#include "core/launching/messages.h"
#include "core/options/config_field.h"
#include "ui/accessibility/accessible.h"
#include "ui/accessibility/announcer.h"
#include "ui/compare/compare_view.h"
#include "ui/help/notice.h"
#include "ui/i18n/core_words.h"
#include "ui/i18n/words.h"
#include "ui/inspect/inspector.h"
#include "ui/runview/run_summary.h"
#include "ui/serving/served_class.h"
#include "ui/setup/fit.h"
#include "ui/stage/stage.h"
#include "ui/stage/stage_accessible.h"
#include "ui/theme/projected.h"
#include "ui/theme/theme.h"
#include "ui/transport/transport.h"
#include "ui/window/fault_menu.h"
#include "ui/window/field_keys.h"
#include "ui/window/on_demand.h"
#include "ui/window/panel.h"
#include "ui/window/status_line.h"

namespace lab {

MainWindow::MainWindow(RunController& controller, QWidget* parent)
    : QMainWindow(parent),
      controller_(controller),
      playback_(controller),
      experiment_(controller),
      library_(controller, experiment_),
      runs_(library_) {
  installAccessibles();
  installStageAccessible();
  systemTheme_ = theme::kind();  // until the system's looks are known
  setWindowTitle(QStringLiteral("StrategyLab"));
  setMinimumSize(560, 340);
  resize(1280, 800);
  setDockOptions(AnimatedDocks | AllowNestedDocks | AllowTabbedDocks);
  setCorner(Qt::BottomLeftCorner, Qt::LeftDockWidgetArea);
  setCorner(Qt::BottomRightCorner, Qt::RightDockWidgetArea);
  setContextMenuPolicy(Qt::NoContextMenu);
  transport_ = new Transport(playback_, this);
  announcer_ = new Announcer(this);
  faults_ = new FaultMenu(*this, *announcer_);
  createClass();
  createCentre();
  createBars();
  createPanels();
  createMenus();
  createTabs();
  createKeys();
  connectCompare();
  fieldKeys_ = new FieldKeys(*this);
  status_ = new StatusLine(controller_, playback_, *class_, this);
  setStatusBar(status_);

  followRun();
  announceChanges();
  // Narration reports every beat, even while hidden, so it is made after the first picture.
  connect(&playback_, &Playback::changed, this, [this, narration = tab(QStringLiteral("narrationTab"))] {
    if (playback_.record() != nullptr && !narration->isMade())
      QTimer::singleShot(0, narration, [narration] { narration->content(); });
  });
  turnTo(WindowLayout::Teach);
  stage_->setFocus();
  connect(class_, &ServedClass::changed, this, &MainWindow::followClass);
  followClass();
}

// Shows results and complaints of the run, its movie and its settings where they can be seen.
void MainWindow::followRun() {
  connect(notice_, &Notice::remedyWanted, this, &MainWindow::tryRemedy);
  connect(&controller_, &RunController::updated, this, &MainWindow::refreshNotice);
  connect(&experiment_, &Experiment::changed, this, [this] {
    if (!experiment_.complaint().isEmpty()) notice_->again();  // show it again if it is refused a second time
    refreshNotice();
  });
  connect(&playback_, &Playback::acted, this, &MainWindow::fitPace);
  connect(&playback_, &Playback::stands, this, &MainWindow::sayLimit);
  connect(transport_, &Transport::modeChosen, this, [this](Playback::Mode mode) {
    const bool runsOn = mode == Playback::Mode::Live || mode == Playback::Mode::Fast || mode == Playback::Mode::Express;
    if (runsOn && !playback_.isPlaying() && !controller_.isOver())
      sayUntilPlay(tr("Mode %1: training continues as soon as you press Play.").arg(modeName(mode)), kMessageMs);
  });
  connect(&playback_, &Playback::changed, faults_, &FaultMenu::showFault);
  connect(faults_, &FaultMenu::struck, this, [this](const QString& words) { sayUntilPlay(words, 2 * kMessageMs); });
  connect(faults_, &FaultMenu::said, this, [this](const QString& text) { say(text, kMessageMs); });
  connect(&playback_, &Playback::changed, this, [this] {
    if (playback_.isPlaying()) unsay();
  });
  connect(&playback_, &Playback::changed, this, &MainWindow::offerCharts);
  connect(&controller_, &RunController::updated, this, &MainWindow::offerCharts);
  connect(&experiment_, &Experiment::started, this, [this] {
    faults_->forget();
    unsay();
  });
  connect(&controller_, &RunController::recordFailed, this, &MainWindow::refreshNotice);
  connect(&controller_.processes(), &WorkerProcesses::killFailed, this,
          [this](const QString& why) { say(why, 4 * kMessageMs); });
}

MainWindow::~MainWindow() {
  // Closing hides the tabs when the members that they refresh are already gone.
  for (OnDemand* tab : findChildren<OnDemand*>()) tab->disconnect(this);
  for (Panel* panel : panels_) panel->disconnect(this);
  delete laneInspector_;
  delete compare_;  // it holds the playback, so it goes first
}

// The remedy depends on why the run failed: one resumes from a checkpoint, another cannot begin at all.
MainWindow::Remedy MainWindow::remedy() const {
  if (controller_.state() != RunState::Failed) return Remedy::LowerRate;  // diverged
  if (controller_.processes().resumesAt() > 0) return Remedy::Resume;
  if (class_->state() == ClassSource::State::Over) return Remedy::Serve;
  if (lacksExamples(controller_) && experiment_.asked().dataset != "digits") return Remedy::Digits;
  const Message& why = controller_.why();
  const bool cannotBegin = controller_.info() == nullptr && experiment_.asked().devices == DeviceChoice::Processes &&
                           !why.is(say::processKilled) && !why.is(say::processesSilent);
  if (!cannotBegin) return Remedy::Again;
  return experiment_.asked().workerHosts.empty() ? Remedy::Simulated : Remedy::ThisMachine;
}

QString MainWindow::remedyWords() const {
  switch (remedy()) {
    case Remedy::LowerRate:
      return tr("Learning rate %1").arg(settingText(configField("learning-rate"), lowerRate().toStdString()));
    case Remedy::Resume:
      return tr("Resume from step %1").arg(countText(controller_.processes().resumesAt()));
    case Remedy::Digits:
      return tr("Use the built-in digits");
    case Remedy::ThisMachine:
      return tr("Use this machine alone");
    case Remedy::Simulated:
      return tr("Use simulated devices");
    case Remedy::Serve:
      return tr("Serve to the class…");
    case Remedy::Again:
      break;
  }
  return tr("Start it again");
}

// An impossible run starts nothing; a possible remedy stands beside the sentence.
void MainWindow::tryRemedy() {
  switch (remedy()) {
    case Remedy::LowerRate:
      return experiment_.set(QStringLiteral("learning-rate"), lowerRate());
    case Remedy::Resume:
      return experiment_.resume();
    case Remedy::Digits:
      return experiment_.beginOrComplain(onDigits(experiment_.asked()));
    case Remedy::ThisMachine:
      return experiment_.set(QStringLiteral("worker-hosts"), {});
    case Remedy::Simulated:
      return experiment_.set(QStringLiteral("devices"), QStringLiteral("simulated"));
    case Remedy::Serve:
      return openServe();
    case Remedy::Again:
      return experiment_.again();
  }
}

void MainWindow::refreshNotice() {
  if (controller_.state() == RunState::Failed) {
    notice_->say(Notice::Kind::Error, controller_.failure(), remedyWords());
  } else if (!experiment_.complaint().isEmpty() && !tab(QStringLiteral("setupTab"))->isVisible()) {
    notice_->say(Notice::Kind::Error, experiment_.complaint());
  } else if (!controller_.records().failure().isEmpty()) {
    notice_->say(Notice::Kind::Warning, tr("The step cannot be shown: %1").arg(controller_.records().failure()));
  } else {
    const KeptRun* run = library_.find(library_.presentId());
    const QString warning = run == nullptr ? QString() : runWarning(run->metrics->steps, library_.divergenceOf(*run));
    if (!warning.isEmpty()) {
      notice_->say(Notice::Kind::Warning, warning, remedyWords());
    } else {
      // On a projector the stage needs the room more, and shows the batch of each worker anyway.
      notice_->say(Notice::Kind::Hint, theme::isProjected() ? QString() : experiment_.remark());
    }
  }
  transport_->setUsable(controller_.state() != RunState::Failed || !controller_.steps().empty());
}

void MainWindow::say(const QString& text, int ms) {
  if (text.isEmpty()) return;
  status_->showMessage(text, ms);
  announcer_->say(text);
  Q_EMIT said(text);
}

void MainWindow::sayUntilPlay(const QString& text, int ms) {
  untilPlay_ = text;
  say(text, ms);
}

void MainWindow::unsay() {
  if (untilPlay_.isEmpty()) return;
  const QString text = std::exchange(untilPlay_, {});
  if (status_->currentMessage() == text) status_->clearMessage();
  Q_EMIT unsaid(text);
}

void MainWindow::sayLimit(Playback::Limit at) {
  const QString step = countText(playback_.step());
  const auto& steps = controller_.steps();
  if (at == Playback::Limit::Beginning)
    say(tr("This is where the run begins: step %1.").arg(step), kMessageMs);
  else if (!controller_.isOver())
    sayUntilPlay(tr("Step %1 is the latest trained step. Play continues training.").arg(step), kMessageMs);
  else if (controller_.state() == RunState::Failed)
    sayUntilPlay(controller_.failure(), kMessageMs);
  else if (!steps.empty() && steps.back().aborted)
    say(tr("The run has ended with an error at step %1. Undo takes back the last change to it.").arg(step), kMessageMs);
  else
    say(tr("Training is over: step %1 is the last.").arg(step), kMessageMs);
}

// Announces changes outside the focus, which screen readers would not report: another run, mode, playing or paused.
void MainWindow::announceChanges() {
  connect(&controller_, &RunController::updated, this, [this, shown = std::shared_ptr<const RunInfo>()]() mutable {
    const auto info = controller_.sharedInfo();
    if (info != nullptr && info != shown)
      announcer_->say(tr("%1, %2").arg(runTitle(info->config, info.get()), runDevices(info.get())));
    shown = info;
  });
  connect(&playback_, &Playback::acted, this,
          [this, wasPlaying = playback_.isPlaying(), before = playback_.mode()]() mutable {
            const bool playing = playback_.isPlaying();
            const Playback::Mode mode = playback_.mode();
            if (mode != before) announcer_->say(tr("Mode %1").arg(modeName(mode)));
            if (playing != wasPlaying) announcer_->say(playing ? tr("Playing") : tr("Paused"));
            wasPlaying = playing;
            before = mode;
          });
}

// A tenth: a run that diverges at a rate rarely does so at a tenth of it.
QString MainWindow::lowerRate() const {
  return QString::number(experiment_.resolved().learningRate / 10, 'g', 6);
}

bool MainWindow::event(QEvent* event) {
  // Space plays and arrows step, except if a button or a row of tabs was reached with Tab: then they belong to it.
  // Check boxes keep Space after a click, too.
  if (event->type() == QEvent::ShortcutOverride) {
    const int key = static_cast<QKeyEvent*>(event)->key();
    const QWidget* focus = QApplication::focusWidget();
    const auto* button = qobject_cast<const QAbstractButton*>(focus);
    const bool ticks = qobject_cast<const QCheckBox*>(focus) != nullptr || qobject_cast<const QRadioButton*>(focus);
    const bool press = key == Qt::Key_Space && button != nullptr && (ticks || fieldKeys_->isByTab());
    const bool ofMany = qobject_cast<const QTabBar*>(focus) != nullptr ||
                        (button != nullptr && button->group() != nullptr && button->group()->exclusive());
    const bool turn = (key == Qt::Key_Left || key == Qt::Key_Right || key == Qt::Key_Home || key == Qt::Key_End) &&
                      static_cast<QKeyEvent*>(event)->modifiers() == Qt::NoModifier && ofMany;
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
  stage_->setMinimumHeight(height() < kLow ? Stage::kLowHeight : Stage::kLeastHeight);
  if (theme::textSizeFor(height()) != theme::textSize()) return applyTheme();
  fitBars();
  fitPanels();
  raiseEvidence();
}

void MainWindow::showEvent(QShowEvent* event) {
  QMainWindow::showEvent(event);
  if (!event->spontaneous() && kept_[static_cast<std::size_t>(layout_)].docks.isEmpty()) sizePanels();
}

void MainWindow::closeEvent(QCloseEvent* event) {
  controller_.stop();  // at its step's end; the files are finished when the controller is destroyed
  QMainWindow::closeEvent(event);
}

}  // namespace lab

// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/session/workbench.h"

#include <QAbstractItemView>
#include <QApplication>
#include <QBoxLayout>
#include <QCloseEvent>
#include <QDragEnterEvent>
#include <QFileInfo>
#include <QMenu>
#include <QMessageBox>
#include <QMimeData>
#include <QPushButton>
#include <QSettings>
#include <QStatusBar>
#include <QTableView>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <utility>

#include "core/base/error.h"
#include "ui/charts/chart_panel.h"
#include "ui/charts/table_plot.h"
#include "ui/classroom/class_locks.h"
#include "ui/compare/compare_view.h"
#include "ui/data/data_dialog.h"
#include "ui/files/drag_out.h"
#include "ui/guide/lesson_view.h"
#include "ui/help/actions.h"
#include "ui/help/keys.h"
#include "ui/help/notice.h"
#include "ui/i18n/core_words.h"
#include "ui/i18n/words.h"
#include "ui/movie/movie_dialog.h"
#include "ui/program/program_pane.h"
#include "ui/serving/served_class.h"
#include "ui/session/preferences.h"
#include "ui/setup/network_picker.h"
#include "ui/sweep/sweep_view.h"
#include "ui/theme/theme.h"
#include "ui/trace/trace_panel.h"
#include "ui/window/main_window.h"
#include "ui/window/on_demand.h"
#include "ui/window/status_line.h"

namespace lab {
namespace {

constexpr int kMostRecent = 10;

}  // namespace

Workbench::Workbench(MainWindow& window, QSettings& settings)
    : QObject(&window),
      window_(window),
      settings_(settings),
      document_(window.experiment(), window.library()),
      undo_(window.experiment()),
      notices_(*new Notice),
      view_(window) {
  auto* column = static_cast<QBoxLayout*>(window_.centralWidget()->layout());
  column->insertWidget(1, &notices_.notice());
  window_.setAcceptDrops(true);
  window_.installEventFilter(this);
  document_.setViewOf([this] { return view_.now(); });
  followDocument();
  connect(&window_, &MainWindow::arranged, &notices_, &Notices::review);
  connect(&window_.playback(), &Playback::acted, &notices_, &Notices::review);
  connect(&window_.library(), &RunLibrary::dropped, this, [this](const QString& name) {
    mention(tr("More than %1 runs: “%2” is no longer kept. A run with a note or a name of its own stays.")
                .arg(RunLibrary::kMostRuns)
                .arg(name));
  });
  connect(&window_, &MainWindow::said, this, [this](const QString& text) {
    if (window_.statusBar()->isHidden()) mention(text);
  });
  connect(&window_, &MainWindow::unsaid, this, [this](const QString& text) {
    if (text == mentioned_) notices_.over(Notices::Cause::Passing);
  });
  out_ = new DragOut(window_.library(), this);
  connect(out_, &DragOut::failed, this, [this](const QString& text) { say(Notices::Cause::Export, text, true); });
  makePresenter();
  connect(&window_, &MainWindow::viewMade, this, &Workbench::adopt);
  connect(&window_, &MainWindow::picturesChosen, this, [this](const QString& folder) {
    if (mayDrop("dataSets")) showData().openOwn({folder});
  });
  adopt(window_.findChild<ChartPanel*>());
  adopt(window_.findChild<TracePanel*>());
  adopt(window_.findChild<ProgramPane*>());
  adopt(window_.comparison());
  adopt(window_.findChild<QTableView*>(QStringLiteral("runsView")));
  passing_.setSingleShot(true);
  connect(&passing_, &QTimer::timeout, this, [this] { notices_.over(Notices::Cause::Passing); });
  fillFileMenu();
  fillEditMenu();
  fillHelpMenu();
  fillDataMenu();
  fillViewMenu();
  fillTeachMenu();
  adoptKeys();
  explainWidgets(window_);
  refreshTitle();
}

Workbench::~Workbench() = default;

// What a file brings, and what is said of it.
void Workbench::followDocument() {
  const auto sayOf = [this](Notices::Cause cause) {
    return [this, cause](const QString& text, bool failure) { say(cause, text, failure); };
  };
  connect(&document_, &Document::said, this, sayOf(Notices::Cause::File));
  connect(&document_, &Document::tableRead, this, [this](const auto& table, const QString& path) {
    notices_.over(Notices::Cause::File);
    const auto show = [this, table, name = QFileInfo(path).fileName()] { showTablePlot(*table, name, &window_); };
    // Before the window is there, it would stand behind it.
    window_.isVisible() ? show() : void(QMetaObject::invokeMethod(&window_, show, Qt::QueuedConnection));
  });
  connect(&document_, &Document::begun, this, [this] {
    notices_.over(Notices::Cause::File);
    offerView(tr("When this experiment was saved, the window showed: %1."));
    takeSweep();
    takeComparison(true);
  });
  // Where nobody sees a curve, a curve more is seen all the same.
  connect(&document_, &Document::joined, this, [this] {
    const WindowLayout workspace = window_.windowLayout();
    const bool onStage = workspace != WindowLayout::Compare && workspace != WindowLayout::Sweep;
    if (onStage && window_.findChild<QWidget*>(QStringLiteral("evidencePanel"))->isHidden())
      window_.showTab(QStringLiteral("chartsTab"));
  });
  // What was saved belongs to the run that has ended.
  connect(&window_.experiment(), &Experiment::started, this, [this] {
    notices_.over(Notices::Cause::View);
    notices_.over(Notices::Cause::Lanes);  // it is not what the file holds
  });
  connect(&document_, &Document::opened, this, &Workbench::remember);
  connect(&document_, &Document::changed, this, &Workbench::refreshTitle);
}

void Workbench::say(Notices::Cause cause, const QString& text, bool failure) {
  if (failure) return notices_.set(cause, {text});
  notices_.over(cause);
  mention(text);
}

void Workbench::mention(const QString& text) {
  if (!window_.statusBar()->isHidden()) return window_.statusBar()->showMessage(text, kMessageMs);
  mentioned_ = text;
  notices_.set(Notices::Cause::Passing, {text, {}, {}, Notice::Kind::Hint});
  passing_.start(kMessageMs);
}

void Workbench::adopt(QWidget* view) {
  if (auto* charts = qobject_cast<ChartPanel*>(view)) {
    charts->setOptions(chartOptions_);
    connect(charts, &ChartPanel::said, this,
            [this](const QString& text, bool failure) { say(Notices::Cause::Charts, text, failure); });
    out_->follow(*charts);
    out_->follow(*charts->findChild<QAbstractItemView*>(QStringLiteral("chartLegend")));
  } else if (auto* lessons = qobject_cast<LessonView*>(view)) {
    lessons->keepIn(settings_);
    connect(lessons, &LessonView::visitWanted, this, [this](const Moment& moment) {
      try {
        view_.show(moment);
      } catch (const UserError& error) {
        say(Notices::Cause::View, coreSentence(error), true);
      }
    });
  } else if (auto* trace = qobject_cast<TracePanel*>(view)) {
    connect(trace, &TracePanel::said, this, [this](const QString& text) { say(Notices::Cause::Export, text, false); });
  } else if (auto* program = qobject_cast<ProgramPane*>(view)) {
    program->setLoop(settings_.value(QStringLiteral("program/loop")).toBool());
    connect(program, &ProgramPane::loopChosen, this,
            [this](bool loop) { settings_.setValue(QStringLiteral("program/loop"), loop); });
    connect(program, &ProgramPane::said, this,
            [this](const QString& text, bool failure) { say(Notices::Cause::Export, text, failure); });
  } else if (auto* compare = qobject_cast<CompareView*>(view)) {
    adoptCompare(*compare);
  } else if (auto* runs = qobject_cast<QTableView*>(view)) {
    out_->follow(*runs);
  } else {
    adoptGuide(view);
  }
}

bool Workbench::openLesson(const QString& nameOrFile) {
  window_.openTab(QStringLiteral("lessonsTab"));
  auto& lessons = static_cast<LessonView&>(window_.tab(QStringLiteral("lessonsTab"))->content());
  if (lessons.beginNamed(nameOrFile)) return true;
  try {
    lessons.begin(lab::openLesson(nameOrFile.toStdString()));
    notices_.over(Notices::Cause::File);
    return true;
  } catch (const UserError& error) {
    say(Notices::Cause::File, coreSentence(error), true);
    return false;
  }
}

bool Workbench::open(const QString& path) {
  if (path.endsWith(QStringLiteral(".lesson"), Qt::CaseInsensitive)) return openLesson(path);
  const bool opened = document_.open(path);
  if (opened) {
    undo_.forget();
  } else {
    notices_.offer(Notices::Cause::File, tr("Try again"), [this, path] { open(path); });
  }
  return opened;
}

// `sentence`: when it was that the window showed %1.
void Workbench::offerView(const QString& sentence) {
  if (!document_.view()) return;
  const SavedView saved = *document_.view();
  const QString words = view_.difference(saved);
  if (words.isEmpty()) return;
  notices_.set(Notices::Cause::View, {sentence.arg(words), tr("Show this view"), [this, saved] { view_.show(saved); },
                                      Notice::Kind::Hint, [this, saved] { return view_.difference(saved).isEmpty(); }});
}

// A file's sweep waits in its workspace: nothing that is opened rearranges the window.
void Workbench::takeSweep() {
  const nlohmann::json* sweep = document_.other("sweep");
  if (sweep == nullptr) return;
  try {
    window_.takeSweep(*sweep);
    notices_.set(Notices::Cause::File,
                 {tr("This file has a sweep's plan. Cells that are not on this computer are trained again, to the same "
                     "numbers."),
                  tr("Show the sweep"), [this] { window_.setWindowLayout(WindowLayout::Sweep); }, Notice::Kind::Hint,
                  [this] { return window_.windowLayout() == WindowLayout::Sweep; }});
  } catch (const std::exception& error) {
    say(Notices::Cause::File, coreSentence(error), true);
  }
}

void Workbench::refreshTitle() {
  window_.setWindowTitle(document_.path().isEmpty() ? QStringLiteral("StrategyLab")
                                                    : QStringLiteral("%1[*] – StrategyLab").arg(document_.title()));
  window_.setWindowModified(!document_.path().isEmpty() && document_.isModified());
  window_.setWindowFilePath(document_.path());
}

void Workbench::remember(const QString& path) {
  QStringList files = recentFiles();
  const QString full = QFileInfo(path).absoluteFilePath();
  files.removeAll(full);
  files.prepend(full);
  settings_.setValue(QStringLiteral("recentFiles"), files.mid(0, kMostRecent));
}

QStringList Workbench::recentFiles() const {
  return settings_.value(QStringLiteral("recentFiles")).toStringList();
}

void Workbench::keepSession(const QString& folder) {
  try {
    session_ = std::make_unique<Session>(folder, document_, window_.experiment(), window_.library());
    connect(session_.get(), &Session::said, this, [this](const QString& text, bool failure) {
      if (failure) return say(Notices::Cause::Session, text, true);
      notices_.set(Notices::Cause::Crash, {text, {}, {}, Notice::Kind::Hint});
    });
    connect(session_.get(), &Session::saved, this, [this] { notices_.over(Notices::Cause::Session); });
    connect(session_.get(), &Session::otherEnded, this, [this] { notices_.over(Notices::Cause::Window); });
  } catch (const UserError& error) {
    say(Notices::Cause::Session, coreSentence(error), true);
  }
}

bool Workbench::restoreSession() {
  if (!session_ || !readPreferences(settings_).reopen) return false;
  const bool restored = session_->restore();
  undo_.forget();
  if (restored) takeComparison(false);
  if (restored) offerView(tr("When StrategyLab was last closed, the window showed: %1."));
  if (session_->isOtherThere())
    offerCopy(restored
                  ? tr("Another window of StrategyLab holds the session. This window has opened its own session again.")
                  : tr("Another window of StrategyLab holds the session, so this one starts empty."),
              tr("Open a copy"));
  return restored;
}

void Workbench::restoreRuns() {
  if (session_ && readPreferences(settings_).reopen) session_->restoreRuns();
}

void Workbench::offerCopy(const QString& words, const QString& button) {
  const auto copy = [this] {
    if (session_->copyOther()) {
      takeComparison(false);
      return undo_.forget();
    }
    offerCopy(tr("The other window has stored nothing yet."), tr("Try again"));
  };
  notices_.set(Notices::Cause::Window, {words, button, copy, Notice::Kind::Hint});
}

void Workbench::rememberWindow() {
  settings_.setValue(QStringLiteral("window/geometry"), window_.saveGeometry());
  if (!locks_->isInForce()) {  // a file's locks are nobody's preference
    settings_.setValue(QStringLiteral("window/panels"), window_.savePanels());
    settings_.setValue(QStringLiteral("window/workspace"), QLatin1String(keyOf(window_.chosenLayout())));
    settings_.setValue(QStringLiteral("window/chartsOffered"), window_.chartsOffered());
  }
  settings_.setValue(QStringLiteral("window/more"), window_.showsMore());
  keepTheme(settings_, window_.chosenTheme());
  settings_.setValue(QStringLiteral("window/textPoints"), theme::chosenPoints());
  settings_.setValue(QStringLiteral("playback/speed"), window_.playback().speed());
  settings_.setValue(QStringLiteral("playback/unit"), static_cast<int>(window_.playback().unit()));
  const auto* panel = window_.findChild<ChartPanel*>();
  const ChartOptions& charts = panel != nullptr ? panel->options() : chartOptions_;
  settings_.setValue(QStringLiteral("charts/axis"), static_cast<int>(charts.axis));
  settings_.setValue(QStringLiteral("charts/smoothing"), charts.smoothing);
  settings_.setValue(QStringLiteral("charts/logarithmic"), charts.logarithmic);
}

void Workbench::restoreWindow() {
  const auto value = [this](const char* key) { return settings_.value(QLatin1String(key)); };
  applyPreferences(readPreferences(settings_), window_);
  const std::string workspace = value("window/workspace").toString().toStdString();
  if (const auto row = std::ranges::find(kLayouts, workspace, &LayoutRow::key); row != kLayouts.end())
    window_.setWindowLayout(static_cast<WindowLayout>(row - kLayouts.begin()));
  window_.restoreGeometry(value("window/geometry").toByteArray());  // moved back where its screen is gone
  window_.restorePanels(value("window/panels").toByteArray());
  window_.setChartsOffered(value("window/chartsOffered").toBool());
  window_.setShowsMore(value("window/more").toBool());
  const double speed = value("playback/speed").toDouble();
  if (speed == 0.25 || speed == 1 || speed == 4) window_.playback().setSpeed(speed);
  const int unit = value("playback/unit").isValid() ? value("playback/unit").toInt() : -1;
  if (unit >= 0 && unit <= static_cast<int>(Playback::Unit::Epoch))
    window_.playback().setUnit(static_cast<Playback::Unit>(unit));
  ChartOptions& charts = chartOptions_;
  const int axis = value("charts/axis").toInt();
  if (axis >= 0 && axis < static_cast<int>(kXAxes.size())) charts.axis = static_cast<XAxis>(axis);
  charts.smoothing = std::clamp(value("charts/smoothing").toDouble(), 0.0, 0.99);
  charts.logarithmic = value("charts/logarithmic").toBool();
  if (auto* panel = window_.findChild<ChartPanel*>()) panel->setOptions(charts);
}

// What is lost with the window, a sentence each. The session keeps settings and curves, a sweep's folder the runs that
// have ended.
QStringList Workbench::losses() const {
  QStringList words;
  const RunController& run = window_.controller();
  const RunInfo* info = run.info();
  const QString step = countText(run.liveStep());
  if (window_.servedClass().isOpen())
    words << tr("A class is being served, with %Ln workers. For them the lesson ends.", nullptr,
                window_.servedClass().totals().workers);
  if (info != nullptr && run.state() == RunState::Running)
    words << tr("Training is under way, at step %1 of %2. Its curves are kept; its weights are lost.")
                 .arg(step, countText(info->totalSteps));
  else if (info != nullptr && run.state() == RunState::Paused && run.liveStep() > info->firstStep)
    words << tr("A run is paused at step %1 of %2. Its curves are kept; its weights are lost.")
                 .arg(step, countText(info->totalSteps));
  const auto* sweep = window_.findChild<SweepView*>();
  if (sweep != nullptr && sweep->run().isRunning())
    words << tr("A sweep is under way: %1 of %2 runs have ended and are kept. What the others have trained is lost.")
                 .arg(countText(sweep->run().ended()), countText(sweep->run().runnable()));
  const auto* movie = window_.findChild<MovieDialog*>();
  if (movie != nullptr && movie->isMaking()) words << tr("A movie is being written. It is lost.");
  return words;
}

bool Workbench::mayClose() {
  const bool changed = !document_.path().isEmpty() && document_.isModified();
  const QStringList lost = closing_ ? QStringList() : losses();
  if (closing_ || (!changed && lost.isEmpty())) return true;
  if (window_.findChild<QMessageBox*>(QStringLiteral("askBefore")) != nullptr) return false;
  auto* question = new QMessageBox(&window_);
  question->setIcon(QMessageBox::Question);
  question->setObjectName(QStringLiteral("askBefore"));
  question->setAttribute(Qt::WA_DeleteOnClose);
  if (changed) {
    question->setWindowTitle(tr("Save the experiment?"));
    question->setText(tr("%1 has been changed since it was saved.").arg(document_.title()));
    question->setInformativeText(lost.join(QLatin1Char('\n')));
    question->setStandardButtons(QMessageBox::Save | QMessageBox::Discard | QMessageBox::Cancel);
    if (!lost.isEmpty()) question->setDefaultButton(QMessageBox::Cancel);
  } else {
    question->setWindowTitle(tr("Quit?"));
    question->setText(lost.join(QLatin1Char('\n')));
    question->addButton(tr("&Quit"), QMessageBox::AcceptRole);
    QPushButton* stay = question->addButton(tr("&Stay"), QMessageBox::RejectRole);
    question->setDefaultButton(stay);
    question->setEscapeButton(stay);
  }
  connect(question, &QMessageBox::finished, this, [this, question, changed](int answer) {
    const auto role = question->buttonRole(question->clickedButton());
    if (changed ? answer == QMessageBox::Cancel : role != QMessageBox::AcceptRole) return;
    if (answer == QMessageBox::Save && !document_.save()) return;
    closing_ = true;
    window_.close();
  });
  question->open();
  return false;
}

void Workbench::endNow() {
  closing_ = unkeptTold_ = true;
  window_.close();
  QCoreApplication::exit();  // whatever dialogs there are
}

bool Workbench::eventFilter(QObject* watched, QEvent* event) {
  if (watched != &window_) return false;
  switch (event->type()) {
    case QEvent::DragEnter: {
      auto* drag = static_cast<QDragEnterEvent*>(event);
      if (drag->source() != nullptr) return true;  // what was dragged out of this window
      const QStringList paths = localFiles(*drag->mimeData());
      const bool link = drag->mimeData()->text().contains(QStringLiteral("strategylab:?"));
      if (!paths.isEmpty() || link) drag->acceptProposedAction();
      return true;
    }
    case QEvent::Drop: {
      auto* drop = static_cast<QDropEvent*>(event);
      const QStringList paths = localFiles(*drop->mimeData());
      drop->acceptProposedAction();
      if (looksLikeData(paths) && !isNetworkFile(paths.front())) {
        if (mayDrop("dataSets")) showData().openOwn(paths);
      } else if (!paths.isEmpty()) {
        if (mayDrop("open")) openDropped(paths.front());
      } else if (mayDrop("pasteLink")) {
        document_.openLink(drop->mimeData()->text());
      }
      return true;
    }
    case QEvent::Close:
      if (!mayClose()) {
        event->ignore();
        return true;
      }
      rememberWindow();
      if (session_) {
        try {
          session_->finish();
        } catch (const std::exception& error) {
          if (std::exchange(unkeptTold_, true)) return false;  // it has been said, and closing was asked for again
          say(Notices::Cause::Session, tr("%1 Close the window again to quit anyway.").arg(coreSentence(error)), true);
          event->ignore();
          return true;
        }
      }
      return false;
    default:
      return false;
  }
}

}  // namespace lab

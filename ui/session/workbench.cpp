// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/session/workbench.h"

#include <QAbstractItemView>
#include <QApplication>
#include <QClipboard>
#include <QCloseEvent>
#include <QDialog>
#include <QDir>
#include <QDockWidget>
#include <QDragEnterEvent>
#include <QFileDialog>
#include <QFileInfo>
#include <QGuiApplication>
#include <QImageReader>
#include <QMenu>
#include <QMenuBar>
#include <QMessageBox>
#include <QMimeData>
#include <QProgressDialog>
#include <QPushButton>
#include <QSettings>
#include <QTableView>
#include <QUndoView>
#include <QVBoxLayout>
#include <QWhatsThis>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <utility>
#include <vector>

#include "core/base/error.h"
#include "core/base/sentence.h"
#include "core/data/data_folders.h"
#include "core/files/experiment_file.h"
#include "core/options/config_field.h"
#include "ui/charts/chart_panel.h"
#include "ui/charts/table_plot.h"
#include "ui/classroom/class_locks.h"
#include "ui/compare/compare_view.h"
#include "ui/data/data_dialog.h"
#include "ui/files/drag_out.h"
#include "ui/files/file_kind.h"
#include "ui/guide/lesson_view.h"
#include "ui/help/actions.h"
#include "ui/help/handbook.h"
#include "ui/help/help.h"
#include "ui/help/keys.h"
#include "ui/i18n/core_words.h"
#include "ui/i18n/language.h"
#include "ui/i18n/words.h"
#include "ui/movie/movie_dialog.h"
#include "ui/playback/playback.h"
#include "ui/program/program_pane.h"
#include "ui/runs/run_library.h"
#include "ui/runs/run_menu.h"
#include "ui/runview/run_controller.h"
#include "ui/serving/served_class.h"
#include "ui/session/class_desk.h"
#include "ui/session/exports.h"
#include "ui/session/guide_paths.h"
#include "ui/session/kept_comparison.h"
#include "ui/session/kept_sweep.h"
#include "ui/session/preferences.h"
#include "ui/setup/fit.h"
#include "ui/setup/network_picker.h"
#include "ui/stage/narration.h"
#include "ui/stage/stage.h"
#include "ui/sweep/sweep_view.h"
#include "ui/theme/fitting.h"
#include "ui/theme/theme.h"
#include "ui/trace/trace_panel.h"
#include "ui/tryout/try_out.h"
#include "ui/window/main_window.h"
#include "ui/window/on_demand.h"
#include "ui/window/status_line.h"

namespace lab {
namespace {

constexpr int kMostRecent = 10;
constexpr const char* kLocked = "window/locked";
const char* const kExperiments = QT_TRANSLATE_NOOP(
    "lab::Workbench", "Experiments, recordings, tables, lessons (*.slab *.run *.csv *.lesson);;All files (*)");

// A name not used in the folder that describes the experiment, such as "mirrored-4.slab".
QString freeName(const QFileDialog& dialog, const QString& stem) {
  const auto named = [&](const QString& base) { return base + QLatin1Char('.') + dialog.defaultSuffix(); };
  QString name = named(stem);
  for (int n = 2; dialog.directory().exists(name); ++n) name = named(QStringLiteral("%1 (%2)").arg(stem).arg(n));
  return name;
}

bool hasLink(const QString& text) {
  return text.contains(QLatin1String(kLinkScheme.data(), static_cast<qsizetype>(kLinkScheme.size())));
}

bool isTrace(const QString& path) {
  return path.endsWith(QStringLiteral(".json"), Qt::CaseInsensitive) ||
         path.endsWith(QStringLiteral(".json.gz"), Qt::CaseInsensitive);
}

// A recording is gzip, which Qt's reader of SVG would try to inflate, with a warning if it cannot.
bool isPicture(const QString& path) {
  return fileKindAt(path) != FileKind::Recording && !QImageReader::imageFormat(path).isEmpty();
}

// True if a part of the window opens such a file; examples may have any other name.
bool isOpenedHere(const QString& path) {
  for (const char* ending : {".slab", ".run", ".csv", ".lesson"})
    if (path.endsWith(QLatin1String(ending), Qt::CaseInsensitive)) return true;
  return isNetworkFile(path) || isTrace(path) || isPicture(path);
}

// True for a recording and for a table: they only come to what is there, so any number can be opened.
bool comesBeside(const QString& path) {
  const auto kind = isNetworkFile(path) || isTrace(path) ? std::nullopt : fileKindAt(path);
  return kind && *kind != FileKind::Experiment;
}

// True if opening the file begins another experiment; everything else only comes to what is there.
bool isExperiment(const QString& path) {
  return !path.endsWith(QStringLiteral(".lesson"), Qt::CaseInsensitive) && fileKindAt(path) == FileKind::Experiment;
}

}  // namespace

Workbench::Workbench(MainWindow& window, QSettings& settings)
    : QObject(&window),
      desk_(*new DeskParts(window, settings, this)),
      comparison_(*new KeptComparison(desk_)),
      sweep_(*new KeptSweep(desk_)) {
  window.setAcceptDrops(true);
  window.installEventFilter(this);
  followDocument();
  followLibrary();
  out_ = new DragOut(window.library(), this);
  connect(out_, &DragOut::failed, this, [this](const QString& text) { desk_.say(Notices::Cause::Export, text, true); });
  guide_ = new GuidePaths(desk_);
  connect(&window, &MainWindow::viewMade, this, &Workbench::adopt);
  connect(&window, &MainWindow::picturesChosen, this, [this](const QString& folder) {
    if (class_->mayDrop("dataSets")) showData().openOwn({folder});
  });
  adopt(window.findChild<ChartPanel*>());
  adopt(window.findChild<TracePanel*>());
  adopt(window.findChild<ProgramPane*>());
  adopt(window.comparison());
  adopt(window.findChild<QTableView*>(QStringLiteral("runsView")));
  fillFileMenu();
  fillEditMenu();
  fillHelpMenu();
  fillDataMenu();
  fillViewMenu();
  class_ = new ClassDesk(desk_);
  adoptKeys();
  explainWidgets(window);
  refreshTitle();
  connect(qGuiApp, &QGuiApplication::commitDataRequest, this, &Workbench::store);  // the display may go without a word
}

Workbench::~Workbench() = default;

void Workbench::followLibrary() {
  connect(&desk_.window.library(), &RunLibrary::dropped, this, [this](const QString& name, RunLibrary::Bound bound) {
    const bool runs = bound == RunLibrary::Bound::Runs;
    const QString words =
        runs ? tr("More than %1 runs: “%2” is no longer kept. A run with a note or a name of its own stays.")
             : tr("More than %1 steps in all runs: “%2” is no longer kept. A run with a note or a name of its own "
                  "stays.");
    desk_.mention(words.arg(countText(runs ? RunLibrary::kMostRuns : RunLibrary::kMostSteps), name));
  });
  // The Delete key acts at once, on notes and imported curves too.
  connect(&desk_.window.library(), &RunLibrary::deleted, this, [this](const std::vector<KeptRun>& runs) {
    const auto bringBack = [this, runs] {
      for (const KeptRun& run : runs) desk_.window.library().add(run);
    };
    desk_.notices.set(Notices::Cause::Runs, {tr("%Ln runs were deleted.", nullptr, static_cast<int>(runs.size())),
                                             tr("Bring back"), bringBack, Notice::Kind::Hint});
  });
}

// Takes everything from an opened file, and reports it.
void Workbench::followDocument() {
  const auto sayOf = [this](Notices::Cause cause) {
    return [this, cause](const QString& text, bool failure) { desk_.say(cause, text, failure); };
  };
  connect(&desk_.document, &Document::said, this, sayOf(Notices::Cause::File));
  connect(&desk_.document, &Document::tableRead, this, [this](const auto& table, const QString& path) {
    desk_.notices.over(Notices::Cause::File);
    const auto show = [this, table, name = QFileInfo(path).fileName()] { showTablePlot(*table, name, &desk_.window); };
    // Before the window is visible, the dialog would be behind it.
    desk_.window.isVisible() ? show() : void(QMetaObject::invokeMethod(&desk_.window, show, Qt::QueuedConnection));
  });
  connect(&desk_.document, &Document::begun, this, [this] {
    desk_.notices.over(Notices::Cause::File);
    offerView(tr("When this experiment was saved, the window showed: %1."));
    takeSweep();
    comparison_.take(true);
  });
  // If the charts are hidden, say that a curve has been added.
  connect(&desk_.document.runs(), &RunFiles::joined, this, [this] {
    const WindowLayout workspace = desk_.window.windowLayout();
    const bool onStage = workspace != WindowLayout::Compare && workspace != WindowLayout::Sweep;
    if (onStage && desk_.window.findChild<QWidget*>(QStringLiteral("evidencePanel"))->isHidden())
      desk_.window.showTab(QStringLiteral("chartsTab"));
  });
  // The saved view belongs to the run that has ended.
  connect(&desk_.window.experiment(), &Experiment::started, this, [this] {
    desk_.notices.over(Notices::Cause::View);
    desk_.notices.over(Notices::Cause::Lanes);  // the lanes are not those of the file
  });
  connect(&desk_.document, &Document::openFailed, this, [this](const QString& path) {
    desk_.notices.offer(Notices::Cause::File, tr("Try again"), [this, path] { openFromHere(path); });
  });
  connect(&desk_.document.reader(), &FileReader::began, this, &Workbench::showReading);
  connect(&desk_.document, &Document::opened, this, &Workbench::remember);
  connect(&desk_.document, &Document::changed, this, &Workbench::refreshTitle);
}

// Most files are read before anybody would see the dialog. It takes no key that is meant for the window.
void Workbench::showReading(const QString& path) {
  constexpr int kSeenMs = 500;
  auto* dialog =
      new QProgressDialog(tr("Reading %1").arg(QFileInfo(path).fileName()), tr("&Cancel"), 0, 100, &desk_.window);
  dialog->setObjectName(QStringLiteral("readingDialog"));
  dialog->setWindowTitle(tr("Open"));
  dialog->setAttribute(Qt::WA_ShowWithoutActivating);
  dialog->setAutoReset(false);
  dialog->setMinimumDuration(kSeenMs);
  dialog->setValue(0);  // from now on
  connect(&desk_.document.reader(), &FileReader::progressed, dialog,
          [dialog](double share) { dialog->setValue(static_cast<int>(100 * share)); });
  connect(&desk_.document.reader(), &FileReader::ended, dialog, &QObject::deleteLater);
  connect(dialog, &QProgressDialog::canceled, &desk_.document.reader(), &FileReader::cancel);
}

void Workbench::adopt(QWidget* view) {
  if (auto* charts = qobject_cast<ChartPanel*>(view)) {
    charts->setOptions(chartOptions_);
    connect(charts, &ChartPanel::said, this,
            [this](const QString& text, bool failure) { desk_.say(Notices::Cause::Charts, text, failure); });
    out_->follow(*charts);
    out_->follow(*charts->findChild<QAbstractItemView*>(QStringLiteral("chartLegend")));
  } else if (auto* lessons = qobject_cast<LessonView*>(view)) {
    lessons->keepIn(desk_.settings);
    connect(lessons, &LessonView::visitWanted, this, [this](const Moment& moment) {
      try {
        desk_.view.show(moment);
      } catch (const UserError& error) {
        desk_.say(Notices::Cause::View, coreSentence(error), true);
      }
    });
  } else if (auto* trace = qobject_cast<TracePanel*>(view)) {
    connect(trace, &TracePanel::said, this,
            [this](const QString& text) { desk_.say(Notices::Cause::Export, text, false); });
  } else if (auto* program = qobject_cast<ProgramPane*>(view)) {
    program->setLoop(desk_.settings.value(QStringLiteral("program/loop")).toBool());
    connect(program, &ProgramPane::loopChosen, this,
            [this](bool loop) { desk_.settings.setValue(QStringLiteral("program/loop"), loop); });
    connect(program, &ProgramPane::said, this,
            [this](const QString& text, bool failure) { desk_.say(Notices::Cause::Export, text, failure); });
  } else if (auto* compare = qobject_cast<CompareView*>(view)) {
    comparison_.adopt(*compare);
  } else if (auto* sweep = qobject_cast<SweepView*>(view)) {
    sweep_.adopt(*sweep);
  } else if (auto* runs = qobject_cast<QTableView*>(view)) {
    out_->follow(*runs);
  } else {
    guide_->adopt(view);
  }
}

bool Workbench::openLesson(const QString& nameOrFile) {
  desk_.window.openTab(QStringLiteral("lessonsTab"));
  auto& lessons = static_cast<LessonView&>(desk_.window.tab(QStringLiteral("lessonsTab"))->content());
  if (lessons.beginNamed(nameOrFile)) return true;
  try {
    lessons.begin(lab::openLesson(nameOrFile.toStdString()));
    desk_.notices.over(Notices::Cause::File);
    return true;
  } catch (const UserError& error) {
    desk_.say(Notices::Cause::File, coreSentence(error), true);
    return false;
  }
}

bool Workbench::open(const QString& path, const std::shared_ptr<RunRecord>& read) {
  if (path.endsWith(QStringLiteral(".lesson"), Qt::CaseInsensitive)) return openLesson(path);
  bool begun = false;  // curves, recordings and tables only come to what is there
  const QMetaObject::Connection watch = connect(&desk_.document, &Document::begun, this, [&begun] { begun = true; });
  const bool opened = desk_.document.open(path, read);
  disconnect(watch);
  if (begun) desk_.undo.forget();
  return opened;
}

bool Workbench::save() {
  const bool saved = desk_.document.save();
  if (!saved && desk_.document.isChangedElsewhere())
    desk_.notices.offer(Notices::Cause::File, tr("Replace it"),
                        [this, path = desk_.document.path()] { desk_.document.saveAs(path); });
  return saved;
}

void Workbench::openFromHere(const QString& path) {
  if (!isExperiment(path)) return void(open(path));
  leaveFile([this, path] { open(path); });
}

void Workbench::openLink(const QString& text) {
  if (!hasLink(text)) return void(desk_.document.openLink(text));  // which says so
  leaveFile([this, text] {
    const bool leaves = !desk_.document.path().isEmpty();
    // Undo would bring the settings back, but neither the file nor its moments. A link pasted by mistake over untitled
    // settings is undone.
    if (desk_.document.openLink(text) && leaves) desk_.undo.forget();
  });
}

// `sentence`: contains %1 for what the window showed.
void Workbench::offerView(const QString& sentence) {
  if (!desk_.document.view()) return;
  const SavedView saved = *desk_.document.view();
  const QString words = desk_.view.difference(saved);
  if (words.isEmpty()) return;
  desk_.notices.set(Notices::Cause::View,
                    {sentence.arg(words), tr("Show this view"), [this, saved] { desk_.view.show(saved); },
                     Notice::Kind::Hint, [this, saved] { return desk_.view.difference(saved).isEmpty(); }});
}

// A file's sweep waits in its workspace: opening a file never rearranges the window.
void Workbench::takeSweep() {
  try {
    if (!sweep_.take()) return;
    desk_.notices.set(Notices::Cause::File,
                      {tr("This file has a sweep's plan. Cells that are not on this computer are trained again, with "
                          "the same numbers."),
                       tr("Show the sweep"), [this] { desk_.window.setWindowLayout(WindowLayout::Sweep); },
                       Notice::Kind::Hint, [this] { return desk_.window.windowLayout() == WindowLayout::Sweep; }});
  } catch (const std::exception& error) {
    desk_.say(Notices::Cause::File, coreSentence(error), true);
  }
}

void Workbench::refreshTitle() {
  desk_.window.setWindowTitle(desk_.document.path().isEmpty()
                                  ? QStringLiteral("StrategyLab")
                                  : QStringLiteral("%1[*] – StrategyLab").arg(desk_.document.title()));
  desk_.window.setWindowModified(!desk_.document.path().isEmpty() && desk_.document.isModified());
  desk_.window.setWindowFilePath(desk_.document.path());
}

void Workbench::remember(const QString& path) {
  QStringList files = recentFiles();
  const QString full = QFileInfo(path).absoluteFilePath();
  files.removeAll(full);
  files.prepend(full);
  desk_.settings.setValue(QStringLiteral("recentFiles"), files.mid(0, kMostRecent));
}

QStringList Workbench::recentFiles() const {
  return desk_.settings.value(QStringLiteral("recentFiles")).toStringList();
}

void Workbench::keepSession(const QString& folder) {
  try {
    session_ =
        std::make_unique<Session>(folder, desk_.document, desk_.window.experiment(), desk_.window.library(), this);
    connect(session_.get(), &Session::said, this, [this](const QString& text, bool failure) {
      if (failure) return desk_.say(Notices::Cause::Session, text, true);
      desk_.notices.set(Notices::Cause::Crash, {text, {}, {}, Notice::Kind::Hint});
    });
    connect(session_.get(), &Session::saved, this, [this] {
      unkeptTold_ = false;
      checkSettings();
    });
    connect(session_.get(), &Session::otherEnded, this, [this] { desk_.notices.over(Notices::Cause::Window); });
    checkSettings();
  } catch (const UserError& error) {
    desk_.say(Notices::Cause::Session, coreSentence(error), true);
  }
}

// QSettings does not report by itself what it could not write, such as the progress in lessons.
void Workbench::checkSettings() {
  desk_.settings.sync();
  if (desk_.settings.status() == QSettings::NoError) return desk_.notices.over(Notices::Cause::Session);
  if (std::exchange(settingsTold_, true)) return;
  desk_.say(Notices::Cause::Session,
            tr("settings and the progress in lessons cannot be stored: '%1' cannot be written. Make room, or check "
               "that the folder may be written to.")
                .arg(desk_.settings.fileName()),
            true);
}

bool Workbench::restoreSession() {
  if (!session_) return false;
  if (!readPreferences(desk_.settings).reopen) {
    session_->passOn();
    return false;
  }
  const bool restored = session_->restore();
  desk_.undo.forget();
  if (restored) comparison_.take(false);
  if (restored) sweep_.restore();
  if (restored) offerView(tr("When StrategyLab was last closed, the window showed: %1."));
  if (session_->isOtherThere())
    offerCopy(restored
                  ? tr("Another window of StrategyLab holds the session. This window has opened its own session again.")
                  : tr("Another window of StrategyLab holds the session, so this one starts empty."),
              tr("Open a copy"));
  return restored;
}

void Workbench::restoreRuns() {
  if (!session_) return;
  readPreferences(desk_.settings).reopen ? session_->restoreRuns() : session_->passOn();
}

void Workbench::offerCopy(const QString& words, const QString& button) {
  const auto copy = [this] {
    if (session_->copyOther()) {
      comparison_.take(false);
      sweep_.restore();
      return desk_.undo.forget();
    }
    offerCopy(tr("The other window has stored nothing yet."), tr("Try again"));
  };
  desk_.notices.set(Notices::Cause::Window, {words, button, copy, Notice::Kind::Hint});
}

void Workbench::rememberWindow() {
  desk_.settings.setValue(QStringLiteral("window/geometry"), desk_.window.saveGeometry());
  if (!class_->locks().isInForce()) {  // a file's locks are not the user's preference
    desk_.settings.setValue(QStringLiteral("window/panels"), desk_.window.savePanels());
    desk_.settings.setValue(QStringLiteral("window/workspace"), QLatin1String(keyOf(desk_.window.chosenLayout())));
    desk_.settings.setValue(QStringLiteral("window/chartsOffered"), desk_.window.chartsOffered());
  }
  desk_.settings.setValue(QStringLiteral("window/more"), desk_.window.showsMore());
  keepTheme(desk_.settings, desk_.window.chosenTheme());
  desk_.settings.setValue(QStringLiteral("window/textPoints"), theme::chosenPoints());
  desk_.settings.setValue(QStringLiteral("playback/speed"), desk_.window.playback().speed());
  desk_.settings.setValue(QStringLiteral("playback/unit"), static_cast<int>(desk_.window.playback().unit()));
  const auto* panel = desk_.window.findChild<ChartPanel*>();
  const ChartOptions& charts = panel != nullptr ? panel->options() : chartOptions_;
  desk_.settings.setValue(QStringLiteral("charts/axis"), static_cast<int>(charts.axis));
  desk_.settings.setValue(QStringLiteral("charts/smoothing"), charts.smoothing);
  desk_.settings.setValue(QStringLiteral("charts/logarithmic"), charts.logarithmic);
}

void Workbench::restoreWindow() {
  const auto value = [this](const char* key) { return desk_.settings.value(QLatin1String(key)); };
  applyPreferences(readPreferences(desk_.settings), desk_.window);
  const std::string workspace = value("window/workspace").toString().toStdString();
  if (const auto row = std::ranges::find(kLayouts, workspace, &LayoutRow::key); row != kLayouts.end())
    desk_.window.setWindowLayout(static_cast<WindowLayout>(row - kLayouts.begin()));
  desk_.window.restoreGeometry(value("window/geometry").toByteArray());  // Qt moves it back if its screen is gone
  // Full screen has no title bar, and may have been projector mode's.
  if (desk_.window.isFullScreen()) desk_.window.setWindowState(Qt::WindowMaximized);
  desk_.window.restorePanels(value("window/panels").toByteArray());
  desk_.window.setChartsOffered(value("window/chartsOffered").toBool());
  desk_.window.setShowsMore(value("window/more").toBool());
  const double speed = value("playback/speed").toDouble();
  if (speed == 0.25 || speed == 1 || speed == 4) desk_.window.playback().setSpeed(speed);
  const int unit = value("playback/unit").isValid() ? value("playback/unit").toInt() : -1;
  if (unit >= 0 && unit <= static_cast<int>(Playback::Unit::Epoch))
    desk_.window.playback().setUnit(static_cast<Playback::Unit>(unit));
  ChartOptions& charts = chartOptions_;
  const int axis = value("charts/axis").toInt();
  if (axis >= 0 && axis < static_cast<int>(kXAxes.size())) charts.axis = static_cast<XAxis>(axis);
  const double smoothing = value("charts/smoothing").toDouble();
  charts.smoothing = std::isfinite(smoothing) ? std::clamp(smoothing, 0.0, 0.99) : 0;  // a file may hold "nan"
  charts.logarithmic = value("charts/logarithmic").toBool();
  if (auto* panel = desk_.window.findChild<ChartPanel*>()) panel->setOptions(charts);
}

// What would be lost with the window, one sentence each. The session stores settings and curves, and a sweep's folder
// stores the runs that have ended.
QStringList Workbench::losses() const {
  QStringList words;
  const RunController& run = desk_.window.controller();
  const RunInfo* info = run.info();
  const QString step = countText(run.liveStep());
  if (desk_.window.servedClass().isOpen())
    words << tr("A class is being served, with %Ln workers. The lesson ends for them.", nullptr,
                desk_.window.servedClass().totals().workers);
  if (info != nullptr && run.state() == RunState::Running)
    words << tr("Training is under way, at step %1 of %2. Its curves are kept; its weights are lost.")
                 .arg(step, countText(info->totalSteps));
  else if (info != nullptr && run.state() == RunState::Paused && run.liveStep() > info->firstStep)
    words << tr("A run is paused at step %1 of %2. Its curves are kept; its weights are lost.")
                 .arg(step, countText(info->totalSteps));
  const auto* sweep = desk_.window.findChild<SweepView*>();
  if (sweep != nullptr && sweep->run().isRunning())
    words << tr("A sweep is under way: %1 of %Ln runs ended. What ended is kept; what is under way is lost.", nullptr,
                sweep->run().runnable())
                 .arg(countText(sweep->run().ended()));
  const auto* movie = desk_.window.findChild<MovieDialog*>();
  if (movie != nullptr && movie->isMaking()) words << tr("A movie is being written. It will be lost.");
  return words;
}

bool Workbench::isFileChanged() const {
  return !desk_.document.path().isEmpty() && desk_.document.isModified();
}

bool Workbench::mayClose() {
  const QStringList lost = closing_ ? QStringList() : losses();
  if (closing_ || (!isFileChanged() && lost.isEmpty())) return true;
  askBefore(lost, [this] {
    closing_ = true;
    discards_ = isFileChanged();  // although it could have been saved
    desk_.window.close();
  });
  return false;
}

// Untitled work is left without a question, as when the window is closed.
void Workbench::leaveFile(const std::function<void()>& then) {
  if (!isFileChanged()) return then();
  askBefore({}, then);
}

// Asks whether to save the file, if it has changed, and tells what else is lost; `then` follows unless the user stays.
void Workbench::askBefore(const QStringList& lost, const std::function<void()>& then) {
  if (desk_.window.findChild<QMessageBox*>(QStringLiteral("askBefore")) != nullptr) return;
  const bool changed = isFileChanged();
  auto* question = new QMessageBox(&desk_.window);
  question->setIcon(QMessageBox::Question);
  question->setObjectName(QStringLiteral("askBefore"));
  question->setAttribute(Qt::WA_DeleteOnClose);
  if (changed) {
    question->setWindowTitle(tr("Save the experiment?"));
    question->setText(tr("%1 has been changed since it was saved.").arg(desk_.document.title()));
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
  connect(question, &QMessageBox::finished, this, [this, question, changed, then](int answer) {
    const auto role = question->buttonRole(question->clickedButton());
    if (changed ? answer == QMessageBox::Cancel : role != QMessageBox::AcceptRole) return;
    if (answer == QMessageBox::Save && !save()) return;
    then();
  });
  question->open();
}

void Workbench::store() {
  rememberWindow();
  checkSettings();  // stores them at once
  try {
    if (session_) session_->finish();
  } catch (const std::exception& error) {
    desk_.say(Notices::Cause::Session, coreSentence(error), true);
  }
}

void Workbench::endNow() {
  closing_ = unkeptTold_ = true;
  desk_.window.close();
  QCoreApplication::exit(isUnkept_ ? 1 : 0);  // whatever dialogs are open
}

bool Workbench::eventFilter(QObject* watched, QEvent* event) {
  if (watched != &desk_.window) return false;
  switch (event->type()) {
    case QEvent::DragEnter: {
      auto* drag = static_cast<QDragEnterEvent*>(event);
      if (drag->source() != nullptr) return true;  // dragged out of this window
      const QStringList paths = localFiles(*drag->mimeData());
      const bool link = hasLink(drag->mimeData()->text());
      if (!paths.isEmpty() || link) drag->acceptProposedAction();
      return true;
    }
    case QEvent::Drop: {
      auto* drop = static_cast<QDropEvent*>(event);
      const QStringList paths = localFiles(*drop->mimeData());
      drop->acceptProposedAction();
      if (looksLikeData(paths) && std::ranges::none_of(paths, isOpenedHere)) {
        if (class_->mayDrop("dataSets")) showData().openOwn(paths);
      } else if (!paths.isEmpty()) {
        if (class_->mayDrop("open")) openDropped(paths);
      } else if (class_->mayDrop("pasteLink")) {
        openLink(drop->mimeData()->text());
      }
      return true;
    }
    case QEvent::Close:
      if (!mayClose()) {
        event->ignore();
        return true;
      }
      rememberWindow();
      isUnkept_ = false;
      if (session_) {
        const bool told = unkeptTold_;  // finish() may also end an earlier saving, which went well
        try {
          session_->finish(discards_);
        } catch (const std::exception& error) {
          isUnkept_ = unkeptTold_ = true;
          if (told) {  // it was reported already, or nobody would see the message
            std::fputs(("strategylab: " + sentence(error.what()) + "\n").c_str(), stderr);
            return false;
          }
          desk_.say(Notices::Cause::Session, tr("%1 Close the window again to quit anyway.").arg(coreSentence(error)),
                    true);
          closing_ = discards_ = false;  // until the next closing, there may be more to lose
          event->ignore();
          return true;
        }
      }
      return false;
    default:
      return false;
  }
}

// ---- menus and dialogs. Dialogs run no event loop of their own, so that training and the window go on.

void Workbench::askOpen() {
  auto* dialog = new QFileDialog(&desk_.window, tr("Open"), QFileInfo(desk_.document.path()).path(), tr(kExperiments));
  dialog->setObjectName(QStringLiteral("openDialog"));
  dialog->setAttribute(Qt::WA_DeleteOnClose);
  dialog->setFileMode(QFileDialog::ExistingFile);
  connect(dialog, &QFileDialog::fileSelected, this, &Workbench::openFromHere);
  dialog->open();
}

void Workbench::askSaveAs(const std::function<void()>& then) {
  auto* dialog =
      new QFileDialog(&desk_.window, tr("Save the experiment"), desk_.document.path(), tr("Experiments (*.slab)"));
  dialog->setObjectName(QStringLiteral("saveDialog"));
  dialog->setAttribute(Qt::WA_DeleteOnClose);
  dialog->setAcceptMode(QFileDialog::AcceptSave);
  dialog->setDefaultSuffix(QStringLiteral("slab"));
  if (desk_.document.path().isEmpty())
    dialog->selectFile(freeName(*dialog, fileStem(desk_.window.experiment().resolved())));
  connect(dialog, &QFileDialog::fileSelected, this, [this, then](const QString& path) {
    if (desk_.document.saveAs(path) && then) then();
  });
  dialog->open();
}

void Workbench::fillRecent() {
  recent_->clear();
  for (const QString& path : recentFiles()) {
    QAction* action = recent_->addAction(QFileInfo(path).fileName());
    action->setToolTip(path);
    action->setEnabled(QFileInfo::exists(path));  // greyed if it has vanished
    connect(action, &QAction::triggered, this, [this, path] { openFromHere(path); });
  }
  if (recent_->isEmpty()) recent_->addAction(tr("None yet"))->setEnabled(false);
}

void Workbench::fillFileMenu() {
  QMenu* file = desk_.window.menus().file;
  const QList<QAction*> last = file->actions();  // Quit
  for (QAction* action : last) file->removeAction(action);
  desk_.add(*file, "new", tr("&New"), {QKeySequence::New}, [this] {
    leaveFile([this] {
      desk_.document.begin();
      desk_.undo.forget();
    });
  });
  desk_.add(*file, "open", tr("&Open…"), {QKeySequence::Open}, [this] { askOpen(); });
  recent_ = file->addMenu(tr("Open &recent"));
  recent_->setObjectName(QStringLiteral("recentMenu"));
  recent_->setToolTipsVisible(true);
  connect(recent_, &QMenu::aboutToShow, this, &Workbench::fillRecent);
  file->addSeparator();
  desk_.add(*file, "save", tr("&Save"), {QKeySequence::Save}, [this] {
    if (desk_.document.path().isEmpty()) {
      askSaveAs();
    } else {
      save();
    }
  });
  desk_.add(*file, "saveAs", tr("Save &as…"), {QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_S)},
            [this] { askSaveAs(); });
  desk_.add(*file, "saveRecording", tr("Save the run's re&cording…"), {}, [this] {
    auto* dialog = new QFileDialog(&desk_.window, tr("Save the recording of the run on the stage"), QString(),
                                   tr("Recordings (*.run)"));
    dialog->setObjectName(QStringLiteral("saveRecordingDialog"));
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setAcceptMode(QFileDialog::AcceptSave);
    dialog->setDefaultSuffix(QStringLiteral("run"));
    const KeptRun* run = desk_.window.library().find(desk_.window.library().presentId());
    const bool isClass = run != nullptr && run->header && run->header->isClass;
    dialog->selectFile(freeName(*dialog, fileStem(desk_.window.experiment().resolved(), isClass)));
    connect(dialog, &QFileDialog::fileSelected, this,
            [this](const QString& path) { desk_.document.runs().save(desk_.window.library().presentId(), path); });
    dialog->open();
  });
  (new Exports(desk_))->fillMenu(*file);
  file->addSeparator();
  desk_.add(*file, "copyLink", tr("Copy experiment &link"), {QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_C)}, [this] {
    try {
      QGuiApplication::clipboard()->setText(class_->link());
      desk_.mention(tr("Copied: a line of text that begins this experiment wherever it is pasted"));
    } catch (const UserError& error) {
      desk_.say(Notices::Cause::Export, coreSentence(error), true);
    }
  });
  desk_.add(*file, "pasteLink", tr("&Paste experiment link"), {QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_V)},
            [this] { openLink(QGuiApplication::clipboard()->text()); });
  file->addSeparator();
  file->addActions(last);
}

void Workbench::fillEditMenu() {
  QMenu* edit = desk_.window.menus().edit;
  QAction* undo = desk_.undo.stack().createUndoAction(this, tr("&Undo"));
  QAction* redo = desk_.undo.stack().createRedoAction(this, tr("&Redo"));
  undo->setProperty("words", tr("Undo"));  // whatever it would take back
  redo->setProperty("words", tr("Redo"));
  undo->setObjectName(QStringLiteral("undo"));
  redo->setObjectName(QStringLiteral("redo"));
  undo->setShortcut(QKeySequence::Undo);  // only the first: the others are for old keyboards
  QList<QKeySequence> again = QKeySequence::keyBindings(QKeySequence::Redo);
  for (const QKeySequence& keys : {QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_Z), QKeySequence(Qt::CTRL | Qt::Key_Y)})
    if (!again.contains(keys)) again.append(keys);
  redo->setShortcuts(again);
  edit->addActions({undo, redo});
  desk_.undo.setShown([this] {
    const SavedView here = desk_.view.now();
    return SettingsUndo::Moment{here.step, desk_.window.playback().seconds(), here.beat, here.part};
  });
  connect(&desk_.undo, &SettingsUndo::went, this, &Workbench::goBack);
  desk_.add(*edit, "historyAct", tr("&History of the settings…"), {}, [this] { showHistory(); });
  edit->addSeparator();
  fillCopy(*edit);
  edit->addSeparator();
  desk_.add(*edit, "copyNotes", tr("Copy the narration as &notes"), {}, [this] {
    auto* narration = desk_.window.findChild<Narration*>();
    if (narration == nullptr || narration->document()->isEmpty())
      return desk_.mention(tr("There are no notes yet: play a step"));
    narration->copyNotes();
    desk_.mention(tr("Copied: the narration so far, to paste into notes"));
  });
  edit->addSeparator();
  QAction* preferences =
      desk_.add(*edit, "preferencesAct", tr("&Preferences…"), {QKeySequence(Qt::CTRL | Qt::Key_Comma)},
                [this] { showPreferences(desk_.window, desk_.settings); });
  preferences->setMenuRole(QAction::PreferencesRole);
  desk_.add(*edit, "changeKeys", tr("Change &keys…"), {}, [this] { showKeyEditor(&desk_.window, *keys_); });
}

// No silent restart, and no restart at all if the run still exists.
void Workbench::goBack(const SettingsUndo::Went& went) {
  const QString done = (went.again ? tr("Redone: %1.") : tr("Undone: %1.")).arg(went.what) + QLatin1Char(' ');
  const QString step = countText(went.moment.step);
  if (went.asItStood) {
    if (went.moment.step > 0) desk_.window.playback().seek(went.moment.step, went.moment.seconds);
    return desk_.mention(done + tr("The run is at step %1 again.").arg(step));
  }
  if (went.moment.step == 0) return desk_.mention(done + tr("The run has started again."));
  desk_.view.show(SavedView{.step = went.moment.step, .beat = went.moment.beat, .part = went.moment.part});
  desk_.mention(done + tr("The run is trained again up to step %1.").arg(step));
}

void Workbench::fillHelpMenu() {
  QMenu* help = desk_.window.menus().help;
  const QList<QAction*> before = help->actions();  // keys, about
  QAction* about = before.last();
  QAction* what = QWhatsThis::createAction(this);
  what->setObjectName(QStringLiteral("whatsThis"));
  what->setText(tr("&What's this?"));
  what->setIcon(QIcon());  // Qt's icon is dark blue in every theme
  QAction* handbook = desk_.add(*help, "handbook", tr("&Handbook"), {QKeySequence::HelpContents},
                                [this] { showHandbook(desk_.window, handbookSection(QApplication::focusWidget())); });
  handbook->setShortcutContext(Qt::ApplicationShortcut);  // in dialogs too
  help->removeAction(handbook);
  help->insertActions(before.first(), {handbook, what});
  QAction* find = desk_.add(*help, "paletteAct", tr("&Find a command…"), {QKeySequence(Qt::CTRL | Qt::Key_K)},
                            [this] { showPalette(); });
  help->removeAction(find);
  help->insertAction(about, find);
  QAction* report = desk_.add(*help, "reportAct", tr("Report a &problem…"), {}, [this] { reportProblem(); });
  help->removeAction(report);
  help->insertAction(about, report);
  help->insertSeparator(about);
  desk_.add(*help, "aboutQt", tr("About &Qt"), {}, [] { QApplication::aboutQt(); })->setMenuRole(QAction::AboutQtRole);
}

void Workbench::reportProblem() {
  const auto chosen = desk_.window.chosenTheme();
  const QString window =
      QStringLiteral(
          "Window: %1×%2, layout %3, theme %4 (%5), text %6 px, language %7\nRun: step %8 on the stage, %9 trained")
          .arg(desk_.window.width())
          .arg(desk_.window.height())
          .arg(QLatin1String(keyOf(desk_.window.windowLayout())), QLatin1String(theme::keyOf(theme::kind())),
               chosen ? QStringLiteral("chosen") : QStringLiteral("the system's"))
          .arg(theme::textSize())
          .arg(language::used())
          .arg(desk_.window.playback().step())
          .arg(desk_.window.playback().liveStep());
  showReport(&desk_.window,
             problemReport(window, QString::fromStdString(configToJson(desk_.window.experiment().asked()).dump())));
}

DataDialog& Workbench::showData() {
  if (data_ == nullptr) {
    data_ = new DataDialog(desk_.window.experiment(), DataDialog::published(), customDataFolder("own"), &desk_.window);
    connect(data_, &DataDialog::said, this,
            [this](const QString& text, bool failure) { desk_.say(Notices::Cause::Data, text, failure); });
  }
  data_->show();
  data_->raise();
  data_->activateWindow();
  return *data_;
}

void Workbench::fillDataMenu() {
  auto* data = new QMenu(tr("&Data"), desk_.window.menuBar());
  data->setObjectName(QStringLiteral("dataMenu"));
  desk_.window.menuBar()->insertMenu(desk_.window.menus().help->menuAction(), data);
  const auto fetch = [this](const char* set) { showData().fetchWhenKnown(set); };
  desk_.add(*data, "fetchMnist", tr("Fetch &MNIST…"), {}, [fetch] { fetch("mnist"); });
  desk_.add(*data, "fetchFashion", tr("Fetch &Fashion-MNIST…"), {}, [fetch] { fetch("fashion-mnist"); });
  desk_.add(*data, "fetchCifar", tr("Fetch &CIFAR-10…"), {}, [fetch] { fetch("cifar10"); });
  data->addSeparator();
  desk_.add(*data, "dataSets", tr("Custom &images…"), {}, [this] { showData(); });
  desk_.add(*data, "useDigits", tr("Train with the &built-in digits"), {}, [this] {
    desk_.window.experiment().beginOrComplain(onDigits(withoutOutputs(desk_.window.experiment().asked())));
  });
}

void Workbench::showPalette() {
  if (auto* open = desk_.window.findChild<CommandPalette*>()) return open->raise();
  // The same actions as in the menus of the charts and the runs.
  auto* charts = new QMenu(tr("Charts"), &desk_.window);
  desk_.window.charts().fillMenu(*charts);
  auto* runs = new QMenu(tr("Runs"), &desk_.window);
  for (const KeptRun& run : desk_.window.library().runs())
    fillRunMenu(*runs->addMenu(desk_.window.library().nameOf(run)), desk_.window.library(), run.id);
  for (QMenu* menu : {charts, runs}) class_->locks().holdMenu(*menu);
  auto* palette = new CommandPalette(commandsOf(*desk_.window.menuBar(), {charts, runs}, desk_.window.keyActions()),
                                     desk_.window.experiment(), &desk_.window);
  connect(palette, &CommandPalette::said, &desk_, &DeskParts::mention);
  for (QMenu* menu : {charts, runs}) connect(palette, &QObject::destroyed, menu, &QObject::deleteLater);
  palette->move(
      desk_.window.mapToGlobal(QPoint((desk_.window.width() - palette->width()) / 2, desk_.window.height() / 8)));
  palette->show();
}

void Workbench::fillCopy(QMenu& edit) {
  desk_.add(edit, "copy", tr("&Copy the stage's picture"), {QKeySequence::Copy}, [this] {
    // If a table has the keyboard focus, copy its cell.
    if (auto* view = qobject_cast<QAbstractItemView*>(QApplication::focusWidget());
        view != nullptr && view->currentIndex().isValid()) {
      QGuiApplication::clipboard()->setText(view->currentIndex().data().toString());
      return desk_.mention(tr("Copied: %1").arg(QGuiApplication::clipboard()->text()));
    }
    QGuiApplication::clipboard()->setPixmap(desk_.window.stage().grab());
    desk_.mention(tr("Copied: the picture of the stage"));
  });
}

void Workbench::showHistory() {
  if (auto* open = desk_.window.findChild<QDialog*>(QStringLiteral("history"))) return open->raise();
  auto* dialog = new QDialog(&desk_.window);
  dialog->setObjectName(QStringLiteral("history"));
  dialog->setAttribute(Qt::WA_DeleteOnClose);
  dialog->setWindowTitle(tr("History of the settings"));
  auto* list = new QUndoView(&desk_.undo.stack());
  list->setEmptyLabel(tr("As opened"));
  list->setAccessibleName(dialog->windowTitle());
  list->setToolTip(tr("A click returns to the settings of that entry; the run starts again"));
  auto* column = new QVBoxLayout(dialog);
  column->addWidget(list);
  fitToScreen(*dialog, {24, 24});
  dialog->show();
}

void Workbench::lockPanels(bool locked) {
  for (QDockWidget* panel : desk_.window.findChildren<QDockWidget*>()) {
    panel->setFeatures(locked ? QDockWidget::NoDockWidgetFeatures
                              : QDockWidget::DockWidgetClosable | QDockWidget::DockWidgetMovable |
                                    QDockWidget::DockWidgetFloatable);
    // When locked, Qt disables the action, with its key and its button.
    panel->toggleViewAction()->setToolTip(locked ? tr("The layout is locked: View, Lock the layout unlocks it")
                                                 : QString());
  }
}

void Workbench::fillViewMenu() {
  QMenu* view = desk_.window.menus().view;
  view->addSeparator();
  desk_.add(*view, "resetLayout", tr("&Reset the layout"), {}, [this] { desk_.window.resetPanels(); });
  QAction* lock = desk_.add(*view, "lockLayout", tr("&Lock the layout"), {}, [] {});
  lock->setCheckable(true);
  lock->setToolTip(tr("No panel can be moved or collapsed by mistake"));
  lock->setChecked(desk_.settings.value(QLatin1String(kLocked)).toBool());
  connect(lock, &QAction::toggled, this, [this](bool locked) {
    desk_.settings.setValue(QLatin1String(kLocked), locked);
    lockPanels(locked);
    if (locked)
      desk_.mention(
          tr("Panels stay as they are, open or collapsed, and their keys do nothing, until you choose Lock the "
             "layout again."));
  });
  if (lock->isChecked()) lockPanels(true);
}

void Workbench::openDropped(const QString& path) {
  const auto shown = [this](const QString& name) {
    desk_.window.showTab(name);
    return desk_.window.tab(name);
  };
  if (isPicture(path)) {
    const QImage picture(path);
    if (picture.isNull())
      return desk_.say(Notices::Cause::Drop, tr("'%1' is not a picture that can be read.").arg(path), true);
    desk_.notices.over(Notices::Cause::Drop);
    shown(QStringLiteral("tryTab"))->findChild<TryOut*>()->tryPicture(picture);
  } else if (isNetworkFile(path)) {
    desk_.window.showTab(QStringLiteral("networkTab"));
    desk_.window.experiment().set(QStringLiteral("network"), path);
  } else if (isTrace(path)) {
    shown(QStringLiteral("traceTab"))->findChild<TracePanel*>()->openFile(path);
  } else {
    openFromHere(path);
  }
}

void Workbench::openDropped(const QStringList& paths) {
  QStringList beside, alone, left;
  for (const QString& path : paths) (comesBeside(path) ? beside : alone) << path;
  for (const QString& path : alone.mid(0, 1) + beside) openDropped(path);
  for (const QString& path : alone.mid(1)) left << QFileInfo(path).fileName();
  if (left.isEmpty()) return;
  desk_.notices.set(
      Notices::Cause::Drop,
      {tr("Only recordings and tables are opened several at a time. Of the other files %1 was taken; drop "
          "these by themselves: %2.")
           .arg(QFileInfo(alone.front()).fileName(), left.join(QStringLiteral(", "))),
       {},
       {},
       Notice::Kind::Hint});
}

// Comes last, because it must know every action.
void Workbench::adoptKeys() {
  std::vector<NamedAction> actions = actionsOf(*desk_.window.menuBar());
  for (QAction* action : desk_.window.keyActions())
    actions.push_back({action->text().remove(QLatin1Char('&')).remove(QStringLiteral("…")), action});
  keys_ = std::make_unique<Keys>(actions, desk_.settings);
}

}  // namespace lab

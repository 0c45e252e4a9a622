// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/session/workbench.h"

#include <QAbstractItemView>
#include <QApplication>
#include <QClipboard>
#include <QDialog>
#include <QDockWidget>
#include <QGuiApplication>
#include <QMenu>
#include <QMenuBar>
#include <QSettings>
#include <QTableView>
#include <QUndoCommand>
#include <QUndoStack>
#include <QUndoView>
#include <QVBoxLayout>
#include <QWhatsThis>

#include <functional>
#include <memory>
#include <utility>
#include <vector>

#include "core/base/error.h"
#include "core/data/data_folders.h"
#include "core/options/config_field.h"
#include "ui/charts/chart_panel.h"
#include "ui/classroom/class_locks.h"
#include "ui/compare/compare_view.h"
#include "ui/data/data_dialog.h"
#include "ui/files/drag_out.h"
#include "ui/frame/menus.h"
#include "ui/guide/lesson_view.h"
#include "ui/help/actions.h"
#include "ui/help/handbook.h"
#include "ui/help/help.h"
#include "ui/help/keys.h"
#include "ui/i18n/core_words.h"
#include "ui/i18n/language.h"
#include "ui/i18n/words.h"
#include "ui/playback/playback.h"
#include "ui/program/program_pane.h"
#include "ui/runs/run_library.h"
#include "ui/runs/run_menu.h"
#include "ui/session/class_desk.h"
#include "ui/session/guide_paths.h"
#include "ui/session/kept_comparison.h"
#include "ui/session/kept_sweep.h"
#include "ui/session/preferences.h"
#include "ui/setup/fit.h"
#include "ui/stage/narration.h"
#include "ui/stage/stage.h"
#include "ui/sweep/sweep_view.h"
#include "ui/theme/fitting.h"
#include "ui/theme/projected.h"
#include "ui/theme/theme.h"
#include "ui/trace/trace_panel.h"
#include "ui/window/main_window.h"
#include "ui/window/tab_views.h"

namespace lab {
namespace {

constexpr const char* kLocked = "window/locked";

// Runs that the user has deleted. Undo or the notice's button brings them back, whichever comes first.
struct DeletedRuns {
  RunLibrary& library;
  std::vector<KeptRun> runs;
  int baseline = 0;  // the id of the baseline before
  bool away = true;

  void bringBack() {
    if (!std::exchange(away, false)) return;
    const int before = std::exchange(baseline, 0);
    for (KeptRun& run : runs) {
      const bool wasBaseline = run.id == before;
      run.id = library.add(run);
      if (wasBaseline && library.baselineId() == 0) library.setBaseline(run.id);
    }
  }

  void deleteAgain() {
    baseline = library.baselineId();
    std::erase_if(runs, [this](const KeptRun& run) { return !library.canRemove(run.id); });
    for (KeptRun& run : runs) {
      run = *library.find(run.id);  // as it is now, with its name and its note
      library.drop(run.id);
    }
    away = true;
  }
};

class DeletionCommand final : public QUndoCommand {
 public:
  DeletionCommand(const QString& what, std::shared_ptr<DeletedRuns> runs, std::function<void()> undone)
      : QUndoCommand(what), runs_(std::move(runs)), undone_(std::move(undone)) {}
  bool isOf(const std::shared_ptr<DeletedRuns>& runs) const { return runs_ == runs; }
  void undo() override {
    setObsolete(!runs_->away);  // the button has brought them back: there is nothing to redo either
    runs_->bringBack();
    undone_();
  }
  void redo() override {
    if (!std::exchange(done_, false)) runs_->deleteAgain();  // when pushed, it is already done
  }

 private:
  std::shared_ptr<DeletedRuns> runs_;
  std::function<void()> undone_;
  bool done_ = true;
};

}  // namespace

Workbench::Workbench(MainWindow& window, QSettings& settings)
    : QObject(&window),
      desk_(*new DeskParts(window, settings, this)),
      comparison_(*new KeptComparison(desk_)),
      sweep_(*new KeptSweep(desk_)),
      files_(*new FileDesk(desk_)) {
  followDocument();
  followLibrary();
  out_ = new DragOut(window.library(), this);
  connect(out_, &DragOut::failed, this, [this](const QString& text) { desk_.say(Notices::Cause::Export, text, true); });
  guide_ = new GuidePaths(desk_);
  connect(&window, &MainWindow::viewMade, this, &Workbench::adopt);
  connect(&window.views(), &TabViews::picturesChosen, this, [this](const QString& folder) { showOwnData({folder}); });
  connect(&files_, &FileDesk::picturesDropped, this, &Workbench::showOwnData);
  adopt(window.findChild<ChartPanel*>());
  adopt(window.findChild<TracePanel*>());
  adopt(window.findChild<ProgramPane*>());
  adopt(window.centre().comparison());
  adopt(window.findChild<QTableView*>(QStringLiteral("runsView")));
  fillEditMenu();
  fillHelpMenu();
  fillDataMenu();
  fillViewMenu();
  class_ = new ClassDesk(desk_);
  session_ = std::make_unique<KeptSession>(desk_, files_, class_->locks());
  connect(session_.get(), &KeptSession::restored, this, [this] {
    comparison_.take(false);
    sweep_.restore();
  });
  adoptKeys();
  explainWidgets(window);
}

Workbench::~Workbench() = default;

// Takes what an opened experiment keeps beside its settings.
void Workbench::followDocument() {
  connect(&desk_.document, &Document::begun, this, [this] {
    desk_.notices.over(Notices::Cause::File);
    desk_.offerView(tr("When this experiment was saved, the window showed: %1."));
    takeSweep();
    comparison_.take(true);
  });
  // The saved view belongs to the run that has ended.
  connect(&desk_.window.experiment(), &Experiment::started, this, [this] {
    desk_.notices.over(Notices::Cause::View);
    desk_.notices.over(Notices::Cause::Lanes);  // the lanes are not those of the file
  });
}

void Workbench::followLibrary() {
  connect(&desk_.window.library(), &RunLibrary::dropped, this, [this](const QString& name, RunLibrary::Bound bound) {
    const bool runs = bound == RunLibrary::Bound::Runs;
    const QString words =
        runs ? tr("More than %1 runs: “%2” is no longer kept. A run with a note or a name of its own stays.")
             : tr("More than %1 steps in all runs: “%2” is no longer kept. A run with a note or a name of its own "
                  "stays.");
    desk_.mention(words.arg(countText(runs ? RunLibrary::kMostRuns : RunLibrary::kMostSteps), name));
  });
  connect(&desk_.window.library(), &RunLibrary::repeating, this, [this](const QString& name) {
    if (!name.isEmpty()) desk_.undo.callNext(tr("repeat of “%1”").arg(name));
  });
  // The Delete key acts at once, on notes and imported curves too.
  connect(&desk_.window.library(), &RunLibrary::deleted, this, &Workbench::takeDeleted);
}

void Workbench::takeDeleted(const std::vector<KeptRun>& runs, int baseline) {
  const auto deleted = std::make_shared<DeletedRuns>(DeletedRuns{desk_.window.library(), runs, baseline});
  const auto count = static_cast<int>(runs.size());
  QUndoStack& stack = desk_.undo.stack();
  stack.push(new DeletionCommand(tr("%Ln runs deleted", nullptr, count), deleted,
                                 [this] { desk_.notices.over(Notices::Cause::Runs); }));
  const auto bringBack = [&stack, deleted] {
    const int last = stack.index() - 1;
    const auto* command = last < 0 ? nullptr : dynamic_cast<const DeletionCommand*>(stack.command(last));
    if (command != nullptr && command->isOf(deleted)) return stack.undo();
    deleted->bringBack();
  };
  desk_.notices.set(Notices::Cause::Runs,
                    {tr("%Ln runs were deleted.", nullptr, count), tr("Bring back"), bringBack, Notice::Kind::Hint});
}

void Workbench::adopt(QWidget* view) {
  if (auto* charts = qobject_cast<ChartPanel*>(view)) {
    connect(charts, &ChartPanel::said, this,
            [this](const QString& text, bool failure) { desk_.say(Notices::Cause::Charts, text, failure); });
    out_->follow(*charts);
    out_->follow(*charts->findChild<QAbstractItemView*>(QStringLiteral("chartLegend")));
  } else if (auto* lessons = qobject_cast<LessonView*>(view)) {
    lessons->keepIn(desk_.settings);
    connect(lessons, &LessonView::visitWanted, this, [this](const Moment& moment) {
      const bool begins = !isInLesson(desk_.window);  // MainWindow takes one that goes on to another workspace
      try {
        desk_.view.show(moment);
      } catch (const UserError& error) {
        desk_.window.experiment().complain(error);  // forgotten once the class is over or the locks are lifted
      }
      if (begins && !theme::isProjected()) desk_.window.panels().showTab(QStringLiteral("lessonsTab"));
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

// A file's sweep waits in its workspace: opening a file never rearranges the window.
void Workbench::takeSweep() {
  try {
    if (!sweep_.take()) return;
    desk_.notices.set(
        Notices::Cause::File,
        {tr("This file has a sweep's plan. Cells that are not on this computer are trained again, with "
            "the same numbers."),
         tr("Show the sweep"), [this] { desk_.window.workspaces().choose(WindowLayout::Sweep); }, Notice::Kind::Hint,
         [this] { return desk_.window.workspaces().current() == WindowLayout::Sweep; }});
  } catch (const std::exception& error) {
    desk_.say(Notices::Cause::File, coreSentence(error), true);
  }
}

// A setting that was refused is undone before the changes that were made: nothing else on the screen is newer.
QAction* Workbench::makeUndoAct() {
  auto* undo = new QAction(tr("&Undo"), this);
  QUndoStack& stack = desk_.undo.stack();
  Experiment& experiment = desk_.window.experiment();
  const auto refused = [&experiment] {
    const QString& name = experiment.complaintAbout();
    return name.isEmpty() ? name : settingName(configField(name.toStdString()));
  };
  const auto refresh = [undo, &stack, refused] {
    const QString what = refused().isEmpty() ? stack.undoText() : refused();
    // A run's name may have an ampersand.
    const QString shown = QString(what).replace(QLatin1Char('&'), QStringLiteral("&&"));
    undo->setText(what.isEmpty() ? tr("&Undo") : tr("&Undo") + QLatin1Char(' ') + shown);
    undo->setEnabled(!refused().isEmpty() || stack.canUndo());
  };
  connect(undo, &QAction::triggered, this, [this, &stack, &experiment, refused] {
    const QString what = refused();
    if (what.isEmpty()) return stack.undo();
    experiment.takeBackRefused();
    desk_.mention(tr("Undone: %1.").arg(what));
  });
  connect(&stack, &QUndoStack::canUndoChanged, undo, refresh);
  connect(&stack, &QUndoStack::undoTextChanged, undo, refresh);
  connect(&experiment, &Experiment::changed, undo, refresh);
  refresh();
  return undo;
}

void Workbench::fillEditMenu() {
  QMenu* edit = desk_.window.menus().edit;
  QAction* undo = makeUndoAct();
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
  preferences->setProperty("words", tr("Preferences: theme, size of text, motion, language"));
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
  const auto chosen = desk_.window.looks().chosenTheme();
  const QString window =
      QStringLiteral(
          "Window: %1×%2, layout %3, theme %4 (%5), text %6 px, language %7\nRun: step %8 on the stage, %9 trained")
          .arg(desk_.window.width())
          .arg(desk_.window.height())
          .arg(QLatin1String(keyOf(desk_.window.workspaces().current())), QLatin1String(theme::keyOf(theme::kind())),
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

void Workbench::showOwnData(const QStringList& pictures) {
  if (desk_.mayDrop("dataSets")) showData().openOwn(pictures);
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
  desk_.window.views().charts().fillMenu(*charts);
  auto* runs = new QMenu(tr("Runs"), &desk_.window);
  for (const KeptRun& run : desk_.window.library().runs())
    fillRunMenu(*runs->addMenu(desk_.window.library().nameOf(run)), desk_.window.library(), run.id);
  for (QMenu* menu : {charts, runs}) class_->locks().holdMenu(*menu);
  auto* palette =
      new CommandPalette(commandsOf(*desk_.window.menuBar(), {charts, runs}, desk_.window.menus().keyActions()),
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
  desk_.add(*view, "resetLayout", tr("&Reset the layout"), {}, [this] { desk_.window.panels().reset(); });
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

// Comes last, because it must know every action.
void Workbench::adoptKeys() {
  std::vector<NamedAction> actions = actionsOf(*desk_.window.menuBar());
  for (QAction* action : desk_.window.menus().keyActions())
    actions.push_back({action->text().remove(QLatin1Char('&')).remove(QStringLiteral("…")), action});
  keys_ = std::make_unique<Keys>(actions, desk_.settings);
}

}  // namespace lab

// SPDX-License-Identifier: GPL-3.0-or-later
// The menus File and Edit. Dialogs are opened without an event loop of their own: training goes on, and so does the
// window.
#include <QApplication>
#include <QClipboard>
#include <QDir>
#include <QFileDialog>
#include <QFileInfo>
#include <QGuiApplication>
#include <QMenu>
#include <QMenuBar>
#include <QWhatsThis>

#include <nlohmann/json.hpp>

#include "core/base/error.h"
#include "core/data/data_folders.h"
#include "core/files/experiment_file.h"
#include "core/options/config_field.h"
#include "ui/charts/chart_panel.h"
#include "ui/classroom/class_locks.h"
#include "ui/data/data_dialog.h"
#include "ui/help/actions.h"
#include "ui/help/handbook.h"
#include "ui/help/help.h"
#include "ui/help/keys.h"
#include "ui/i18n/core_words.h"
#include "ui/i18n/language.h"
#include "ui/i18n/words.h"
#include "ui/runs/run_library.h"
#include "ui/runs/run_menu.h"
#include "ui/session/preferences.h"
#include "ui/session/workbench.h"
#include "ui/setup/fit.h"
#include "ui/stage/narration.h"
#include "ui/theme/theme.h"
#include "ui/window/main_window.h"

namespace lab {
namespace {

const char* const kExperiments = QT_TRANSLATE_NOOP(
    "lab::Workbench", "Experiments, recordings, tables, lessons (*.slab *.run *.csv *.lesson);;All files (*)");

// What the experiment is, as "mirrored-4.slab"; a name that no file of the folder has.
QString freeName(const QFileDialog& dialog, const ResolvedSettings& config) {
  const QString stem = fileStem(config);
  const auto named = [&](const QString& base) { return base + QLatin1Char('.') + dialog.defaultSuffix(); };
  QString name = named(stem);
  for (int n = 2; dialog.directory().exists(name); ++n) name = named(QStringLiteral("%1 (%2)").arg(stem).arg(n));
  return name;
}

}  // namespace

QAction* Workbench::add(QMenu& menu, const char* name, const QString& text, const QList<QKeySequence>& keys,
                        const std::function<void()>& act) {
  QAction* action = menu.addAction(text);
  action->setObjectName(QLatin1String(name));
  action->setShortcuts(keys);
  connect(action, &QAction::triggered, this, act);
  return action;
}

void Workbench::askOpen() {
  auto* dialog = new QFileDialog(&window_, tr("Open"), QFileInfo(document_.path()).path(), tr(kExperiments));
  dialog->setObjectName(QStringLiteral("openDialog"));
  dialog->setAttribute(Qt::WA_DeleteOnClose);
  dialog->setFileMode(QFileDialog::ExistingFile);
  connect(dialog, &QFileDialog::fileSelected, this, &Workbench::open);
  dialog->open();
}

void Workbench::askSaveAs(const std::function<void()>& then) {
  auto* dialog = new QFileDialog(&window_, tr("Save the experiment"), document_.path(), tr("Experiments (*.slab)"));
  dialog->setObjectName(QStringLiteral("saveDialog"));
  dialog->setAttribute(Qt::WA_DeleteOnClose);
  dialog->setAcceptMode(QFileDialog::AcceptSave);
  dialog->setDefaultSuffix(QStringLiteral("slab"));
  if (document_.path().isEmpty()) dialog->selectFile(freeName(*dialog, window_.experiment().resolved()));
  connect(dialog, &QFileDialog::fileSelected, this, [this, then](const QString& path) {
    if (document_.saveAs(path) && then) then();
  });
  dialog->open();
}

void Workbench::fillRecent() {
  recent_->clear();
  for (const QString& path : recentFiles()) {
    QAction* action = recent_->addAction(QFileInfo(path).fileName());
    action->setToolTip(path);
    action->setEnabled(QFileInfo::exists(path));  // greyed where it is gone
    connect(action, &QAction::triggered, this, [this, path] { open(path); });
  }
  if (recent_->isEmpty()) recent_->addAction(tr("None yet"))->setEnabled(false);
}

void Workbench::fillFileMenu() {
  QMenu* file = window_.menus().file;
  const QList<QAction*> last = file->actions();  // Quit
  for (QAction* action : last) file->removeAction(action);
  add(*file, "new", tr("&New"), {QKeySequence::New}, [this] {
    document_.begin();
    undo_.forget();
  });
  add(*file, "open", tr("&Open…"), {QKeySequence::Open}, [this] { askOpen(); });
  recent_ = file->addMenu(tr("Open &recent"));
  recent_->setObjectName(QStringLiteral("recentMenu"));
  recent_->setToolTipsVisible(true);
  connect(recent_, &QMenu::aboutToShow, this, &Workbench::fillRecent);
  file->addSeparator();
  add(*file, "save", tr("&Save"), {QKeySequence::Save}, [this] {
    if (document_.path().isEmpty()) {
      askSaveAs();
    } else {
      document_.save();
    }
  });
  add(*file, "saveAs", tr("Save &as…"), {QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_S)}, [this] { askSaveAs(); });
  add(*file, "saveRecording", tr("Save the run's re&cording…"), {}, [this] {
    auto* dialog = new QFileDialog(&window_, tr("Save the recording of the run on the stage"), QString(),
                                   tr("Recordings (*.run)"));
    dialog->setObjectName(QStringLiteral("saveRecordingDialog"));
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setAcceptMode(QFileDialog::AcceptSave);
    dialog->setDefaultSuffix(QStringLiteral("run"));
    dialog->selectFile(freeName(*dialog, window_.experiment().resolved()));
    connect(dialog, &QFileDialog::fileSelected, this,
            [this](const QString& path) { document_.saveRecording(window_.library().presentId(), path); });
    dialog->open();
  });
  fillExportMenu(*file);
  file->addSeparator();
  add(*file, "copyLink", tr("Copy experiment &link"), {QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_C)}, [this] {
    try {
      QGuiApplication::clipboard()->setText(link());
      mention(tr("Copied: a line of text that begins this experiment wherever it is pasted"));
    } catch (const UserError& error) {
      say(Notices::Cause::Export, coreSentence(error), true);
    }
  });
  add(*file, "pasteLink", tr("&Paste experiment link"), {QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_V)},
      [this] { document_.openLink(QGuiApplication::clipboard()->text()); });
  file->addSeparator();
  file->addActions(last);
}

void Workbench::fillEditMenu() {
  QMenu* edit = window_.menus().edit;
  QAction* undo = undo_.stack().createUndoAction(this, tr("&Undo"));
  QAction* redo = undo_.stack().createRedoAction(this, tr("&Redo"));
  undo->setProperty("words", tr("Undo"));  // whatever it would take back
  redo->setProperty("words", tr("Redo"));
  undo->setObjectName(QStringLiteral("undo"));
  redo->setObjectName(QStringLiteral("redo"));
  undo->setShortcut(QKeySequence::Undo);  // the first: others are on keyboards of the past
  QList<QKeySequence> again = QKeySequence::keyBindings(QKeySequence::Redo);
  for (const QKeySequence& keys : {QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_Z), QKeySequence(Qt::CTRL | Qt::Key_Y)})
    if (!again.contains(keys)) again.append(keys);
  redo->setShortcuts(again);
  edit->addActions({undo, redo});
  undo_.setShown([this] {
    const SavedView here = view_.now();
    return SettingsUndo::Moment{here.step, window_.playback().seconds(), here.beat, here.part};
  });
  connect(&undo_, &SettingsUndo::went, this, &Workbench::goBack);
  add(*edit, "historyAct", tr("&History of the settings…"), {}, [this] { showHistory(); });
  edit->addSeparator();
  fillCopy(*edit);
  edit->addSeparator();
  add(*edit, "copyNotes", tr("Copy the narration as &notes"), {}, [this] {
    auto* narration = window_.findChild<Narration*>();
    if (narration == nullptr || narration->document()->isEmpty())
      return mention(tr("There are no notes yet: play a step"));
    narration->copyNotes();
    mention(tr("Copied: the narration so far, to paste into notes"));
  });
  edit->addSeparator();
  QAction* preferences = add(*edit, "preferencesAct", tr("&Preferences…"), {QKeySequence(Qt::CTRL | Qt::Key_Comma)},
                             [this] { showPreferences(window_, settings_); });
  preferences->setMenuRole(QAction::PreferencesRole);
  add(*edit, "changeKeys", tr("Change &keys…"), {}, [this] { showKeyEditor(&window_, *keys_); });
}

// No silent fresh start, and none where the run is still there.
void Workbench::goBack(const SettingsUndo::Went& went) {
  const QString done = (went.again ? tr("Done again: %1.") : tr("Taken back: %1.")).arg(went.what) + QLatin1Char(' ');
  const QString step = countText(went.moment.step);
  if (went.asItStood) {
    if (went.moment.step > 0) window_.playback().seek(went.moment.step, went.moment.seconds);
    return mention(done + tr("The run stands at step %1, as it did.").arg(step));
  }
  if (went.moment.step == 0) return mention(done + tr("The run has started anew."));
  view_.show(SavedView{.step = went.moment.step, .beat = went.moment.beat, .part = went.moment.part});
  mention(done + tr("The run is trained again up to step %1.").arg(step));
}

void Workbench::fillHelpMenu() {
  QMenu* help = window_.menus().help;
  const QList<QAction*> before = help->actions();  // keys, about
  QAction* about = before.last();
  QAction* what = QWhatsThis::createAction(this);
  what->setObjectName(QStringLiteral("whatsThis"));
  what->setText(tr("&What's this?"));
  what->setIcon(QIcon());  // dark blue in every theme
  QAction* handbook = add(*help, "handbook", tr("&Handbook"), {QKeySequence::HelpContents},
                          [this] { showHandbook(window_, handbookSection(QApplication::focusWidget())); });
  handbook->setShortcutContext(Qt::ApplicationShortcut);  // in dialogs too
  help->removeAction(handbook);
  help->insertActions(before.first(), {handbook, what});
  QAction* find =
      add(*help, "paletteAct", tr("&Find a command…"), {QKeySequence(Qt::CTRL | Qt::Key_K)}, [this] { showPalette(); });
  help->removeAction(find);
  help->insertAction(about, find);
  QAction* report = add(*help, "reportAct", tr("Report a &problem…"), {}, [this] { reportProblem(); });
  help->removeAction(report);
  help->insertAction(about, report);
  help->insertSeparator(about);
  add(*help, "aboutQt", tr("About &Qt"), {}, [] { QApplication::aboutQt(); })->setMenuRole(QAction::AboutQtRole);
}

void Workbench::reportProblem() {
  const auto chosen = window_.chosenTheme();
  const QString window =
      QStringLiteral(
          "Window: %1×%2, layout %3, theme %4 (%5), text %6 px, language %7\nRun: step %8 on the stage, %9 trained")
          .arg(window_.width())
          .arg(window_.height())
          .arg(QLatin1String(keyOf(window_.windowLayout())), QLatin1String(theme::keyOf(theme::kind())),
               chosen ? QStringLiteral("chosen") : QStringLiteral("the system's"))
          .arg(theme::textSize())
          .arg(language::used())
          .arg(window_.playback().step())
          .arg(window_.playback().liveStep());
  showReport(&window_,
             problemReport(window, QString::fromStdString(configToJson(window_.experiment().asked()).dump())));
}

DataDialog& Workbench::showData() {
  if (data_ == nullptr) {
    data_ = new DataDialog(window_.experiment(), DataDialog::published(), customDataFolder("own"), &window_);
    connect(data_, &DataDialog::said, this,
            [this](const QString& text, bool failure) { say(Notices::Cause::Data, text, failure); });
  }
  data_->show();
  data_->raise();
  data_->activateWindow();
  return *data_;
}

void Workbench::fillDataMenu() {
  auto* data = new QMenu(tr("&Data"), window_.menuBar());
  data->setObjectName(QStringLiteral("dataMenu"));
  window_.menuBar()->insertMenu(window_.menus().help->menuAction(), data);
  const auto fetch = [this](const char* set) { showData().fetchWhenKnown(set); };
  add(*data, "fetchMnist", tr("Fetch &MNIST…"), {}, [fetch] { fetch("mnist"); });
  add(*data, "fetchFashion", tr("Fetch &Fashion-MNIST…"), {}, [fetch] { fetch("fashion-mnist"); });
  add(*data, "fetchCifar", tr("Fetch &CIFAR-10…"), {}, [fetch] { fetch("cifar10"); });
  data->addSeparator();
  add(*data, "dataSets", tr("Custom &images…"), {}, [this] { showData(); });
  add(*data, "useDigits", tr("Train with the &built-in digits"), {},
      [this] { window_.experiment().beginOrComplain(onDigits(withoutOutputs(window_.experiment().asked()))); });
}

void Workbench::showPalette() {
  if (auto* open = window_.findChild<CommandPalette*>()) return open->raise();
  // What the charts' and the runs' own menus have.
  auto* charts = new QMenu(tr("Charts"), &window_);
  window_.charts().fillMenu(*charts);
  auto* runs = new QMenu(tr("Runs"), &window_);
  for (const KeptRun& run : window_.library().runs())
    fillRunMenu(*runs->addMenu(window_.library().nameOf(run)), window_.library(), run.id);
  for (QMenu* menu : {charts, runs}) locks_->holdMenu(*menu);
  auto* palette = new CommandPalette(commandsOf(*window_.menuBar(), {charts, runs}, window_.keyActions()),
                                     window_.experiment(), &window_);
  connect(palette, &CommandPalette::said, this, &Workbench::mention);
  for (QMenu* menu : {charts, runs}) connect(palette, &QObject::destroyed, menu, &QObject::deleteLater);
  palette->move(window_.mapToGlobal(QPoint((window_.width() - palette->width()) / 2, window_.height() / 8)));
  palette->show();
}

}  // namespace lab

// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/session/file_desk.h"

#include <QClipboard>
#include <QDragEnterEvent>
#include <QFileInfo>
#include <QGuiApplication>
#include <QImageReader>
#include <QMenu>
#include <QMessageBox>
#include <QMimeData>
#include <QProgressDialog>
#include <QPushButton>
#include <QSettings>

#include <algorithm>

#include "core/base/error.h"
#include "core/files/experiment_file.h"
#include "ui/charts/table_plot.h"
#include "ui/data/data_dialog.h"
#include "ui/files/file_kind.h"
#include "ui/frame/menus.h"
#include "ui/frame/on_demand.h"
#include "ui/guide/lesson_view.h"
#include "ui/i18n/core_words.h"
#include "ui/runs/run_library.h"
#include "ui/session/desk_parts.h"
#include "ui/session/exports.h"
#include "ui/setup/network_picker.h"
#include "ui/theme/file_dialog.h"
#include "ui/trace/trace_panel.h"
#include "ui/tryout/try_out.h"
#include "ui/window/main_window.h"

namespace lab {
namespace {

constexpr int kMostRecent = 10;
const char* const kExperiments = QT_TRANSLATE_NOOP(
    "lab::FileDesk",
    "Experiments, recordings, tables, lessons (*.slab *.run *.csv *.lesson);;Networks, weights, traces, pictures "
    "(*.keras *.json *.json.gz *.safetensors *.png *.jpg *.jpeg);;All files (*)");

bool hasLink(const QString& text) {
  return text.contains(QLatin1String(kLinkScheme.data(), static_cast<qsizetype>(kLinkScheme.size())));
}

bool isTrace(const QString& path) {
  return path.endsWith(QStringLiteral(".json.gz"), Qt::CaseInsensitive) ||
         (path.endsWith(QStringLiteral(".json"), Qt::CaseInsensitive) && !isSavedExperiment(path));
}

bool isWeights(const QString& path) {
  return path.endsWith(QStringLiteral(".safetensors"), Qt::CaseInsensitive);
}

// A recording is gzip, which Qt's reader of SVG would try to inflate, with a warning if it cannot.
bool isPicture(const QString& path) {
  return fileKindAt(path) != FileKind::Recording && !QImageReader::imageFormat(path).isEmpty();
}

// True if a part of the window opens such a file; examples may have any other name.
bool isOpenedHere(const QString& path) {
  for (const char* ending : {".slab", ".run", ".csv", ".lesson", ".json"})
    if (path.endsWith(QLatin1String(ending), Qt::CaseInsensitive)) return true;
  return isNetworkFile(path) || isTrace(path) || isWeights(path) || isPicture(path);
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

FileDesk::FileDesk(DeskParts& desk) : QObject(&desk), desk_(desk) {
  desk_.window.setAcceptDrops(true);
  desk_.window.installEventFilter(this);
  followDocument();
  fillMenu();
  refreshTitle();
}

// Takes what an opened file adds to the window, and reports it.
void FileDesk::followDocument() {
  connect(&desk_.document, &Document::said, this,
          [this](const QString& text, bool failure) { desk_.say(Notices::Cause::File, text, failure); });
  connect(&desk_.document, &Document::tableRead, this, [this](const auto& table, const QString& path) {
    desk_.notices.over(Notices::Cause::File);
    const auto show = [this, table, name = QFileInfo(path).fileName()] { showTablePlot(*table, name, &desk_.window); };
    // Before the window is visible, the dialog would be behind it.
    desk_.window.isVisible() ? show() : void(QMetaObject::invokeMethod(&desk_.window, show, Qt::QueuedConnection));
  });
  // If the charts are hidden, say that a curve has been added.
  connect(&desk_.document.runs(), &RunFiles::joined, this, [this] {
    const WindowLayout workspace = desk_.window.workspaces().current();
    const bool onStage = workspace != WindowLayout::Compare && workspace != WindowLayout::Sweep;
    if (onStage && desk_.window.findChild<QWidget*>(QStringLiteral("evidencePanel"))->isHidden())
      desk_.window.panels().showTab(QStringLiteral("chartsTab"));
  });
  connect(&desk_.document, &Document::openFailed, this, [this](const QString& path) {
    desk_.notices.offer(Notices::Cause::File, tr("Try again"), [this, path] { openByKind(path); });
  });
  connect(&desk_.document.reader(), &FileReader::began, this, &FileDesk::showReading);
  connect(&desk_.document, &Document::opened, this, &FileDesk::remember);
  connect(&desk_.document, &Document::opened, this, [this] { desk_.notices.over(Notices::Cause::Link); });
  connect(&desk_.document, &Document::begun, this, [this] { desk_.notices.over(Notices::Cause::Link); });
  connect(&desk_.document, &Document::changed, this, &FileDesk::refreshTitle);
}

// Most files are read before anybody would see the dialog. It takes no key that is meant for the window.
void FileDesk::showReading(const QString& path) {
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

bool FileDesk::openLesson(const QString& nameOrFile) {
  desk_.window.panels().openTab(QStringLiteral("lessonsTab"));
  auto& lessons = static_cast<LessonView&>(desk_.window.panels().tab(QStringLiteral("lessonsTab"))->content());
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

bool FileDesk::open(const QString& path, const std::shared_ptr<RunRecord>& read) {
  if (path.endsWith(QStringLiteral(".lesson"), Qt::CaseInsensitive)) return openLesson(path);
  bool begun = false;  // curves, recordings and tables only come to what is there
  const QMetaObject::Connection watch = connect(&desk_.document, &Document::begun, this, [&begun] { begun = true; });
  const bool opened = desk_.document.open(path, read);
  disconnect(watch);
  if (begun) desk_.undo.forget();
  return opened;
}

bool FileDesk::save() {
  const bool saved = desk_.document.save();
  if (!saved && desk_.document.isChangedElsewhere())
    desk_.notices.offer(Notices::Cause::File, tr("Replace it"),
                        [this, path = desk_.document.path()] { desk_.document.saveAs(path); });
  return saved;
}

void FileDesk::openFromHere(const QString& path) {
  if (!isExperiment(path)) return void(open(path));
  leave([this, path] { open(path); });
}

void FileDesk::openLink(const QString& text) {
  if (!hasLink(text)) return void(desk_.document.openLink(text));  // which says so
  leave([this, text] {
    const bool leaves = !desk_.document.path().isEmpty();
    // Undo would bring the settings back, but neither the file nor its moments. A link pasted by mistake over untitled
    // settings is undone.
    if (desk_.document.openLink(text) && leaves) desk_.undo.forget();
  });
}

void FileDesk::refreshTitle() {
  desk_.window.setWindowTitle(desk_.document.path().isEmpty()
                                  ? QStringLiteral("StrategyLab")
                                  : QStringLiteral("%1[*] – StrategyLab").arg(desk_.document.title()));
  desk_.window.setWindowModified(!desk_.document.path().isEmpty() && desk_.document.isModified());
  desk_.window.setWindowFilePath(desk_.document.path());
}

void FileDesk::remember(const QString& path) {
  QStringList files = recent();
  const QString full = QFileInfo(path).absoluteFilePath();
  files.removeAll(full);
  files.prepend(full);
  desk_.settings.setValue(QStringLiteral("recentFiles"), files.mid(0, kMostRecent));
}

QStringList FileDesk::recent() const {
  return desk_.settings.value(QStringLiteral("recentFiles")).toStringList();
}

bool FileDesk::isChanged() const {
  return !desk_.document.path().isEmpty() && desk_.document.isModified();
}

// Untitled work is left without a question, as when the window is closed.
void FileDesk::leave(const std::function<void()>& then) {
  if (!isChanged()) return then();
  askBefore({}, then);
}

void FileDesk::askBefore(const QStringList& lost, const std::function<void()>& then) {
  if (desk_.window.findChild<QMessageBox*>(QStringLiteral("askBefore")) != nullptr) return;
  const bool changed = isChanged();
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

bool FileDesk::eventFilter(QObject* watched, QEvent* event) {
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
        Q_EMIT picturesDropped(paths);
      } else if (!paths.isEmpty()) {
        if (desk_.mayDrop("open")) openDropped(paths);
      } else if (desk_.mayDrop("pasteLink")) {
        openLink(drop->mimeData()->text());
      }
      return true;
    }
    default:
      return false;
  }
}

// ---- menus and dialogs. Dialogs run no event loop of their own, so that training and the window go on.

void FileDesk::askOpen() {
  // Without an experiment's file: the next recording is most likely beside the last one.
  const QString beside = desk_.document.path().isEmpty() ? recent().value(0) : desk_.document.path();
  askForPath(&desk_.window, this,
             {FileQuestion::Kind::Open, tr("Open"), tr(kExperiments),
              beside.isEmpty() ? QString() : QFileInfo(beside).absolutePath(), "openDialog"},
             [this](const QString& path) { openByKind(path); });
}

void FileDesk::askSaveAs() {
  const QString& path = desk_.document.path();
  const QString name = fileStem(desk_.window.experiment().resolved()) + QStringLiteral(".slab");
  askForPath(&desk_.window, &desk_.document,
             {FileQuestion::Kind::Save, tr("Save the experiment"), tr("Experiments (*.slab)"),
              path.isEmpty() ? name : path, "saveDialog"},
             [this](const QString& chosen) { desk_.document.saveAs(chosen); });
}

void FileDesk::fillRecent() {
  recent_->clear();
  for (const QString& path : recent()) {
    QAction* action = recent_->addAction(QFileInfo(path).fileName());
    action->setToolTip(path);
    action->setEnabled(QFileInfo::exists(path));  // greyed if it has vanished
    connect(action, &QAction::triggered, this, [this, path] { openFromHere(path); });
  }
  if (recent_->isEmpty()) recent_->addAction(tr("None yet"))->setEnabled(false);
}

void FileDesk::fillMenu() {
  QMenu* file = desk_.window.menus().file;
  const QList<QAction*> last = file->actions();  // Quit
  for (QAction* action : last) file->removeAction(action);
  desk_.add(*file, "new", tr("&New"), {QKeySequence::New}, [this] {
    leave([this] {
      desk_.document.begin();
      desk_.undo.forget();
    });
  });
  desk_.add(*file, "open", tr("&Open…"), {QKeySequence::Open}, [this] { askOpen(); });
  recent_ = file->addMenu(tr("Open &recent"));
  recent_->setObjectName(QStringLiteral("recentMenu"));
  recent_->setToolTipsVisible(true);
  connect(recent_, &QMenu::aboutToShow, this, &FileDesk::fillRecent);
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
    const KeptRun* run = desk_.window.library().find(desk_.window.library().presentId());
    const bool isClass = run != nullptr && run->header && run->header->isClass;
    askForPath(
        &desk_.window, this,
        {FileQuestion::Kind::Save, tr("Save the recording of the run on the stage"), tr("Recordings (*.run)"),
         fileStem(desk_.window.experiment().resolved(), isClass) + QStringLiteral(".run"), "saveRecordingDialog"},
        [this](const QString& path) { desk_.document.runs().save(desk_.window.library().presentId(), path); });
  });
  (new Exports(desk_))->fillMenu(*file);
  file->addSeparator();
  desk_.add(*file, "copyLink", tr("Copy experiment &link"), {QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_C)}, [this] {
    try {
      QGuiApplication::clipboard()->setText(desk_.document.link());
      desk_.say(Notices::Cause::Link, tr("Copied: a line of text that begins this experiment wherever it is pasted"),
                false);
    } catch (const UserError& error) {
      desk_.say(Notices::Cause::Link, coreSentence(error), true);
    }
  });
  desk_.add(*file, "pasteLink", tr("&Paste experiment link"), {QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_V)},
            [this] { openLink(QGuiApplication::clipboard()->text()); });
  file->addSeparator();
  file->addActions(last);
}

void FileDesk::openByKind(const QString& path) {
  const auto shown = [this](const QString& name) {
    desk_.window.panels().showTab(name);
    return desk_.window.panels().tab(name);
  };
  if (isPicture(path)) {
    const QImage picture(path);
    if (picture.isNull())
      return desk_.say(Notices::Cause::Drop, tr("'%1' is not a picture that can be read.").arg(path), true);
    desk_.notices.over(Notices::Cause::Drop);
    shown(QStringLiteral("tryTab"))->findChild<TryOut*>()->tryPicture(picture);
  } else if (isNetworkFile(path)) {
    desk_.window.panels().showTab(QStringLiteral("networkTab"));
    desk_.window.experiment().set(QStringLiteral("network"), path);
  } else if (isWeights(path)) {
    desk_.window.panels().showTab(QStringLiteral("setupTab"));
    desk_.window.experiment().set(QStringLiteral("init"), path);
  } else if (isTrace(path)) {
    shown(QStringLiteral("traceTab"))->findChild<TracePanel*>()->openFile(path);
  } else {
    openFromHere(path);
  }
}

void FileDesk::openDropped(const QStringList& paths) {
  QStringList beside, alone, left;
  for (const QString& path : paths) (comesBeside(path) ? beside : alone) << path;
  for (const QString& path : alone.mid(0, 1) + beside) openByKind(path);
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

}  // namespace lab

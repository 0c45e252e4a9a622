// SPDX-License-Identifier: GPL-3.0-or-later
// What the menus have for the desk itself: pictures of it, the places of its panels, the history of its settings, its
// keys.
#include <QAbstractItemView>
#include <QApplication>
#include <QClipboard>
#include <QDialog>
#include <QDir>
#include <QDockWidget>
#include <QFileDialog>
#include <QImageReader>
#include <QMenu>
#include <QMenuBar>
#include <QSettings>
#include <QUndoView>
#include <QVBoxLayout>

#include "core/base/error.h"
#include "core/base/file.h"
#include "ui/files/window_picture.h"
#include "ui/help/actions.h"
#include "ui/help/keys.h"
#include "ui/i18n/core_words.h"
#include "ui/i18n/messages.h"
#include "ui/playback/playback.h"
#include "ui/poster/poster.h"
#include "ui/runview/run_controller.h"
#include "ui/session/workbench.h"
#include "ui/setup/network_picker.h"
#include "ui/stage/stage.h"
#include "ui/theme/fitting.h"
#include "ui/theme/theme.h"
#include "ui/trace/trace_panel.h"
#include "ui/tryout/try_out.h"
#include "ui/window/main_window.h"
#include "ui/window/on_demand.h"

namespace lab {
namespace {

constexpr const char* kLocked = "window/locked";

}  // namespace

void Workbench::fillExportMenu(QMenu& file) {
  QMenu* exports = file.addMenu(tr("&Export"));
  exports->setObjectName(QStringLiteral("exportMenu"));
  const auto ask = [this](const QString& title, const QString& filter, const QString& name) {
    auto* dialog = new QFileDialog(&window_, title, name, filter);
    dialog->setObjectName(QStringLiteral("exportDialog"));
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setAcceptMode(QFileDialog::AcceptSave);
    dialog->setDefaultSuffix(name.section(QLatin1Char('.'), -1));
    connect(dialog, &QFileDialog::fileSelected, this, [this](const QString& path) {
      try {
        writePicture(window_, path);
        say(Notices::Cause::Export, tr("Written: %1").arg(path), false);
      } catch (const UserError& error) {
        say(Notices::Cause::Export, coreSentence(error), true);
      }
    });
    dialog->open();
  };
  add(*exports, "exportPng", tr("The window as a &picture…"), {},
      [ask] { ask(tr("Export the window"), tr("Pictures (*.png)"), QStringLiteral("strategylab.png")); });
  add(*exports, "exportPdf", tr("The window as PDF, to p&rint…"), {},
      [ask] { ask(tr("Export the window"), tr("PDF (*.pdf)"), QStringLiteral("strategylab.pdf")); });
  add(*exports, "exportPoster", tr("This step as a p&oster…"), {}, [this] { askForPoster(); });
  add(*exports, "exportMovie", tr("A beat as a &movie…"), {}, [this] { showMovie(); });
  add(*exports, "exportRuns", tr("The table of &runs…"), {}, [this] { askForRuns(); });
  connect(&window_.runTable(), &RunTable::exportWanted, this, &Workbench::askForRuns);
}

void Workbench::askForPoster() {
  const MovieStep step = stepOnStage(window_.controller(), window_.playback());
  if (!step.record) return say(Notices::Cause::Export, coreSentence(UserError(say::noStepForPoster)), true);
  const QStringList pages{tr("PDF, A3 (*.pdf)"), tr("PDF, 16:9 (*.pdf)"), tr("SVG, A3 (*.svg)"),
                          tr("SVG, 16:9 (*.svg)")};
  auto* dialog = new QFileDialog(&window_, tr("Export the poster"));
  dialog->setObjectName(QStringLiteral("exportDialog"));
  dialog->setAttribute(Qt::WA_DeleteOnClose);
  dialog->setAcceptMode(QFileDialog::AcceptSave);
  dialog->setNameFilters(pages);
  dialog->setDirectory(QDir::current());
  dialog->selectFile(tr("poster") + QStringLiteral(".pdf"));
  dialog->setDefaultSuffix(QStringLiteral("pdf"));
  connect(dialog, &QFileDialog::filterSelected, dialog, [dialog, pages](const QString& page) {
    dialog->setDefaultSuffix(pages.indexOf(page) < 2 ? QStringLiteral("pdf") : QStringLiteral("svg"));
  });
  // What was on the stage when it was asked for, whatever is there by now.
  connect(dialog, &QFileDialog::fileSelected, this, [this, step, dialog, pages](const QString& path) {
    try {
      const bool wide = pages.indexOf(dialog->selectedNameFilter()) % 2 == 1;
      writePoster(step, wide ? PosterPage::Wide : PosterPage::A3, window_.font(), path);
      say(Notices::Cause::Export, tr("Written: %1").arg(path), false);
    } catch (const UserError& error) {
      say(Notices::Cause::Export, coreSentence(error), true);
    }
  });
  dialog->open();
}

void Workbench::askForRuns() {
  auto* dialog = new QFileDialog(&window_, tr("Export the table of runs"), QStringLiteral("runs.csv"),
                                 tr("Comma-separated values (*.csv)"));
  dialog->setObjectName(QStringLiteral("exportDialog"));
  dialog->setAttribute(Qt::WA_DeleteOnClose);
  dialog->setAcceptMode(QFileDialog::AcceptSave);
  dialog->setDefaultSuffix(QStringLiteral("csv"));
  connect(dialog, &QFileDialog::fileSelected, this, [this](const QString& path) {
    try {
      writeFileAtomically(path.toStdString(), window_.runTable().csv());
      say(Notices::Cause::Export, tr("Written: %1").arg(path), false);
    } catch (const UserError& error) {
      say(Notices::Cause::Export, coreSentence(error), true);
    }
  });
  dialog->open();
}

void Workbench::fillCopy(QMenu& edit) {
  add(edit, "copy", tr("&Copy the stage's picture"), {QKeySequence::Copy}, [this] {
    // Where a table has the keyboard, what is meant is its cell.
    if (auto* view = qobject_cast<QAbstractItemView*>(QApplication::focusWidget());
        view != nullptr && view->currentIndex().isValid()) {
      QGuiApplication::clipboard()->setText(view->currentIndex().data().toString());
      return mention(tr("Copied: %1").arg(QGuiApplication::clipboard()->text()));
    }
    QGuiApplication::clipboard()->setPixmap(window_.stage().grab());
    mention(tr("Copied: the picture of the stage"));
  });
}

void Workbench::showHistory() {
  if (auto* open = window_.findChild<QDialog*>(QStringLiteral("history"))) return open->raise();
  auto* dialog = new QDialog(&window_);
  dialog->setObjectName(QStringLiteral("history"));
  dialog->setAttribute(Qt::WA_DeleteOnClose);
  dialog->setWindowTitle(tr("History of the settings"));
  auto* list = new QUndoView(&undo_.stack());
  list->setEmptyLabel(tr("As opened"));
  list->setAccessibleName(dialog->windowTitle());
  list->setToolTip(tr("A click returns to the settings of that entry; the run starts again"));
  auto* column = new QVBoxLayout(dialog);
  column->addWidget(list);
  fitToScreen(*dialog, {24, 24});
  dialog->show();
}

void Workbench::lockPanels(bool locked) {
  for (QDockWidget* panel : window_.findChildren<QDockWidget*>()) {
    panel->setFeatures(locked ? QDockWidget::NoDockWidgetFeatures
                              : QDockWidget::DockWidgetClosable | QDockWidget::DockWidgetMovable |
                                    QDockWidget::DockWidgetFloatable);
    // Which Qt then disables, with its key and its button.
    panel->toggleViewAction()->setToolTip(locked ? tr("The layout is locked: View, Lock the layout opens it")
                                                 : QString());
  }
}

void Workbench::fillViewMenu() {
  QMenu* view = window_.menus().view;
  view->addSeparator();
  add(*view, "resetLayout", tr("&Reset the layout"), {}, [this] { window_.resetPanels(); });
  QAction* lock = add(*view, "lockLayout", tr("&Lock the layout"), {}, [] {});
  lock->setCheckable(true);
  lock->setToolTip(tr("No panel can be moved or collapsed by mistake"));
  lock->setChecked(settings_.value(QLatin1String(kLocked)).toBool());
  connect(lock, &QAction::toggled, this, [this](bool locked) {
    settings_.setValue(QLatin1String(kLocked), locked);
    lockPanels(locked);
    if (locked)
      mention(
          tr("Panels stay as they are, open or collapsed, and their keys do nothing, until you choose Lock the "
             "layout again."));
  });
  if (lock->isChecked()) lockPanels(true);
}

void Workbench::openDropped(const QString& path) {
  const auto shown = [this](const QString& name) {
    window_.showTab(name);
    return window_.tab(name);
  };
  if (!QImageReader::imageFormat(path).isEmpty()) {
    const QImage picture(path);
    if (picture.isNull()) return say(Notices::Cause::Drop, tr("'%1' is no picture that can be read.").arg(path), true);
    notices_.over(Notices::Cause::Drop);
    shown(QStringLiteral("tryTab"))->findChild<TryOut*>()->tryPicture(picture);
  } else if (isNetworkFile(path)) {
    window_.showTab(QStringLiteral("networkTab"));
    window_.experiment().set(QStringLiteral("network"), path);
  } else if (path.endsWith(QStringLiteral(".json"), Qt::CaseInsensitive)) {
    shown(QStringLiteral("traceTab"))->findChild<TracePanel*>()->openFile(path);
  } else {
    open(path);
  }
}

// Last of all: it knows every action that there is.
void Workbench::adoptKeys() {
  std::vector<NamedAction> actions = actionsOf(*window_.menuBar());
  for (QAction* action : window_.keyActions())
    actions.push_back({action->text().remove(QLatin1Char('&')).remove(QStringLiteral("…")), action});
  keys_ = std::make_unique<Keys>(actions, settings_);
}

}  // namespace lab

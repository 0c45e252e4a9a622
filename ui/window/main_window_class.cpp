// SPDX-License-Identifier: GPL-3.0-or-later
// Serving a class: how it begins, its tab, and the code that replaces the stage while few have joined.
#include <QAction>
#include <QMenu>

#include "core/base/error.h"
#include "ui/accessibility/announcer.h"
#include "ui/i18n/words.h"
#include "ui/serving/class_panel.h"
#include "ui/serving/invitation.h"
#include "ui/serving/run_class.h"
#include "ui/serving/serve_dialog.h"
#include "ui/stage/stage.h"
#include "ui/theme/projected.h"
#include "ui/window/main_window.h"
#include "ui/window/on_demand.h"
#include "ui/window/status_line.h"

namespace lab {

void MainWindow::createClass() {
  classSource_ = std::make_unique<RunClass>(controller_, playback_);
  class_ = new ServedClass(classSource_.get(), this);
  connect(&controller_, &RunController::started, class_, &ServedClass::refresh);
  connect(&controller_, &RunController::updated, this, [this] {
    if (class_->isOpen() && controller_.isOver()) class_->refresh();
  });
  experiment_.setBusy([this] {
    return class_->isOpen() ? tr("A class is being served: end the lesson first, in the tab Class.") : QString();
  });
}

void MainWindow::fillClass(QMenu& run) {
  run.addSeparator();
  QAction* serve = addAct("serveClass", tr("Serve to the c&lass…"), {});
  connect(serve, &QAction::triggered, this, &MainWindow::openServe);
  codeAction_ = addAct("classCode", tr("Code of the class in place of the stage"), {Qt::Key_J});
  codeAction_->setCheckable(true);
  connect(codeAction_, &QAction::triggered, this, &MainWindow::setShowsCode);
  run.addActions({serve, codeAction_});
  run.addSeparator();
}

QWidget* MainWindow::makeClass() {
  auto* panel = new ClassPanel(*class_);
  connect(panel, &ClassPanel::serveWanted, this, &MainWindow::openServe);
  connect(panel, &ClassPanel::codeWanted, this, &MainWindow::setShowsCode);
  connect(panel, &ClassPanel::said, this, [this](const QString& text) { say(text, kMessageMs); });
  panel->setShowsCode(showsCode());
  return panel;
}

void MainWindow::openServe() {
  if (class_->isOpen()) return openTab(QStringLiteral("classTab"));
  if (auto* open = findChild<ServeDialog*>()) return open->raise(), open->activateWindow();
  try {
    auto* dialog = new ServeDialog(
        experiment_.asked(), ownAddresses(),
        [this](const RunSettings& settings, const ClassRun::Wishes& wishes) { serve(settings, wishes); }, this);
    dialog->open();
  } catch (const UserError& error) {  // a file of the settings may have gone since the run began
    experiment_.complain(error);
  }
}

void MainWindow::serve(const RunSettings& settings, const ClassRun::Wishes& wishes) {
  experiment_.serve(settings, wishes);
  showsCode_.reset();
  if (!stage_->isVisible() && !invitation_->isVisible()) setWindowLayout(WindowLayout::Teach);
  playback_.setMode(Playback::Mode::Live);  // a class does not wait for a movie
  playback_.play();
  if (theme::isProjected()) return;
  openTab(QStringLiteral("classTab"));
  sizePanels();
}

// Before the first update there is nothing else to see. On a projector, which hides the tab, until some have joined.
bool MainWindow::showsCode() const {
  if (!class_->isOpen()) return false;
  const ClassTotals& totals = class_->totals();
  return showsCode_.value_or(totals.updates == 0 || (theme::isProjected() && totals.workers <= Invitation::kFew));
}

void MainWindow::setShowsCode(bool shown) {
  showsCode_ = shown;
  if (shown && isStageAway()) setStageOpen(true);
  followClass();
}

void MainWindow::followClass() {
  if (invitation_ == nullptr || codeAction_ == nullptr) return;
  const bool open = class_->isOpen(), shown = showsCode();
  experiment_.setClassWorkers(open ? std::optional(class_->totals().workers) : std::nullopt);
  if (std::exchange(servedBefore_, open) && !open) {
    showsCode_.reset();
    experiment_.refusalChanged();
    say(tr("The lesson is over"), kMessageMs);
  }
  codeAction_->setEnabled(open);
  codeAction_->setChecked(shown);
  codeAction_->setToolTip(open ? QString() : tr("There is no class: Run ▸ Serve to the class"));
  if (auto* panel = findChild<ClassPanel*>()) panel->setShowsCode(shown);
  if (invitation_->isHidden() != shown) return;
  const bool focused = stage_->hasFocus();
  invitation_->setVisible(shown);
  stage_->setVisible(!shown);
  // Meanwhile keys that act on the stage must not go to another widget.
  if (shown && focused) setFocus();
  if (!shown && hasFocus()) stage_->setFocus();
}

}  // namespace lab
